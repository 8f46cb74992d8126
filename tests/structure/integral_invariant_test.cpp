#include "liaison/structure/integral_invariant.hpp"

#include <cmath>
#include <numbers>

#include "liaison/forms/calculus.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

TEST(IntegralInvariant, FormsOfTheDiscOnABelt) {  // TA2-eom: lambda_nu is the factor of l^nu = (-a, 1)
  const Derived model = derive_file("taylor/disc_on_belt.lia");
  const InvariantForms forms =
      derive_invariant_forms(*model.algebra, model.motion->space, assembled(*model.motion));
  EXPECT_TRUE(forms.has_forces);
  EXPECT_TRUE(model.equal(forms.momenta[1], "m*R^2/2*theta'"));
  EXPECT_TRUE(model.equal(forms.forces[1], "R*sin(varphi)*lambda_along_x - R*cos(varphi)*lambda_along_y"));
  EXPECT_TRUE(model.equal(forms.forces[2], "lambda_along_x"));
  EXPECT_TRUE(model.equal(forms.energy,
                          "m*(x'^2 + y'^2)/2 + m*R^2*varphi'^2/8 + m*R^2*theta'^2/4 + c'^2/2 - m*gam*x"));
}

TEST(IntegralInvariant, CharacteristicFieldOfTheWholeForm) {
  // TA5-converse: i(X)(Omega + sum lambda_h l^h ^ dt) = 0 for the motion, at every state, on the relations or
  // not.
  const Derived model = derive_file("taylor/disc_on_belt.lia");
  const Motion& motion = *model.motion;
  const StateSpace& space = motion.space;
  Form form = motion.omega.omega;
  for (std::size_t h = 0; h < motion.constraints.size(); ++h) {
    std::vector<Form::Term> terms;
    for (std::size_t i = 0; i < space.size(); ++i) {
      IndexSet index;
      index.set(i);
      index.set(space.time_form());
      terms.emplace_back(index, motion.factors[h] * motion.constraints[h].direction[i]);
    }
    form = form + Form(space.coframe, 2, std::move(terms));
  }
  const VectorField field = space.motion_field(motion.acceleration);
  EXPECT_TRUE(is_zero(*model.algebra, interior(field, form)).is_proved());
  // Without the reactions it is not zero, and no other field has both properties.
  EXPECT_TRUE(is_zero(*model.algebra, interior(field, motion.omega.omega)).is_refuted());
}

TEST(IntegralInvariant, CircuitOfAnEllipse) {
  // p = b sin, q = a cos: the integral of p dq is -pi a b, by few points; dt and forces with their signs.
  const Derived model = derive("coord x\nkinetic x'^2/2\n");
  for (const std::size_t n : {8u, 16u}) {
    TubeCircuit circuit;
    for (std::size_t k = 0; k < n; ++k) {
      const double a = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
      circuit.push_back({.t = 0.1 * std::sin(a),
                         .duration = 2,
                         .positions = {3 * std::cos(a)},
                         .velocities = {5 * std::cos(a)},
                         .momenta = {2 * std::sin(a)},
                         .energy = 7 * std::cos(a),
                         .forces = {11 * std::sin(a)}});
    }
    const CircuitIntegrals found = integrate_circuit(*model.system, circuit);
    const double pi = std::numbers::pi;
    EXPECT_NEAR(found.form, -6 * pi - 0.7 * pi, 1e-12);
    EXPECT_NEAR(found.power, 0, 1e-12);  // sin cos^2 has the mean zero
    EXPECT_NEAR(found.forces, 2 * 33 * pi, 1e-11);
  }
}

TEST(IntegralInvariant, KronrodsRule) {
  double all = 0, coarse = 0, high = 0, low = 0;
  for (const QuadratureNode& node : kronrod_nodes()) {
    all += node.weight;
    coarse += node.coarse;
    high += node.weight * std::pow(node.at, 22);
    low += node.coarse * std::pow(node.at, 13);
  }
  EXPECT_NEAR(all, 1, 1e-15);
  EXPECT_NEAR(coarse, 1, 1e-15);
  EXPECT_NEAR(high, 1.0 / 23, 1e-15);  // exact up to the degree 22 with 15 points, 13 with 7
  EXPECT_NEAR(low, 1.0 / 14, 1e-15);
}

}  // namespace
}  // namespace liaison::test
