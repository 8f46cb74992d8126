#include "saturation.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/pieces.hpp"
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
    if (!found) return std::nullopt;
    return std::move(found->front());
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace liaison
