#include "liaison/mechanics/constraint_space.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "liaison/expr/coefficients.hpp"
#include "liaison/mechanics/reduction.hpp"
#include "liaison/mechanics/states.hpp"

namespace liaison {

namespace {

using Differential = std::vector<std::pair<std::size_t, Expr>>;

bool contains(const std::vector<Expr>& list, Expr e) {
  return std::find(list.begin(), list.end(), e) != list.end();
}

Expr coefficient_of(const Form& a, std::size_t index) {
  const std::size_t indices[] = {index};
  return a.coefficient(indices);
}

/// theta^i of V, dz^A, dt; coordinates and quaternions as on V, then z, the dependent symbols, t.
CoframePtr make_coframe(Algebra& algebra, const StateSpace& on, const std::vector<Expr>& fibre,
                        const std::vector<std::pair<Expr, Differential>>& dependent) {
  const std::size_t n = on.size();
  const Expr one = algebra.pool().number(1);
  std::vector<BasisForm> basis(on.coframe->basis().begin(),
                               on.coframe->basis().begin() + static_cast<std::ptrdiff_t>(n));
  std::vector<ScalarCoordinate> coordinates;
  for (const ScalarCoordinate& scalar : on.coframe->scalar_coordinates()) {
    if (scalar.symbol == on.system->time || contains(on.parameters, scalar.symbol)) continue;
    coordinates.push_back(scalar);
  }
  for (std::size_t a = 0; a < fibre.size(); ++a) {
    basis.push_back({"d" + fibre[a].symbol().name, {}});
    coordinates.push_back({fibre[a], {{n + a, one}}});
  }
  for (const auto& [symbol, differential] : dependent) coordinates.push_back({symbol, differential});
  basis.push_back({"d" + on.system->time.symbol().name, {}});
  coordinates.push_back({on.system->time, {{n + fibre.size(), one}}});
  return Coframe::make(algebra, std::move(basis), std::move(coordinates));
}

ConstraintSpace finish(ConstraintSpace space) {
  const Form dt = Form::basis(space.coframe, space.time_form());
  space.tangent = Matrix(space.pool(), space.size(), space.freedom());
  for (std::size_t i = 0; i < space.size(); ++i) {
    space.contact.push_back(Form::basis(space.coframe, space.configuration_form(i)) - space.psi[i] * dt);
    const Form dpsi = d(space.coframe, space.psi[i]);
    for (std::size_t a = 0; a < space.freedom(); ++a) {
      space.tangent(i, a) = coefficient_of(dpsi, space.fibre_form(a));
    }
  }
  return space;
}

ConstraintSpace empty_space(Algebra& algebra, const Motion& motion, ConstraintChart chart) {
  return {.system = motion.space.system,
          .chart = chart,
          .coframe = nullptr,
          .fibre = {},
          .psi = {},
          .inclusion = {},
          .contact = {},
          .tangent = Matrix(algebra.pool(), 0, 0),
          .conditions = {}};
}

ConstraintSpaceResult refused(std::string reason) {
  return {std::nullopt, std::move(reason)};
}

/// u^a from v^i(u) = psi^i, where the velocities are linear in the parameters of V.
std::optional<Substitution> parameters_on(Algebra& algebra, const StateSpace& space,
                                          const std::vector<Expr>& psi) {
  Substitution result;
  if (space.system->chart.parameters.empty()) {
    for (std::size_t i = 0; i < space.size(); ++i) result.emplace(space.parameters[i], psi[i]);
    return result;
  }
  Matrix chart(algebra.pool(), space.size(), space.size());
  std::vector<Expr> right;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const auto linear = linear_coefficients(space.velocities[i], space.parameters);
    if (!linear) return std::nullopt;
    for (std::size_t a = 0; a < space.size(); ++a) chart(i, a) = linear->coefficients[a];
    right.push_back(psi[i] - linear->rest);
  }
  const SolveResult solution = solve(algebra, chart, right);
  if (solution.status != SolveStatus::unique) return std::nullopt;
  for (std::size_t a = 0; a < space.size(); ++a) {
    result.emplace(space.parameters[a], algebra.readable(solution.x[a]));
  }
  return result;
}

/// The conditions (a), (b), (c) of row MP2.3-embedding; (d) follows from (c).
std::optional<std::string> why_not_embedded(Algebra& algebra, const Motion& motion,
                                            const ConstraintSpace& space) {
  if (space.size() != space.freedom() + motion.relation_count) {
    return fmt::format("{} parameters do not fit {} relations between {} velocities", space.freedom(),
                       motion.relation_count, space.size());
  }
  for (std::size_t h = 0; h < motion.relation_count; ++h) {
    const ConstraintField& constraint = motion.constraints[h];
    const Verdict satisfied = algebra.is_zero(space.restricted(constraint.relation));
    if (!satisfied.holds()) {
      return fmt::format("the intrinsic velocities do not satisfy `{}`: {}", constraint.name,
                         describe(satisfied));
    }
  }
  const EmbeddingRanks ranks = embedding_ranks(algebra, motion, space);
  if (ranks.psi < space.freedom()) return "the parameters of the intrinsic velocities are not independent";
  if (ranks.relations < motion.relation_count) {
    return "the relations lose their rank where they hold: their derivatives by the velocities are dependent";
  }
  return std::nullopt;
}

/// Independent columns, later declarations first, as many as there are relations.
std::optional<std::vector<std::size_t>> pivot_parameters(Algebra& algebra, const Motion& motion) {
  const std::size_t n = motion.space.size(), p = motion.relation_count;
  Matrix mirrored(algebra.pool(), p, n);
  for (std::size_t h = 0; h < p; ++h) {
    for (std::size_t a = 0; a < n; ++a) mirrored(h, a) = motion.constraints[h].gradient[n - 1 - a];
  }
  const RankResult found = rank(algebra, mirrored);
  if (found.rank < p) return std::nullopt;
  std::vector<std::size_t> columns;
  for (std::size_t a : found.columns) columns.push_back(n - 1 - a);
  std::sort(columns.begin(), columns.end());
  return columns;
}

/// The coefficients of da^h on the kept du, on theta and dt, times -(da/du_dependent)^-1.
std::vector<std::pair<Expr, Differential>> implicit_differentials(Algebra& algebra, const Motion& motion,
                                                                  const std::vector<std::size_t>& dependent,
                                                                  const std::vector<std::size_t>& kept) {
  const StateSpace& on = motion.space;
  const std::size_t n = on.size(), p = dependent.size();
  Matrix pivots(algebra.pool(), p, p);
  std::vector<Form> da;
  for (std::size_t h = 0; h < p; ++h) {
    da.push_back(d(on.coframe, motion.constraints[h].relation));
    for (std::size_t c = 0; c < p; ++c) pivots(h, c) = motion.constraints[h].gradient[dependent[c]];
  }
  std::vector<std::pair<Expr, Differential>> result;
  for (std::size_t c : dependent) result.push_back({on.parameters[c], {}});
  const auto add_part = [&](std::size_t form_on_v, std::size_t form_on_a) {
    std::vector<Expr> right;
    for (const Form& differential : da) right.push_back(-coefficient_of(differential, form_on_v));
    const std::vector<Expr> x = solve(algebra, pivots, right).x;
    for (std::size_t c = 0; c < p; ++c) {
      if (!x[c].is_zero()) result[c].second.emplace_back(form_on_a, algebra.readable(x[c]));
    }
  };
  for (std::size_t i = 0; i < n; ++i) add_part(on.configuration_form(i), i);
  for (std::size_t a = 0; a < kept.size(); ++a) add_part(on.velocity_form(kept[a]), n + a);
  add_part(on.time_form(), n + kept.size());
  return result;
}

/// The minor of the dependent columns: the chart is regular where it does not vanish.
Expr pivot_minor(Algebra& algebra, const Motion& motion, const std::vector<std::size_t>& dependent) {
  Matrix pivots(algebra.pool(), dependent.size(), dependent.size());
  for (std::size_t h = 0; h < dependent.size(); ++h) {
    for (std::size_t c = 0; c < dependent.size(); ++c) {
      pivots(h, c) = motion.constraints[h].gradient[dependent[c]];
    }
  }
  return algebra.readable(determinant(algebra, pivots).value);
}

ConstraintSpaceResult implicit_space(Algebra& algebra, const Motion& motion) {
  const StateSpace& on = motion.space;
  const auto dependent = pivot_parameters(algebra, motion);
  if (!dependent) return refused("the relations are not independent in the velocities");
  const Expr minor = pivot_minor(algebra, motion, *dependent);
  if (algebra.vanishes_on_no_component(minor, states_of(motion)).is_refuted()) {
    return refused("the relations lose their rank where they hold: give the velocities with `intrinsic`");
  }
  ConstraintSpace space = empty_space(algebra, motion, ConstraintChart::implicit);
  space.conditions.push_back(minor);
  std::vector<std::size_t> kept;
  for (std::size_t a = 0; a < on.size(); ++a) {
    if (std::find(dependent->begin(), dependent->end(), a) != dependent->end()) continue;
    kept.push_back(a);
    space.fibre.push_back(on.parameters[a]);
  }
  space.coframe =
      make_coframe(algebra, on, space.fibre, implicit_differentials(algebra, motion, *dependent, kept));
  space.psi = on.velocities;
  return {finish(std::move(space)), {}};
}

ConstraintSpace solved_space(Algebra& algebra, const Motion& motion, const SolvedRelations& solved) {
  ConstraintSpace space = empty_space(algebra, motion, ConstraintChart::solved);
  for (std::size_t a = 0; a < motion.space.size(); ++a) {
    const Expr parameter = motion.space.parameters[a];
    if (!solved.values.contains(parameter)) space.fibre.push_back(parameter);
  }
  space.inclusion = solved.values;
  space.conditions = solved.conditions;
  for (Expr velocity : motion.space.velocities) {
    space.psi.push_back(algebra.readable(space.restricted(velocity)));
  }
  space.coframe = make_coframe(algebra, motion.space, space.fibre, {});
  return finish(std::move(space));
}

}  // namespace

VectorField ConstraintSpace::flow(const std::vector<Expr>& rates) const {
  std::vector<Expr> components = psi;
  components.insert(components.end(), rates.begin(), rates.end());
  components.push_back(pool().number(1));
  return VectorField(coframe, std::move(components));
}

VectorField ConstraintSpace::vertical(const std::vector<Expr>& along) const {
  std::vector<Expr> components(size(), pool().number(0));
  components.insert(components.end(), along.begin(), along.end());
  components.push_back(pool().number(0));
  return VectorField(coframe, std::move(components));
}

ConstraintSpaceResult make_constraint_space(Algebra& algebra, const Motion& motion) {
  const VelocityChart& stated = motion.space.system->intrinsic;
  if (!stated.velocities.empty()) return make_constraint_space(algebra, motion, stated);
  return solve_constraint_space(algebra, motion);
}

ConstraintSpaceResult solve_constraint_space(Algebra& algebra, const Motion& motion) {
  if (motion.relation_count == 0) return {solved_space(algebra, motion, {}), {}};
  if (const auto solved = solve_relations(algebra, motion))
    return {solved_space(algebra, motion, *solved), {}};
  return implicit_space(algebra, motion);
}

ConstraintSpaceResult make_constraint_space(Algebra& algebra, const Motion& motion,
                                            const VelocityChart& chart) {
  ConstraintSpace space = empty_space(algebra, motion, ConstraintChart::given);
  space.fibre = chart.parameters;
  space.psi = chart.velocities;
  const auto inclusion = parameters_on(algebra, motion.space, space.psi);
  if (!inclusion) {
    return refused(
        "the velocities are not linear in the velocity parameters, and the intrinsic ones cannot be "
        "written in them");
  }
  space.inclusion = *inclusion;
  space.coframe = make_coframe(algebra, motion.space, space.fibre, {});
  space = finish(std::move(space));
  if (auto reason = why_not_embedded(algebra, motion, space)) return refused(std::move(*reason));
  return {std::move(space), {}};
}

SmoothMap inclusion_map(Algebra& algebra, const ConstraintSpace& space, const StateSpace& target) {
  std::vector<std::pair<Expr, Expr>> coordinates;
  for (const ScalarCoordinate& scalar : target.coframe->scalar_coordinates()) {
    coordinates.emplace_back(scalar.symbol, space.restricted(scalar.symbol));
  }
  std::vector<Form> images;
  for (std::size_t i = 0; i < target.size(); ++i) {
    images.push_back(Form::basis(space.coframe, space.configuration_form(i)));
  }
  for (Expr parameter : target.parameters) images.push_back(d(space.coframe, space.restricted(parameter)));
  images.push_back(Form::basis(space.coframe, space.time_form()));
  return SmoothMap(algebra, space.coframe, target.coframe, std::move(coordinates), std::move(images));
}

EmbeddingRanks embedding_ranks(Algebra& algebra, const Motion& motion, const ConstraintSpace& space,
                               const Substitution& state) {
  const std::size_t n = motion.space.size(), p = motion.relation_count;
  Matrix tangent = space.tangent, relations(algebra.pool(), p, n);
  for (Expr& entry : tangent.entries) entry = substitute(entry, state);
  for (std::size_t h = 0; h < p; ++h) {
    for (std::size_t a = 0; a < n; ++a) {
      relations(h, a) = substitute(space.restricted(motion.constraints[h].gradient[a]), state);
    }
  }
  return {tangent.columns == 0 ? 0 : rank(algebra, tangent).rank, p == 0 ? 0 : rank(algebra, relations).rank};
}

}  // namespace liaison
