#include "determining_equations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/expr/print.hpp"
#include "polynomial_field.hpp"

namespace liaison {

namespace {

constexpr std::uint64_t most_operations = 2'000'000'000;

class Writer {
 public:
  Writer(Algebra& algebra, const IntegralAnsatz& ansatz, const std::vector<Expr>& parameters)
      : algebra_(algebra), ansatz_(ansatz), table_(ansatz.table()), parameters_(parameters) {}

  DeterminingEquations run() {
    result_.columns = ansatz_.columns();
    if (!ansatz_.choices().relations.empty()) return refused("relations bind the coordinates");
    if (!give_places()) return std::move(result_);
    try {
      const Budget budget = budget_of(algebra_, most_operations);
      ring_ = std::make_unique<PolyRing>(places_, budget);
      result_.ring = std::make_unique<PolyRing>(parameters_.size(), budget);
      write();
    } catch (const LimitReached& limit) {
      return refused(limit.reason);
    }
    return std::move(result_);
  }

 private:
  DeterminingEquations refused(std::string reason) {
    result_.refusal = std::move(reason);
    result_.rows.clear();
    return std::move(result_);
  }

  /// Parameters first, then what changes: symbols, a cosine and a sine of each angle, exponentials.
  bool give_places() {
    places_ = parameters_.size();
    for (Expr node : table_.free_nodes()) {
      const auto parameter = std::find(parameters_.begin(), parameters_.end(), node);
      if (parameter != parameters_.end()) {
        place_of_.emplace(node, parameter - parameters_.begin());
      } else if (table_.depends_on_state(table_.place_of(node))) {
        place_of_.emplace(node, places_++);
      } else {
        result_.refusal = fmt::format("`{}` stands in the equations", to_infix(node));
        return false;
      }
    }
    for (const FunctionTable::Atom& atom : table_.angles()) {
      angles_.push_back(places_);
      places_ += 2;
      if (!atom.depends_on_state) result_.refusal = "an angle that is constant stands in the equations";
    }
    for (const FunctionTable::Atom& atom : table_.exponents()) {
      exponentials_.push_back(places_++);
      if (!atom.depends_on_state) result_.refusal = "an exponential of a constant stands in the equations";
    }
    return result_.refusal.empty();
  }

  void write() {
    const PolynomialField in(*ring_);
    ExactPoint<PolyFraction> point;
    for (const auto& [node, place] : place_of_) point.free.emplace(node, in.variable(place));
    for (const std::size_t place : angles_)
      point.circles.emplace_back(in.variable(place), in.variable(place + 1));
    for (const std::size_t place : exponentials_) point.exponentials.push_back(in.variable(place));
    const auto values = PointEvaluation<PolyFraction, PolynomialField>(table_, in, point).run();
    if (!values) {
      result_.refusal = "the rates are not rational in functions that are independent";
      return;
    }
    const std::vector<PolyFraction> rates = ansatz_.rates_in(*values, in);
    Poly below(*ring_, Rational(1));
    for (const PolyFraction& rate : rates) {
      if (below == rate.below) continue;
      below = below * exact_quotient(rate.below, gcd(below, rate.below));
    }
    std::map<Exponents, DeterminingEquations::Row> rows;
    for (std::size_t k = 0; k < rates.size(); ++k) {
      if (algebra_.options().is_interrupted()) throw LimitReached{"interrupted"};
      Poly above = rates[k].above;
      if (!(rates[k].below == below)) above = above * exact_quotient(below, rates[k].below);
      for (auto& [state, coefficient] : coefficients(reduced(above)))
        rows[state].emplace(k, std::move(coefficient));
    }
    for (auto& [state, row] : rows) result_.rows.push_back(std::move(row));
    read_divisors(reduced(below));
  }

  /// sin^2 = 1 - cos^2 of each angle, e0^2 = 1 - e1^2 - e2^2 - e3^2 of each quaternion: what is left vanishes
  /// at all states only as a polynomial.
  Poly reduced(Poly p) const {
    const Poly one(*ring_, Rational(1));
    const auto square = [&](std::size_t place) { return Poly::variable(*ring_, place, 2); };
    for (const std::size_t place : angles_) p = with_square(p, place + 1, one - square(place));
    for (const auto& quaternion : ansatz_.choices().quaternions) {
      std::vector<std::size_t> at;
      for (Expr part : quaternion) {
        if (const auto found = place_of_.find(part); found != place_of_.end()) at.push_back(found->second);
      }
      if (at.size() < 4) continue;
      p = with_square(p, at[0], one - square(at[1]) - square(at[2]) - square(at[3]));
    }
    return p;
  }
  Poly with_square(const Poly& p, std::size_t place, const Poly& value) const {
    if (p.degree(place) < 2) return p;
    const std::vector<Poly> parts = split_by_power(p, place, 2);
    Poly result(*ring_);
    for (std::size_t k = parts.size(); k-- > 0;) result = result * value + parts[k];
    return result;
  }

  /// The coefficient, a polynomial in the parameters, of each monomial in the others.
  std::map<Exponents, Poly> coefficients(const Poly& p) const {
    std::map<Exponents, Poly> result;
    Exponents exponents;
    const std::size_t n = parameters_.size();
    for (std::size_t term = 0; term < p.terms(); ++term) {
      p.exponents(term, exponents);
      const Exponents own(exponents.begin(), exponents.begin() + static_cast<std::ptrdiff_t>(n));
      const Exponents state(exponents.begin() + static_cast<std::ptrdiff_t>(n), exponents.end());
      result.try_emplace(state, *result_.ring).first->second.push_term(p.coefficient(term), own);
    }
    for (auto& [state, coefficient] : result) coefficient.normalise();
    return result;
  }

  /// Factors of all coefficients of the denominator.
  void read_divisors(const Poly& below) {
    Poly common(*result_.ring);
    for (const auto& [state, coefficient] : coefficients(below))
      common = common.is_zero() ? coefficient : gcd(common, coefficient);
    if (common.is_zero()) {
      result_.refusal = "something that the rates divide by vanishes";
      return;
    }
    for (PolyFactor& one : factor(common).factors) result_.divisors.push_back(std::move(one.base));
  }

  Algebra& algebra_;
  const IntegralAnsatz& ansatz_;
  const FunctionTable& table_;
  const std::vector<Expr>& parameters_;
  std::size_t places_ = 0;
  std::unordered_map<Expr, std::size_t> place_of_;
  std::vector<std::size_t> angles_, exponentials_;  ///< the cosine; the sine is the next
  std::unique_ptr<PolyRing> ring_;
  DeterminingEquations result_;
};

}  // namespace

DeterminingEquations write_determining_equations(Algebra& algebra, const IntegralAnsatz& ansatz,
                                                 const std::vector<Expr>& parameters) {
  return Writer(algebra, ansatz, parameters).run();
}

Budget budget_of(Algebra& algebra, std::uint64_t operations) {
  auto count = std::make_shared<OperationCount>();
  count->limit = operations;
  count->interrupt = algebra.options().interrupt;
  return {algebra.options().max_terms, operations, std::move(count)};
}

}  // namespace liaison
