#include "liaison/mechanism/stability.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "diagnostics.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanism/analyzed.hpp"

namespace liaison {

namespace {

constexpr int max_halvings = 50;
constexpr int max_changes = 4;

/// The model's start, and what was given instead.
Substitution state_of(const System& system, const GivenState& given) {
  Substitution state;
  if (given.use_start) {
    for (const InitialValue& value : system.start) state.emplace(value.symbol, value.value);
  }
  for (const Assignment& one : given.state) state.insert_or_assign(one.symbol, one.exact);
  return state;
}

Matrix companion_of(const std::vector<Expr>& coefficients) {
  Pool& pool = coefficients[0].pool();
  const std::size_t n = coefficients.size() - 1;
  Matrix companion(pool, n, n);
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) companion(i, i - 1) = pool.number(1);
    companion(i, n - 1) = -coefficients[i];
  }
  return companion;
}

bool has_no_odd_terms(const std::vector<Expr>& coefficients) {
  for (std::size_t k = 1; k < coefficients.size(); k += 2) {
    if (!coefficients[k].is_zero()) return false;
  }
  return coefficients.size() % 2 == 1;
}

bool add_root(const Eigenvalue& root, RootSides& sides) {
  if (!root.re.is_positive() && !root.re.is_negative()) return false;
  ++(root.re.is_positive() ? sides.right : sides.left);
  return true;
}

/// x^2 is this root: a pair on the axis where it is negative, one on each side where it is not. One that no
/// other enclosure meets is real where it meets the real axis, for its conjugate is a root, too.
bool add_pair(const std::vector<Eigenvalue>& roots, std::size_t k, RootSides& sides) {
  const Eigenvalue& root = roots[k];
  bool is_alone = true;
  for (std::size_t i = 0; i < roots.size(); ++i)
    is_alone = is_alone && (i == k || !overlaps(root.re, roots[i].re));
  const bool is_real = root.im.contains_zero() && is_alone;
  if (is_real && root.re.is_negative()) {
    sides.axis += 2;
    return true;
  }
  if (!(is_real && root.re.is_positive()) && root.im.contains_zero()) return false;
  ++sides.left;
  ++sides.right;
  return true;
}

/// Roots on the sides, exactly of fractions; of other numbers by enclosures, where none of them reaches the
/// axis. Roots that are zero for all values are taken out before. Nothing: not decided.
std::optional<RootSides> sides_of(std::vector<Expr> coefficients) {
  std::size_t zeros = 0;
  while (coefficients.size() > 1 && coefficients.front().is_zero()) {
    coefficients.erase(coefficients.begin());
    ++zeros;
  }
  RootSides sides;
  std::vector<Rational> fractions;
  for (Expr c : coefficients) {
    if (c.is_number()) fractions.push_back(c.number());
  }
  if (fractions.size() == coefficients.size()) {
    sides = count_root_sides(fractions);
  } else {
    const bool is_even = has_no_odd_terms(coefficients);
    if (is_even) {
      std::vector<Expr> halved;
      for (std::size_t k = 0; k < coefficients.size(); k += 2) halved.push_back(coefficients[k]);
      coefficients = std::move(halved);
    }
    const std::vector<Eigenvalue> roots = enclosed_eigenvalues(companion_of(coefficients));
    if (roots.empty()) return std::nullopt;
    for (std::size_t k = 0; k < roots.size(); ++k) {
      if (is_even ? !add_pair(roots, k, sides) : !add_root(roots[k], sides)) return std::nullopt;
    }
  }
  sides.zero += zeros;
  sides.axis += zeros;
  return sides;
}

/// Those that are zero for all values, and the others enclosed; empty where they could not be.
std::vector<Eigenvalue> roots_of(std::vector<Expr> coefficients) {
  std::size_t zeros = 0;
  while (coefficients.size() > 1 && coefficients.front().is_zero()) {
    coefficients.erase(coefficients.begin());
    ++zeros;
  }
  std::vector<Eigenvalue> roots;
  if (coefficients.size() > 1) {
    roots = enclosed_eigenvalues(companion_of(coefficients));
    if (roots.empty()) return roots;
  }
  for (std::size_t k = 0; k < zeros; ++k) roots.push_back({Ball(Rational(0)), Ball(Rational(0))});
  return roots;
}

bool is_certainly_not_zero(Expr value) {
  if (value.is_number()) return !value.is_zero();
  const Expr asked[] = {value};
  const BallValues at = evaluate_balls(asked, {}, 192);
  return at.status == EvaluationStatus::ok && at.values[0].is_finite() && !at.values[0].contains_zero();
}

/// Whether there is such a state for these values.
StatePlace place_at(const Domain& domain, const Substitution& values) {
  Domain valued;
  for (Requirement requirement : domain) {
    requirement.e = substitute(requirement.e, values);
    valued.push_back(requirement);
  }
  return place_in(valued, {});
}

/// The characteristic polynomial, where there is such a state and nothing that it was divided by vanishes.
std::optional<RootSides> sides_at(Algebra& algebra, const std::vector<Expr>& polynomial,
                                  const std::vector<Expr>& conditions, const Domain& domain,
                                  const Substitution& values) {
  try {
    if (place_at(domain, values) != StatePlace::inside) return std::nullopt;
    for (Expr condition : conditions) {
      if (!is_certainly_not_zero(algebra.canonical(substitute(condition, values)).value)) return std::nullopt;
    }
    std::vector<Expr> coefficients;
    for (Expr c : polynomial) coefficients.push_back(algebra.canonical(substitute(c, values)).value);
    return sides_of(std::move(coefficients));
  } catch (const Error& error) {
    const ErrorCode code = error.code();
    if (code != ErrorCode::division_by_zero && code != ErrorCode::undefined_constant &&
        code != ErrorCode::limit_reached)
      throw;
    return std::nullopt;
  }
}

/// The characteristic polynomial over the values of the ranges.
class Chart {
 public:
  Chart(MechanismParts& parts, std::vector<Expr> polynomial, std::vector<Expr> conditions, Domain domain,
        const std::vector<ScanRange>& ranges)
      : parts_(parts),
        polynomial_(std::move(polynomial)),
        conditions_(std::move(conditions)),
        domain_(std::move(domain)) {
    chart_.ranges = ranges;
    for (const ScanRange& range : ranges) values_.push_back(grid_of(range));
  }

  StabilityChart run() {
    const std::size_t columns = values_[0].size(), rows = values_.size() == 2 ? values_[1].size() : 1;
    for (std::size_t j = 0; j < rows; ++j) {
      for (std::size_t i = 0; i < columns; ++i) chart_.at.push_back(kind_at(place(i, j)));
      parts_.require_not_interrupted();
    }
    for (std::size_t j = 0; j < rows; ++j) {
      for (std::size_t i = 0; i < columns; ++i) {
        if (i + 1 < columns) look_between(0, i, j, i + 1, j);
        if (j + 1 < rows) look_between(1, i, j, i, j + 1);
      }
      parts_.require_not_interrupted();
    }
    return std::move(chart_);
  }

 private:
  /// Exactly where the ends are fractions, else those of the doubles.
  std::vector<Rational> grid_of(const ScanRange& range) {
    const Expr first = parts_.algebra().canonical(range.first).value;
    const Expr last = parts_.algebra().canonical(range.last).value;
    std::vector<Rational> grid;
    for (std::size_t i = 0; i < range.count; ++i) {
      if (first.is_number() && last.is_number()) {
        const Rational part(static_cast<long>(i), static_cast<long>(range.count - 1));
        grid.push_back(first.number() + (last.number() - first.number()) * part);
      } else {
        grid.push_back(Rational::from_double(range.value(i)));
      }
    }
    return grid;
  }

  std::vector<Rational> place(std::size_t i, std::size_t j) const {
    std::vector<Rational> result{values_[0][i]};
    if (values_.size() == 2) result.push_back(values_[1][j]);
    return result;
  }

  std::optional<RootSides> sides_of_place(const std::vector<Rational>& place) {
    Substitution values;
    for (std::size_t k = 0; k < place.size(); ++k)
      values.emplace(chart_.ranges[k].symbol, parts_.system().pool->number(place[k]));
    std::optional<RootSides> sides = sides_at(parts_.algebra(), polynomial_, conditions_, domain_, values);
    if (sides) sides->zero = 0;  // of a kind the axis counts
    return sides;
  }

  std::size_t kind_at(const std::vector<Rational>& place) {
    const std::optional<RootSides> sides = sides_of_place(place);
    const auto known = std::find(chart_.kinds.begin(), chart_.kinds.end(), sides);
    if (known != chart_.kinds.end()) return static_cast<std::size_t>(known - chart_.kinds.begin());
    chart_.kinds.push_back(sides);
    return chart_.kinds.size() - 1;
  }

  /// Changes between neighbours of different kinds, one after the other: a kind that holds at one value alone
  /// is left again.
  void look_between(std::size_t axis, std::size_t i, std::size_t j, std::size_t i2, std::size_t j2) {
    const std::size_t columns = values_[0].size(), last = chart_.at[i2 + j2 * columns];
    const std::vector<Rational> from = place(i, j);
    const std::vector<Rational> end = place(i2, j2);
    std::size_t kind = chart_.at[i + j * columns];
    if (kind == last) {  // another kind in the middle, as between two points of a boundary
      std::vector<Rational> middle = from;
      middle[axis] = from[axis] + (end[axis] - from[axis]) * Rational(31, 64);
      const std::size_t between = kind_at(middle);
      if (between == kind) return;
      look_along(axis, i, j, from, middle, kind, between);
      look_along(axis, i, j, middle, end, between, last);
      return;
    }
    look_along(axis, i, j, from, end, kind, last);
  }

  void look_along(std::size_t axis, std::size_t i, std::size_t j, std::vector<Rational> from,
                  const std::vector<Rational>& end, std::size_t kind, std::size_t last) {
    for (int k = 0; k < max_changes && kind != last; ++k) {
      chart_.boundaries.push_back(change_between(axis, i, j, from, end, kind, last));
      from[axis] = chart_.boundaries.back().after;
      kind = chart_.boundaries.back().kind_after;
    }
  }

  /// A change, by halving; it leaves the kind of the first place.
  StabilityBoundary change_between(std::size_t axis, std::size_t i, std::size_t j, std::vector<Rational> low,
                                   std::vector<Rational> high, std::size_t before, std::size_t after) {
    StabilityBoundary found{axis, i, j, {}, {}, before, after};
    const Rational whole = high[axis] - low[axis];
    for (int k = 0; k < max_halvings; ++k) {
      std::vector<Rational> middle = low;
      middle[axis] = (low[axis] + high[axis]) * Rational(1, 2);
      const std::size_t kind = kind_at(middle);
      if (kind == before) {
        low = middle;
      } else {
        high = middle;
        found.kind_after = kind;
      }
      const double width = ((high[axis] - low[axis]) / whole).to_double();
      if (width < (values_.size() == 2 ? 1e-6 : 1e-13)) break;
    }
    found.before = low[axis];
    found.after = high[axis];
    return found;
  }

  MechanismParts& parts_;
  std::vector<Expr> polynomial_, conditions_;
  Domain domain_;
  std::vector<std::vector<Rational>> values_;
  StabilityChart chart_;
};

}  // namespace

std::string text_of(const std::optional<RootSides>& kind) {
  if (!kind) return "not decided";
  const auto roots = [](std::size_t n) { return fmt::format("{} root{}", n, n == 1 ? "" : "s"); };
  if (kind->right > 0) return fmt::format("{}, {} on the right", name_of(*kind), roots(kind->right));
  return kind->axis > 0 ? fmt::format("{}, {} on the axis", name_of(*kind), roots(kind->axis))
                        : name_of(*kind);
}

namespace {

StabilityAnswer judge(MechanismParts& parts, const GivenState& given, const std::vector<std::string>& inputs,
                      const std::vector<ScanRange>& ranges) {
  const System& system = parts.system();
  Algebra& algebra = parts.algebra();
  const auto refuse_it = [&](const std::string& text) {
    refuse(
        Status::bad_input, parts.name(), Problem::bad_usage, text,
        "--at gives a steady motion exactly, or --set other parameters; a rest without a closed form is in "
        "`analyze --only equilibria`, with its eigenvalues");
  };
  const auto refuse_model = [&](const std::string& text) {
    refuse(Status::bad_input, parts.name(), Problem::bad_usage, text,
           "leave it out of the model to ask about the rest");
  };
  if (!system.unilaterals.empty()) refuse_model("motions with unilateral constraints are not linearised");
  for (const Event& event : system.events) {
    if (event.action != EventAction::record)
      refuse_model(fmt::format("the event `{}` acts on the motion: motions with events are not linearised",
                               event.name));
  }
  const StateFlowResult flow = derive_state_flow(algebra, parts.motion());
  parts.require_not_interrupted();
  const auto refuse_all = [&](const std::string& text) {  // whatever the state
    if (text.find("not a function of one piece") != std::string::npos)
      refuse(Status::bad_input, parts.name(), Problem::bad_usage, text,
             "write the piece that holds at the motion asked for: x instead of abs(x) where x > 0; a spring "
             "along a line is `spring S: x stiffness k length l`, without its two ends");
    refuse(
        Status::bad_input, parts.name(), Problem::bad_usage, text,
        "no --at changes that: another text of the model may, and `analyze` says what is known of this one");
  };
  if (!flow.flow) refuse_all(flow.reason);
  Substitution state = state_of(system, given), values;
  for (const Parameter& parameter : system.parameters) {
    if (parameter.value) values.emplace(parameter.symbol, parameter.exact());
  }
  for (const Assignment& one : given.parameters) values.insert_or_assign(one.symbol, one.exact);
  Substitution at_values = values, with_chart = values;
  for (const ScanRange& range : ranges) {
    with_chart.erase(range.symbol);
    // A range of the state stays a symbol, with the value of the start where one state is asked for.
    if (range.symbol.symbol().kind != SymbolKind::parameter) {
      at_values.insert_or_assign(range.symbol, state.contains(range.symbol)
                                                   ? substitute(state.at(range.symbol), values)
                                                   : range.first);
      state.insert_or_assign(range.symbol, range.symbol);
    }
  }
  std::vector<Expr> symbols;
  for (const std::string& name : inputs) symbols.push_back(parameter_named(system, "--input", name));

  StabilityAnswer answer;
  answer.motion = linearise_steady_motion(algebra, *flow.flow, state, symbols, with_chart);
  parts.require_not_interrupted();
  if (!answer.motion.reason.empty()) {
    const bool is_of_model = !flow.flow->standing.pieces.empty() || !flow.flow->is_autonomous(algebra);
    is_of_model ? refuse_all(answer.motion.reason) : refuse_it(answer.motion.reason);
  }
  const auto valued = [&](const std::optional<Matrix>& matrix, const Substitution& with) {
    Matrix result = *matrix;
    for (Expr& entry : result.entries) entry = algebra.readable(substitute(entry, with));
    return result;
  };
  answer.a = valued(answer.motion.a, at_values);
  answer.b = valued(answer.motion.b, at_values);
  answer.c = valued(answer.motion.c, at_values);
  answer.d = valued(answer.motion.d, at_values);
  const auto all_valued = [&](const std::vector<Expr>& list, const Substitution& with) {
    std::vector<Expr> result;
    for (Expr e : list) result.push_back(algebra.canonical(substitute(e, with)).value);
    return result;
  };
  const auto domain_with = [&](Domain domain, const Substitution& with) {
    for (Requirement& requirement : domain) requirement.e = substitute(requirement.e, with);
    return domain;
  };
  const std::vector<Expr> coefficients = all_valued(answer.motion.polynomial, at_values);
  for (Expr symbol : symbols_in(coefficients))
    refuse_it(fmt::format("`{}` has no value", symbol.symbol().name));
  Domain known = domain_of(*flow.flow);  // is said as the model does
  for (const Requirement& requirement : answer.motion.domain) known.push_back(requirement);
  for (const Requirement& requirement : known) {
    Requirement there = requirement;
    there.e = substitute(there.e, state);
    if (place_at({there}, at_values) == StatePlace::outside)
      refuse_it(fmt::format("there is no such state: {} does not hold there, for the values as given",
                            to_infix(Domain{requirement})));
  }
  answer.sides =
      sides_at(algebra, answer.motion.polynomial, answer.motion.conditions, answer.motion.domain, at_values);
  std::vector<Rational> fractions;
  for (Expr c : coefficients) {
    if (c.is_number()) fractions.push_back(c.number());
  }
  answer.eigenvalues =
      fractions.size() == coefficients.size() ? enclosed_roots(fractions) : roots_of(coefficients);
  if (answer.sides && answer.sides->right == 0 && answer.sides->axis > 0 && !answer.motion.rest.empty()) {
    BallPoint place;
    for (const auto& [symbol, value] : answer.motion.rest) {
      const Expr one[] = {substitute(value, at_values)};
      const BallValues at = evaluate_balls(one, {}, 192);
      if (at.status == EvaluationStatus::ok) place.emplace(symbol, at.values[0]);
    }
    answer.has_energy_minimum = place.size() == answer.motion.rest.size() &&
                                has_energy_minimum(algebra, *flow.flow, at_values, place);
  }
  if (!ranges.empty()) {
    answer.chart = Chart(parts, all_valued(answer.motion.polynomial, with_chart),
                         all_valued(answer.motion.conditions, with_chart),
                         domain_with(answer.motion.domain, with_chart), ranges)
                       .run();
  }
  return answer;
}

}  // namespace

StabilityAnswer judge_stability(MechanismParts& parts, const GivenState& given,
                                const std::vector<std::string>& inputs,
                                const std::vector<ScanRange>& ranges) {
  try {
    return judge(parts, given, inputs, ranges);
  } catch (const Error& error) {
    parts.require_not_interrupted();
    throw Refused{Status::bad_input, {message_of(parts.name(), error)}};
  }
}

}  // namespace liaison
