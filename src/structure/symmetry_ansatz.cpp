#include "symmetry_ansatz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "chartless_flow.hpp"
#include "liaison/forms/calculus.hpp"
#include "liaison/mechanics/open_conditions.hpp"
#include "parametric_lift.hpp"
#include "state_variety.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_support = 40;
constexpr int primes_tried = 8;
constexpr std::uint64_t lift_operations = 50'000'000;

/// Everything on V that changes along motions.
std::vector<Expr> state_of(const StateFlow& flow) {
  std::vector<Expr> state = flow.state();
  for (Expr parameter : flow.motion->space.parameters) {
    if (std::find(state.begin(), state.end(), parameter) == state.end()) state.push_back(parameter);
  }
  return state;
}

/// What must vanish where a field takes admissible directions to admissible ones.
std::vector<Expr> kept_directions(const StateFlow& flow, const KeptBySymmetries& kept,
                                  const VectorField& field) {
  const std::optional<AdmissibleDirections>& admissible = kept.directions;
  const std::vector<std::vector<Expr>>& admissible_covectors = kept.covectors;
  const Motion& motion = *flow.motion;
  const StateSpace& space = motion.space;
  std::vector<Expr> result;
  if (!admissible) return result;
  std::vector<VectorField> directions = admissible->fields;
  if (!admissible->with_time) {
    std::vector<Expr> time(flow.coframe->dimension(), space.pool().number(0));
    time.back() = space.pool().number(1);
    directions.emplace_back(flow.coframe, std::move(time));
  }
  std::vector<Expr> components(flow.coframe->dimension(), space.pool().number(0));
  for (std::size_t i = 0; i < space.size(); ++i) components[i] = field.component(i);
  components.back() = field.component(space.time_form());
  const VectorField on_positions(flow.coframe, std::move(components));
  for (const VectorField& direction : directions) {
    const VectorField moved = bracket(on_positions, direction);
    for (std::size_t h = 0; h < motion.relation_count; ++h) {
      std::vector<Expr> terms;
      for (std::size_t i = 0; i < space.size(); ++i)
        terms.push_back(admissible_covectors[h][i] * moved.component(i));
      result.push_back(space.pool().add(terms));
    }
  }
  return result;
}

}  // namespace

KeptResult kept_by_symmetries(Algebra& algebra, const StateFlow& flow) {
  const Motion& motion = *flow.motion;
  KeptResult result;
  KeptBySymmetries& kept = result.kept;
  const bool has_chart = !motion.space.system->chart.parameters.empty();
  if (has_chart) {
    kept.chart = chart_inverse(algebra, motion.space);
    if (!kept.chart.matrix) {
      result.refused = "the velocity parameters of the model do not determine the velocities linearly";
      return result;
    }
  }
  if (flow.has_levels) {
    if (flow.standing.rank < motion.relation_count) {
      result.refused = "the relations between the coordinates are not independent";
      return result;
    }
    kept.frame.emplace(algebra, flow);
  }
  const bool has_others =
      std::any_of(motion.constraints.begin(),
                  motion.constraints.begin() + static_cast<std::ptrdiff_t>(motion.relation_count),
                  [](const ConstraintField& constraint) { return constraint.level.empty(); });
  if (!has_others) return result;
  kept.directions = admissible_directions(algebra, flow);
  if (!kept.directions) {
    result.refused = "the velocities are not linear in the velocity parameters";
    return result;
  }
  for (std::size_t h = 0; h < motion.relation_count; ++h)
    kept.covectors.push_back(motion.space.on_velocities(algebra, motion.constraints[h].gradient));
  return result;
}

Verdict decide_symmetry(Algebra& algebra, const StateFlow& flow, const KeptBySymmetries& kept,
                        const VectorField& field) {
  const Region quaternions = flow.unit_quaternions();
  Verdict whole;
  if (kept.frame) {
    whole = Verdict::of(Grade::proved, "");
    for (Expr level : kept.frame->levels())
      whole = conjunction(std::move(whole), kept.frame->vanishes(apply(field, level)));
    if (!whole.is_refuted())
      whole = conjunction(std::move(whole), kept.frame->vanishes(lie(field, flow.motion->omega.omega)));
  } else {
    whole = keeps_omega(algebra, *flow.motion, field);
  }
  for (Expr condition : kept_directions(flow, kept, field)) {
    if (kept.frame) {
      whole = conjunction(std::move(whole), kept.frame->vanishes(condition));
      continue;
    }
    if (!quaternions.equations.empty() && algebra.follows(condition, quaternions)) continue;
    whole = conjunction(std::move(whole), algebra.is_zero(condition));
  }
  if (whole.is_proved()) {
    Conditions divisors = kept.chart.conditions;
    if (kept.directions)  // the admissible directions divide by these
      divisors.insert(divisors.end(), flow.conditions.begin(), flow.conditions.end());
    for (Expr condition : factors_that_may_vanish(divisors)) {
      if (std::find(whole.conditions.begin(), whole.conditions.end(), condition) == whole.conditions.end())
        whole.conditions.push_back(condition);
    }
  }
  return flow.standing.limited(std::move(whole));
}

SymmetryAnsatz::SymmetryAnsatz(Algebra& algebra, const StateFlow& flow, const SymmetryOptions& options)
    : algebra_(algebra), flow_(flow), options_(options) {
  const StateSpace& space = flow.motion->space;
  const std::vector<Expr> generators =
      function_generators(algebra, flow.has_levels ? without_chart(flow) : flow);
  // Fields of the first degree are searched also where they are more: turns of many coordinates are.
  constexpr std::size_t times = 8;
  const std::size_t linear = generators.size() + 1;
  std::size_t most = std::max<std::size_t>(1, options.max_columns / space.size());
  if (linear > most && linear * space.size() <= times * options.max_columns) most = linear;
  basis_ = make_function_basis(algebra, generators, {}, options.function_degree, most);
  described_ = fmt::format("fields on the positions with components that are {}, and d/d{}", basis_.described,
                           flow.time.symbol().name);
}

VectorField SymmetryAnsatz::basis_field(std::size_t direction, Expr function) const {
  const StateSpace& space = flow_.motion->space;
  std::vector<Expr> components(space.size(), space.pool().number(0));
  components[direction] = function;
  return prolongation(space, components, space.pool().number(0), kept_.chart.matrix);
}

/// <omega^h, [Y, D_A]> for each relation and admissible direction; d/dt with the drift is one of them.
std::vector<Expr> SymmetryAnsatz::conditions_of(const VectorField& field) const {
  const std::size_t n = flow_.motion->space.coframe->dimension();
  const Form change = lie(field, flow_.motion->omega.omega);
  std::vector<Expr> result;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const std::size_t indices[] = {i, j};
      result.push_back(change.coefficient(indices));
    }
  }
  const std::vector<Expr> kept = kept_directions(flow_, kept_, field);
  result.insert(result.end(), kept.begin(), kept.end());
  if (kept_.frame) {
    for (Expr level : kept_.frame->levels()) result.push_back(apply(field, level));
  }
  return result;
}

std::vector<Expr> SymmetryAnsatz::asked(const std::vector<std::size_t>& columns) const {
  std::vector<Expr> result;
  for (const std::size_t k : columns)
    result.insert(result.end(), columns_[k].conditions.begin(), columns_[k].conditions.end());
  return result;
}

bool SymmetryAnsatz::add_rows(const PrimeField& field, std::span<const Residue> conditions,
                              std::span<const Residue> entries, std::size_t columns,
                              ModularMatrix& matrix) const {
  const std::size_t width = conditions.size() / columns;
  const auto add = [&](std::vector<Residue> row) {
    if (std::any_of(row.begin(), row.end(), [](Residue entry) { return entry != 0; }))
      matrix.add_row(std::move(row));
  };
  std::size_t first = 0;
  if (kept_.frame) {  // the 2-form on pairs of tangent vectors
    const auto tangent = kept_.frame->tangent(field, entries);
    if (tangent.empty()) return false;
    const std::size_t n = flow_.motion->space.coframe->dimension();
    first = n * (n - 1) / 2;
    for (const auto& weights : pair_weights(field, tangent)) {
      std::vector<Residue> row(columns, 0);
      for (std::size_t k = 0; k < columns; ++k) {
        for (std::size_t i = 0; i < first; ++i) {
          const Residue value = conditions[k * width + i];
          if (value != 0 && weights[i] != 0) row[k] = field.add(row[k], field.mul(value, weights[i]));
        }
      }
      add(std::move(row));
    }
  }
  for (std::size_t i = first; i < width; ++i) {
    std::vector<Residue> row;
    for (std::size_t k = 0; k < columns; ++k) row.push_back(conditions[k * width + i]);
    add(std::move(row));
  }
  return true;
}

bool SymmetryAnsatz::solve() {
  const StateSpace& space = flow_.motion->space;
  KeptResult kept = kept_by_symmetries(algebra_, flow_);
  refusal_ = std::move(kept.refused);
  if (!refusal_.empty()) return false;
  kept_ = std::move(kept.kept);
  for (Expr function : basis_.functions) {
    for (std::size_t i = 0; i < space.size(); ++i) {
      VectorField field = basis_field(i, function);
      std::vector<Expr> conditions = conditions_of(field);
      columns_.push_back({std::move(field), std::move(conditions)});
    }
  }
  VectorField time = prolongation(space, std::vector<Expr>(space.size(), space.pool().number(0)),
                                  space.pool().number(1), kept_.chart.matrix);
  std::vector<Expr> conditions = conditions_of(time);
  columns_.push_back({std::move(time), std::move(conditions)});

  std::vector<std::size_t> all(columns_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<Expr> expressions = asked(all);
  const std::size_t of_conditions = expressions.size(), of_functions = basis_.functions.size();
  expressions.insert(expressions.end(), basis_.functions.begin(), basis_.functions.end());
  const std::size_t before_entries = expressions.size();
  const std::vector<Expr> bound = relations();
  std::optional<StateFlow> chartless;
  std::optional<StateVariety> variety;
  if (kept_.frame) {
    expressions.insert(expressions.end(), kept_.frame->entries().begin(), kept_.frame->entries().end());
    chartless = without_chart(flow_);
    variety.emplace(algebra_, *chartless, bound, basis_, 0);
  }
  const std::size_t before_slopes = expressions.size();
  if (variety && variety->is_irreducible())
    expressions.insert(expressions.end(), variety->slopes().begin(), variety->slopes().end());
  const std::size_t before_relations = expressions.size();
  expressions.insert(expressions.end(), bound.begin(), bound.end());
  const FunctionTable table(algebra_, expressions, state_of(flow_));
  refusal_ = table.refusal();
  if (!refusal_.empty()) return false;
  const std::size_t wanted = columns_.size() / 3 + of_functions + 8;
  for (int attempt = 0; attempt < primes_tried; ++attempt) {
    ModularPoints points(table, choices(), options_.seed + static_cast<std::uint64_t>(attempt));
    ModularMatrix matrix(points.field(), columns_.size()), values(points.field(), of_functions);
    std::size_t singular = 0;
    is_whole_ = table.is_complete() && (!variety || variety->is_irreducible());
    while (values.rows() < wanted && singular < wanted) {
      if (algebra_.options().is_interrupted()) {
        refusal_ = "interrupted";
        return false;
      }
      const auto at = points.next();
      if (!at) break;
      const std::span<const Residue> all_values(*at);
      if (variety && is_whole_) {
        const auto slopes = all_values.subspan(before_slopes, before_relations - before_slopes);
        if (!variety->is_smooth({slopes.begin(), slopes.end()}, points.field())) {
          ++singular;
          continue;
        }
      }
      if (!add_rows(points.field(), all_values.first(of_conditions),
                    all_values.subspan(before_entries, before_slopes - before_entries), columns_.size(),
                    matrix)) {
        ++singular;
        continue;
      }
      const auto functions = all_values.subspan(of_conditions, of_functions);
      values.add_row({functions.begin(), functions.end()});
    }
    if (values.rows() < wanted) continue;
    const std::vector<std::size_t> pivots = values.pivots();
    is_whole_ =
        is_whole_ && (variety ? of_functions - pivots.size() == variety->vanishing_forms(points.field())
                              : pivots.size() == of_functions);
    keep_independent(pivots, matrix);
    kernel_ = matrix.kernel();
    return true;
  }
  refusal_ = kept_.frame ? "no points of the relations were found modulo primes"
                         : "no points were found at which everything has a value";
  return false;
}

/// The columns of these functions, and that of time.
void SymmetryAnsatz::keep_independent(const std::vector<std::size_t>& functions, ModularMatrix& matrix) {
  if (functions.size() == basis_.functions.size()) return;
  const std::size_t n = flow_.motion->space.size();
  std::vector<std::size_t> kept;
  for (const std::size_t function : functions) {
    for (std::size_t i = 0; i < n; ++i) kept.push_back(function * n + i);
  }
  kept.push_back(columns_.size() - 1);
  matrix = matrix.with_columns(kept);
  std::vector<Column> columns;
  for (const std::size_t k : kept) columns.push_back(columns_[k]);
  columns_ = std::move(columns);
}

std::optional<VectorField> SymmetryAnsatz::lift(const std::vector<Residue>& vector) {
  const StateSpace& space = flow_.motion->space;
  std::vector<std::size_t> columns;
  for (std::size_t k = 0; k < vector.size(); ++k) {
    if (vector[k] != 0) columns.push_back(k);
  }
  if (columns.size() > max_support) return std::nullopt;
  std::vector<Expr> coefficients{space.pool().number(1)};
  if (columns.size() > 1 && kept_.frame) {
    auto lifted = lift_on_relations(columns);
    if (!lifted) return std::nullopt;
    coefficients = std::move(*lifted);
  } else if (columns.size() > 1) {
    try {
      const BudgetScope scope(algebra_, lift_operations);
      const std::vector<Expr> expressions = asked(columns);
      const std::size_t width = columns_.front().conditions.size();
      const auto rows = rational_samples(algebra_, flow_, expressions, columns.size() + 1);
      if (rows.empty()) return std::nullopt;
      std::vector<Expr> entries;
      for (const auto& row : rows) {
        for (std::size_t r = 0; r < width; ++r) {
          std::vector<Expr> line;
          for (std::size_t k = 0; k < columns.size(); ++k) line.push_back(row[k * width + r]);
          if (std::any_of(line.begin(), line.end(), [](Expr e) { return !e.is_zero(); }))
            entries.insert(entries.end(), line.begin(), line.end());
        }
      }
      const std::size_t count = entries.size() / columns.size();
      const NullSpaceResult found = null_space(algebra_, Matrix(count, columns.size(), std::move(entries)));
      if (found.basis.size() != 1) return std::nullopt;
      coefficients = found.basis.front();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::limit_reached) throw;
      return std::nullopt;
    }
  }
  VectorField sum(space.coframe);
  for (std::size_t k = 0; k < columns.size(); ++k) sum = sum + coefficients[k] * columns_[columns[k]].field;
  std::vector<Expr> readable;
  for (Expr component : sum.components()) readable.push_back(algebra_.readable(component));
  return VectorField(space.coframe, std::move(readable));
}

std::optional<std::vector<Expr>> SymmetryAnsatz::lift_on_relations(
    const std::vector<std::size_t>& columns) const {
  ParametricEquations equations{asked(columns), state_of(flow_), choices(),
                                columns.size(), options_.seed,   {}};
  const std::size_t of_conditions = equations.asked.size();
  for (const std::vector<Expr>& more : {kept_.frame->entries(), relations()})
    equations.asked.insert(equations.asked.end(), more.begin(), more.end());
  equations.rows = [&](const PrimeField& in, const std::vector<Residue>& values) {
    ModularMatrix matrix(in, columns.size());
    const std::span<const Residue> all(values);
    add_rows(in, all.first(of_conditions), all.subspan(of_conditions, kept_.frame->entries().size()),
             columns.size(), matrix);
    std::vector<std::vector<Residue>> rows;
    for (std::size_t i = 0; i < matrix.rows(); ++i) rows.push_back(matrix.row(i));
    return rows;
  };
  return solve_over_parameters(algebra_, equations);
}

std::vector<std::vector<Expr>> rational_samples(Algebra& algebra, const StateFlow& flow,
                                                const std::vector<Expr>& asked, std::size_t count) {
  const FunctionTable table(algebra, asked, state_of(flow));
  std::vector<std::vector<Expr>> result;
  if (!table.refusal().empty()) return result;
  RationalPoints points(algebra.pool(), table, {.quaternions = flow.quaternions, .values = {}},
                        algebra.options().seed);
  for (std::size_t i = 0; i < count; ++i) {
    auto at = points.next();
    if (!at) return {};
    result.push_back(std::move(*at));
  }
  return result;
}

}  // namespace liaison
