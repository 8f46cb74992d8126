#include "polynomial_field.hpp"

#include <algorithm>

namespace liaison {

PolyFraction PolynomialField::lowest(Poly above, Poly below) const {
  if (above.is_zero()) return number(Rational(0));
  if (below.is_one()) return {std::move(above), std::move(below)};
  const Poly common = gcd(above, below);
  if (!common.is_one()) {
    above = exact_quotient(above, common);
    below = exact_quotient(below, common);
  }
  if (below.content().sign() < 0) {
    above = -above;
    below = -below;
  }
  return {std::move(above), std::move(below)};
}

PolyFraction PolynomialField::add(const PolyFraction& a, const PolyFraction& b) const {
  if (a.below == b.below) return lowest(a.above + b.above, a.below);
  return lowest(a.above * b.below + b.above * a.below, a.below * b.below);
}

PolyFraction PolynomialField::mul(const PolyFraction& a, const PolyFraction& b) const {
  return lowest(a.above * b.above, a.below * b.below);
}

std::optional<PolyFraction> PolynomialField::inverse(const PolyFraction& a) const {
  if (a.above.is_zero()) return std::nullopt;
  return lowest(a.below, a.above);
}

/// sqrt(a/b) = sqrt(a*b)/b.
std::optional<PolyFraction> PolynomialField::sqrt(const PolyFraction& a) const {
  if (a.above.is_zero()) return std::nullopt;
  const Poly radicand = a.above * a.below;
  auto known = std::find(radicands_.begin(), radicands_.end(), radicand);
  if (known == radicands_.end()) {
    if (radicands_.size() == roots_) return std::nullopt;
    known = radicands_.insert(known, radicand);
  }
  const auto place = first_root_ + static_cast<std::size_t>(known - radicands_.begin());
  return lowest(Poly::variable(ring_, place), a.below);
}

std::optional<PolyFraction> PolynomialField::cos_pi(const Rational& part) const {
  const auto quarters = (part * Rational(2)).to_long();
  if (!quarters) return std::nullopt;
  static constexpr long values[] = {1, 0, -1, 0};
  return number(Rational(values[(*quarters % 4 + 4) % 4]));
}

std::optional<PolyFraction> PolynomialField::sin_pi(const Rational& part) const {
  return cos_pi(part - Rational(1, 2));
}

}  // namespace liaison
