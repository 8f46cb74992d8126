#include "liaison/algebra/corners.hpp"

#include <algorithm>
#include <array>

#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

std::vector<Expr> moving_symbols(Expr e) {
  std::vector<Expr> result = symbols_in(e);
  std::erase_if(result, [](Expr symbol) { return symbol.symbol().kind == SymbolKind::parameter; });
  return result;
}

}  // namespace

bool is_smooth_across(Algebra& algebra, Expr e, Expr u, int order) {
  const std::array written{e};
  const std::vector<Expr> one = near_zero_of(written, u);
  const Region surface{.equations = {u}, .domain = {}, .assumed = {}};
  const auto all_vanish = [&](const std::vector<Expr>& es) {
    return std::all_of(es.begin(), es.end(), [&](Expr d) { return algebra.follows(d, surface); });
  };
  try {
    const Expr above = on_side(one, u, 1)[0];
    std::vector<Expr> differences{above - on_side(one, u, -1)[0]};
    if (!all_vanish({differences[0], above - on_side(one, u, 0)[0]})) return false;
    const std::vector<Expr> symbols = moving_symbols(one[0]);
    for (int k = 0; k < order; ++k) {
      std::vector<Expr> next;
      for (Expr difference : differences) {
        const std::vector<Expr> slopes = gradient(difference, symbols);
        next.insert(next.end(), slopes.begin(), slopes.end());
      }
      std::erase_if(next, [](Expr d) { return d.is_zero(); });
      if (!all_vanish(next)) return false;
      differences = std::move(next);
    }
    return true;
  } catch (const Error&) {
    return false;  // a side has no value
  }
}

std::vector<Expr> corners(Algebra& algebra, Expr e, int order) {
  const PieceArguments pieces = piece_arguments(std::array{e});
  std::vector<Expr> result;
  for (const auto* list : {&pieces.jumps, &pieces.kinks}) {
    for (Expr u : *list) {
      if (!moving_symbols(u).empty() && !is_smooth_across(algebra, e, u, order)) result.push_back(u);
    }
  }
  return result;
}

}  // namespace liaison
