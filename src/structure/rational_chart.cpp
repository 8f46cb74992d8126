#include "rational_chart.hpp"

#include <algorithm>

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

class Maker {
 public:
  Maker(Algebra& algebra, const StateFlow& flow) : algebra_(algebra), flow_(flow) {}

  std::optional<RationalChart> run(const std::vector<Expr>& relations) {
    const System& system = *flow_.motion->space.system;
    if (!flow_.quaternions.empty() || !system.chart.parameters.empty()) return std::nullopt;
    std::vector<Expr> levels;
    for (Expr relation : relations) {
      if (!mentions(relation, flow_.velocities)) levels.push_back(relation);
    }
    if (relations.size() != 2 * levels.size()) return std::nullopt;  // others between velocities
    std::vector<Expr> fresh = flow_.positions;
    while (!levels.empty()) {
      const auto next = std::find_if(levels.begin(), levels.end(), [&](Expr level) {
        std::vector<Expr> own;
        std::copy_if(fresh.begin(), fresh.end(), std::back_inserter(own),
                     [&](Expr x) { return depends_on(level, x); });
        return take(exact(substitute(level, places_)), own);
      });
      if (next == levels.end()) return std::nullopt;
      std::erase_if(fresh, [&](Expr x) { return depends_on(*next, x); });
      levels.erase(next);
    }
    for (Expr x : fresh) keep(x, x);
    return with_velocities();
  }

 private:
  static bool mentions(Expr e, const std::vector<Expr>& symbols) {
    return std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) { return depends_on(e, symbol); });
  }
  Expr exact(Expr e) const { return algebra_.canonical(e).value; }

  /// A new coordinate is a free symbol, named otherwise: others are written with it.
  Expr symbol_for(Expr x) {
    return algebra_.pool().symbol("#free_" + x.symbol().name, SymbolKind::auxiliary);
  }
  void keep(Expr x, Expr by) {
    if (by != x) places_.emplace(x, by);
    free_.push_back(by);
  }

  /// False: the level has neither form in its own coordinates.
  bool take(Expr level, const std::vector<Expr>& own) {
    return take_linear(level, own) || take_quadric(level, own);
  }

  bool take_linear(Expr level, const std::vector<Expr>& own) {
    for (Expr x : own) {
      const Expr slope = exact(derivative(level, x));
      if (!slope.is_number() || slope.is_zero()) continue;
      Substitution others;
      for (Expr y : own) {
        if (y == x) continue;
        others.emplace(y, symbol_for(y));
        keep(y, symbol_for(y));
      }
      const Expr rest = substitute(exact(level - slope * x), others);
      places_.emplace(x, exact(-rest / slope));
      return true;
    }
    return false;
  }

  /// sum a_i (x_i - c_i)^2 = r: x_i = c_i + root of r/a_i on one axis is a point; lines through it meet the
  /// quadric once more.
  bool take_quadric(Expr level, const std::vector<Expr>& own) {
    const auto linear_part = polynomial_coefficients(level, own, 100);
    if (own.size() < 2 || !linear_part) return false;
    Pool& pool = algebra_.pool();
    std::vector<Expr> a, c;
    Substitution at_centre;
    for (Expr x : own) {
      a.push_back(exact(derivative(derivative(level, x), x) / Rational(2)));
      if (!a.back().is_number() || a.back().is_zero()) return false;
      for (Expr y : own) {
        if (y != x && !exact(derivative(derivative(level, x), y)).is_zero()) return false;
      }
    }
    Substitution origin;
    for (Expr x : own) origin.emplace(x, pool.number(0));
    for (std::size_t i = 0; i < own.size(); ++i) {
      c.push_back(exact(substitute(derivative(level, own[i]), origin) * Rational(-1, 2) / a[i]));
      at_centre.emplace(own[i], c.back());
    }
    const Expr r = exact(-substitute(level, at_centre));
    if (!r.is_number() || r.is_zero()) return false;
    for (std::size_t axis = 0; axis < own.size(); ++axis) {
      const Rational square = r.number() / a[axis].number();
      if (square.sign() < 0) continue;  // no real point lies on this axis
      const Expr reach = sqrt(pool.number(square));
      if (!reach.is_number()) continue;
      write_lines(own, a, c, axis, reach);
      return true;
    }
    return false;
  }

  void write_lines(const std::vector<Expr>& own, const std::vector<Expr>& a, const std::vector<Expr>& c,
                   std::size_t axis, Expr reach) {
    Expr sum = a[axis];
    for (std::size_t j = 0; j < own.size(); ++j) {
      if (j == axis) continue;
      const Expr s = symbol_for(own[j]);
      free_.push_back(s);
      sum = sum + a[j] * s * s;
    }
    const Expr step = Rational(2) * a[axis] * reach / sum;
    for (std::size_t j = 0; j < own.size(); ++j)
      places_.emplace(own[j], c[j] + (j == axis ? reach - step : step * symbol_for(own[j])));
  }

  RationalChart with_velocities() {
    RationalChart chart{places_, free_};
    std::vector<Expr> rates;
    for (Expr s : free_) {
      std::string name = s.symbol().name;
      std::erase(name, '#');
      rates.push_back(algebra_.pool().symbol("#rate_" + name, SymbolKind::auxiliary));
    }
    for (const Direction& direction : flow_.motion->space.system->directions) {
      const auto place = places_.find(direction.coordinate);
      const Expr x = place == places_.end() ? direction.coordinate : place->second;
      Expr rate = algebra_.pool().number(0);
      for (std::size_t k = 0; k < free_.size(); ++k) rate = rate + derivative(x, free_[k]) * rates[k];
      chart.states.emplace(direction.velocity, rate);
    }
    chart.symbols.insert(chart.symbols.end(), rates.begin(), rates.end());
    chart.symbols.push_back(flow_.time);
    return chart;
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  Substitution places_;
  std::vector<Expr> free_;
};

}  // namespace

std::optional<RationalChart> rational_chart(Algebra& algebra, const StateFlow& flow,
                                            const std::vector<Expr>& relations) {
  auto chart = Maker(algebra, flow).run(relations);
  if (!chart) return std::nullopt;
  for (Expr relation : relations) {
    if (!algebra.canonical(substitute(relation, chart->states)).value.is_zero()) return std::nullopt;
  }
  return chart;
}

}  // namespace liaison
