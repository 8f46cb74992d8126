#include "scene_grounds.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

bool is_coordinate(Expr e) {
  return e.is(Op::symbol) && e.symbol().kind == SymbolKind::coordinate;
}

/// Whether another place has a coordinate of its own in the rest of a gap, or moves with something in it and
/// does not go with this place.
bool has_other_place(Expr rest, const std::vector<DrawnPlace>& places, const DrawnPlace& own) {
  const auto depends_on_any = [](const std::vector<Expr>& place, const std::vector<Expr>& symbols) {
    return std::any_of(place.begin(), place.end(), [&](Expr x) {
      return std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) { return depends_on(x, symbol); });
    });
  };
  std::vector<Expr> own_coordinates, in_rest = symbols_in(rest);
  std::copy_if(own.place.begin(), own.place.end(), std::back_inserter(own_coordinates), is_coordinate);
  std::erase_if(in_rest, [](Expr symbol) { return !is_coordinate(symbol); });
  return std::any_of(places.begin(), places.end(), [&](const DrawnPlace& other) {
    if (&other == &own) return false;
    const bool has_coordinate = std::any_of(other.place.begin(), other.place.end(),
                                            [&](Expr x) { return is_coordinate(x) && depends_on(rest, x); });
    return has_coordinate ||
           (depends_on_any(other.place, in_rest) && !depends_on_any(other.place, own_coordinates));
  });
}

}  // namespace

std::optional<GroundOfGap> ground_of_gap(const System& system, const SceneValues& values, Expr gap,
                                         const std::vector<DrawnPlace>& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const DrawnPlace& at = places[i];
    std::vector<Expr> slopes;
    Substitution at_origin;
    bool linear = true, moves = false;
    for (Expr x : at.place) {
      const Expr slope = is_coordinate(x) ? derivative(gap, x) : gap.pool().number(0);
      linear = linear && values.is_constant(slope);
      moves = moves || !slope.is_zero();
      slopes.push_back(slope);
      if (!slope.is_zero()) at_origin.emplace(x, gap.pool().number(0));
    }
    if (!linear || !moves) continue;
    const Expr rest = substitute(gap, at_origin);
    if (has_other_place(rest, places, at) || depends_on(rest, system.time)) return std::nullopt;
    double length = 0, constants = 0;
    for (Expr slope : slopes) length = std::hypot(length, values.number(slope));
    if (!(length > 0) || !std::isfinite(length)) return std::nullopt;
    const bool alone = values.is_constant(rest);
    for (Expr term : rest.is(Op::add) ? std::vector<Expr>(rest.args().begin(), rest.args().end())
                                      : std::vector<Expr>{rest})
      if (values.is_constant(term)) constants += values.number(term);
    GroundOfGap found;
    found.ground.normal = {0, 0, 0};
    for (std::size_t k = 0; k < slopes.size(); ++k) {
      found.ground.normal[k] = values.number(slopes[k]) / length;
      found.normal.push_back(gap.pool().number(Rational::from_double(found.ground.normal[k])));
    }
    found.ground.height = -constants / length - (alone ? at.reach : 0);
    if (!std::isfinite(found.ground.height)) return std::nullopt;
    if (alone) found.place = i;
    return found;
  }
  return std::nullopt;
}

}  // namespace liaison
