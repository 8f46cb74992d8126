#include "time_poles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// What is zero where a node grows without bound; empty: of others.
Expr divisor_of(Expr node) {
  if (node.is(Op::tan)) return cos(node.arg(0));
  if (node.is(Op::log) || (node.is(Op::pow) && node.arg(1).number() < Rational(0))) return node.arg(0);
  return {};
}

}  // namespace

TimePoles::TimePoles(const Evaluator& evaluator) : evaluator_(evaluator) {
  const AssembledEquations& equations = evaluator.equations();
  const Expr time = evaluator.time_symbol();
  std::vector<Expr> written;
  for (std::size_t k = 0; k < equations.relation_count; ++k) {
    written.push_back(equations.levels[k].empty() ? equations.relations[k] : equations.levels[k]);
    for (Expr node : postorder(written.back())) {
      const Expr divisor = divisor_of(node);
      if (divisor.empty() || !depends_on(divisor, time)) continue;
      const std::vector<Expr> symbols = symbols_in(divisor);
      const bool is_of_time = std::all_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
        return symbol == time ||
               std::any_of(evaluator.parameter_values().begin(), evaluator.parameter_values().end(),
                           [&](const auto& one) { return one.first == symbol; });
      });
      if (is_of_time)
        divisors_.push_back({node, k, IntervalFunction(divisor, time, evaluator.parameter_values())});
    }
  }
  if (empty()) return;
  std::vector<Expr> symbols{time};
  symbols.insert(symbols.end(), equations.positions.begin(), equations.positions.end());
  symbols.insert(symbols.end(), equations.parameters.begin(), equations.parameters.end());
  inputs_.resize(symbols.size());
  for (const auto& [symbol, value] : evaluator.parameter_values()) {
    symbols.push_back(symbol);
    inputs_.push_back(value);
  }
  relations_ = Runner(symbols, written, Engine::interpreted);
}

/// By halving; what is not zero anywhere on a part is left.
std::optional<double> TimePoles::first_zero(Divisor& divisor, double from, double to) {
  constexpr std::size_t most_parts = 100000;
  std::vector<Interval> open{{from, to}};
  for (std::size_t parts = 0; !open.empty() && parts < most_parts; ++parts) {
    const Interval part = open.back();
    open.pop_back();
    const Interval range = divisor.function(part);
    if (range.low > 0 || range.high < 0) continue;
    const double middle = part.low + (part.high - part.low) / 2;
    if (part.high - part.low <= 4 * epsilon * std::max(std::abs(part.low), std::abs(part.high)) ||
        middle <= part.low || middle >= part.high) {
      if (middle > from) return middle;
      continue;
    }
    open.push_back({middle, part.high});
    open.push_back({part.low, middle});
  }
  return {};
}

/// Ever faster towards there: what cancels has a value next to it.
bool TimePoles::grows(std::size_t relation, double t, double from, const std::vector<double>& y) {
  constexpr double near = 1e-4, nearer = 1e-7, most = 0.75;
  std::copy(y.begin(), y.end(), inputs_.begin() + 1);
  const auto change = [&](double part) {
    const double h = part * std::max(t - from, 1e-3 * std::abs(t));
    inputs_[0] = t - h;
    const double far = relations_(inputs_.data())[relation];
    inputs_[0] = t - h / 4;
    return std::abs(relations_(inputs_.data())[relation] - far);
  };
  const double before = change(near), next = change(nearer);
  return !std::isfinite(next) || next > most * before;
}

std::optional<TimePoles::Pole> TimePoles::first(double from, double to, const std::vector<double>& y) {
  std::optional<Pole> result;
  for (Divisor& divisor : divisors_) {
    const auto t = first_zero(divisor, from, result ? std::min(to, result->t) : to);
    if (!t || (result && *t >= result->t) || !grows(divisor.relation, *t, from, y)) continue;
    result =
        Pole{*t, fmt::format("the relation `{}` has a pole at t = {:.12g}: `{}` grows without bound",
                             evaluator_.equations().names[divisor.relation], *t, to_infix(divisor.written))};
  }
  return result;
}

}  // namespace liaison
