#include "local_parts.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

/// An argument that moves by less than this is followed by every method.
constexpr double own_lengths = 6;
/// The same of what a logarithm or a power is taken of, as a quotient.
constexpr double own_quotient = 50;

bool is_part(Expr node) {
  switch (node.op()) {
    case Op::exp:
    case Op::tanh:
    case Op::atan:
    case Op::sin:
    case Op::cos:
    case Op::log: return true;
    case Op::pow: return node.arg(1).number() < Rational(0) || !node.arg(1).number().is_integer();
    default: return false;
  }
}

/// What has a value at a state, and what of that moves with it.
struct Known {
  std::unordered_set<Expr> symbols, state;

  explicit Known(const Evaluator& evaluator)
      : symbols(evaluator.symbols().begin(), evaluator.symbols().end()), state(symbols) {
    symbols.insert(evaluator.time_symbol());
    for (const auto& [symbol, value] : evaluator.parameter_values()) symbols.insert(symbol);
  }
  bool moves(std::span<const Expr> nodes) const {
    return std::any_of(nodes.begin(), nodes.end(), [&](Expr e) { return state.contains(e); });
  }
  bool has_value(std::span<const Expr> nodes) const {
    return std::all_of(nodes.begin(), nodes.end(), [&](Expr e) {
      return !e.is(Op::apply) && (!e.is(Op::symbol) || symbols.contains(e));
    });
  }
};

}  // namespace

std::vector<Expr> variables_of(const Evaluator& evaluator) {
  std::vector<Expr> result{evaluator.time_symbol()};
  result.insert(result.end(), evaluator.symbols().begin(), evaluator.symbols().end());
  return result;
}

bool has_value_by_state(const Evaluator& evaluator, Expr e) {
  return Known(evaluator).has_value(postorder(e));
}

LocalParts::LocalParts(const Evaluator& evaluator, std::span<const Expr> expressions,
                       std::span<const Expr> further) {
  const Known known(evaluator);
  std::vector<Expr> arguments;
  for (Expr node : postorder(expressions)) {  // each once
    if (!is_part(node)) continue;
    const std::vector<Expr> below = postorder(node);
    if (!known.moves(below) || !known.has_value(below)) continue;
    nodes_.push_back(node);
    arguments.push_back(node.arg(0));
  }
  arguments_ = IntervalProgram(arguments, variables_of(evaluator), evaluator.parameter_values());
  std::vector<Expr> all = nodes_;
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.insert(all.end(), further.begin(), further.end());
  enclosures_ = IntervalProgram(all, variables_of(evaluator), evaluator.parameter_values());
}

bool LocalParts::are_short(std::span<const Interval> box) {
  arguments_.run(box);
  bool all = true;
  for (std::size_t k = 0; k < nodes_.size() && all; ++k) all = is_short(k, arguments_.output(k));
  if (!all) enclose(box);
  return all;
}

bool LocalParts::is_short(std::size_t part) const {
  return is_short(part, enclosures_.output(nodes_.size() + part));
}

bool LocalParts::is_short(std::size_t part, Interval argument) const {
  if (!nodes_[part].is(Op::pow) && !nodes_[part].is(Op::log)) return argument.width() <= own_lengths;
  const double low = std::min(std::abs(argument.low), std::abs(argument.high));
  const double high = std::max(std::abs(argument.low), std::abs(argument.high));
  return argument.low * argument.high <= 0 ||
         high <= own_quotient * low;  // a zero is what poles are watched for
}

}  // namespace liaison
