#include "ball_function.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "expr/ball_power.hpp"
#include "liaison/expr/operator_table.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

BallFunction::BallFunction(Expr e, Expr variable, const RationalPoint& values) : values_(values) {
  std::unordered_map<Expr, std::size_t> places{{variable, 0}};
  std::vector<Expr> moving;
  const std::vector<Expr> nodes = postorder(e);
  std::unordered_set<Expr> with_variable{variable};
  for (Expr node : nodes) {
    const auto args = node.args();
    if (std::any_of(args.begin(), args.end(), [&](Expr arg) { return with_variable.contains(arg); }))
      with_variable.insert(node);
  }
  const auto moves = [&](Expr node) { return with_variable.contains(node); };
  const auto add_leaf = [&](Expr node) {
    if (moves(node) || places.contains(node)) return;
    places.emplace(node, leaves_.size() + 1);
    leaves_.push_back(node);
  };
  for (Expr node : nodes) {
    if (!moves(node)) continue;
    if (node != variable) moving.push_back(node);
    if (node.is(Op::pow)) {
      add_leaf(node.arg(0));
    } else {
      for (Expr arg : node.args()) add_leaf(arg);
    }
  }
  add_leaf(e);
  for (Expr node : moving) {
    Step step{.op = node.op(), .args = {}, .exponent = {}};
    if (node.is(Op::pow)) step.exponent = node.arg(1).number();
    const std::size_t count = node.is(Op::pow) ? 1 : node.args().size();
    for (std::size_t k = 0; k < count; ++k)
      step.args.push_back(places.at(node.arg(static_cast<unsigned>(k))));
    places.emplace(node, leaves_.size() + 1 + steps_.size());
    steps_.push_back(std::move(step));
  }
  result_ = places.at(e);
  room_.resize(1 + leaves_.size() + steps_.size());
}

const std::vector<Ball>* BallFunction::fixed(long bits) {
  const auto [entry, is_new] = by_precision_.try_emplace(bits);
  if (is_new && !leaves_.empty()) {
    BallPoint point;
    for (const auto& [symbol, value] : values_) point.emplace(symbol, Ball(value, bits));
    BallValues found = evaluate_balls(leaves_, point, bits);
    if (found.status == EvaluationStatus::ok) entry->second = std::move(found.values);
  }
  return entry->second.size() == leaves_.size() ? &entry->second : nullptr;
}

const Ball* BallFunction::operator()(const Ball& at, long bits) {
  if (bits != bits_) {
    const std::vector<Ball>* leaves = fixed(bits);
    if (!leaves) return nullptr;
    std::copy(leaves->begin(), leaves->end(), room_.begin() + 1);
    bits_ = bits;
  }
  arb_set(room_[0].raw(), at.raw());
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const Step& step = steps_[k];
    Ball& y = room_[1 + leaves_.size() + k];
    const auto arg = [&](std::size_t i) -> const Ball& { return room_[step.args[i]]; };
    switch (step.op) {
      case Op::add:
        arb_add(y.raw(), arg(0).raw(), arg(1).raw(), bits);
        for (std::size_t i = 2; i < step.args.size(); ++i) arb_add(y.raw(), y.raw(), arg(i).raw(), bits);
        break;
      case Op::mul:
        arb_mul(y.raw(), arg(0).raw(), arg(1).raw(), bits);
        for (std::size_t i = 2; i < step.args.size(); ++i) arb_mul(y.raw(), y.raw(), arg(i).raw(), bits);
        break;
      case Op::pow:
        if (ball_power(y, arg(0), step.exponent, bits) != EvaluationStatus::ok) return nullptr;
        break;
      case Op::apply: return nullptr;
      case Op::atan2:  // from pi to -pi it jumps
        if (arg(0).contains_zero() && !arg(1).is_positive()) return nullptr;
        [[fallthrough]];
      default: {
        arguments_.clear();
        for (std::size_t i = 0; i < step.args.size(); ++i) arguments_.push_back(&arg(i));
        const OperatorRow& row = operator_row(step.op);
        if (row.outside(arguments_.data())) return nullptr;
        row.ball(y, arguments_.data(), bits);
      }
    }
    if (!y.is_finite()) return nullptr;
  }
  return &room_[result_];
}

}  // namespace liaison
