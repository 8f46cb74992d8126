/// Rows G3.I-* to G3.V-*: several constraints, whose relations and forces need not be related.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/forms/two_form.hpp"
#include "liaison/mechanics/formulation.hpp"
#include "liaison/mechanics/reduction.hpp"
#include "liaison/mechanics/state.hpp"
#include "misprint.hpp"
#include "several_constraints_support.hpp"

namespace liaison::test {
namespace {

constexpr std::size_t p = 2;

// --- The definition -------------------------------------------------------------------------------------

TEST(SeveralConstraints, FieldsOfTheForcesComeFromOmega) {
  CATALOGUE_ROW("G3.I-def");
  for (std::uint64_t seed : seeds(8)) {
    SCOPED_TRACE(seed_note(seed));
    const RandomSystem random(seed, 3 + seed % 2, Directions::unrelated);
    ASSERT_EQ(random.motion().status, FactorStatus::determined);
    const StateSpace& space = random.motion().space;
    const Form dt = random.basis(space.time_form());
    Form with_reactions = random.at_state(random.motion().omega.omega);
    VectorField constrained = random.at_state(space.motion_field(random.motion().free_acceleration));
    for (std::size_t h = 0; h < p; ++h) {
      const VectorField e = random.at_state(space.velocity_field(random.motion().fields[h]));
      const Form l = random.at_state(random.direction(h));
      const Form on_motion = l - random.at_state(random.power(h)) * dt;
      EXPECT_PROVED(
          are_equal(random.algebra(), interior(e, random.at_state(random.motion().omega.omega)), on_motion));
      EXPECT_PROVED(is_zero(random.algebra(), interior(e, dt)));
      const Expr factor = random.at_state(random.motion().factors[h]);
      with_reactions = with_reactions + wedge(factor * l, dt);
      constrained = constrained + factor * e;
    }
    EXPECT_PROVED(is_zero(random.algebra(), interior(constrained, with_reactions)));
    const VectorField other = constrained + random.at_state(space.velocity_field(random.motion().fields[0]));
    EXPECT_REFUTED(is_zero(random.algebra(), interior(other, with_reactions)));  // other factors
  }
}

TEST(SeveralConstraints, OtherGeneratorsKeepTheFactors) {
  CATALOGUE_ROW("G3.I-generators");
  for (std::uint64_t seed : seeds(6)) {
    SCOPED_TRACE(seed_note(seed));
    RandomSystem::Generators linear{{{2, 1}, {1, -1}}};
    const RandomSystem first(seed, 3, Directions::unrelated);
    ASSERT_EQ(first.motion().status, FactorStatus::determined);
    const RandomSystem second(seed, 3, Directions::unrelated, linear);
    EXPECT_PROVED(second.equal(second.motion().determinant,
                               copy_to(second.pool(), first.motion().determinant) * second.number(-3)));
    for (std::size_t h = 0; h < p; ++h) {
      EXPECT_PROVED(
          second.equal(second.motion().factors[h], copy_to(second.pool(), first.motion().factors[h])));
    }
    const RandomSystem dependent(seed, 3, Directions::unrelated, RandomSystem::Generators{{{2, 1}, {4, 2}}});
    EXPECT_PROVED(dependent.zero(dependent.motion().determinant));
    EXPECT_FALSE(solve_relations(dependent.algebra(), dependent.motion()));
    EXPECT_NE(dependent.motion().status, FactorStatus::determined);
  }
}

// --- Compatibility --------------------------------------------------------------------------------------

TEST(SeveralConstraints, SingularSystemIsIndeterminateOrIncompatible) {
  CATALOGUE_ROW("G3.II-compat");
  const std::string point =
      "param m > 0, X, Y\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2 + z'^2)\nforce x = X\nforce y = Y\n";
  const DerivedModel twice(point + "constraint one: x' = 0\nconstraint two: 2*x' = 0\n");
  EXPECT_EQ(twice.motion->status, FactorStatus::undetermined);
  ASSERT_EQ(twice.motion->free_factors.size(), 1u);
  const std::vector<Expr>& open = twice.motion->free_factors[0];
  EXPECT_PROVED(twice.algebra->is_zero(open[0] + twice("2") * open[1]));
  EXPECT_PROVED(twice.equal(twice.motion->factors[0] + twice("2") * twice.motion->factors[1], "-X"));
  EXPECT_PROVED(twice.equal(twice.acceleration("x'"), "0"));
  EXPECT_PROVED(twice.equal(twice.acceleration("y'"), "Y/m"));

  const DerivedModel tangent(point + "constraint one: x' = 0\nconstraint two: y' = 0 by z'\n");
  EXPECT_EQ(tangent.motion->status, FactorStatus::incompatible);
  ASSERT_EQ(tangent.motion->certificate.size(), p);
  // The combination of the relations that no force acts on, and that the free motion does not keep.
  for (std::size_t h = 0; h < p; ++h) {
    EXPECT_PROVED(tangent.algebra->is_zero(tangent.motion->certificate[0] * tangent.motion->r(h, 0) +
                                           tangent.motion->certificate[1] * tangent.motion->r(h, 1)));
  }
  EXPECT_REFUTED(tangent.algebra->is_zero(tangent.motion->certificate[0] * tangent.motion->drive[0] +
                                          tangent.motion->certificate[1] * tangent.motion->drive[1]));

  const DerivedModel crossed(point + "constraint one: x' = 0 by y'\nconstraint two: y' = 0 by x'\n");
  EXPECT_EQ(crossed.motion->status, FactorStatus::determined);
  EXPECT_PROVED(crossed.equal(crossed.motion->determinant, "-1/m^2"));
}

TEST(SeveralConstraints, DeterminantIsTheInteriorProductOfPVectorAndPForm) {
  CATALOGUE_ROW("G3.II-pvector");
  Desk desk;
  const CoframePtr space = desk.coordinates("p1 p2 p3 q1 q2 q3 t");
  const Form a1 = desk.form(space, "1: dp1; 2: dp2; 1: dq1; 0.5: dq2; 3: dt");
  const Form a2 = desk.form(space, "-1: dp2; 2: dp3; 1: dq2; 1: dq3");
  const VectorField e1 = desk.field(space, {"1", "2", "-1", "0", "0", "0", "0"});
  const VectorField e2 = desk.field(space, {"0", "1", "3", "0", "0", "0", "0"});
  const Form both = wedge(a1, a2);
  const std::vector<std::vector<std::string_view>> pairs = {{"dp1", "dp2"}, {"dp1", "dp3"}, {"dp2", "dp3"}};
  const std::vector<double> form_minors = {-1, 2, 4}, field_minors = {1, 3, 7};
  double sum = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Expr of_form = both.coefficient({pairs[i][0], pairs[i][1]});
    const Expr of_fields = e1.component(pairs[i][0]) * e2.component(pairs[i][1]) -
                           e1.component(pairs[i][1]) * e2.component(pairs[i][0]);
    EXPECT_NUMBER(Point(desk, "unused = 0")(of_form), form_minors[i]);
    EXPECT_NUMBER(Point(desk, "unused = 0")(of_fields), field_minors[i]);
    sum += form_minors[i] * field_minors[i];
  }
  EXPECT_EQ(sum, 33);
  EXPECT_PROVED(desk.algebra.are_equal(evaluate_on(both, std::vector{e1, e2}), desk("33")));
  EXPECT_PROVED(are_equal(desk.algebra, interior(e2, interior(e1, both)), Form::function(space, desk("33"))));
  // Independent directions and relations, but a direction that both relations leave free.
  const VectorField tangent = desk.field(space, {"-4", "2", "1", "0", "0", "0", "0"});
  EXPECT_PROVED(desk.algebra.is_zero(evaluate_on(both, std::vector{tangent, e2})));
  EXPECT_FALSE(both.empty());
  EXPECT_REFUTED(desk.algebra.is_zero(tangent.component("dp1") * e2.component("dp2") -
                                      tangent.component("dp2") * e2.component("dp1")));
}

TEST(SeveralConstraints, DeterminantOfRandomSystemsIsTheValueOfThePForm) {
  CATALOGUE_ROW("G3.II-pvector");
  for (std::uint64_t seed : seeds(10)) {
    SCOPED_TRACE(seed_note(seed));
    const Directions kind = seed % 2 == 0 ? Directions::unrelated : Directions::first_is_tangent;
    const RandomSystem random(seed, 3 + seed % 2, kind);
    const Form both = wedge(random.relation_differential(0), random.relation_differential(1));
    const std::vector<VectorField> fields = {
        random.at_state(random.motion().space.velocity_field(random.motion().fields[0])),
        random.at_state(random.motion().space.velocity_field(random.motion().fields[1]))};
    EXPECT_PROVED(random.equal(evaluate_on(both, fields), random.at_state(random.motion().determinant)));
    EXPECT_EQ(rank_and_class(random.algebra(), both).rank, 2u);  // the relations are independent
    if (kind == Directions::first_is_tangent) {
      EXPECT_PROVED(random.zero(evaluate_on(both, fields)));
    }
  }
}

// --- Omega_r ----------------------------------------------------------------------------------------------

/// The equations i(X)Omega_r = 0 with i(X)dt = 1 for the components of X on the forms that are left and for
/// the factors, at a state; then dq^i - v^i dt = 0 for the indices given.
struct ReducedEquations {
  std::vector<Expr> unknowns;  ///< components of X, then the factors
  std::vector<std::size_t> forms;
  SolveResult solution;
};

ReducedEquations solve_omega_r(const RandomSystem& random, const std::vector<std::size_t>& kinematic) {
  const Motion& motion = random.motion();
  const StateSpace& space = motion.space;
  const auto reduced = derive_omega_r(random.algebra(), motion);
  if (!reduced) throw std::runtime_error("no Omega_r");
  ReducedEquations result;
  std::vector<Expr> components(space.coframe->dimension(), random.number(0));
  components[space.time_form()] = random.number(1);
  for (std::size_t i = 0; i < 2 * space.size(); ++i) {
    const auto& gone = reduced->velocity_forms;
    if (std::find(gone.begin(), gone.end(), i) != gone.end()) continue;
    components[i] = random.pool().symbol("X" + std::to_string(i), SymbolKind::auxiliary);
    result.forms.push_back(i);
    result.unknowns.push_back(components[i]);
  }
  for (std::size_t h = 0; h < p; ++h) result.unknowns.push_back(motion.constraints[h].factor);
  const Form residual = interior(VectorField(space.coframe, components), random.at_state(reduced->form));
  std::vector<Expr> equations;
  for (std::size_t form : result.forms) equations.push_back(residual.coefficient(std::vector{form}));
  for (std::size_t i : kinematic) {
    equations.push_back(components[space.configuration_form(i)] - random.at_state(space.velocities[i]));
  }
  Matrix matrix(random.pool(), equations.size(), result.unknowns.size());
  std::vector<Expr> right;
  for (std::size_t row = 0; row < equations.size(); ++row) {
    const auto linear =
        linear_coefficients(random.algebra().canonical(equations[row]).value, result.unknowns);
    if (!linear) throw std::runtime_error("not linear: " + to_infix(equations[row]));
    for (std::size_t j = 0; j < result.unknowns.size(); ++j) matrix(row, j) = linear->coefficients[j];
    right.push_back(-linear->rest);
  }
  result.solution = solve(random.algebra(), matrix, right);
  return result;
}

TEST(SeveralConstraints, OmegaRNeedsAsManyKinematicEquationsAsConstraints) {
  CATALOGUE_ROW("G3.III-ThI");
  for (std::uint64_t seed : seeds(8)) {
    SCOPED_TRACE(seed_note(seed));
    const std::size_t n = 3 + seed % 2;
    const RandomSystem random(seed, n, Directions::unrelated);
    ASSERT_EQ(random.motion().status, FactorStatus::determined);
    const ReducedEquations alone = solve_omega_r(random, {});
    EXPECT_EQ(alone.solution.status, SolveStatus::underdetermined);
    EXPECT_EQ(alone.solution.free_unknowns.size(), p);
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), 0u);
    bool pair_suffices = false;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        pair_suffices |= solve_omega_r(random, {i, j}).solution.status == SolveStatus::unique;
      }
    }
    EXPECT_TRUE(pair_suffices);
    const ReducedEquations full = solve_omega_r(random, all);
    ASSERT_EQ(full.solution.status, SolveStatus::unique);
    const VectorField field =
        random.at_state(random.motion().space.motion_field(random.motion().acceleration));
    for (std::size_t j = 0; j < full.forms.size(); ++j) {
      EXPECT_PROVED(random.equal(full.solution.x[j], field.component(full.forms[j])));
    }
    for (std::size_t h = 0; h < p; ++h) {
      EXPECT_PROVED(
          random.equal(full.solution.x[full.forms.size() + h], random.at_state(random.motion().factors[h])));
    }
    const RandomSystem tangent(seed, n, Directions::first_is_tangent);
    EXPECT_NE(solve_omega_r(tangent, all).solution.status, SolveStatus::unique);
  }
}

// --- Omega_s ----------------------------------------------------------------------------------------------

/// The rank of Omega on the vectors with da^h = 0, l^h_i dq^i = P_u^h dt and dt = 0, without Omega_s.
std::size_t rank_at_constant_time(const RandomSystem& random) {
  const Motion& motion = random.motion();
  const StateSpace& space = motion.space;
  const std::size_t dimension = space.coframe->dimension();
  Matrix annulled(random.pool(), 2 * p + 1, dimension);
  for (std::size_t h = 0; h < p; ++h) {
    const Form da = random.relation_differential(h), l = random.at_state(random.direction(h));
    for (std::size_t i = 0; i < dimension; ++i) {
      annulled(2 * h, i) = da.coefficient(std::vector{i});
      annulled(2 * h + 1, i) = l.coefficient(std::vector{i});
    }
  }
  annulled(2 * p, space.time_form()) = random.number(1);
  const NullSpaceResult vectors = null_space(random.algebra(), annulled);
  EXPECT_EQ(vectors.basis.size(), dimension - 2 * p - 1);
  std::vector<Expr> entries;
  for (const auto& vector : vectors.basis) entries.insert(entries.end(), vector.begin(), vector.end());
  const Matrix basis(vectors.basis.size(), dimension, entries);
  const Matrix omega = coefficient_matrix(random.at_state(motion.omega.omega));
  return rank(random.algebra(), basis * omega * transpose(basis)).rank;
}

/// A combination of the e^h that is tangent to the submanifold of the relations: sum_h y_h r^hk = 0.
VectorField tangent_combination(const RandomSystem& random) {
  const Motion& motion = random.motion();
  Matrix r = motion.r;
  for (Expr& entry : r.entries) entry = random.at_state(entry);
  const NullSpaceResult found = null_space(random.algebra(), transpose(r));
  VectorField result(motion.space.coframe);
  for (std::size_t h = 0; h < p; ++h) {
    result = result + found.basis.at(0)[h] * random.at_state(motion.space.velocity_field(motion.fields[h]));
  }
  return result;
}

TEST(SeveralConstraints, OmegaSHasTheMotionAsCharacteristicIffCompatible) {
  CATALOGUE_ROW("G3.IV-ThII");
  std::size_t compatible_count = 0, incompatible_count = 0;
  for (std::uint64_t seed : seeds(12)) {
    SCOPED_TRACE(seed_note(seed));
    const std::size_t n = 3 + seed % 2;
    const Directions kind = seed % 3 == 0 ? Directions::first_is_tangent : Directions::unrelated;
    const RandomSystem random(seed, n, kind);
    const StateSpace& space = random.motion().space;
    const auto reduced = derive_omega_s(random.algebra(), random.motion());
    ASSERT_TRUE(reduced);
    const Form omega_s = random.at_state(reduced->form);
    for (const auto& [indices, coefficient] : omega_s.terms()) {
      for (std::size_t form : reduced->velocity_forms) EXPECT_FALSE(indices[form]);
      for (std::size_t form : reduced->configuration_forms) EXPECT_FALSE(indices[form]);
      for (std::size_t h = 0; h < p; ++h) {
        EXPECT_FALSE(depends_on(coefficient, random.motion().constraints[h].factor));
      }
    }
    // Degree 2(n - p), and one more with dt: the only product of all forms that are left.
    const Form top = simplified(random.algebra(), wedge(power(omega_s, static_cast<unsigned>(n - p)),
                                                        random.basis(space.time_form())));
    EXPECT_EQ(top.degree(), 2 * (n - p) + 1);
    const bool compatible = random.zero(random.at_state(random.motion().determinant)).is_refuted();
    EXPECT_EQ(!top.empty(), compatible);
    EXPECT_LE(top.terms().size(), 1u);
    EXPECT_EQ(rank_at_constant_time(random) == 2 * (n - p), compatible);
    if (compatible) {
      ++compatible_count;
      EXPECT_EQ(rank_and_class(random.algebra(), omega_s).rank, 2 * (n - p));
      const VectorField field = random.at_state(space.motion_field(random.motion().acceleration));
      EXPECT_PROVED(is_zero(random.algebra(), interior(field, omega_s)));
      const auto& gone = reduced->velocity_forms;
      for (std::size_t a = 0; a < n; ++a) {
        if (std::find(gone.begin(), gone.end(), space.velocity_form(a)) != gone.end()) continue;
        const VectorField other = field + VectorField::dual(space.coframe, space.velocity_form(a));
        EXPECT_REFUTED(is_zero(random.algebra(), interior(other, omega_s)));
      }
    } else {
      ++incompatible_count;
      // Omega_s may keep its rank, but then its characteristic is a tangent force with dt = 0: no motion.
      EXPECT_PROVED(is_zero(random.algebra(), interior(tangent_combination(random), omega_s)));
    }
  }
  EXPECT_GT(compatible_count, 0u);
  EXPECT_GT(incompatible_count, 0u);
}

TEST(SeveralConstraints, misprint_of_the_rank_of_omega_s) {
  CATALOGUE_ROW("G3.IV-ThII");
  const DerivedModel bar = DerivedModel::file("gallissot/bar_on_circle.lia");
  const auto reduced = derive_omega_s(*bar.algebra, *bar.motion);
  ASSERT_TRUE(reduced);
  const StateSpace& space = bar.motion->space;
  const auto exponent = static_cast<unsigned>(space.size() - bar.motion->constraints.size());
  const Form top = power(reduced->form, exponent);
  const std::size_t left_over = space.coframe->dimension() - reduced->velocity_forms.size() -
                                reduced->configuration_forms.size();  // w^1, ..., w^(2n-2p), dt
  EXPECT_EQ(wedge(top, Form::basis(space.coframe, space.time_form())).degree(), left_over);
  test::refute({"G3.IV-ThII", "Rank of the form without factors",
                "Omega_s^(n-p) = K w^1^...^w^(2n-2p)^dt as the condition of compatibility",
                "Omega_s^(n-p) ^ dt = K w^1^...^w^(2n-2p)^dt",
                "the degree of Omega_s^(n-p) == the degree of the right-hand side"},
               Sides{fmt::format("for a bar on a circle, n = {}, p = {},", space.size(),
                                 bar.motion->constraints.size()),
                     static_cast<double>(top.degree()), static_cast<double>(left_over)});
}

TEST(SeveralConstraints, ZeroPowerFixesTheTimePartOfTheDirections) {
  CATALOGUE_ROW("G3.IV-remarks");
  const DerivedModel moving(
      "param m > 0, c\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2 + z'^2)\n"
      "constraint lift: z' - y*x' - c*t = 0\nconstraint hold: y' - x'*sin(x) = 0\n");
  const auto relations = solve_relations(*moving.algebra, *moving.motion);
  ASSERT_TRUE(relations);
  const auto virtual_power = [&](std::size_t h) {
    Expr power = moving("0");
    for (std::size_t i = 0; i < 3; ++i) {
      power += moving.motion->constraints[h].direction[i] * moving.motion->space.velocities[i];
    }
    return substitute(power, relations->values);
  };
  EXPECT_PROVED(moving.equal(virtual_power(0), "c*t"));  // -l_0, with l_0 = -c*t
  EXPECT_PROVED(moving.equal(virtual_power(1), "0"));    // does not hold the time
}

TEST(SeveralConstraints, HolonomicConstraintsRemovePairsOfVariables) {
  CATALOGUE_ROW("G3.IV-remarks");
  const DerivedModel bar = DerivedModel::file("gallissot/bar_on_circle.lia");
  const auto reduced = derive_omega_s(*bar.algebra, *bar.motion);
  ASSERT_TRUE(reduced);
  ASSERT_EQ(reduced->configuration_forms.size(), p);
  for (std::size_t h = 0; h < p; ++h) {
    EXPECT_EQ(bar.motion->space.velocity_form(reduced->configuration_forms[h]), reduced->velocity_forms[h]);
  }
  for (const auto& [indices, coefficient] : reduced->form.terms()) {
    for (const char* gone : {"phi", "phi'", "r'"}) EXPECT_FALSE(depends_on(coefficient, bar(gone)));
  }
}

TEST(SeveralConstraints, IgnorableCoordinatesLeaveTheReducedForm) {
  CATALOGUE_ROW("G3.IV-remarks");
  const auto holds_an_eliminated_coordinate = [](const std::string& kinetic) {
    const DerivedModel sphere("param m > 0, a > 0, X\ncoord x, y, s, w\nkinetic " + kinetic +
                              "\nforce x = X*x'\nconstraint one: s' - a*x'*cos(y) = 0\n"
                              "constraint two: w' - x'*y = 0\n");
    const auto reduced = derive_omega_s(*sphere.algebra, *sphere.motion);
    EXPECT_TRUE(reduced);
    bool found = false;
    for (const auto& [indices, coefficient] : reduced->form.terms()) {
      for (const char* name : {"s", "w"}) found |= depends_on(coefficient, sphere(name));
    }
    return found;
  };
  EXPECT_FALSE(holds_an_eliminated_coordinate("m/2*(x'^2 + y'^2 + s'^2 + w'^2)"));
  EXPECT_TRUE(holds_an_eliminated_coordinate("m/2*(x'^2 + y'^2*(1 + s^2) + s'^2 + w'^2)"));
}

// --- The method -------------------------------------------------------------------------------------------

TEST(SeveralConstraints, BothRoadsGiveTheSameMotion) {
  CATALOGUE_ROW("G3.V-method");
  for (std::uint64_t seed : seeds(6)) {
    SCOPED_TRACE(seed_note(seed));
    const RandomSystem random(seed, 3 + seed % 2, Directions::unrelated);
    EXPECT_EQ(random.motion().status, FactorStatus::determined);
    for (Formulation road : {Formulation::omega_r, Formulation::omega_s}) {
      SCOPED_TRACE(name_of(road));
      const FormulationResult result = derive_formulation(random.algebra(), random.motion(), road);
      ASSERT_TRUE(result.applicable) << result.reason;
      EXPECT_PROVED(agrees(random.algebra(), random.motion(), result));
    }
  }
}

TEST(SeveralConstraints, DirectionsThatHoldTheirFactorGiveAnImplicitSystem) {
  CATALOGUE_ROW("G3.V-method");
  const std::string head =
      "param m = 2, c = 0.1, Y = -3\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2 + z'^2)\nforce y = Y\n";
  const DerivedModel linear(head + "constraint a: y' - x'/2 = 0 power y' - c*x'\nconstraint b: z' = 0\n");
  EXPECT_EQ(linear.motion->status, FactorStatus::determined);
  const DerivedModel implicit(
      head + "constraint a: y' - x'/2 = 0 power y' - c*lambda(a)*x'\nconstraint b: z' = 0\n");
  EXPECT_EQ(implicit.motion->status, FactorStatus::implicit);
  DoublePoint state;
  for (const char* name : {"x", "y", "z", "z'", "t"}) state[implicit(name)] = 0;
  state[implicit("x'")] = 1;
  state[implicit("y'")] = 0.5;
  for (const auto& [name, value] : {std::pair{"m", 2.0}, {"c", 0.1}, {"Y", -3.0}})
    state[implicit(name)] = value;
  const StateValues values = evaluate_state(*implicit.algebra, *implicit.motion, state);
  ASSERT_FALSE(values.motions.empty()) << values.failure;
  // lambda (1 + c lambda/2)/m + Y/m = 0 with c = 0.1, Y = -3.
  std::vector<double> roots;
  for (const StateMotion& motion : values.motions) {
    const double factor = motion.factors[0];
    EXPECT_NEAR(factor * (1 + 0.05 * factor), 3, 1e-10);
    EXPECT_NEAR(motion.acceleration[1], motion.acceleration[0] / 2, 1e-10);
    roots.push_back(factor);
  }
  EXPECT_EQ(roots.size(), 2u);  // a quadratic equation with two real roots: two motions, none is dropped
}

}  // namespace
}  // namespace liaison::test
