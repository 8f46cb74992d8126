#include "symmetry_ansatz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "liaison/forms/calculus.hpp"
#include "liaison/mechanics/open_conditions.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_support = 40;
constexpr int primes_tried = 8;
constexpr std::uint64_t lift_operations = 50'000'000;

PointChoices choices_of(const StateFlow& flow) {
  return {.quaternions = flow.quaternions, .values = {}};
}

/// Everything on V that changes along motions.
std::vector<Expr> state_of(const StateFlow& flow) {
  std::vector<Expr> state = flow.state();
  for (Expr parameter : flow.motion->space.parameters) {
    if (std::find(state.begin(), state.end(), parameter) == state.end()) state.push_back(parameter);
  }
  return state;
}

/// What must vanish where a field takes admissible directions to admissible ones.
std::vector<Expr> kept_directions(const StateFlow& flow,
                                  const std::optional<AdmissibleDirections>& admissible,
                                  const VectorField& field) {
  const Motion& motion = *flow.motion;
  const StateSpace& space = motion.space;
  std::vector<Expr> result;
  if (motion.relation_count == 0) return result;
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
      const ConstraintField& constraint = motion.constraints[h];
      std::vector<Expr> terms;
      for (std::size_t i = 0; i < space.size(); ++i)
        terms.push_back(constraint.gradient[i] * moved.component(i));
      result.push_back(space.pool().add(terms));
    }
  }
  return result;
}

}  // namespace

Verdict decide_symmetry(Algebra& algebra, const StateFlow& flow,
                        const std::optional<AdmissibleDirections>& directions, const VectorField& field) {
  Verdict whole = keeps_omega(algebra, *flow.motion, field);
  const Region quaternions = flow.unit_quaternions();
  for (Expr condition : kept_directions(flow, directions, field)) {
    if (!quaternions.equations.empty() && algebra.follows(condition, quaternions)) continue;
    whole = conjunction(std::move(whole), algebra.is_zero(condition));
  }
  if (flow.motion->relation_count > 0 && whole.is_proved()) {  // the admissible directions divide by these
    for (Expr condition : factors_that_may_vanish(flow.conditions)) {
      if (std::find(whole.conditions.begin(), whole.conditions.end(), condition) == whole.conditions.end())
        whole.conditions.push_back(condition);
    }
  }
  return flow.standing.limited(std::move(whole));
}

SymmetryAnsatz::SymmetryAnsatz(Algebra& algebra, const StateFlow& flow, const SymmetryOptions& options)
    : algebra_(algebra), flow_(flow), options_(options) {
  const StateSpace& space = flow.motion->space;
  basis_ = make_function_basis(algebra, function_generators(algebra, flow), {}, options.function_degree,
                               std::max<std::size_t>(1, options.max_columns / space.size()));
  described_ = fmt::format("fields on the positions with components that are {}, and d/d{}", basis_.described,
                           flow.time.symbol().name);
}

VectorField SymmetryAnsatz::basis_field(std::size_t direction, Expr function) const {
  const StateSpace& space = flow_.motion->space;
  std::vector<Expr> components(space.size(), space.pool().number(0));
  components[direction] = function;
  return prolongation(space, components, space.pool().number(0));
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
  const std::vector<Expr> kept = kept_directions(flow_, directions_, field);
  result.insert(result.end(), kept.begin(), kept.end());
  return result;
}

std::vector<Expr> SymmetryAnsatz::asked(const std::vector<std::size_t>& columns) const {
  std::vector<Expr> result;
  for (const std::size_t k : columns)
    result.insert(result.end(), columns_[k].conditions.begin(), columns_[k].conditions.end());
  return result;
}

bool SymmetryAnsatz::solve() {
  const StateSpace& space = flow_.motion->space;
  if (flow_.motion->relation_count > 0) {
    directions_ = admissible_directions(algebra_, flow_);
    if (!directions_) {
      refusal_ = "the velocities are not linear in the velocity parameters";
      return false;
    }
  }
  for (Expr function : basis_.functions) {
    for (std::size_t i = 0; i < space.size(); ++i) {
      VectorField field = basis_field(i, function);
      std::vector<Expr> conditions = conditions_of(field);
      columns_.push_back({std::move(field), std::move(conditions)});
    }
  }
  VectorField time =
      prolongation(space, std::vector<Expr>(space.size(), space.pool().number(0)), space.pool().number(1));
  std::vector<Expr> conditions = conditions_of(time);
  columns_.push_back({std::move(time), std::move(conditions)});

  std::vector<std::size_t> all(columns_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<Expr> expressions = asked(all);
  const std::size_t of_conditions = expressions.size(), width = columns_.front().conditions.size();
  expressions.insert(expressions.end(), basis_.functions.begin(), basis_.functions.end());
  const FunctionTable table(algebra_, expressions, state_of(flow_));
  refusal_ = table.refusal();
  if (!refusal_.empty()) return false;
  const std::size_t wanted = columns_.size() / 3 + basis_.functions.size() + 8;
  for (int attempt = 0; attempt < primes_tried; ++attempt) {
    ModularPoints points(table, choices_of(flow_), options_.seed + static_cast<std::uint64_t>(attempt));
    ModularMatrix matrix(points.field(), columns_.size()), values(points.field(), basis_.functions.size());
    for (std::size_t i = 0; i < wanted; ++i) {
      const auto at = points.next();
      if (!at) break;
      for (std::size_t row = 0; row < width; ++row) {
        std::vector<Residue> entries;
        bool is_zero = true;
        for (std::size_t k = 0; k < columns_.size(); ++k) {
          entries.push_back((*at)[k * width + row]);
          is_zero = is_zero && entries.back() == 0;
        }
        if (!is_zero) matrix.add_row(std::move(entries));
      }
      values.add_row({at->begin() + static_cast<std::ptrdiff_t>(of_conditions), at->end()});
    }
    if (values.rows() < wanted) continue;
    is_whole_ = table.is_complete() && values.rank() == basis_.functions.size();
    keep_independent(values.pivots(), matrix);
    kernel_ = matrix.kernel();
    return true;
  }
  refusal_ = "no points were found at which everything has a value";
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
  if (columns.size() > 1) {
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

std::vector<std::vector<Expr>> rational_samples(Algebra& algebra, const StateFlow& flow,
                                                const std::vector<Expr>& asked, std::size_t count) {
  const FunctionTable table(algebra, asked, state_of(flow));
  std::vector<std::vector<Expr>> result;
  if (!table.refusal().empty()) return result;
  RationalPoints points(algebra.pool(), table, choices_of(flow), algebra.options().seed);
  for (std::size_t i = 0; i < count; ++i) {
    auto at = points.next();
    if (!at) return {};
    result.push_back(std::move(*at));
  }
  return result;
}

}  // namespace liaison
