#include "liaison/structure/momentum_equations.hpp"

#include "liaison/expr/print.hpp"
#include "liaison/forms/calculus.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

struct Found {
  Derived model;
  StateFlowResult flow;
  Symmetries symmetries;
  MomentumEquations momenta;
};

Found find(Derived model) {
  StateFlowResult flow = derive_state_flow(*model.algebra, *model.motion);
  EXPECT_TRUE(flow.flow) << flow.reason;
  Symmetries symmetries = find_symmetries(*model.algebra, *flow.flow);
  MomentumEquations momenta = find_momentum_equations(*model.algebra, *flow.flow, symmetries);
  return {std::move(model), std::move(flow), std::move(symmetries), std::move(momenta)};
}

/// The momentum of the symmetry that the wheels allow, and of the rotor, which is a symmetry that they allow
/// by itself (A. M. Bloch, P. S. Krishnaprasad, J. E. Marsden, R. M. Murray 1996); the model claims the
/// equation of theirs.
TEST(MomentumEquations, SnakeboardHasItsOwn) {
  const Found found = find(derive_file("integrable/snakeboard.lia"));
  ASSERT_EQ(found.momenta.equations.size(), 2u);
  EXPECT_EQ(found.momenta.none_else, Grade::checked);  // at phi = pi/2 the wheels lose rank
  const MomentumEquation &rotor = found.momenta.equations[0], &board = found.momenta.equations[1];
  EXPECT_TRUE(rotor.is_horizontal);
  EXPECT_TRUE(rotor.conserved.holds());
  EXPECT_FALSE(board.is_horizontal);
  EXPECT_TRUE(board.conserved.is_refuted());
  const Derived& model = found.model;
  // Up to the factor c and a multiple of the rotor's, J = c p + d K with p of the paper: p' from the claim.
  const auto on_states = [&](const std::string& text) { return found.flow.flow->restricted(model(text)); };
  const Expr p =
      on_states("2*cos(phi)*(m*l*(x'*cos(theta) + y'*sin(theta))*cos(phi) + (k*theta' + J*psi')*sin(phi))");
  EXPECT_TRUE(model.algebra->is_zero(apply(found.flow.flow->field, board.momentum) - board.rate).is_proved());
  EXPECT_TRUE(model.algebra->is_zero(p - on_states("2*cos(phi)") * board.momentum).holds())
      << to_infix(board.momentum);
}

/// Of a symmetry group that moves everything all admissible directions are along it: as many momenta as there
/// are velocities, and all motions of the disc are known by them.
TEST(MomentumEquations, DiscHasAMomentumForEachVelocity) {
  const Found found = find(derive_file("classics/rolling_disc.lia"));
  ASSERT_EQ(found.momenta.equations.size(), 2u);
  EXPECT_EQ(found.momenta.none_else, Grade::proved);
  for (const MomentumEquation& equation : found.momenta.equations) {
    EXPECT_TRUE(found.model.algebra->is_zero(apply(found.flow.flow->field, equation.momentum) - equation.rate)
                    .is_proved());
  }
  EXPECT_TRUE(is_gauge_momentum(*found.model.algebra, *found.flow.flow, found.symmetries,
                                found.model("x*phi' - R*theta'*cos(phi)")));
  EXPECT_FALSE(is_gauge_momentum(*found.model.algebra, *found.flow.flow, found.symmetries,
                                 found.model("x*phi'^2 - R*theta'*cos(phi)")));
}

/// y' = z x' has the translations along x and y and the turns of what they do to z; a potential of z leaves
/// the translations, and the one field along them that is allowed has a momentum that changes with z: (1 +
/// z^2) x' by z x' z'.
TEST(MomentumEquations, NonHolonomicParticle) {
  const Found found = find(
      derive("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential z^3\nconstraint c: y' - z*x' = 0\n"));
  ASSERT_EQ(found.momenta.equations.size(), 1u);
  const MomentumEquation& equation = found.momenta.equations[0];
  EXPECT_FALSE(equation.is_horizontal);
  EXPECT_TRUE(found.model.equal(equation.momentum, "(1 + z^2)*x'")) << to_infix(equation.momentum);
  EXPECT_TRUE(found.model.equal(equation.rate, "z*x'*z'")) << to_infix(equation.rate);
  EXPECT_TRUE(equation.conserved.is_refuted());
  // (1 + z^2)^(1/2) x' is kept (Bates and Sniatycki): along the same field.
  EXPECT_TRUE(is_gauge_momentum(*found.model.algebra, *found.flow.flow, found.symmetries,
                                found.model("sqrt(1 + z^2)*x'")));
}

}  // namespace
}  // namespace liaison::test
