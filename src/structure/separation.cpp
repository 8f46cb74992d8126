#include "separation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_terms = 10'000;

class Separator {
 public:
  Separator(Algebra& algebra, const StateFlow& flow, const PoissonStructure& poisson,
            const std::vector<std::size_t>& places)
      : algebra_(algebra), flow_(flow), poisson_(poisson), places_(places), grade_(poisson.grade()) {}

  /// Not empty: why momenta are not taken.
  std::string prepare() {
    const StateSpace& space = flow_.motion->space;
    if (!flow_.quaternions.empty()) return "rotations have no coordinates of their own";
    if (space.parameters != space.velocities) return "the model has velocity parameters of its own";
    if (poisson_.energy().empty()) return "forces have a potential that the model does not write";
    if (!poisson_.is_canonical()) return "a force across the velocity is no part of the kinetic energy";
    // v = M^-1 (p - b), of p = M v + b.
    const std::size_t n = space.size();
    Matrix mass(algebra_.pool(), n, n);
    std::vector<Expr> right;
    for (std::size_t i = 0; i < n; ++i) {
      coordinates_.push_back(space.system->directions[i].coordinate);
      momenta_.push_back(fresh("p_" + coordinates_[i].symbol().name));
      const auto linear =
          linear_coefficients(algebra_.canonical(poisson_.momenta()[i]).value, space.parameters);
      if (!linear) return "the momenta are not linear in the velocities";
      for (std::size_t a = 0; a < n; ++a) mass(i, a) = linear->coefficients[a];
      right.push_back(momenta_[i] - linear->rest);
    }
    const SolveResult solved = solve(algebra_, mass, right);
    if (solved.status != SolveStatus::unique) return "the mass matrix is singular";
    grade_ = weaker(grade_, solved.grade);
    for (std::size_t a = 0; a < n; ++a) velocities_.emplace(space.parameters[a], solved.x[a]);
    energy_ = in_momenta(poisson_.energy());
    return {};
  }

  /// T. Levi-Civita, Math. Ann. 59 (1904) 383: H(q, p) separates exactly where, for all i < j,
  /// H^i H^j H_ij + H_i H_j H^ij - H_i H^j H^i_j - H^i H_j H_i^j = 0; H_i = dH/dq^i, H^i = dH/dp_i.
  Verdict levi_civita() {
    Verdict all = Verdict::of(grade_);
    const std::vector<Expr>&q = coordinates_, &p = momenta_;
    for (std::size_t i = 0; i < q.size(); ++i) {
      for (std::size_t j = i + 1; j < q.size(); ++j) {
        const auto d = [&](Expr e, Expr x) { return derivative(e, x); };
        const Expr h = energy_, hi = d(h, q[i]), hj = d(h, q[j]), gi = d(h, p[i]), gj = d(h, p[j]);
        const Expr condition =
            gi * gj * d(hi, q[j]) + hi * hj * d(gi, p[j]) - hi * gj * d(gi, q[j]) - gi * hj * d(hi, p[j]);
        Verdict verdict = algebra_.is_zero(condition);
        if (verdict.is_refuted()) return grade_ == Grade::proved ? verdict : Verdict::of(Grade::unknown);
        all = conjunction(std::move(all), std::move(verdict));
      }
    }
    return all;
  }

  /// The momenta in an order in which each has an equation of Riccati, dp_i/dt = -(a p_i^2 + 2 b p_i + c)
  /// with a, b, c given by those before it (row G6.II-exIV-riccati); empty where there is none, or all are
  /// linear.
  std::vector<Expr> riccati() const {
    const auto in_coordinates = polynomial_coefficients(energy_, coordinates_, 1000);
    if (!in_coordinates) return {};
    const std::size_t n = coordinates_.size();
    std::vector<Expr> rates(n, algebra_.pool().number(0));
    for (const Monomial& monomial : *in_coordinates) {
      std::size_t degree = 0, place = 0;
      for (std::size_t i = 0; i < n; ++i) {
        degree += monomial.exponents[i];
        if (monomial.exponents[i] > 0) place = i;
      }
      if (degree > 1) return {};
      if (degree == 1) rates[place] = rates[place] + monomial.coefficient;
    }
    std::vector<Expr> order;
    bool is_square = false;
    for (bool is_found = true; is_found && order.size() < n;) {
      is_found = false;
      for (std::size_t i = 0; i < n; ++i) {
        if (std::find(order.begin(), order.end(), momenta_[i]) != order.end()) continue;
        const Expr own[] = {momenta_[i]};
        const auto powers = polynomial_coefficients(rates[i], own, 100);
        if (!powers || (!powers->empty() && powers->front().exponents[0] > 2)) continue;
        const bool is_known = std::all_of(momenta_.begin(), momenta_.end(), [&](Expr p) {
          return p == momenta_[i] || !depends_on(rates[i], p) ||
                 std::find(order.begin(), order.end(), p) != order.end();
        });
        if (!is_known) continue;
        is_square = is_square || (!powers->empty() && powers->front().exponents[0] == 2);
        order.push_back(momenta_[i]);
        is_found = true;
      }
    }
    if (order.size() < n || !is_square || grade_ != Grade::proved) return {};
    return order;
  }

  /// Each momentum of the common levels of these integrals by its own coordinate.
  bool write_out(const std::vector<Expr>& integrals, const std::vector<std::size_t>& set, Separation& out) {
    constants_.clear();
    values_.clear();
    is_cyclic_ = true;
    std::vector<Expr> functions;
    for (const std::size_t k : set) {
      constants_.push_back(fresh(fmt::format("F{}", places_[k] + 1)));
      functions.push_back(in_momenta(integrals[k]));
    }
    std::vector<std::size_t> open(functions.size());
    for (std::size_t j = 0; j < open.size(); ++j) open[j] = j;
    while (take_linear_one(functions, open)) {
    }
    const std::size_t linear = values_.size();
    if (!solve_for_squares(functions, open)) return false;
    const Expr total = total_energy();
    if (total.empty()) return false;
    out.constants = constants_;
    out.integrals = set;
    for (Expr coordinate : coordinates_) {
      const auto& [value, two_signs] = values_.at(coordinate);
      out.momenta.push_back({coordinate, value, two_signs});
    }
    for (Expr constant : constants_) {
      Quadrature quadrature{constant, {}, algebra_.readable(derivative(total, constant))};
      for (const SeparatedMomentum& momentum : out.momenta) {
        const Expr integrand = algebra_.readable(derivative(momentum.value, constant));
        if (!integrand.is_zero()) quadrature.integrands.emplace_back(momentum.coordinate, integrand);
      }
      out.quadratures.push_back(std::move(quadrature));
    }
    out.family = family(linear);
    return true;
  }

 private:
  /// A symbol of that name, or a longer one where the model has it; one that was made before is taken again.
  Expr fresh(const std::string& asked) {
    std::string name = asked;
    for (;; name += "_") {
      const Expr known = algebra_.pool().find_symbol(name);
      if (known.empty() || known.symbol().kind == SymbolKind::auxiliary) break;
    }
    return algebra_.pool().symbol(name, SymbolKind::auxiliary);
  }

  Expr in_momenta(Expr e) { return algebra_.canonical(substitute(e, velocities_)).value; }

  bool is_free_of(Expr e, std::span<const Expr> symbols, Expr except = {}) const {
    return std::none_of(symbols.begin(), symbols.end(),
                        [&](Expr symbol) { return symbol != except && depends_on(e, symbol); });
  }

  /// An integral a*p_i + b(q_i) gives p_i; it is put into the others.
  bool take_linear_one(std::vector<Expr>& functions, std::vector<std::size_t>& open) {
    for (const std::size_t j : open) {
      const auto linear = linear_coefficients(functions[j], momenta_);
      if (!linear) continue;
      std::optional<std::size_t> only;
      std::size_t count = 0;
      for (std::size_t i = 0; i < momenta_.size(); ++i) {
        if (linear->coefficients[i].is_zero()) continue;
        only = i;
        ++count;
      }
      if (count != 1) continue;
      const Expr a = linear->coefficients[*only];
      if (!is_free_of(a, coordinates_) || !is_free_of(linear->rest, coordinates_, coordinates_[*only]))
        continue;
      const Expr value = algebra_.readable((constants_[j] - linear->rest) / a);
      values_.emplace(coordinates_[*only], std::pair{value, false});
      is_cyclic_ = is_cyclic_ && linear->rest.is_zero();
      std::erase(open, j);
      for (const std::size_t other : open)
        functions[other] = algebra_.canonical(substitute(functions[other], {{momenta_[*only], value}})).value;
      return true;
    }
    return false;
  }

  std::vector<std::size_t> open_directions() const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < coordinates_.size(); ++i) {
      if (!values_.contains(coordinates_[i])) result.push_back(i);
    }
    return result;
  }

  /// The others are sums of a_jk(q) p_k^2 and u_j(q): linear equations for the squares. One alone may have a
  /// term with p_k, too (row G6.II-exII-linear-quadratic).
  bool solve_for_squares(const std::vector<Expr>& functions, const std::vector<std::size_t>& open) {
    const std::vector<std::size_t> directions = open_directions();
    if (directions.size() != open.size()) return false;
    if (directions.empty()) return true;
    std::vector<Expr> p;
    for (const std::size_t i : directions) p.push_back(momenta_[i]);
    const std::size_t m = p.size();
    Matrix squares(algebra_.pool(), m, m);
    std::vector<Expr> right;
    Expr first = algebra_.pool().number(0);
    for (std::size_t row = 0; row < m; ++row) {
      const auto terms = polynomial_coefficients(functions[open[row]], p, max_terms);
      if (!terms) return false;
      Expr rest = constants_[open[row]];
      for (const Monomial& term : *terms) {
        const unsigned degree = std::accumulate(term.exponents.begin(), term.exponents.end(), 0U);
        const auto two = std::find(term.exponents.begin(), term.exponents.end(), 2U);
        if (degree == 0) {
          rest = rest - term.coefficient;
        } else if (degree == 2 && two != term.exponents.end()) {
          squares(row, static_cast<std::size_t>(two - term.exponents.begin())) = term.coefficient;
        } else if (degree == 1 && m == 1) {
          first = term.coefficient;
        } else {
          return false;
        }
      }
      right.push_back(rest);
    }
    if (m == 1) return take_one(directions.front(), squares(0, 0), first, right.front());
    const SolveResult solved = solve(algebra_, squares, right);
    if (solved.status != SolveStatus::unique) return false;
    for (std::size_t k = 0; k < m; ++k) {
      const Expr own = coordinates_[directions[k]], square = algebra_.readable(solved.x[k]);
      if (!is_free_of(square, coordinates_, own)) return false;
      values_.emplace(own, std::pair{algebra_.pool().pow(square, Rational(1, 2)), true});
    }
    return true;
  }

  /// a p^2 + b p = c.
  bool take_one(std::size_t direction, Expr a, Expr b, Expr c) {
    const Expr own = coordinates_[direction];
    if (a.is_zero() || !is_free_of(a, coordinates_, own) || !is_free_of(b, coordinates_, own) ||
        !is_free_of(algebra_.canonical(c).value, coordinates_, own))
      return false;
    Pool& pool = algebra_.pool();
    const Expr root = pool.pow(algebra_.readable(b * b + 4 * a * c), Rational(1, 2));
    const Expr value =
        b.is_zero() ? pool.pow(algebra_.readable(c / a), Rational(1, 2)) : (root - b) / (2 * a);
    values_.emplace(own, std::pair{value, true});
    return true;
  }

  /// H by the constants: it is one of them, or all momenta are known without roots. Empty: neither.
  Expr total_energy() {
    Substitution momenta;
    for (std::size_t i = 0; i < coordinates_.size(); ++i)
      momenta.emplace(momenta_[i], values_.at(coordinates_[i]).first);
    const Expr total = algebra_.canonical(substitute(energy_, momenta)).value;
    return is_free_of(total, coordinates_) ? total : Expr();
  }

  std::string family(std::size_t linear) {
    const std::size_t n = coordinates_.size();
    if (linear == n) return "linear";
    if (n > 1 && linear == n - 1 && is_cyclic_) return "Delassus";
    if (linear == 0 && n > 1) return is_liouville() ? "Liouville" : "Staeckel";
    if (n == 1) return "one degree of freedom";
    return fmt::format("{} linear, {} quadratic", linear, n - linear);
  }

  /// 2T = A sum B_i q_i'^2, V = C/A, A and C sums of functions of one coordinate (row G6.II-liouville). With
  /// g_i = A B_i: g_i/g_1 has the coordinates 1 and i alone, as a product, and A = g_1/B_1, A V are sums.
  bool is_liouville() {
    const std::size_t n = coordinates_.size();
    std::vector<Expr> g;
    Expr potential = energy_;
    Substitution at_zero;
    for (Expr p : momenta_) at_zero.emplace(p, algebra_.pool().number(0));
    for (std::size_t i = 0; i < n; ++i)
      g.push_back(1 / derivative(derivative(energy_, momenta_[i]), momenta_[i]));
    potential = substitute(potential, at_zero);
    const auto& q = coordinates_;
    const auto zero = [&](Expr e) { return algebra_.is_zero(e).is_proved(); };
    std::optional<Expr> slope;  // B_1'/B_1
    for (std::size_t i = 1; i < n; ++i) {
      const Expr ratio = g[i] / g[0];
      for (std::size_t k = 1; k < n; ++k) {
        if (k != i && !zero(derivative(ratio, q[k]))) return false;
      }
      const Expr r1 = derivative(ratio, q[0]);
      if (!zero(ratio * derivative(r1, q[i]) - r1 * derivative(ratio, q[i]))) return false;
      if (!slope) slope = -r1 / ratio;
      if (!zero(*slope + r1 / ratio)) return false;
    }
    for (Expr e : {g[0], g[0] * potential}) {
      for (std::size_t i = 1; i < n; ++i) {
        const Expr ei = derivative(e, q[i]);
        if (!zero(derivative(ei, q[0]) - *slope * ei)) return false;
        for (std::size_t j = i + 1; j < n; ++j) {
          if (!zero(derivative(ei, q[j]))) return false;
        }
      }
    }
    return true;
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  const PoissonStructure& poisson_;
  const std::vector<std::size_t>& places_;  ///< of the integrals in their list
  Grade grade_;
  std::vector<Expr> coordinates_, momenta_, constants_;
  bool is_cyclic_ = true;  ///< the linear integrals are the momenta themselves
  Substitution velocities_;
  Expr energy_;  ///< H(q, p)
  std::unordered_map<Expr, std::pair<Expr, bool>> values_;
};

}  // namespace

Separation separate(Algebra& algebra, const StateFlow& flow, const PoissonStructure& poisson,
                    const std::vector<Expr>& integrals, const std::vector<std::size_t>& places,
                    const std::vector<std::vector<std::size_t>>& sets) {
  Separation result;
  Separator separator(algebra, flow, poisson, places);
  result.reason = separator.prepare();
  if (!result.reason.empty()) {
    result.separable.reason = result.reason;
    return result;
  }
  result.riccati = separator.riccati();
  result.separable = separator.levi_civita();
  if (result.separable.is_refuted()) {
    result.reason = "the equation of Hamilton and Jacobi does not separate in the coordinates of the model";
    return result;
  }
  if (!result.separable.holds()) {
    result.reason = "it was not decided whether the equation of Hamilton and Jacobi separates";
    return result;
  }
  for (const auto& set : sets) {
    if (separator.write_out(integrals, set, result)) return result;
  }
  result.reason = sets.empty() ? "too few integrals in involution are known"
                               : "no set of the integrals in involution gives each momentum by its own "
                                 "coordinate";
  return result;
}

}  // namespace liaison
