#pragma once

#include <optional>

#include "algebra/polynomial.hpp"

namespace liaison {

/// A quotient of polynomials without a common factor.
struct PolyFraction {
  Poly above, below;
};

/// Arithmetic of quotients of polynomials over Z: a point of a table whose values are the functions
/// themselves. What is over its budget throws LimitReached.
class PolynomialField {
 public:
  static constexpr bool keeps_constants = false;
  explicit PolynomialField(const PolyRing& ring) : ring_(ring) {}

  PolyFraction variable(std::size_t index) const {
    return {Poly::variable(ring_, index), Poly(ring_, Rational(1))};
  }
  PolyFraction number(const Rational& value) const {
    return {Poly(ring_, value.numerator()), Poly(ring_, value.denominator())};
  }
  PolyFraction add(const PolyFraction& a, const PolyFraction& b) const;
  PolyFraction mul(const PolyFraction& a, const PolyFraction& b) const;
  std::optional<PolyFraction> inverse(const PolyFraction& a) const;
  std::optional<PolyFraction> sqrt(const PolyFraction&) const { return std::nullopt; }
  /// Of halves of pi.
  std::optional<PolyFraction> cos_pi(const Rational& part) const;
  std::optional<PolyFraction> sin_pi(const Rational& part) const;

 private:
  PolyFraction lowest(Poly above, Poly below) const;

  const PolyRing& ring_;
};

}  // namespace liaison
