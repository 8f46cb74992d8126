#include "liaison/structure/constraint_flag.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "admissible_directions.hpp"
#include "liaison/algebra/own_budget.hpp"
#include "liaison/expr/domain.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/forms/ideal.hpp"
#include "liaison/mechanics/open_conditions.hpp"
#include "modular_matrix.hpp"
#include "polynomial_form.hpp"
#include "quaternion_chart.hpp"
#include "special_states.hpp"

namespace liaison {

namespace {

constexpr std::uint64_t seed = 20'260'102;

/// Independent fields that grow by brackets.
class BracketSpan {
 public:
  BracketSpan(Algebra& algebra, const StateFlow& flow, std::vector<std::size_t> forms)
      : algebra_(algebra), flow_(flow), forms_(std::move(forms)) {}

  const std::vector<VectorField>& fields() const { return fields_; }
  std::size_t dimension() const { return fields_.size(); }
  bool is_full() const { return fields_.size() == forms_.size(); }
  Grade grade() const { return weaker(lower_, is_full() ? Grade::proved : grade_); }

  /// Adds a field that is independent of the others.
  bool add(const VectorField& given) {
    if (is_full()) return false;
    const VectorField field = simplified(algebra_, given);
    if (std::all_of(field.components().begin(), field.components().end(), [](Expr e) { return e.is_zero(); }))
      return false;
    fields_.push_back(field);
    if (has_full_rank_at_a_point()) return true;
    confirm_dependence();
    fields_.pop_back();
    return false;
  }

  Matrix components() const {
    Matrix matrix(algebra_.pool(), fields_.size(), forms_.size());
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      for (std::size_t k = 0; k < forms_.size(); ++k) matrix(i, k) = fields_[i].component(forms_[k]);
    }
    return matrix;
  }

 private:
  /// Modulo a prime: then they are independent.
  bool has_full_rank_at_a_point() {
    const Matrix matrix = components();
    const FunctionTable table(algebra_, matrix.entries, flow_.state());
    if (!table.refusal().empty() || !table.is_complete()) {  // roots that depend on each other
      const RankResult exact = exact_rank(matrix);
      lower_ = weaker(lower_, exact.grade);
      return exact.rank == fields_.size();
    }
    for (std::uint64_t attempt = 0; attempt < 6; ++attempt) {
      ModularPoints points(table, {.quaternions = flow_.quaternions, .values = {}}, seed + attempt);
      const auto at = points.next();
      if (!at) continue;
      ModularMatrix values(points.field(), forms_.size());
      for (std::size_t i = 0; i < fields_.size(); ++i) {
        const auto begin = at->begin() + static_cast<std::ptrdiff_t>(i * forms_.size());
        values.add_row({begin, begin + static_cast<std::ptrdiff_t>(forms_.size())});
      }
      if (values.rank() == fields_.size()) return true;
    }
    return false;
  }

  /// What depends on each other wherever it has a value does so on unit quaternions; the other way round it
  /// is asked there.
  RankResult exact_rank(const Matrix& matrix) {
    RankResult found = rank(algebra_, matrix);
    if (flow_.quaternions.empty() || found.rank < matrix.rows) return found;
    return rank(algebra_, in_quaternion_chart(algebra_, flow_, matrix));
  }

  void confirm_dependence() {
    try {
      const RankResult exact = exact_rank(components());
      grade_ = weaker(grade_, exact.rank < fields_.size() ? exact.grade : Grade::unknown);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::limit_reached) throw;
      grade_ = weaker(grade_, Grade::checked);
    }
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  std::vector<std::size_t> forms_;
  std::vector<VectorField> fields_;
  Grade lower_ = Grade::proved;  ///< of "these are independent"
  Grade grade_ = Grade::proved;  ///< of "the others depend on them"
};

/// D^(k+1) = D^k + [D, D^k]: only brackets with what the last step added are new.
BracketSpan grow(Algebra& algebra, const StateFlow& flow, const AdmissibleDirections& directions,
                 std::vector<std::size_t>& dimensions) {
  BracketSpan span(algebra, flow, directions.forms);
  for (const VectorField& field : directions.fields) span.add(field);
  dimensions.push_back(span.dimension());
  for (std::size_t first = 0; !span.is_full();) {
    const std::size_t last = span.dimension();
    const std::vector<VectorField> now = span.fields();
    for (std::size_t i = 0; i < dimensions.front(); ++i) {
      for (std::size_t j = std::max(first, i + 1); j < last; ++j) span.add(bracket(now[i], now[j]));
    }
    if (span.dimension() == last) break;
    dimensions.push_back(span.dimension());
    first = last;
  }
  return span;
}

/// D^(k+1) = D^(k) + [D^(k), D^(k)].
BracketSpan derive(Algebra& algebra, const StateFlow& flow, const AdmissibleDirections& directions,
                   std::vector<std::size_t>& dimensions) {
  BracketSpan span(algebra, flow, directions.forms);
  for (const VectorField& field : directions.fields) span.add(field);
  dimensions.push_back(span.dimension());
  for (std::size_t first = 0; !span.is_full();) {
    const std::size_t last = span.dimension();
    const std::vector<VectorField> now = span.fields();
    for (std::size_t i = 0; i < last; ++i) {
      for (std::size_t j = std::max(first, i + 1); j < last; ++j) span.add(bracket(now[i], now[j]));
    }
    if (span.dimension() == last) break;
    dimensions.push_back(span.dimension());
    first = last;
  }
  return span;
}

/// Calls `visit` with subsets of so many of the numbers below `of` until it wants no more.
template <class F>
void each_subset(std::size_t of, std::size_t count, F visit) {
  std::vector<std::size_t> chosen(count);
  for (std::size_t i = 0; i < count; ++i) chosen[i] = i;
  while (visit(chosen)) {
    std::size_t i = count;
    while (i > 0 && chosen[i - 1] == of - count + i - 1) --i;
    if (i == 0) return;
    ++chosen[i - 1];
    for (; i < count; ++i) chosen[i] = chosen[i - 1] + 1;
  }
}

void add_condition(Conditions& conditions, Expr e) {
  if (std::find(conditions.begin(), conditions.end(), e) == conditions.end()) conditions.push_back(e);
}

/// Directions are divided by what velocities were solved for: by l in l x' = exp(z) y'.
void add_divisors(Algebra& algebra, const System& system, const Matrix& fields, Conditions& conditions) {
  for (const Requirement& needed : natural_domain(fields.entries)) {
    if (needed.bound == Bound::nonnegative) continue;
    for (const Expr e : conditions_on_values(algebra, system, needed.e)) add_condition(conditions, e);
  }
}

/// The time counts where one of what brings it in does not vanish: the one that asks for the least.
void add_values_with_time(Algebra& algebra, const System& system, const AdmissibleDirections& directions,
                          Conditions& conditions) {
  std::optional<Conditions> best;
  for (const Expr e : directions.by_time) {
    Conditions own = conditions_on_values(algebra, system, algebra.readable(e));
    if (!best || own.size() < best->size()) best = std::move(own);
  }
  if (!best) return;
  for (const Expr e : *best) add_condition(conditions, e);
}

std::optional<Expr> value_at(Expr e, const Substitution& place) {
  try {
    return substitute(e, place);
  } catch (const Error& error) {  // a quotient or a root has no value there
    if (error.code() == ErrorCode::limit_reached) throw;
    return std::nullopt;
  }
}

/// For some values of the parameters fields may depend on each other that are independent for others: where
/// a minor does not vanish they do not. More of them is no rank ever. False: no minor was found soon.
bool add_values(Algebra& algebra, const StateFlow& flow, const Matrix& fields, Conditions& conditions) {
  constexpr std::uint64_t operations = 30'000'000;
  constexpr int most_minors = 24;
  if (std::none_of(fields.entries.begin(), fields.entries.end(), may_vanish_for_all_states)) return true;
  const System& system = *flow.motion->space.system;
  const std::vector<Substitution> places = rational_quaternions(flow);
  add_divisors(algebra, system, fields, conditions);
  std::optional<Conditions> best;
  const OwnBudget budget(algebra, operations);
  try {
    int left = most_minors;
    each_subset(fields.columns, fields.rows, [&](const std::vector<std::size_t>& columns) {
      Matrix minor(algebra.pool(), fields.rows, fields.rows);
      for (std::size_t i = 0; i < fields.rows; ++i)
        for (std::size_t k = 0; k < fields.rows; ++k) minor(i, k) = fields(i, columns[k]);
      const DeterminantResult found = determinant(algebra, minor);
      for (const Substitution& place : places) {
        const auto value = value_at(found.value, place);
        if (!value || value->is_zero() || !algebra.is_zero(*value).is_refuted()) continue;
        Conditions own = conditions_on_values(algebra, system, algebra.readable(*value));
        if (!best || own.size() < best->size()) best = std::move(own);
        if (best->empty()) break;
      }
      return --left > 0 && (!best || !best->empty());
    });
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit_reached) throw;
  }
  if (!best) return false;
  for (const Expr e : *best) add_condition(conditions, e);
  return true;
}

/// A primitive of the form, or of the form divided by one of its coefficients or the product of two.
void find_integral(Algebra& algebra, IntegrablePart& part) {
  std::vector<Expr> divisors;
  for (const auto& [indices, coefficient] : part.form.terms()) {
    if (!coefficient.is_constant()) divisors.push_back(coefficient);
  }
  for (std::size_t i = 0, count = divisors.size(); i < count; ++i) {
    for (std::size_t j = i; j < count; ++j) divisors.push_back(divisors[i] * divisors[j]);
  }
  std::vector<Form> candidates{part.form};
  for (Expr divisor : divisors)
    candidates.push_back(simplified(algebra, pow(divisor, Rational(-1)) * part.form));
  for (const Form& candidate : candidates) {
    const Exactness exact = find_primitive(algebra, candidate);
    if (!exact.primitive || exact.primitive->terms().size() != 1) continue;
    part.form = candidate;
    part.integral = algebra.readable(exact.primitive->terms().front().second);
    part.multivalued = exact.multivalued;
    return;
  }
}

/// The forms that vanish on all fields.
void find_integrable_part(Algebra& algebra, const StateFlow& flow, const AdmissibleDirections& directions,
                          const BracketSpan& span, ConstraintFlag& flag) {
  constexpr std::uint64_t operations = 200'000'000;
  if (span.is_full()) return;
  const NullSpaceResult forms = null_space(algebra, span.components());
  flag.conditions = forms.conditions;
  flag.grade = weaker(flag.grade, forms.grade);
  for (const std::vector<Expr>& covector : forms.basis) {
    Form form(flow.coframe, 1);
    for (std::size_t k = 0; k < covector.size(); ++k)
      form = form + covector[k] * Form::basis(flow.coframe, directions.forms[k]);
    IntegrablePart part{simplified(algebra, form), std::nullopt};
    try {
      const OwnBudget budget(algebra, operations);
      find_integral(algebra, part);
    } catch (const Error& error) {  // none is written out
      if (error.code() != ErrorCode::limit_reached) throw;
    }
    flag.integrable.push_back(std::move(part));
  }
}

}  // namespace

ConstraintFlagResult derive_constraint_flag(Algebra& algebra, const StateFlow& flow, FlagQuestion question) {
  if (!flow.standing.pieces.empty()) return {std::nullopt, flow.standing.pieces};
  if (flow.has_levels)
    return {std::nullopt, "the coordinates satisfy relations between them: brackets need independent ones"};
  auto directions = admissible_directions(algebra, flow);
  if (!directions) return {std::nullopt, "the velocities are not linear in the velocity parameters"};
  leave_out_time_of_chart(algebra, flow, *directions);
  ConstraintFlag flag;
  flag.with_time = directions->with_time;
  flag.space = directions->forms.size();
  flag.for_values = flow.standing.for_values;
  const BracketSpan span = grow(algebra, flow, *directions, flag.growth);
  const BracketSpan derived = derive(algebra, flow, *directions, flag.derived);
  flag.ranks = weaker(span.grade(), derived.grade());
  if (flag.ranks != Grade::proved) flag.ranks_reason = "a rank is known modulo a prime alone";
  if (directions->time_grade != Grade::proved) {
    flag.ranks = weaker(flag.ranks, directions->time_grade);
    flag.ranks_reason = "whether the time counts is not proved";
  }
  const System& system = *flow.motion->space.system;
  for (const Expr e : directions->divided) {
    for (const Expr own : conditions_on_values(algebra, system, e)) add_condition(flag.for_values, own);
  }
  add_values_with_time(algebra, system, *directions, flag.for_values);
  if (!add_values(algebra, flow, span.components(), flag.for_values) ||
      !add_values(algebra, flow, derived.components(), flag.for_values)) {
    flag.ranks = weaker(flag.ranks, Grade::checked);
    if (flag.ranks_reason.empty())
      flag.ranks_reason = "for some values of the parameters they may be smaller";
  }
  flag.grade = flag.ranks;
  if (!is_certain_at_general_places(flow.standing) && flow.standing.at_most() != Grade::proved) {
    flag.ranks = weaker(flag.ranks, flow.standing.at_most());
    flag.ranks_reason = flow.standing.reason;
  }
  if (question == FlagQuestion::all) find_integrable_part(algebra, flow, *directions, span, flag);
  flag.grade = weaker(flag.grade, flow.standing.at_most());
  flag.reason = flow.standing.reason;
  flag.has_relations = flow.motion->relation_count > 0;
  return {std::move(flag), {}};
}

std::optional<FirstBrackets> count_first_brackets(Algebra& algebra, const StateFlow& flow) {
  if (!flow.standing.pieces.empty() || flow.has_levels) return std::nullopt;
  auto directions = admissible_directions(algebra, flow);
  if (!directions) return std::nullopt;
  leave_out_time_of_chart(algebra, flow, *directions);
  const System& system = *flow.motion->space.system;
  Conditions for_values = flow.standing.for_values;
  add_values_with_time(algebra, system, *directions, for_values);
  BracketSpan span(algebra, flow, directions->forms);
  for (const VectorField& field : directions->fields) span.add(field);
  const std::vector<VectorField> first = span.fields();
  for (std::size_t i = 0; i < first.size(); ++i) {
    for (std::size_t j = i + 1; j < first.size(); ++j) span.add(bracket(first[i], first[j]));
  }
  // Where time does not count d/dt is one more direction, without brackets.
  const std::size_t time = directions->with_time ? 0 : 1;
  Grade grade = weaker(span.grade(), flow.standing.at_most());
  if (!add_values(algebra, flow, span.components(), for_values)) grade = weaker(grade, Grade::checked);
  return FirstBrackets{directions->forms.size() + time - 1, flow.velocities.size(), span.dimension() + time,
                       grade, std::move(for_values)};
}

std::string to_string(const std::vector<std::size_t>& growth) {
  return fmt::format("({})", fmt::join(growth, ", "));
}

}  // namespace liaison
