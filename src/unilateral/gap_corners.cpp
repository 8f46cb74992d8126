#include "liaison/unilateral/gap_corners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

Expr on_one_side(Expr gap, Expr argument, int side) {
  return on_side(std::span(&gap, 1), argument, side)[0];
}

bool has_kind(Expr e, std::initializer_list<SymbolKind> kinds) {
  const std::vector<Expr> symbols = symbols_in(e);
  return std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
    return std::find(kinds.begin(), kinds.end(), symbol.symbol().kind) != kinds.end();
  });
}

}  // namespace

std::vector<Expr> gap_gradient(const System& system, const Constraint& contact, Expr gap) {
  const Expr felt = contact.holonomic ? time_derivative(system, gap) : gap;
  std::vector<Expr> result;
  for (const Direction& direction : system.directions) result.push_back(derivative(felt, direction.velocity));
  return result;
}

std::vector<GapCorner> gap_corners(const System& system, const Constraint& contact) {
  std::vector<GapCorner> corners;
  const Expr gap = contact.relation;
  for (const Expr argument : piece_arguments(std::span(&gap, 1)).kinks) {
    GapCorner corner{.argument = argument,
                     .rate = {},
                     .of_time = !has_kind(argument, {SymbolKind::coordinate, SymbolKind::velocity}),
                     .above = on_one_side(gap, argument, 1),
                     .below = on_one_side(gap, argument, -1),
                     .rate_above = system.pool->number(0),
                     .rate_below = system.pool->number(0),
                     .bend = {}};
    if (!has_kind(argument, {SymbolKind::velocity})) corner.rate = time_derivative(system, argument);
    if (contact.holonomic) {
      corner.rate_above = time_derivative(system, corner.above);
      corner.rate_below = time_derivative(system, corner.below);
    }
    corner.bend = gap_gradient(system, contact, corner.above - corner.below);
    std::erase_if(corner.bend, [](Expr e) { return e.is_zero(); });
    // A wall that starts changes the rate of its gap, and not the gradient.
    if (!corner.bend.empty() || corner.of_time) corners.push_back(std::move(corner));
  }
  return corners;
}

std::string text_of_edge(const std::string& contact, Expr argument, OnEdge how) {
  return fmt::format(
      "`{}` {} an edge of its surface, where {} = 0: its sides have different normals, and rigid bodies do "
      "not say which of them acts",
      contact,
      how == OnEdge::rests    ? "rests on"
      : how == OnEdge::closes ? "closes at"
                              : "presses on",
      to_infix(argument));
}

std::string text_without_normal(const std::string& contact) {
  return fmt::format("the gradient of the gap of `{}` vanishes at this state: its force has no direction",
                     contact);
}

}  // namespace liaison
