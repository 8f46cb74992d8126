#include "scene_rods.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_points = 40;   ///< more are drawn as points alone
constexpr std::size_t looked_behind = 3;  ///< points before one to which a rod may go

class Rods {
 public:
  Rods(Algebra& algebra, const System& system) : system_(system) {
    AlgebraOptions options;
    options.max_operations = 2'000'000;
    algebra_ = std::make_unique<Algebra>(algebra.pool(), options);
  }

  bool vanishes(Expr e) const {
    if (e.is_zero()) return true;
    try {
      return algebra_->is_zero(e).is_proved();
    } catch (const Error&) {
      return false;
    }
  }

  /// Whether nothing that moves changes it.
  bool stays(Expr e) const {
    if (depends_on(e, system_.time) && !vanishes(derivative(e, system_.time))) return false;
    for (Expr symbol : symbols_in(e)) {
      if (symbol.symbol().kind == SymbolKind::coordinate && !vanishes(derivative(e, symbol))) return false;
    }
    return true;
  }

  bool moves(const std::vector<Expr>& place) const {
    return !std::all_of(place.begin(), place.end(), [&](Expr e) { return stays(e); });
  }

  static bool is_symbol(Expr e) { return e.is(Op::symbol) && e.symbol().kind == SymbolKind::coordinate; }

  /// The point from which a constraint keeps a particle with coordinates of its own at a distance: of
  /// k*((x - a)^2 + (y - b)^2) + c, a = x - f_x/f_xx.
  std::optional<std::vector<Expr>> pivot(Expr relation, const std::vector<Expr>& place) const {
    std::vector<Expr> result;
    Expr second;
    for (Expr x : place) {
      if (!is_symbol(x) || !depends_on(relation, x)) return std::nullopt;
      const Expr slope = derivative(relation, x), bend = derivative(slope, x);
      if (!bend.is_constant() || bend.is_zero()) return std::nullopt;
      if (!second.empty() && bend != second) return std::nullopt;
      second = bend;
      result.push_back(x - slope / bend);
    }
    for (Expr component : result)
      for (Expr x : place)
        if (!vanishes(derivative(component, x))) return std::nullopt;
    return result;
  }

  /// Where the rope of a point is held, whose gap grows as the point comes nearer.
  std::optional<std::vector<Expr>> held_by_rope(Expr gap, const std::vector<Expr>& place) const {
    if (!place.empty() && is_symbol(place[0])) {
      const Expr bend = derivative(derivative(gap, place[0]), place[0]);
      if (bend.is_constant() && constant_sign(bend) == -1) return pivot(gap, place);
    }
    const std::span<const Expr> terms = gap.is(Op::add) ? gap.args() : std::span<const Expr>(&gap, 1);
    for (const Expr term : terms) {
      const bool is_product = term.is(Op::mul) && term.args().size() == 2 && term.arg(0).is_number();
      const Expr root = is_product ? term.arg(1) : term;
      if (!is_product || term.arg(0).number().sign() >= 0) continue;
      if (!root.is(Op::pow) || root.arg(1) != gap.pool().number(Rational(1, 2))) continue;
      const Expr rest = gap - term;
      if (std::any_of(place.begin(), place.end(), [&](Expr x) { return depends_on(rest, x); })) continue;
      if (auto found = pivot(root.arg(0), place)) return found;
    }
    return std::nullopt;
  }

 private:
  const System& system_;
  std::unique_ptr<Algebra> algebra_;
};

Expr squared(const std::vector<Expr>& from, const std::vector<Expr>& to) {
  std::vector<Expr> squares;
  for (std::size_t k = 0; k < to.size(); ++k) squares.push_back(pow(to[k] - from[k], 2));
  return to[0].pool().add(squares);
}

bool is_among(const std::vector<DrawnPoint>& points, const std::vector<Expr>& place, const Rods& look) {
  return std::any_of(points.begin(), points.end(), [&](const DrawnPoint& point) {
    if (point.place.size() != place.size()) return false;
    for (std::size_t k = 0; k < place.size(); ++k)
      if (!look.vanishes(point.place[k] - place[k])) return false;
    return true;
  });
}

}  // namespace

std::vector<DrawnRod> rods_between(Algebra& algebra, const System& system,
                                   const std::vector<DrawnPoint>& points) {
  std::vector<DrawnRod> rods;
  if (points.size() > most_points) return rods;
  const Rods look(algebra, system);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::vector<Expr>& to = points[i].place;
    for (const Constraint& constraint : system.constraints) {
      if (!constraint.holonomic) continue;
      const auto from = look.pivot(constraint.relation, to);
      // a distance from a place that moves and is nothing by itself may be that of a plate, or of no rod
      if (!from || (look.moves(*from) && !is_among(points, *from, look))) continue;
      // of two points with coordinates of their own the rod is found twice
      const bool known = std::any_of(
          points.begin(), points.begin() + static_cast<std::ptrdiff_t>(i),
          [&](const DrawnPoint& other) { return look.pivot(constraint.relation, other.place).has_value(); });
      if (!known) rods.push_back({*from, to});
    }
    for (const Unilateral& unilateral : system.unilaterals) {
      if (!unilateral.holonomic || unilateral.contact) continue;
      const auto from = look.held_by_rope(unilateral.gap(), to);
      if (!from) continue;
      const bool known = std::any_of(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(i),
                                     [&](const DrawnPoint& other) {
                                       return look.held_by_rope(unilateral.gap(), other.place).has_value();
                                     });
      if (!known) rods.push_back({*from, to, true});
    }
    if (std::all_of(to.begin(), to.end(), Rods::is_symbol)) continue;  // moves freely by itself
    const std::vector<Expr> origin(to.size(), system.pool->number(0));
    const bool moves = look.moves(to);  // between two fixed places nothing keeps a distance
    bool found = false;
    for (std::size_t back = 1; back <= std::min(i, looked_behind) && !found; ++back) {
      const std::vector<Expr>& from = points[i - back].place;
      if (from.size() != to.size()) continue;
      const Expr square = squared(from, to);
      found = !square.is_zero() && (moves || look.moves(from)) && look.stays(square);
      if (found) rods.push_back({from, to});
    }
    if (found || !moves) continue;
    const Expr square = squared(origin, to);
    if (square.is_zero() || !look.stays(square)) continue;
    rods.push_back({origin, to});
  }
  return rods;
}

std::vector<DrawnPoint> points_of_coordinates(const System& system) {
  std::map<std::string, std::vector<Expr>> found;
  for (const Direction& direction : system.directions) {
    if (direction.coordinate.empty()) continue;
    const std::string& name = direction.coordinate.symbol().name;
    if (name.empty() || name[0] < 'x' || name[0] > 'z') continue;
    std::vector<Expr>& point = found[name.substr(1)];
    if (point.size() == static_cast<std::size_t>(name[0] - 'x')) point.push_back(direction.coordinate);
  }
  std::vector<DrawnPoint> points;
  for (const auto& [ending, place] : found) {
    if (place.size() < 2) continue;
    points.push_back(
        {(place.size() == 2 ? "(x" + ending + ", y" : "(x" + ending + ", y" + ending + ", z") + ending + ")",
         place});
  }
  return points;
}

}  // namespace liaison
