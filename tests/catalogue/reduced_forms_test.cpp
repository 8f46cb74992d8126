/// Rows G2.VII-*: Omega on the forms of one constraint, Omega_r with its factor and Omega_s without.
#include "form_at_a_point.hpp"

#include <algorithm>

#include "liaison/expr/traverse.hpp"
#include "liaison/forms/two_form.hpp"
#include "liaison/mechanics/formulation.hpp"
#include "liaison/mechanics/reduction.hpp"
#include "mechanics/mechanics_support.hpp"

namespace liaison {
namespace {

using test::derive;
using test::Derived;
using test::FormAtAPoint;
using test::on;

std::vector<Expr> coefficients(const Form& a) {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < a.coframe()->dimension(); ++i) {
    const std::size_t index[] = {i};
    result.push_back(a.coefficient(index));
  }
  return result;
}

/// A form at a point with a random relation and a random force.
struct ConstrainedPoint : FormAtAPoint {
  std::vector<Expr> l;
  VectorField free, e;
  Form da;
  Form pi;  ///< l_i dq^i - P_u dt, P_u = l_i v^i

  ConstrainedPoint(std::size_t size, std::uint64_t seed)
      : FormAtAPoint(size, seed), free(space), e(space), da(any_form()), pi(space, 1) {
    for (std::size_t i = 0; i < n; ++i) l.push_back(factor());
    pi = contact(l);
    free = pushed(Form(space, 1));
    e = simplified(desk.algebra, pushed(pi) - free);
    while (on(e, da).is_zero()) da = any_form();
  }
  /// The motion with a further force.
  VectorField pushed(const Form& force) {
    return *characteristic_field(desk.algebra, omega + wedge(force, dt()), dt()).field;
  }
  Expr lambda() const { return -on(free, da) / on(e, da); }
  VectorField motion() const { return free + lambda() * e; }
  /// i(e)da = 0 by another relation with the same force.
  void make_incompatible() {
    Form beta(space, 1);
    for (std::size_t i = 0; i < n; ++i) beta = beta + l[i] * basis("v", i);
    da = simplified(desk.algebra, da - (on(e, da) / on(e, beta)) * beta);
  }
  void make_first_integral() { da = simplified(desk.algebra, da - on(free, da) * dt()); }
  /// da/dp_i: what a unit force on q^i does to the relation.
  Expr by_momentum(std::size_t i) {
    std::vector<Expr> unit(n, desk("0"));
    unit[i] = desk("1");
    return desk.algebra.canonical(on(pushed(contact(unit)), da) - on(free, da)).value;
  }
};

TEST(ConstraintForms, a_compatible_constraint_has_a_common_index_in_momenta) {
  CATALOGUE_ROW("G2.VII-basis");
  for (std::size_t n : {2U, 3U})
    for (std::uint64_t seed : test::seeds(4)) {
      SCOPED_TRACE(test::seed_note(seed));
      ConstrainedPoint point(n, seed);
      Expr sum = point.desk("0");
      std::size_t common = n;
      for (std::size_t i = 0; i < n; ++i) {
        sum = sum + point.by_momentum(i) * point.l[i];
        if (!point.by_momentum(i).is_zero()) common = i;
      }
      EXPECT_PROVED(point.desk.algebra.are_equal(sum, on(point.e, point.da)));
      ASSERT_LT(common, n);
      // sigma, pi and the other dq, dp with dt are a frame.
      std::vector<Expr> rows;
      std::vector<std::string> names;
      const auto add = [&](const std::string& name, const Form& form) {
        for (Expr c : coefficients(form)) rows.push_back(c);
        names.push_back(name);
      };
      add("sigma", point.da);
      add("pi", point.pi);
      for (std::size_t i = 0; i < n; ++i) {
        if (i == common) continue;
        add("q" + std::to_string(i), point.basis("q", i));
        add("p" + std::to_string(i), interior(VectorField::dual(point.space, i), -point.omega));
      }
      add("time", point.dt());
      EXPECT_NO_THROW(
          moving_frame(point.desk.algebra, point.space, names, Matrix(2 * n + 1, 2 * n + 1, rows)));
    }
}

TEST(ConstraintForms, in_velocities_a_common_index_need_not_exist) {
  CATALOGUE_ROW("G2.VII-basis");
  const Derived cart = test::derive_file("gallissot/cart_with_servo_pendulum.lia");
  const ConstraintField& hold = cart.motion->constraints[0];
  for (std::size_t i = 0; i < 2; ++i) EXPECT_TRUE(hold.direction[i].is_zero() || hold.gradient[i].is_zero());
  EXPECT_REFUTED(cart.algebra->is_zero(cart.motion->r(0, 0)));  // compatible all the same

  // sigma = dtheta', pi = dx: they replace dx and dtheta'; they cannot replace the pair dx, dx'.
  const CoframePtr state = cart.motion->space.coframe;
  const auto frame = [&](const std::vector<std::string>& kept) {
    std::vector<std::string> names{"sigma", "pi", "w3", "w4", "w0"};
    std::vector<Expr> rows;
    for (const std::string& name :
         {std::string("dtheta'"), std::string("dx"), kept[0], kept[1], std::string("dt")})
      for (Expr c : coefficients(Form::basis(state, name))) rows.push_back(c);
    return moving_frame(*cart.algebra, state, names, Matrix(5, 5, rows));
  };
  EXPECT_NO_THROW(frame({"dtheta", "dx'"}));
  EXPECT_THROW(frame({"dtheta", "dtheta'"}), Error);

  const auto reduced = derive_omega_s(*cart.algebra, *cart.motion);
  ASSERT_TRUE(reduced);
  EXPECT_EQ(reduced->configuration_forms, std::vector<std::size_t>{state->index_of("dx")});
  EXPECT_EQ(reduced->velocity_forms, std::vector<std::size_t>{state->index_of("dtheta'")});
}

/// The equations of Omega + Lambda pi^dt modulo da and dt, for X with i(X)dt = 1: unknowns X, Lambda, and the
/// factor of da; with i(X)da = 0 and, if an index is given, dq^i - v^i dt = 0.
SolveResult solve_omega_r(ConstrainedPoint& point, std::optional<std::size_t> added) {
  const std::size_t m = 2 * point.n;
  const Matrix k = coefficient_matrix(point.omega);
  const std::vector<Expr> da = coefficients(point.da), pi = coefficients(point.pi);
  Matrix a(point.desk.pool, m + 1 + (added ? 1 : 0), m + 2);
  std::vector<Expr> b;
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = 0; i < m; ++i) a(j, i) = k(i, j);
    a(j, m) = -pi[j];
    a(j, m + 1) = -da[j];
    b.push_back(-k(m, j));
  }
  for (std::size_t i = 0; i < m; ++i) a(m, i) = da[i];
  b.push_back(-da[m]);
  if (added) {
    a(m + 1, *added) = point.desk("1");
    b.push_back(point.velocity[*added]);
  }
  return solve(point.desk.algebra, a, b);
}

TEST(ConstraintForms, omega_r_gives_motion_and_factor) {
  CATALOGUE_ROW("G2.VII-ThI");
  for (std::size_t n : {2U, 3U})
    for (std::uint64_t seed : test::seeds(4)) {
      SCOPED_TRACE(test::seed_note(seed));
      ConstrainedPoint point(n, seed);
      std::size_t index = 0;
      while (index < n && point.by_momentum(index).is_zero()) ++index;
      ASSERT_LT(index, n);
      const SolveResult unique = solve_omega_r(point, index);
      ASSERT_EQ(unique.status, SolveStatus::unique);
      for (std::size_t i = 0; i < 2 * n; ++i)
        EXPECT_PROVED(point.desk.algebra.are_equal(unique.x[i], point.motion().component(i)));
      EXPECT_PROVED(point.desk.algebra.are_equal(unique.x[2 * n], point.lambda()));

      // Without the added equation one parameter stays free; the factor does not depend on it.
      const SolveResult open = solve_omega_r(point, std::nullopt);
      ASSERT_EQ(open.status, SolveStatus::underdetermined);
      ASSERT_EQ(open.kernel.size(), 1U);
      EXPECT_PROVED(point.desk.algebra.is_zero(open.kernel[0][2 * n]));
    }
}

TEST(ConstraintForms, omega_r_has_no_solution_without_compatibility) {
  CATALOGUE_ROW("G2.VII-ThI");
  for (std::uint64_t seed : test::seeds(4)) {
    SCOPED_TRACE(test::seed_note(seed));
    ConstrainedPoint point(2, seed);
    point.make_incompatible();
    if (on(point.free, point.da).is_zero()) continue;
    EXPECT_EQ(solve_omega_r(point, std::nullopt).status, SolveStatus::inconsistent);
    point.make_first_integral();
    EXPECT_EQ(solve_omega_r(point, std::nullopt).status, SolveStatus::underdetermined);
  }
}

TEST(ConstraintForms, the_reduced_forms_of_models_give_their_motion) {
  CATALOGUE_ROW("G2.VII-ThI");
  CATALOGUE_ROW("G2.VII-ThII");
  for (const char* file : {"cart_with_servo_pendulum", "cart_with_force_on_pendulum", "skate_on_incline",
                           "bead_on_turning_wire", "heavy_point_on_circle", "areal_velocity_under_gravity"}) {
    const Derived model = test::derive_file("gallissot/" + std::string(file) + ".lia");
    for (Formulation road : {Formulation::omega_r, Formulation::omega_s}) {
      const FormulationResult result = derive_formulation(*model.algebra, *model.motion, road);
      ASSERT_TRUE(result.applicable) << file << ": " << result.reason;
      EXPECT_PROVED(agrees(*model.algebra, *model.motion, result)) << file << " " << name_of(road);
      EXPECT_EQ(result.factors.empty(), road == Formulation::omega_s) << file;
    }
  }
}

/// The kernel of Omega on the distribution da = 0, pi = 0.
std::vector<VectorField> kernel_of_omega_s(ConstrainedPoint& point) {
  Algebra& algebra = point.desk.algebra;
  std::vector<Expr> rows = coefficients(point.da);
  for (Expr c : coefficients(point.pi)) rows.push_back(c);
  const std::vector<std::vector<Expr>> basis = null_space(algebra, Matrix(2, 2 * point.n + 1, rows)).basis;
  std::vector<VectorField> fields;
  for (const std::vector<Expr>& components : basis) fields.emplace_back(point.space, components);
  Matrix gram(point.desk.pool, fields.size(), fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i)
    for (std::size_t j = 0; j < fields.size(); ++j)
      gram(i, j) = on(fields[j], interior(fields[i], point.omega));
  std::vector<VectorField> kernel;
  const std::vector<std::vector<Expr>> combinations = null_space(algebra, gram).basis;
  for (const std::vector<Expr>& combination : combinations) {
    VectorField sum(point.space);
    for (std::size_t i = 0; i < fields.size(); ++i) sum = sum + combination[i] * fields[i];
    kernel.push_back(simplified(algebra, sum));
  }
  return kernel;
}

TEST(ConstraintForms, the_kernel_of_omega_s_is_the_motion_iff_compatible) {
  CATALOGUE_ROW("G2.VII-ThII");
  for (std::size_t n : {2U, 3U})
    for (std::uint64_t seed : test::seeds(4)) {
      SCOPED_TRACE(test::seed_note(seed));
      ConstrainedPoint point(n, seed);
      Algebra& algebra = point.desk.algebra;
      // Omega_s^(n-1)^dt, written with the two forms that are set to zero.
      const auto criterion = [&] {
        return is_zero(algebra, wedge(wedge(power(point.omega, static_cast<unsigned>(n) - 1), point.dt()),
                                      wedge(point.da, point.pi)));
      };
      std::vector<VectorField> kernel = kernel_of_omega_s(point);
      ASSERT_EQ(kernel.size(), 1U);
      const Expr time = on(kernel[0], point.dt());
      EXPECT_PROVED(are_equal(algebra, kernel[0], time * point.motion()));
      EXPECT_REFUTED(algebra.is_zero(time));
      EXPECT_REFUTED(criterion());

      // i(e)da = 0: e alone, no motion.
      point.make_incompatible();
      if (on(point.free, point.da).is_zero()) continue;
      kernel = kernel_of_omega_s(point);
      ASSERT_EQ(kernel.size(), 1U);
      EXPECT_PROVED(algebra.is_zero(on(kernel[0], point.dt())));
      for (std::size_t i = 0; i < 2 * n; ++i)
        for (std::size_t j = 0; j < i; ++j)
          EXPECT_PROVED(algebra.are_equal(kernel[0].component(i) * point.e.component(j),
                                          kernel[0].component(j) * point.e.component(i)));
      EXPECT_PROVED(criterion());

      // i(E)da = 0 too: dimension 3, E and e among them.
      point.make_first_integral();
      kernel = kernel_of_omega_s(point);
      EXPECT_EQ(kernel.size(), 3U);
      EXPECT_PROVED(criterion());
    }
}

TEST(ConstraintForms, omega_s_of_the_cart_loses_its_rank_upright) {
  CATALOGUE_ROW("G2.VII-ThII");
  const Derived cart = test::derive_file("gallissot/cart_with_servo_pendulum.lia");
  const auto reduced = derive_omega_s(*cart.algebra, *cart.motion);
  ASSERT_TRUE(reduced);
  EXPECT_EQ(rank_and_class(*cart.algebra, reduced->form).rank, 2U);
  EXPECT_EQ(reduced->form.terms().size(), 2U);
  const Form volume = wedge(reduced->form, Form::basis(cart.motion->space.coframe, "dt"));
  const Expr coefficient = volume.coefficient({"dx'", "dtheta", "dt"});
  EXPECT_TRUE(cart.equal(coefficient, "m2*l*cos(theta)"));
  EXPECT_PROVED(cart.algebra->is_zero(substitute(coefficient, {{cart("theta"), cart("pi/2")}})));
}

/// Whether the symbol stands in a coefficient of the form.
bool appears(const Form& form, Expr symbol) {
  return std::any_of(form.terms().begin(), form.terms().end(),
                     [&](const Form::Term& term) { return depends_on(term.second, symbol); });
}

TEST(ConstraintForms, a_holonomic_relation_takes_a_pair_of_variables_away) {
  CATALOGUE_ROW("G2.VII-remarks");
  const Derived circle = test::derive_file("gallissot/heavy_point_on_circle.lia");
  const auto reduced = derive_omega_s(*circle.algebra, *circle.motion);
  ASSERT_TRUE(reduced);
  const CoframePtr state = circle.motion->space.coframe;
  for (const auto& [product, coefficient] : reduced->form.terms()) {
    EXPECT_FALSE(product.test(state->index_of("dr")));
    EXPECT_FALSE(product.test(state->index_of("dr'")));
  }
  EXPECT_FALSE(appears(reduced->form, circle("r'")));
  EXPECT_EQ(reduced->form.terms().size(), 3U);
  EXPECT_TRUE(appears(reduced->form, circle("theta")));
}

TEST(ConstraintForms, ignorable_coordinates_of_the_sliding_disc_are_absent) {
  CATALOGUE_ROW("G2.VII-remarks");
  const Derived disc = derive(
      "param M > 0, R > 0, k > 0, g, i, f\ncoord xi, eta, theta\nkinetic M/2*(xi'^2 + eta'^2 + "
      "k^2*theta'^2)\n"
      "potential M*g*(eta*cos(i) - xi*sin(i))\nlet V = xi' + R*theta'\n"
      "constraint line: eta' = 0 power eta' - f*abs(V)\n");
  const auto reduced = derive_omega_s(*disc.algebra, *disc.motion);
  ASSERT_TRUE(reduced);
  for (const char* name : {"xi", "eta", "theta"}) {
    EXPECT_FALSE(appears(reduced->form, disc(name))) << name;
    EXPECT_FALSE(depends_on(disc.factor("line"), disc(name))) << name;
  }
  // So the velocities are found by themselves, and theta by a quadrature of theta'.
  for (const char* velocity : {"xi'", "theta'"})
    for (const char* name : {"xi", "eta", "theta"})
      EXPECT_FALSE(depends_on(disc.acceleration(velocity), disc(name))) << velocity << " " << name;
}

}  // namespace
}  // namespace liaison
