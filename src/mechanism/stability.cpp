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

/// The model's start, and what was given instead.
Substitution state_of(const System& system, const GivenState& given) {
  Substitution state;
  if (given.use_start) {
    for (const InitialValue& value : system.start) state.emplace(value.symbol, value.value);
  }
  for (const Assignment& one : given.state) state.insert_or_assign(one.symbol, one.exact);
  return state;
}

/// Exactly of fractions; of other numbers by enclosures, where none of them reaches the axis.
std::optional<RootSides> sides_of(const std::vector<Expr>& coefficients) {
  std::vector<Rational> fractions;
  for (Expr c : coefficients) {
    if (c.is_number()) fractions.push_back(c.number());
  }
  if (fractions.size() == coefficients.size()) return count_root_sides(fractions);
  const std::size_t n = coefficients.size() - 1;
  Matrix companion(coefficients[0].pool(), n, n);
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) companion(i, i - 1) = companion.entries[0].pool().number(1);
    companion(i, n - 1) = -coefficients[i];
  }
  RootSides sides;
  const std::vector<Eigenvalue> roots = enclosed_eigenvalues(companion);
  if (roots.empty()) return std::nullopt;
  for (const Eigenvalue& root : roots) {
    if (!root.re.is_positive() && !root.re.is_negative()) return std::nullopt;
    ++(root.re.is_positive() ? sides.right : sides.left);
  }
  return sides;
}

/// The characteristic polynomial over the values of the ranges.
class Chart {
 public:
  Chart(MechanismParts& parts, std::vector<Expr> polynomial, const std::vector<ScanRange>& ranges)
      : parts_(parts), polynomial_(std::move(polynomial)) {
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

  std::optional<RootSides> sides_at(const std::vector<Rational>& place) {
    Substitution values;
    for (std::size_t k = 0; k < place.size(); ++k)
      values.emplace(chart_.ranges[k].symbol, parts_.system().pool->number(place[k]));
    try {
      std::vector<Expr> coefficients;
      for (Expr c : polynomial_)
        coefficients.push_back(parts_.algebra().canonical(substitute(c, values)).value);
      return sides_of(coefficients);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::division_by_zero && error.code() != ErrorCode::undefined_constant) throw;
      return std::nullopt;
    }
  }

  std::size_t kind_at(const std::vector<Rational>& place) {
    const std::optional<RootSides> sides = sides_at(place);
    const auto known = std::find(chart_.kinds.begin(), chart_.kinds.end(), sides);
    if (known != chart_.kinds.end()) return static_cast<std::size_t>(known - chart_.kinds.begin());
    chart_.kinds.push_back(sides);
    return chart_.kinds.size() - 1;
  }

  /// The first change between neighbours of different kinds, by halving.
  void look_between(std::size_t axis, std::size_t i, std::size_t j, std::size_t i2, std::size_t j2) {
    const std::size_t columns = values_[0].size();
    StabilityBoundary found{axis, i, j, {}, {}, chart_.at[i + j * columns], chart_.at[i2 + j2 * columns]};
    if (found.kind_before == found.kind_after) return;
    std::vector<Rational> low = place(i, j), high = place(i2, j2);
    const Rational whole = high[axis] - low[axis];
    for (int k = 0; k < max_halvings; ++k) {
      std::vector<Rational> middle = low;
      middle[axis] = (low[axis] + high[axis]) * Rational(1, 2);
      const std::size_t kind = kind_at(middle);
      if (kind == found.kind_before) {
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
    chart_.boundaries.push_back(std::move(found));
  }

  MechanismParts& parts_;
  std::vector<Expr> polynomial_;
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

StabilityAnswer judge_stability(MechanismParts& parts, const GivenState& given,
                                const std::vector<std::string>& inputs,
                                const std::vector<ScanRange>& ranges) {
  const System& system = parts.system();
  Algebra& algebra = parts.algebra();
  const StateFlowResult flow = derive_state_flow(algebra, parts.motion());
  parts.require_not_interrupted();
  const auto refuse_it = [&](const std::string& text) {
    refuse(Status::bad_input, parts.name(), Problem::bad_usage, text,
           "--at gives a steady motion, or --set other parameters");
  };
  if (!flow.flow) refuse_it(flow.reason);
  Substitution state = state_of(system, given), values;
  for (const Parameter& parameter : system.parameters) {
    if (parameter.value) values.emplace(parameter.symbol, system.pool->number(*parameter.value));
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
  if (!answer.motion.reason.empty()) refuse_it(answer.motion.reason);
  const auto valued = [&](const std::optional<Matrix>& matrix, const Substitution& with) {
    Matrix result = *matrix;
    for (Expr& entry : result.entries) entry = algebra.readable(substitute(entry, with));
    return result;
  };
  answer.a = valued(answer.motion.a, at_values);
  answer.b = valued(answer.motion.b, at_values);
  answer.c = valued(answer.motion.c, at_values);
  answer.d = valued(answer.motion.d, at_values);
  std::vector<Expr> coefficients, charted;
  for (Expr c : answer.motion.polynomial) {
    charted.push_back(algebra.canonical(substitute(c, with_chart)).value);
    coefficients.push_back(algebra.canonical(substitute(c, at_values)).value);
  }
  answer.sides = sides_of(coefficients);
  std::vector<Rational> fractions;
  for (Expr c : coefficients) {
    if (c.is_number()) fractions.push_back(c.number());
  }
  answer.eigenvalues =
      fractions.size() == coefficients.size() ? enclosed_roots(fractions) : enclosed_eigenvalues(*answer.a);
  if (!ranges.empty()) answer.chart = Chart(parts, std::move(charted), ranges).run();
  return answer;
}

}  // namespace liaison
