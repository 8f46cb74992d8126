#include <algorithm>
#include <cmath>
#include <limits>

#include "ball_power.hpp"
#include "evaluation_reason.hpp"
#include "flat_map.hpp"
#include "liaison/expr/operator_table.hpp"
#include "liaison/expr/traverse.hpp"
#include "require.hpp"
#include "work.hpp"

namespace liaison {

namespace {

const double bits_per_digit = std::log2(10.0);

class BallEvaluation {
 public:
  BallEvaluation(const BallPoint& point, long bits, std::size_t nodes) : point_(point), bits_(bits) {
    values_.reserve(nodes);
  }

  /// Computes and stores the value of a node whose arguments are stored.
  EvaluationStatus add(Expr e) {
    Ball& y = values_.emplace_back();
    position_.insert(e.index(), static_cast<std::uint32_t>(values_.size() - 1));
    switch (e.op()) {
      case Op::number: arb_set_fmpq(y.raw(), e.number().raw(), bits_); return EvaluationStatus::ok;
      case Op::pi: arb_const_pi(y.raw(), bits_); return EvaluationStatus::ok;
      case Op::symbol: return set_symbol(y, e);
      case Op::add:
        for (Expr arg : e.args()) arb_add(y.raw(), y.raw(), stored(arg).raw(), bits_);
        return finite_or_undecided(y);
      case Op::mul: return set_product(y, e);
      case Op::pow: return set_power(y, e);
      case Op::apply: return EvaluationStatus::unknown_function;
      default: return set_elementary(y, e);
    }
  }

  const Ball& stored(Expr e) const { return values_[*position_.find(e.index())]; }

 private:
  EvaluationStatus set_symbol(Ball& y, Expr symbol) const {
    const auto found = point_.find(symbol);
    if (found == point_.end()) return EvaluationStatus::missing_value;
    y = found->second;
    return y.is_finite() ? EvaluationStatus::ok : EvaluationStatus::not_finite;
  }

  EvaluationStatus set_product(Ball& y, Expr e) const {
    arb_set(y.raw(), stored(e.arg(0)).raw());
    for (Expr arg : e.args().subspan(1)) arb_mul(y.raw(), y.raw(), stored(arg).raw(), bits_);
    return finite_or_undecided(y);
  }

  EvaluationStatus set_power(Ball& y, Expr e) const {
    return ball_power(y, stored(e.arg(0)), e.arg(1).number(), bits_);
  }

  EvaluationStatus set_elementary(Ball& y, Expr e) {
    const OperatorRow& row = operator_row(e.op());
    arguments_.clear();
    for (Expr arg : e.args()) arguments_.push_back(&stored(arg));
    if (row.outside(arguments_.data())) return EvaluationStatus::outside_domain;
    row.ball(y, arguments_.data(), bits_);
    return finite_or_undecided(y);
  }

  const BallPoint& point_;
  long bits_;
  NodeMap<std::uint32_t> position_;
  std::vector<Ball> values_;
  std::vector<const Ball*> arguments_;
};

/// The nodes are those of `postorder(es)`: precision may be raised without walking again.
BallValues evaluate_nodes(std::span<const Expr> nodes, std::span<const Expr> es, const BallPoint& point,
                          long bits) {
  constexpr std::uint64_t parts_a_node = 50, bits_a_part = 8;
  BallValues result;
  BallEvaluation evaluation(point, bits, nodes.size());
  for (Expr e : nodes) {
    const EvaluationStatus status = evaluation.add(e);
    note_work(parts_a_node + static_cast<std::uint64_t>(bits) / bits_a_part);
    if (status != EvaluationStatus::ok) {
      result.status = status;
      result.culprit = e;
      return result;
    }
  }
  result.values.reserve(es.size());
  for (Expr e : es) result.values.push_back(evaluation.stored(e));
  return result;
}

/// The ball lies within 10^-digits of zero and does not exclude it.
bool is_near_zero(const Ball& ball, long digits) {
  if (!ball.contains_zero()) return false;
  const long exponent = -static_cast<long>(std::ceil(bits_per_digit * static_cast<double>(digits)));
  mag_t largest;
  mag_init(largest);
  arb_get_mag(largest, ball.raw());
  const bool near = mag_cmp_2exp_si(largest, exponent) <= 0;
  mag_clear(largest);
  return near;
}

/// Relative error at most 10^-digits, or absolute where the ball does not exclude zero.
bool is_sharp(const Ball& ball, long digits) {
  if (arb_is_exact(ball.raw())) return true;
  const long wanted = static_cast<long>(std::ceil(bits_per_digit * static_cast<double>(digits))) + 1;
  return arb_rel_accuracy_bits(ball.raw()) >= wanted || is_near_zero(ball, digits);
}

}  // namespace

std::string BallValues::reason() const {
  return evaluation_reason(status, culprit);
}

std::string LongValue::reason() const {
  return evaluation_reason(status, culprit);
}

BallValues evaluate_balls(std::span<const Expr> es, const BallPoint& point, long bits) {
  for (Expr e : es) require_not_empty(e);
  return evaluate_nodes(postorder(es), es, point, bits);
}

LongValue evaluate_digits(Expr e, const RationalPoint& point, long digits, long max_bits) {
  require_not_empty(e);
  const std::vector<Expr> nodes = postorder(e);
  LongValue result;
  long bits = static_cast<long>(std::ceil(bits_per_digit * static_cast<double>(digits))) + 32;
  for (;; bits *= 2) {
    bits = std::min(bits, max_bits);
    BallPoint balls;
    for (const auto& [symbol, value] : point) balls.emplace(symbol, Ball(value, bits));
    BallValues found = evaluate_nodes(nodes, std::span(&e, 1), balls, bits);
    const bool ok = found.status == EvaluationStatus::ok;
    if (ok && is_sharp(found.values[0], digits)) {
      result.value = std::move(found.values[0]);
      return result;
    }
    if (bits < max_bits && (ok || found.status == EvaluationStatus::precision_limit)) continue;
    result.status = ok ? EvaluationStatus::precision_limit : found.status;
    result.culprit = ok ? e : found.culprit;
    return result;
  }
}

std::optional<int> constant_sign(Expr constant, long max_bits) {
  require_not_empty(constant);
  if (constant.is_number()) return constant.number().sign();
  if (!constant.is_constant()) return std::nullopt;
  const std::vector<Expr> nodes = postorder(constant);
  for (long bits = std::min(64L, max_bits); bits <= max_bits; bits *= 2) {
    const BallValues found = evaluate_nodes(nodes, std::span(&constant, 1), {}, bits);
    if (found.status == EvaluationStatus::precision_limit) continue;
    if (found.status != EvaluationStatus::ok) return std::nullopt;
    const Ball& value = found.values[0];
    if (value.is_positive()) return 1;
    if (value.is_negative()) return -1;
    if (arb_is_zero(value.raw())) return 0;
  }
  return std::nullopt;
}

}  // namespace liaison
