#pragma once

#include <optional>
#include <vector>

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
  /// `roots` variables from `first_root` on stand for square roots, in the order in which they are met.
  explicit PolynomialField(const PolyRing& ring, std::size_t first_root = 0, std::size_t roots = 0)
      : ring_(ring), first_root_(first_root), roots_(roots) {}

  PolyFraction variable(std::size_t index) const {
    return {Poly::variable(ring_, index), Poly(ring_, Rational(1))};
  }
  PolyFraction number(const Rational& value) const {
    return {Poly(ring_, value.numerator()), Poly(ring_, value.denominator())};
  }
  PolyFraction add(const PolyFraction& a, const PolyFraction& b) const;
  PolyFraction mul(const PolyFraction& a, const PolyFraction& b) const;
  std::optional<PolyFraction> inverse(const PolyFraction& a) const;
  std::optional<PolyFraction> sqrt(const PolyFraction& a) const;
  /// What the variables of the roots are the roots of.
  const std::vector<Poly>& radicands() const { return radicands_; }
  /// Of halves of pi.
  std::optional<PolyFraction> cos_pi(const Rational& part) const;
  std::optional<PolyFraction> sin_pi(const Rational& part) const;

 private:
  PolyFraction lowest(Poly above, Poly below) const;

  const PolyRing& ring_;
  std::size_t first_root_, roots_;
  mutable std::vector<Poly> radicands_;
};

}  // namespace liaison
