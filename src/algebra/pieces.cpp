#include "liaison/algebra/pieces.hpp"

#include <algorithm>
#include <unordered_map>

#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

void add_once(std::vector<Expr>& list, Expr u) {
  if (has_negative_lead(u)) u = -u;  // u and -u change together
  if (std::find(list.begin(), list.end(), u) == list.end()) list.push_back(u);
}

/// The side of v where it is u or -u.
std::optional<int> side_of(Expr v, Expr u, int side) {
  if (v == u) return side;
  if (v == -u) return -side;
  return std::nullopt;
}

Expr replaced(Expr e, std::span<const Expr> args, Expr u, int side) {
  Pool& pool = e.pool();
  switch (e.op()) {
    case Op::sign:
      if (const auto s = side_of(args[0], u, side)) return pool.number(*s);
      break;
    case Op::abs:
      if (const auto s = side_of(args[0], u, side)) return Rational(*s) * args[0];
      break;
    case Op::min:
    case Op::max:
      if (const auto s = side_of(args[0] - args[1], u, side))
        return (*s >= 0) == (e.op() == Op::max) ? args[0] : args[1];
      break;
    default: break;
  }
  return pool.rebuild(e, args);
}

}  // namespace

PieceArguments piece_arguments(std::span<const Expr> es) {
  PieceArguments result;
  for (Expr e : postorder(es)) {
    switch (e.op()) {
      case Op::sign: add_once(result.jumps, e.arg(0)); break;
      case Op::abs: add_once(result.kinks, e.arg(0)); break;
      case Op::min:
      case Op::max: add_once(result.kinks, e.arg(0) - e.arg(1)); break;
      default: break;
    }
  }
  std::erase_if(result.kinks, [&](Expr u) {
    return std::find(result.jumps.begin(), result.jumps.end(), u) != result.jumps.end();
  });
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

std::vector<Expr> on_side(std::span<const Expr> es, Expr u, int side) {
  std::unordered_map<Expr, Expr> known;
  for (Expr e : postorder(es)) {
    std::vector<Expr> args;
    for (Expr arg : e.args()) args.push_back(known.at(arg));
    known.emplace(e, args.empty() ? e : replaced(e, args, u, side));
  }
  std::vector<Expr> result;
  for (Expr e : es) result.push_back(known.at(e));
  return result;
}

}  // namespace liaison
