#include "saturation.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "expr/raw.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr long bits_of_arguments = 128;
constexpr long bits_of_values = 1024;
constexpr long large_exponent = 64;  // of exp, tanh, ...: exp(-64) is 10^-28
constexpr long large_tangent = 1L << 40;
constexpr std::size_t most_nodes = 200;

bool saturates(Expr e) {
  switch (e.op()) {
    case Op::exp:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
    case Op::atan: return true;
    default: return false;
  }
}

/// 1 or -1 where the value is certainly beyond the limit on that side.
int side_beyond(const Ball& value, long limit) {
  Ball distance(Rational(limit), bits_of_arguments);
  if (arb_gt(value.raw(), distance.raw())) return 1;
  arb_neg(distance.raw(), distance.raw());
  return arb_lt(value.raw(), distance.raw()) ? -1 : 0;
}

/// Symbols for what is small or large at the point, with the expressions that they stand for.
class Opened {
 public:
  Opened(Pool& pool, const ValuesAt& values) : pool_(pool), values_(values) {}

  Expr open(Expr e, std::span<const Expr> args) {
    if (!saturates(e)) return pool_.rebuild(e, args);
    const auto found = values_(std::span(&e.args()[0], 1), bits_of_arguments);
    const int side = found ? side_beyond(found->front(), e.is(Op::atan) ? large_tangent : large_exponent) : 0;
    if (side == 0) return pool_.rebuild(e, args);
    const Expr size = Rational(side) * e.arg(0);
    switch (e.op()) {
      case Op::atan:
        return Rational(side) * (Rational(1, 2) * pool_.pi() - stand_in(atan(Rational(1) / size)));
      case Op::tanh:
        return Rational(side) *
               (Rational(1) - stand_in(Rational(2) / (exp(Rational(2) * size) + Rational(1))));
      default: break;
    }
    const Expr large = stand_in(exp(size)), small = Rational(1) / large;
    if (e.is(Op::exp)) return side > 0 ? large : small;
    const Expr half = Rational(1, 2) * (e.is(Op::cosh) ? large + small : large - small);
    return e.is(Op::sinh) ? Rational(side) * half : half;
  }
  bool empty() const { return stand_ins_.empty(); }
  /// What is large by its inverse, which is small.
  Substitution large() const {
    Substitution result;
    for (const auto& [meaning, symbol] : stand_ins_) {
      if (meaning.is(Op::exp)) result.emplace(symbol, Rational(1) / symbol);
    }
    return result;
  }
  Substitution small_meanings() const {
    Substitution result;
    for (const auto& [meaning, symbol] : stand_ins_)
      result.emplace(symbol, meaning.is(Op::exp) ? exp(-meaning.arg(0)) : meaning);
    return result;
  }
  Substitution meanings() const {
    Substitution result;
    for (const auto& [meaning, symbol] : stand_ins_) result.emplace(symbol, meaning);
    return result;
  }

 private:
  Expr stand_in(Expr meaning) {
    const auto known = stand_ins_.find(meaning);
    if (known != stand_ins_.end()) return known->second;
    const Expr symbol =
        pool_.symbol("#opened" + std::to_string(stand_ins_.size()), SymbolKind::auxiliary, true);
    return stand_ins_.emplace(meaning, symbol).first->second;
  }

  Pool& pool_;
  const ValuesAt& values_;
  std::unordered_map<Expr, Expr> stand_ins_;  ///< all of them positive
};

/// Pieces as they are at the point.
Expr without_pieces(Expr e, const ValuesAt& values) {
  const PieceArguments pieces = piece_arguments(std::span(&e, 1));
  for (const auto* list : {&pieces.jumps, &pieces.kinks}) {
    for (Expr u : *list) {
      const auto found = values(std::span(&u, 1), bits_of_arguments);
      if (!found || found->front().contains_zero()) continue;
      e = on_side(std::span(&e, 1), u, found->front().is_positive() ? 1 : -1).front();
    }
  }
  return e;
}

/// F at small values t > 0 of its stand-ins, where F vanishes at t = 0: by Taylor's formula with the
/// remainder enclosed over [0, t]. sqrt(1 + t) - 1 is t times 1/(2*sqrt(1 + [0, t])).
class NearZero {
 public:
  NearZero(Algebra& algebra, Expr form, Substitution meanings, const ValuesAt& values)
      : algebra_(algebra), form_(form), values_(values) {
    for (const auto& [symbol, meaning] : meanings) symbols_.emplace_back(symbol, meaning);
    std::sort(symbols_.begin(), symbols_.end(),
              [](const auto& a, const auto& b) { return StructuralLess()(a.first, b.first); });
  }

  std::optional<Ball> value() {
    if (has_jumps() || !find_sizes() || !vanishes_at_zero(form_)) return std::nullopt;
    if (auto first = first_order(); first && !first->contains_zero()) return first;
    return symbols_.size() == 1 ? higher_order() : std::nullopt;
  }

 private:
  /// A jump has no slope that would tell of it.
  bool has_jumps() const {
    return !piece_arguments(std::span(&form_, 1)).jumps.empty() || !cuts(std::span(&form_, 1)).empty();
  }

  /// The stand-ins at the point, and their ranges [0, t]; all of them small.
  bool find_sizes() {
    for (const auto& [symbol, meaning] : symbols_) {
      auto found = values_(std::span(&meaning, 1), bits_of_values);
      if (!found || side_beyond(found->front(), 1) != 0 || !found->front().is_positive()) return false;
      Ball zero(Rational(0), bits_of_values), range;
      arb_union(range.raw(), zero.raw(), found->front().raw(), bits_of_values);
      place_.emplace(symbol, std::move(range));
      sizes_.push_back(std::move(found->front()));
    }
    for (Expr symbol : symbols_in(form_)) {
      if (place_.contains(symbol)) continue;
      auto found = values_(std::span(&symbol, 1), bits_of_values);
      if (!found) return false;
      place_.emplace(symbol, std::move(found->front()));
    }
    return true;
  }

  bool vanishes_at_zero(Expr e) {
    Substitution zeros;
    for (const auto& [symbol, meaning] : symbols_) zeros.emplace(symbol, algebra_.pool().number(0));
    return algebra_.follows(substitute(e, zeros), {});
  }

  std::optional<Ball> over_range(Expr e) const {
    BallValues found = evaluate_balls(std::span(&e, 1), place_, bits_of_values);
    if (found.status != EvaluationStatus::ok) return std::nullopt;
    return std::move(found.values[0]);
  }

  std::optional<Ball> first_order() const {
    Ball sum(Rational(0), bits_of_values);
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      const auto slope = over_range(derivative(form_, symbols_[i].first));
      if (!slope) return std::nullopt;
      arb_addmul(sum.raw(), slope->raw(), sizes_[i].raw(), bits_of_values);
    }
    return sum;
  }

  std::optional<Ball> higher_order() {
    constexpr unsigned most_orders = 6;
    Expr slope = form_;
    Ball power(Rational(1), bits_of_values);
    for (unsigned order = 1; order <= most_orders; ++order) {
      slope = derivative(slope, symbols_[0].first);
      arb_mul(power.raw(), power.raw(), sizes_[0].raw(), bits_of_values);
      arb_div_ui(power.raw(), power.raw(), order, bits_of_values);
      auto remainder = over_range(slope);
      if (!remainder) return std::nullopt;
      if (!remainder->contains_zero()) {
        arb_mul(remainder->raw(), remainder->raw(), power.raw(), bits_of_values);
        return remainder;
      }
      if (!vanishes_at_zero(slope)) return std::nullopt;
    }
    return std::nullopt;
  }

  Algebra& algebra_;
  Expr form_;
  const ValuesAt& values_;
  std::vector<std::pair<Expr, Expr>> symbols_;  ///< with what they stand for
  std::vector<Ball> sizes_;
  BallPoint place_;
};

}  // namespace

bool may_saturate(Expr e) {
  const std::vector<Expr> nodes = postorder(e);
  return nodes.size() <= most_nodes && std::any_of(nodes.begin(), nodes.end(), saturates);
}

std::optional<Ball> value_without_saturation(Algebra& algebra, Expr e, const ValuesAt& values) {
  try {
    const Expr plain = without_pieces(e, values);
    Opened opened(algebra.pool(), values);
    std::unordered_map<Expr, Expr> known;
    for (Expr node : postorder(plain)) {
      std::vector<Expr> args;
      for (Expr arg : node.args()) args.push_back(known.at(arg));
      known.emplace(node, args.empty() ? node : opened.open(node, args));
    }
    if (opened.empty()) return std::nullopt;
    const Expr form = algebra.readable(algebra.canonical(known.at(plain)).value);
    const Expr result = substitute(form, opened.meanings());
    auto found = values(std::span(&result, 1), bits_of_values);
    if (found && !found->front().contains_zero()) return std::move(found->front());
    return NearZero(algebra, substitute(known.at(plain), opened.large()), opened.small_meanings(), values)
        .value();
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace liaison
