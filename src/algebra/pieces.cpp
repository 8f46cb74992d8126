#include "liaison/algebra/pieces.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

/// In the order in which they came, each once.
class Arguments {
 public:
  void add(Expr u) {
    if (has_negative_lead(u)) u = -u;  // u and -u change together
    if (known_.insert(u).second) list_.push_back(u);
  }
  bool has(Expr u) const { return known_.contains(u); }
  std::vector<Expr> take() { return std::move(list_); }

 private:
  std::vector<Expr> list_;
  std::unordered_set<Expr> known_;
};

/// The first term that is no number: its coefficient, and the rest of it.
std::pair<Rational, Expr> leading_term(Expr e) {
  if (e.is(Op::add)) e = e.arg(0).is_number() ? e.arg(1) : e.arg(0);
  if (!e.is(Op::mul) || !e.arg(0).is_number()) return {1, e};
  return {e.arg(0).number(), e.pool().mul(e.args().subspan(1))};
}

/// v = factor*u + shift
struct Multiple {
  Rational factor, shift;
};
std::optional<Multiple> multiple_of(Expr v, Expr u) {
  if (v == u) return Multiple{1, 0};
  if (u.is_constant() || v.is_constant()) return std::nullopt;
  const auto [of_v, rest_v] = leading_term(v);
  const auto [of_u, rest_u] = leading_term(u);
  if (rest_v != rest_u) return std::nullopt;
  const Rational factor = of_v / of_u;
  const Expr shift = v - u.pool().number(factor) * u;
  return shift.is_number() ? std::optional(Multiple{factor, shift.number()}) : std::nullopt;
}

/// The side of v where u is on a side, as far as v = c*u + d has it from there.
std::optional<int> side_of(Expr v, Expr u, int side) {
  const auto multiple = multiple_of(v, u);
  if (!multiple) return std::nullopt;
  const int moved = side * multiple->factor.sign(), shifted = multiple->shift.sign();
  if (moved * shifted < 0) return std::nullopt;
  return moved != 0 ? moved : shifted;
}

/// The side of v wherever u is small enough.
std::optional<int> side_near(Expr v, Expr u) {
  const auto multiple = multiple_of(v, u);
  return multiple && !multiple->shift.is_zero() ? std::optional(multiple->shift.sign()) : std::nullopt;
}

/// `side` says of the argument of a piece on which side it is, if that is known.
template <class Side>
Expr replaced(Expr e, std::span<const Expr> args, const Side& side) {
  Pool& pool = e.pool();
  switch (e.op()) {
    case Op::sign:
      if (const auto s = side(args[0])) return pool.number(*s);
      break;
    case Op::abs:
      if (const auto s = side(args[0])) return Rational(*s) * args[0];
      break;
    case Op::min:
    case Op::max:
      if (const auto s = side(args[0] - args[1])) return (*s >= 0) == (e.op() == Op::max) ? args[0] : args[1];
      break;
    default: break;
  }
  return pool.rebuild(e, args);
}

}  // namespace

PieceArguments piece_arguments(std::span<const Expr> es) {
  Arguments jumps, kinks;
  for (Expr e : postorder(es)) {
    switch (e.op()) {
      case Op::sign: jumps.add(e.arg(0)); break;
      case Op::abs: kinks.add(e.arg(0)); break;
      case Op::min:
      case Op::max: kinks.add(e.arg(0) - e.arg(1)); break;
      default: break;
    }
  }
  PieceArguments result{.jumps = {}, .kinks = kinks.take()};
  std::erase_if(result.kinks, [&](Expr u) { return jumps.has(u); });
  result.jumps = jumps.take();
  return result;
}

std::vector<Expr> zero_factors(Expr e) {
  std::vector<Expr> result, stack{e};
  while (!stack.empty()) {
    const Expr top = stack.back();
    stack.pop_back();
    if (top.is_constant()) continue;
    const bool is_wrapped =
        top.is(Op::abs) || top.is(Op::sign) || (top.is(Op::pow) && top.arg(1).number().sign() > 0);
    if (top.is(Op::mul)) {
      stack.insert(stack.end(), top.args().begin(), top.args().end());
    } else if (is_wrapped) {
      stack.push_back(top.arg(0));
    } else if (!top.is(Op::pow)) {
      result.push_back(top);
    }
  }
  return result;
}

std::vector<Cut> cuts(std::span<const Expr> es) {
  std::vector<Cut> result;
  for (Expr e : postorder(es)) {
    if (e.is(Op::atan2)) result.push_back({e.arg(0), e.arg(1)});
  }
  return result;
}

namespace {

template <class Side>
std::vector<Expr> with_sides(std::span<const Expr> es, const Side& side) {
  std::unordered_map<Expr, Expr> known;
  for (Expr e : postorder(es)) {
    std::vector<Expr> args;
    for (Expr arg : e.args()) args.push_back(known.at(arg));
    known.emplace(e, args.empty() ? e : replaced(e, args, side));
  }
  std::vector<Expr> result;
  for (Expr e : es) result.push_back(known.at(e));
  return result;
}

}  // namespace

std::vector<Expr> on_side(std::span<const Expr> es, Expr u, int side) {
  return with_sides(es, [&](Expr v) { return side_of(v, u, side); });
}

std::vector<Expr> near_zero_of(std::span<const Expr> es, Expr u) {
  return with_sides(es, [&](Expr v) { return side_near(v, u); });
}

}  // namespace liaison
