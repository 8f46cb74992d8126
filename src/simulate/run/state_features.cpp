#include "state_features.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

/// An argument that moves by less than this is followed by every method.
constexpr double own_lengths = 6;
/// The same of the base of a negative power, as a quotient.
constexpr double own_quotient = 50;
/// A part changes by more than this much of the largest value that it may have in the step.
constexpr double little = 0.02;
constexpr std::size_t most_pieces = 1000;
constexpr double shortest = 1e-9;  ///< of a step

bool is_part(Expr node) {
  switch (node.op()) {
    case Op::exp:
    case Op::tanh:
    case Op::atan:
    case Op::sin:
    case Op::cos: return true;
    case Op::pow: return node.arg(1).number() < Rational(0);
    default: return false;
  }
}

}  // namespace

StateFeatures::StateFeatures(Evaluator& evaluator) : box_(evaluator) {
  const std::unordered_set<Expr> state(evaluator.symbols().begin(), evaluator.symbols().end());
  std::unordered_set<Expr> known(box_.variables().begin(), box_.variables().end());
  for (const auto& [symbol, value] : evaluator.parameter_values()) known.insert(symbol);
  std::vector<Expr> outputs, arguments;
  std::unordered_set<Expr> taken;
  for (Expr node : postorder(evaluator.written_equations())) {
    if (!is_part(node) || !taken.insert(node).second) continue;
    const std::vector<Expr> below = postorder(node);
    const bool moves = std::any_of(below.begin(), below.end(), [&](Expr e) { return state.contains(e); });
    const bool has_value = std::all_of(below.begin(), below.end(), [&](Expr e) {
      return !e.is(Op::apply) && (!e.is(Op::symbol) || known.contains(e));
    });
    if (!moves || !has_value) continue;
    parts_.push_back(node.op());
    outputs.push_back(node);
    arguments.push_back(node.arg(0));
  }
  if (empty()) return;
  std::vector<Expr> both = outputs;
  both.insert(both.end(), arguments.begin(), arguments.end());
  enclosures_ = IntervalProgram(both, box_.variables(), evaluator.parameter_values());
}

/// Whether the argument moves over so little that there is no room for a feature.
bool StateFeatures::is_short(std::size_t part) const {
  const Interval argument = enclosures_.output(parts_.size() + part);
  if (parts_[part] != Op::pow) return argument.width() <= own_lengths;
  const double low = std::min(std::abs(argument.low), std::abs(argument.high));
  const double high = std::max(std::abs(argument.low), std::abs(argument.high));
  return argument.low * argument.high <= 0 ||
         high <= own_quotient * low;  // a zero is what poles are watched for
}

/// Whether a part changes by more than a little, as far as the enclosure tells.
bool StateFeatures::may_change(std::size_t part) const {
  return !(enclosures_.output(part).width() <= slack_[part]);
}

std::optional<StateFeatures::Feature> StateFeatures::in_step(double before, double time,
                                                             const std::vector<double>& first,
                                                             const std::vector<double>& last,
                                                             const StateAt& state_at,
                                                             const Follows& follows) {
  if (empty() || !(time > before)) return {};
  enclosures_.run(box_.around(before, time, first, last));
  std::vector<std::size_t> suspects;
  slack_.resize(parts_.size());
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Interval range = enclosures_.output(k);
    slack_[k] = little * std::max(std::abs(range.low), std::abs(range.high));
    if (!std::isfinite(slack_[k])) slack_[k] = 0;
    if (!is_short(k) && may_change(k)) suspects.push_back(k);
  }
  if (suspects.empty()) return {};
  struct Piece {
    double low, high;
    std::vector<double> first, last;
  };
  std::vector<Piece> open{{before, time, first, last}};
  StepBox box = box_;
  for (std::size_t count = 0; !open.empty() && count < most_pieces; ++count) {
    const Piece piece = std::move(open.back());
    open.pop_back();
    box.begin();
    enclosures_.run(box.around(piece.low, piece.high, piece.first, piece.last));
    bool changes = false, is_long = false;
    for (const std::size_t k : suspects) {
      if (!may_change(k)) continue;
      changes = true;
      is_long = is_long || !is_short(k);
    }
    if (!changes) continue;
    if (is_long && piece.high - piece.low > shortest * (time - before)) {
      const double middle = piece.low + (piece.high - piece.low) / 2;
      std::vector<double> y(first.size());
      state_at(middle, y.data());
      open.push_back({middle, piece.high, y, piece.last});
      open.push_back({piece.low, middle, piece.first, y});
      continue;
    }
    if (!follows(piece.low, piece.high)) return Feature{piece.low, piece.high};
  }
  return {};
}

}  // namespace liaison
