#include "simple_gaps.hpp"

#include <algorithm>

#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/switching.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/expr/signs.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_sides = 16;
constexpr std::size_t longest = 120;  // nodes

bool has_corners(Expr e) {
  const std::vector<Expr> nodes = postorder(e);
  return std::any_of(nodes.begin(), nodes.end(),
                     [](Expr node) { return node.is(Op::abs) || node.is(Op::min) || node.is(Op::max); });
}

enum class Extreme { least, greatest };

Extreme opposite(Extreme extreme) {
  return extreme == Extreme::least ? Extreme::greatest : Extreme::least;
}

std::vector<Expr> sides_of(Expr e, Extreme extreme);

void add_side(std::vector<Expr>& sides, Expr side) {
  if (std::find(sides.begin(), sides.end(), side) == sides.end()) sides.push_back(side);
}

/// min(a, b) + min(c, d) is the least of the four sums.
std::vector<Expr> sides_of_sum(Expr e, Extreme extreme) {
  std::vector<Expr> sums{e.pool().number(0)};
  for (Expr term : e.args()) {
    const std::vector<Expr> sides = sides_of(term, extreme);
    if (sums.size() * sides.size() > most_sides) return {e};
    std::vector<Expr> next;
    for (Expr sum : sums) {
      for (Expr side : sides) add_side(next, sum + side);
    }
    sums = std::move(next);
  }
  return sums;
}

/// A factor whose sign is known keeps or turns the order of the sides of the other.
std::vector<Expr> sides_of_product(Expr e, Extreme extreme) {
  std::vector<Expr> plain, cornered;
  for (Expr factor : e.args()) (has_corners(factor) ? cornered : plain).push_back(factor);
  if (cornered.size() != 1) return {e};
  const Expr scale = e.pool().mul(plain);
  const bool keeps = is_seen_positive(scale);
  if (!keeps && !is_seen_positive(-scale)) return {e};
  std::vector<Expr> sides;
  for (Expr side : sides_of(cornered[0], keeps ? extreme : opposite(extreme))) add_side(sides, scale * side);
  return sides;
}

/// e = the least, or the greatest, of these everywhere; e alone where it is not seen to be one of several.
std::vector<Expr> sides_of(Expr e, Extreme extreme) {
  if (!has_corners(e)) return {e};
  std::vector<Expr> sides;
  if (e.is(Op::add)) {
    sides = sides_of_sum(e, extreme);
  } else if (e.is(Op::mul)) {
    sides = sides_of_product(e, extreme);
  } else if (e.is(Op::abs) && extreme == Extreme::greatest) {
    for (Expr side : sides_of(e.arg(0), Extreme::greatest)) add_side(sides, side);
    for (Expr side : sides_of(e.arg(0), Extreme::least)) add_side(sides, -side);
  } else if ((e.is(Op::min) && extreme == Extreme::least) ||
             (e.is(Op::max) && extreme == Extreme::greatest)) {
    for (Expr argument : e.args()) {
      for (Expr side : sides_of(argument, extreme)) add_side(sides, side);
    }
  }
  return sides.empty() || sides.size() > most_sides ? std::vector{e} : sides;
}

bool is_of_parameters(Expr e) {
  const std::vector<Expr> symbols = symbols_in(e);
  return std::all_of(symbols.begin(), symbols.end(),
                     [](Expr symbol) { return symbol.symbol().kind == SymbolKind::parameter; });
}

/// A power whose base must not be negative to have a value: sqrt(y), y^(3/2); >= 0 says that of the base.
Expr without_root(Expr e) {
  while (true) {
    std::vector<Expr> moving;
    for (Expr factor : e.is(Op::mul) ? e.args() : std::span<const Expr>(&e, 1)) {
      if (!is_seen_positive(factor)) moving.push_back(factor);
    }
    const bool is_root = moving.size() == 1 && moving[0].is(Op::pow) &&
                         moving[0].arg(1).number().sign() > 0 && !moving[0].arg(1).number().is_integer();
    if (!is_root) return e;
    e = moving[0].arg(0);
  }
}

/// One factor each, times what has its sign from parameters. The gap as it is where no factor is repeated.
Expr without_repeated_factors(Algebra& algebra, Expr gap, SimpleGaps& result) {
  gap = without_root(gap);
  if (postorder(gap).size() > longest) return gap;
  std::vector<Expr> over, under;
  for (Expr factor : gap.is(Op::mul) ? gap.args() : std::span<const Expr>(&gap, 1)) {
    const bool divides = factor.is(Op::pow) && factor.arg(1).number().sign() < 0;
    (divides ? under : over).push_back(factor);
  }
  Pool& pool = gap.pool();
  const SignProduct product = sign_product(algebra, pool.mul(over));
  std::vector<Expr> kept{pool.number(product.sign)};
  bool repeated = false;
  Expr even;
  for (const SignProduct::Factor& factor : product.factors) {
    if (is_of_parameters(factor.base)) {
      kept.push_back(factor.is_odd ? factor.base : pow(factor.base, 2));
    } else if (factor.is_odd) {
      repeated = repeated || factor.power != Rational(1);
      kept.push_back(factor.base);
    } else if (!is_seen_positive(factor.base)) {
      even = factor.base;
    }
  }
  if (product.sign == 0 || (!repeated && even.empty())) return gap;
  kept.insert(kept.end(), under.begin(), under.end());
  const Expr reduced = pool.mul(kept);
  if (!even.empty()) {
    result.even_factor = even;
    result.without_even_factors = is_of_parameters(reduced) ? pool.number(1) : reduced;
  }
  return reduced;
}

}  // namespace

SimpleGaps simple_gaps(Expr gap) {
  AlgebraOptions options;
  options.max_operations = 1'000'000;
  Algebra algebra(gap.pool(), options);
  SimpleGaps result;
  try {
    for (Expr side : sides_of(without_repeated_factors(algebra, gap, result), Extreme::least)) {
      if (!result.even_factor.empty()) break;
      add_side(result.gaps, without_repeated_factors(algebra, side, result));
    }
  } catch (const Error&) {  // it has no value anywhere: that is told where it is used
    result = {};
  }
  if (result.gaps.empty()) result.gaps.push_back(gap);
  return result;
}

}  // namespace liaison
