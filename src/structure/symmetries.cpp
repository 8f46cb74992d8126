#include "liaison/structure/symmetries.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/expr/traverse.hpp"
#include "liaison/forms/ideal.hpp"
#include "liaison/mechanics/manifold.hpp"
#include "liaison/structure/first_integrals.hpp"
#include "parametric_lift.hpp"
#include "symmetry_ansatz.hpp"

namespace liaison {

namespace {

Expr coefficient_of(const Form& form, std::size_t index) {
  const std::size_t indices[] = {index};
  return form.coefficient(indices);
}

/// "rotation of x and y" of x d/dy - y d/dx, up to its sign.
std::string name_of_rotation(const StateSpace& space, const VectorField& field) {
  std::vector<std::size_t> moved;
  for (std::size_t k = 0; k < space.size(); ++k) {
    if (!field.component(k).is_zero()) moved.push_back(k);
  }
  if (moved.size() != 2 || !field.component(space.time_form()).is_zero()) return {};
  const Expr x = space.system->directions[moved[0]].coordinate,
             y = space.system->directions[moved[1]].coordinate;
  if (x.empty() || y.empty()) return {};
  const Expr along_x = field.component(moved[0]), along_y = field.component(moved[1]);
  const bool turns = (along_x == y && along_y == -x) || (along_x == -y && along_y == x);
  return turns ? fmt::format("rotation of {} and {}", x.symbol().name, y.symbol().name) : "";
}

/// "translation along x" of d/dx, "time" of d/dt.
std::string name_of(const StateSpace& space, const VectorField& field) {
  std::optional<std::size_t> only;
  for (std::size_t k = 0; k < space.coframe->dimension(); ++k) {
    const bool is_velocity = k >= space.size() && k != space.time_form();  // these follow
    if (is_velocity || field.component(k).is_zero()) continue;
    if (only || !field.component(k).is_number()) return name_of_rotation(space, field);
    only = k;
  }
  if (!only) return {};
  if (*only == space.time_form()) return "time";
  if (*only >= space.size()) return {};
  const Direction& direction = space.system->directions[*only];
  return direction.coordinate.empty() ? "" : "translation along " + direction.coordinate.symbol().name;
}

/// X^i p_i - X^t (T + V), T + V as Legendre's transform has it: Noether's quantity.
Expr natural_momentum(const Motion& motion, const VectorField& field) {
  const StateSpace& space = motion.space;
  const Expr energy = motion.omega.energy + space.in_parameters(space.system->potential);
  std::vector<Expr> terms{-field.component(space.time_form()) * energy};
  for (std::size_t i = 0; i < space.size(); ++i)
    terms.push_back(field.component(space.configuration_form(i)) * motion.omega.momenta[i]);
  return space.pool().add(terms);
}

/// f with df = -i(X)Omega: the natural one, or else a primitive that is found.
void find_momentum(Algebra& algebra, const StateFlow& flow, Symmetry& symmetry) {
  const Motion& motion = *flow.motion;
  const Form contracted = interior(symmetry.field, motion.omega.omega);
  Expr f = natural_momentum(motion, symmetry.field);
  const Form difference = contracted + d(motion.space.coframe, f);
  if (flow.has_levels) {  // on the tangent vectors of the relations; other primitives are not looked for
    if (!RelationFrame(algebra, flow).vanishes(difference).is_proved()) return;
    symmetry.momentum = algebra.readable(symmetry.name == "time" ? -f : f);
    symmetry.conserved = is_conserved(algebra, motion, *symmetry.momentum);
    return;
  }
  const Region quaternions = flow.unit_quaternions();
  const bool is_natural =
      std::all_of(difference.terms().begin(), difference.terms().end(),
                  [&](const Form::Term& term) { return algebra.follows(term.second, quaternions); });
  if (!is_natural) {
    const Exactness exact = find_primitive(algebra, simplified(algebra, contracted));
    if (!exact.primitive) return;
    f = exact.primitive->terms().empty() ? algebra.pool().number(0)
                                         : -exact.primitive->terms().front().second;
    symmetry.multivalued = exact.multivalued;
  }
  symmetry.momentum = algebra.readable(symmetry.name == "time" ? -f : f);
  if (!flow.has_accelerations) {  // i(E)Omega = 0, so that E(f) = -Omega(X, E) = 0 (row G6.II-thmIII)
    symmetry.conserved = symmetry.verdict;
    return;
  }
  symmetry.conserved = algebra.is_zero(apply(flow.field, algebra.readable(flow.restricted(f))));
  if (symmetry.conserved.is_refuted()) return;
  symmetry.conserved = at_general_states(std::move(symmetry.conserved), flow.conditions,
                                         "its rate is zero where the closed forms have a value");
  if (symmetry.multivalued) return;
  Verdict everywhere = is_conserved(algebra, motion, *symmetry.momentum);
  if (everywhere.holds() || everywhere.is_refuted()) symmetry.conserved = std::move(everywhere);
}

/// Brackets as combinations of the fields, exactly.
class Closure {
 public:
  Closure(Algebra& algebra, const StateFlow& flow, Symmetries& result)
      : algebra_(algebra), flow_(flow), result_(result) {
    if (flow.has_levels) frame_.emplace(algebra, flow);
  }

  void run() {
    const std::size_t k = result_.fields.size();
    std::vector<std::vector<Expr>> products;
    for (std::size_t a = 0; a < k; ++a) {
      for (std::size_t b = a + 1; b < k; ++b) {
        const VectorField commutator =
            simplified(algebra_, bracket(result_.fields[a].field, result_.fields[b].field));
        const auto combination = combination_of(commutator);
        if (!combination) {
          result_.closure = fmt::format("[X{}, X{}] is no combination of them", a + 1, b + 1);
          result_.constants.clear();
          return;
        }
        for (std::size_t c = 0; c < k; ++c) {
          if (!(*combination)[c].is_zero()) result_.constants.push_back({a, b, c, (*combination)[c]});
        }
        products.push_back(*combination);
      }
    }
    find_derived_series(std::move(products), k);
  }

 private:
  /// Constant coefficients, from points where the fields are independent; the result is verified.
  std::optional<std::vector<Expr>> combination_of(const VectorField& field) {
    Pool& pool = algebra_.pool();
    const std::size_t k = result_.fields.size();
    if (std::all_of(field.components().begin(), field.components().end(), [](Expr e) { return e.is_zero(); }))
      return std::vector<Expr>(k, pool.number(0));
    if (frame_) return combination_on_relations(field);
    const auto rows = rational_samples(algebra_, flow_, with(field), k + 2);
    if (rows.empty()) return std::nullopt;
    const std::size_t width = flow_.motion->space.coframe->dimension();
    Matrix matrix(pool, rows.size() * width, k);
    std::vector<Expr> right;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t d = 0; d < width; ++d) {
        for (std::size_t c = 0; c < k; ++c) matrix(i * width + d, c) = rows[i][c * width + d];
        right.push_back(rows[i][k * width + d]);
      }
    }
    const SolveResult solution = solve(algebra_, matrix, right);
    if (solution.status != SolveStatus::unique) return std::nullopt;
    VectorField sum = field;
    std::vector<Expr> result;
    for (std::size_t c = 0; c < k; ++c) {
      result.push_back(algebra_.readable(solution.x[c]));
      sum = sum - result.back() * result_.fields[c].field;
    }
    for (Expr component : sum.components()) {
      if (!algebra_.follows(component, flow_.unit_quaternions())) return std::nullopt;
    }
    return result;
  }

  /// The same where relations bind the points, with coefficients that are polynomials in the parameters.
  std::optional<std::vector<Expr>> combination_on_relations(const VectorField& field) const {
    const std::size_t k = result_.fields.size(), width = flow_.motion->space.coframe->dimension();
    ParametricEquations equations{
        with(field), flow_.state(),     {flow_.quaternions, {}, frame_->relations()},
        k + 1,       flow_.dimension(), {}};
    const auto& parameters = flow_.motion->space.parameters;
    equations.state.insert(equations.state.end(), parameters.begin(), parameters.end());
    equations.asked.insert(equations.asked.end(), frame_->relations().begin(), frame_->relations().end());
    equations.rows = [&](const PrimeField&, const std::vector<Residue>& values) {
      std::vector<std::vector<Residue>> rows(width);
      for (std::size_t d = 0; d < width; ++d) {
        for (std::size_t c = 0; c <= k; ++c) rows[d].push_back(values[c * width + d]);
      }
      return rows;
    };
    const auto found = solve_over_parameters(algebra_, equations);
    if (!found || found->back().is_zero()) return std::nullopt;
    VectorField sum = field;
    std::vector<Expr> result;
    for (std::size_t c = 0; c < k; ++c) {
      result.push_back(algebra_.readable(-(*found)[c] / found->back()));
      sum = sum - result.back() * result_.fields[c].field;
    }
    for (Expr component : sum.components()) {
      if (!frame_->vanishes(component).is_proved()) return std::nullopt;
    }
    return result;
  }

  std::vector<Expr> with(const VectorField& field) const {
    std::vector<Expr> asked;
    for (const Symmetry& symmetry : result_.fields)
      asked.insert(asked.end(), symmetry.field.components().begin(), symmetry.field.components().end());
    asked.insert(asked.end(), field.components().begin(), field.components().end());
    return asked;
  }

  /// [L, L] from the products of a basis, and so on, until it stays.
  void find_derived_series(std::vector<std::vector<Expr>> spanning, std::size_t k) {
    result_.derived_series.push_back(k);
    while (result_.derived_series.back() > 0) {
      Matrix matrix(algebra_.pool(), spanning.size(), k);
      for (std::size_t i = 0; i < spanning.size(); ++i) {
        for (std::size_t c = 0; c < k; ++c) matrix(i, c) = spanning[i][c];
      }
      const RankResult found = spanning.empty() ? RankResult{} : rank(algebra_, matrix);
      if (found.rank == result_.derived_series.back()) return;
      result_.derived_series.push_back(found.rank);
      std::vector<std::vector<Expr>> basis, products;
      for (const std::size_t row : found.rows) basis.push_back(spanning[row]);
      for (std::size_t a = 0; a < basis.size(); ++a) {
        for (std::size_t b = a + 1; b < basis.size(); ++b) products.push_back(product(basis[a], basis[b]));
      }
      spanning = std::move(products);
    }
  }

  std::vector<Expr> product(const std::vector<Expr>& x, const std::vector<Expr>& y) const {
    std::vector<Expr> result(x.size(), algebra_.pool().number(0));
    for (const StructureConstant& constant : result_.constants) {
      const Expr area = x[constant.a] * y[constant.b] - x[constant.b] * y[constant.a];
      result[constant.c] = result[constant.c] + constant.value * area;
    }
    return result;
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  std::optional<RelationFrame> frame_;  ///< where relations bind the coordinates
  Symmetries& result_;
};

/// False: the limit of the algebra was met. What was found before stands.
template <class Work>
bool within_limits(const Work& work) {
  try {
    work();
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit_reached) throw;
    return false;
  }
}

std::string why_not_searched(const StateFlow& flow) {
  const System& system = *flow.motion->space.system;
  if (!flow.standing.pieces.empty()) return flow.standing.pieces;
  for (const Constraint& constraint : system.constraints) {
    if (constraint.power_kind != PowerKind::ideal)
      return fmt::format("the force of `{}` has a direction of its own", constraint.name);
  }
  if (!system.reactions.empty()) return "there are reactions without a relation";
  return {};
}

}  // namespace

ChartInverse chart_inverse(Algebra& algebra, const StateSpace& space) {
  ChartInverse result;
  const std::size_t n = space.size();
  const Matrix jacobian = chart_jacobian(space);
  for (Expr entry : jacobian.entries) {
    if (std::any_of(space.parameters.begin(), space.parameters.end(),
                    [&](Expr parameter) { return depends_on(entry, parameter); }))
      return result;
  }
  Matrix inverse(algebra.pool(), n, n);
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<Expr> unit(n, algebra.pool().number(0));
    unit[k] = algebra.pool().number(1);
    const SolveResult column = solve(algebra, jacobian, unit);
    if (column.status != SolveStatus::unique || column.grade != Grade::proved) return result;
    for (std::size_t a = 0; a < n; ++a) inverse(a, k) = algebra.readable(column.x[a]);
    result.conditions.insert(result.conditions.end(), column.conditions.begin(), column.conditions.end());
  }
  add_denominators(inverse.entries, result.conditions);
  result.matrix = std::move(inverse);
  return result;
}

VectorField prolongation(const StateSpace& space, const std::vector<Expr>& components, Expr time_component,
                         const std::optional<Matrix>& chart) {
  const std::size_t n = space.size();
  std::vector<Expr> all(space.coframe->dimension(), space.pool().number(0));
  all[space.time_form()] = time_component;
  for (std::size_t i = 0; i < n; ++i) {
    all[i] = components[i];
    // theta(X)(theta^i - v^i dt) vanishes on motions: dv^i(X) = (d eta^i + i(Y) d theta^i) on (v, 1).
    const Form change = d(space.coframe, components[i]);
    std::vector<Expr> terms{coefficient_of(change, space.time_form())};
    for (std::size_t k = 0; k < n; ++k) terms.push_back(coefficient_of(change, k) * space.velocities[k]);
    for (const StructureTerm& term : space.coframe->basis()[i].derivative) {
      terms.push_back(term.coefficient * (components[term.first] * space.velocities[term.second] -
                                          components[term.second] * space.velocities[term.first]));
    }
    all[space.velocity_form(i)] = space.pool().add(terms);
  }
  if (chart) {  // dv^i(X) is known, and contains du^a(X) beside what the positions and the time give
    std::vector<Expr> on_positions = all, rest;
    for (std::size_t a = 0; a < n; ++a) on_positions[space.velocity_form(a)] = space.pool().number(0);
    const VectorField horizontal(space.coframe, std::move(on_positions));
    for (std::size_t i = 0; i < n; ++i)
      rest.push_back(all[space.velocity_form(i)] - apply(horizontal, space.velocities[i]));
    for (std::size_t a = 0; a < n; ++a) {
      std::vector<Expr> terms;
      for (std::size_t i = 0; i < n; ++i) terms.push_back((*chart)(a, i) * rest[i]);
      all[space.velocity_form(a)] = space.pool().add(terms);
    }
  }
  return VectorField(space.coframe, std::move(all));
}

Verdict keeps_omega(Algebra& algebra, const Motion& motion, const VectorField& field) {
  return is_zero(algebra, lie(field, motion.omega.omega));
}

TestedSymmetry test_symmetry(Algebra& algebra, const StateFlow& flow, const std::vector<Expr>& components,
                             Expr time_component) {
  TestedSymmetry result{std::nullopt, why_not_searched(flow)};
  if (!result.refused.empty()) return result;
  const KeptResult asked = kept_by_symmetries(algebra, flow);
  result.refused = asked.refused;
  if (!result.refused.empty()) return result;
  const StateSpace& space = flow.motion->space;
  const VectorField field = prolongation(space, components, time_component, asked.kept.chart.matrix);
  result.symmetry = Symmetry{
      field, decide_symmetry(algebra, flow, asked.kept, field), name_of(space, field), {}, false, {}};
  if (result.symmetry->verdict.holds()) find_momentum(algebra, flow, *result.symmetry);
  return result;
}

Symmetries find_symmetries(Algebra& algebra, const StateFlow& flow, const SymmetryOptions& options) {
  Symmetries result;
  result.reason = why_not_searched(flow);
  if (!result.reason.empty()) return result;
  SymmetryAnsatz ansatz(algebra, flow, options);
  if (!ansatz.solve()) {
    result.reason = ansatz.refusal();
    return result;
  }
  result.form = ansatz.described();
  result.unknowns = ansatz.columns();
  std::size_t open = 0;
  const auto is_interrupted = [&] { return algebra.options().is_interrupted(); };
  for (const std::vector<Residue>& vector : ansatz.kernel()) {
    if (is_interrupted()) break;
    std::optional<VectorField> field;
    Verdict verdict;
    within_limits([&] {
      field = ansatz.lift(vector);
      if (field) verdict = ansatz.decide(*field);
    });
    if (is_interrupted()) break;
    if (!field || !verdict.holds()) {
      ++open;
      continue;
    }
    Symmetry symmetry{*field, std::move(verdict), name_of(flow.motion->space, *field), {}, false, {}};
    if (!within_limits([&] { find_momentum(algebra, flow, symmetry); }) || is_interrupted())
      symmetry.conserved =
          Verdict::of(Grade::unknown, is_interrupted() ? "interrupted" : "not within the budget");
    result.fields.push_back(std::move(symmetry));
  }
  if (is_interrupted()) {
    result.reason = result.closure = "interrupted";
    return result;
  }
  const bool is_whole = ansatz.is_whole() && flow.standing.reason.empty();
  result.none_else = open > 0 ? Grade::unknown : is_whole ? Grade::proved : Grade::checked;
  if (open > 0) {
    result.reason = fmt::format("{} more found modulo a prime, not written out", open);
  } else if (!is_whole) {
    result.reason = ansatz.is_whole() ? flow.standing.reason : "modulo a prime of 61 bits";
  }
  if (!within_limits([&] { Closure(algebra, flow, result).run(); })) {
    result.closure = "their brackets were not found within the budget";
    result.constants.clear();
    result.derived_series.clear();
  }
  if (is_interrupted()) {
    result.none_else = Grade::unknown;
    result.reason = result.closure = "interrupted";
    result.constants.clear();
    result.derived_series.clear();
  }
  return result;
}

}  // namespace liaison
