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

Vector3 unit_across(const Vector3& a, const Vector3& b) {
  const Vector3 c{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  const double length = std::hypot(c[0], c[1], c[2]);
  return {c[0] / length, c[1] / length, c[2] / length};
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
    if (has_other_place(rest, places, at)) return std::nullopt;
    double length = 0, constants = 0;
    for (Expr slope : slopes) length = std::hypot(length, values.number(slope));
    if (!(length > 0) || !std::isfinite(length)) return std::nullopt;
    const bool moves_with_time = depends_on(rest, system.time);
    const auto is_of_ground = [&](Expr e) {
      const std::vector<Expr> symbols = symbols_in(e);
      return std::all_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
        return symbol == system.time || symbol.symbol().kind == SymbolKind::parameter;
      });
    };
    const bool alone = is_of_ground(rest);
    std::vector<Expr> carried;
    for (Expr term : rest.is(Op::add) ? std::vector<Expr>(rest.args().begin(), rest.args().end())
                                      : std::vector<Expr>{rest})
      if (moves_with_time && is_of_ground(term)) {
        carried.push_back(term);
      } else if (values.is_constant(term)) {
        constants += values.number(term);
      } else if (depends_on(term, system.time)) {
        return std::nullopt;
      }
    GroundOfGap found;
    found.ground.normal = {0, 0, 0};
    for (std::size_t k = 0; k < slopes.size(); ++k) {
      found.ground.normal[k] = values.number(slopes[k]) / length;
      found.normal.push_back(gap.pool().number(Rational::from_double(found.ground.normal[k])));
    }
    found.ground.height = -constants / length - (alone ? at.reach : 0);
    if (!std::isfinite(found.ground.height)) return std::nullopt;
    found.owner = i;
    if (moves_with_time) {
      Pool& pool = gap.pool();
      found.height = pool.number(Rational::from_double(found.ground.height)) -
                     pool.add(carried) * pool.number(Rational::from_double(1 / length));
    }
    found.slopes = std::move(slopes);
    found.carried = std::move(carried);
    if (alone) found.place = i;
    return found;
  }
  return std::nullopt;
}

Expr above_moving_ground(const GroundOfGap& found, const std::vector<Expr>& place) {
  std::vector<Expr> terms = found.carried;
  for (std::size_t k = 0; k < place.size(); ++k) terms.push_back(found.slopes[k] * place[k]);
  return found.height.pool().add(terms);
}

std::vector<std::array<std::vector<Expr>, 2>> lines_of_moving_ground(const SceneValues& values,
                                                                     const GroundOfGap& found,
                                                                     const DrawnPlace& place, double reach) {
  const Vector3 &normal = found.ground.normal, start = values.place(place.place);
  const Vector3 reference = std::abs(normal[2]) < 0.9 ? Vector3{0, 0, 1} : Vector3{1, 0, 0};
  std::vector<Vector3> ways{unit_across(reference, normal)};
  if (place.place.size() == 3) ways.push_back(unit_across(normal, ways[0]));
  double foot = -values.number(found.height);
  for (std::size_t k = 0; k < 3; ++k) foot += start[k] * normal[k];
  std::vector<std::array<std::vector<Expr>, 2>> lines;
  Pool& pool = found.height.pool();
  const auto end_at = [&](const Vector3& way, double distance) {
    std::vector<Expr> end;
    for (std::size_t k = 0; k < place.place.size(); ++k)
      end.push_back(pool.number(Rational::from_double(normal[k])) *
                        (found.height - pool.number(Rational::from_double(values.number(found.height)))) +
                    pool.number(Rational::from_double(start[k] - foot * normal[k] + distance * way[k])));
    return end;
  };
  if (!std::isfinite(foot) || !std::isfinite(start[0] + start[1] + start[2])) return lines;
  for (const Vector3& way : ways) lines.push_back({end_at(way, -reach), end_at(way, reach)});
  return lines;
}

}  // namespace liaison
