#include "polynomial_point.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exact_point.hpp"
#include "liaison/expr/print.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_roots = 5;

/// How many bases stand under square roots.
std::size_t count_roots(const FunctionTable& table) {
  std::vector<Expr> bases;
  for (Expr node : table.nodes()) {
    if (!node.is(Op::pow) || node.arg(1).number().is_integer()) continue;
    if (std::find(bases.begin(), bases.end(), node.arg(0)) == bases.end()) bases.push_back(node.arg(0));
  }
  return bases.size();
}

}  // namespace

PolynomialPoint::PolynomialPoint(const FunctionTable& table,
                                 const std::vector<std::array<Expr, 4>>& quaternions,
                                 std::vector<Expr> constants, const Budget& budget)
    : table_(table), quaternions_(quaternions), constants_(std::move(constants)) {
  if (!give_places()) return;
  ring_ = std::make_unique<PolyRing>(places_, budget);
  field_ = std::make_unique<PolynomialField>(*ring_, first_root_, places_ - first_root_);
  ExactPoint<PolyFraction> point;
  for (const auto& [node, place] : place_of_) point.free.emplace(node, field_->variable(place));
  for (const std::size_t place : angles_)
    point.circles.emplace_back(field_->variable(place), field_->variable(place + 1));
  for (const std::size_t place : exponentials_) point.exponentials.push_back(field_->variable(place));
  auto values = PointEvaluation<PolyFraction, PolynomialField>(table_, *field_, point).run();
  if (!values || !roots_are_independent()) {
    refusal_ = "something is not rational in functions that are independent";
    return;
  }
  values_ = std::move(*values);
}

bool PolynomialPoint::give_places() {
  places_ = constants_.size();
  for (Expr node : table_.free_nodes()) {
    const auto constant = std::find(constants_.begin(), constants_.end(), node);
    if (constant != constants_.end()) {
      place_of_.emplace(node, constant - constants_.begin());
    } else if (table_.depends_on_state(table_.place_of(node)) &&
               (node.is(Op::symbol) || node.is(Op::apply))) {
      place_of_.emplace(node, places_++);
    } else {
      refusal_ = fmt::format("`{}` stands in the equations", to_infix(node));
      return false;
    }
  }
  for (const FunctionTable::Atom& atom : table_.angles()) {
    angles_.push_back(places_);
    places_ += 2;
    if (!atom.depends_on_state) refusal_ = "an angle that is constant stands in the equations";
  }
  for (const FunctionTable::Atom& atom : table_.exponents()) {
    exponentials_.push_back(places_++);
    if (!atom.depends_on_state) refusal_ = "an exponential of a constant stands in the equations";
  }
  first_root_ = places_;
  places_ += count_roots(table_);
  if (places_ - first_root_ > most_roots) refusal_ = "there are too many roots";
  return refusal_.empty();
}

Poly PolynomialPoint::reduced(Poly p) const {
  const Poly one(*ring_, Rational(1));
  const auto square = [&](std::size_t place) { return Poly::variable(*ring_, place, 2); };
  const std::vector<Poly>& radicands = field_->radicands();
  for (std::size_t k = 0; k < radicands.size(); ++k) p = with_square(p, first_root_ + k, radicands[k]);
  for (const std::size_t place : angles_) p = with_square(p, place + 1, one - square(place));
  for (const auto& quaternion : quaternions_) {
    std::vector<std::size_t> at;
    for (Expr part : quaternion) {
      if (const auto found = place_of_.find(part); found != place_of_.end()) at.push_back(found->second);
    }
    if (at.size() == 4) p = with_square(p, at[0], one - square(at[1]) - square(at[2]) - square(at[3]));
  }
  return p;
}

Poly PolynomialPoint::with_square(const Poly& p, std::size_t place, const Poly& value) const {
  if (p.degree(place) < 2) return p;
  const std::vector<Poly> parts = split_by_power(p, place, 2);
  Poly result(*ring_);
  for (std::size_t k = parts.size(); k-- > 0;) result = result * value + parts[k];
  return result;
}

bool PolynomialPoint::roots_are_independent() const {
  const std::vector<Poly>& radicands = field_->radicands();
  std::vector<std::size_t> related = angles_;  // where sin^2 = 1 - cos^2 holds, squares look like others
  for (const std::size_t place : angles_) related.push_back(place + 1);
  for (const auto& quaternion : quaternions_) {
    for (Expr part : quaternion) {
      if (const auto found = place_of_.find(part); found != place_of_.end()) related.push_back(found->second);
    }
  }
  for (std::size_t root = first_root_; root < places_; ++root) related.push_back(root);
  for (const Poly& radicand : radicands) {
    for (const std::size_t place : related) {
      if (radicand.degree(place) > 0) return false;
    }
  }
  for (std::size_t subset = 1; subset < std::size_t{1} << radicands.size(); ++subset) {
    Poly product(*ring_, Rational(1));
    for (std::size_t k = 0; k < radicands.size(); ++k) {
      if ((subset >> k & 1) != 0) product = product * radicands[k];
    }
    // A square times a constant is none: some factor that changes must be there an odd number of times.
    const PolyFactors split = factor_squarefree(product);
    const bool is_square =
        std::none_of(split.factors.begin(), split.factors.end(), [&](const PolyFactor& one) {
          bool changes = false;
          for (std::size_t place = constants_.size(); place < first_root_; ++place)
            changes = changes || one.base.degree(place) > 0;
          return changes && one.exponent % 2 == 1;
        });
    if (is_square) return false;
  }
  return true;
}

std::map<Exponents, Poly> PolynomialPoint::coefficients(const Poly& reduced,
                                                        const PolyRing& constants) const {
  std::map<Exponents, Poly> result;
  Exponents exponents;
  const auto n = static_cast<std::ptrdiff_t>(constants_.size());
  for (std::size_t term = 0; term < reduced.terms(); ++term) {
    reduced.exponents(term, exponents);
    Exponents own(exponents.begin(), exponents.begin() + n);
    own.resize(std::max<std::size_t>(own.size(), 1));
    const Exponents state(exponents.begin() + n, exponents.end());
    result.try_emplace(state, constants).first->second.push_term(reduced.coefficient(term), own);
  }
  for (auto& [state, coefficient] : result) coefficient.normalise();
  return result;
}

std::vector<Poly> over_one_denominator(const std::vector<PolyFraction>& fractions, Poly& denominator) {
  for (const PolyFraction& fraction : fractions) {
    if (!(denominator == fraction.below))
      denominator = denominator * exact_quotient(fraction.below, gcd(denominator, fraction.below));
  }
  std::vector<Poly> result;
  for (const PolyFraction& fraction : fractions) {
    const bool is_over_it = fraction.below == denominator;
    result.push_back(is_over_it ? fraction.above
                                : fraction.above * exact_quotient(denominator, fraction.below));
  }
  return result;
}

}  // namespace liaison
