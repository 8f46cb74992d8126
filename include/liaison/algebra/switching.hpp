#ifndef LIAISON_ALGEBRA_SWITCHING_HPP
#define LIAISON_ALGEBRA_SWITCHING_HPP

#include <span>
#include <utility>
#include <vector>

#include "liaison/algebra/algebra.hpp"

namespace liaison {

/// sign(e) = sign * the product of sign(base) over the odd factors, and of sign(base)^2 over the even ones:
/// -2*x^3*(1 + y)^2 has the sign -1, the odd factor x and the even factor 1 + y.
struct SignProduct {
  struct Factor {
    Expr base;
    bool is_odd = true;
    Rational power = Rational(1);  ///< e vanishes with base^power; 0 where it jumps there
  };
  int sign = 1;
  std::vector<Factor> factors;  ///< each base once, without numbers and what is positive everywhere
};
/// Sums are factored over the rational numbers where they are polynomials; what is not stays one factor.
SignProduct sign_product(Algebra& algebra, Expr e);

/// An expression whose value jumps where the argument of a sign changes, or y of atan2(y, x) with x < 0. All
/// that change on one surface change together, by the factors of their arguments.
class Switching {
 public:
  Switching(Algebra& algebra, Expr e);

  /// Each = 0, once: the factors of what jumps.
  const std::vector<Expr>& surfaces() const { return surfaces_; }
  /// A surface whose formula jumps itself, and may so be passed without being met; empty if there is none.
  Expr jumping_surface() const { return jumping_; }

  using Sides = std::vector<std::pair<Expr, int>>;
  /// The value next to a point of the given surfaces, on these sides of them (1, -1), or on them (0). Signs
  /// of other surfaces stay as they are.
  Expr value(const Sides& sides) const { return value_of(e_, sides); }

 private:
  struct Jump {
    Expr node;
    SignProduct product;  ///< of u in sign(u), of y in atan2(y, x)
  };
  Expr value_of(Expr e, const Sides& sides) const;
  Expr side_of(const SignProduct& product, const Sides& sides) const;
  bool is_number_on_all_sides(Expr surface) const;

  Expr e_;
  std::vector<Jump> jumps_;
  std::vector<Expr> surfaces_;
  Expr jumping_;
};

}  // namespace liaison

#endif  // LIAISON_ALGEBRA_SWITCHING_HPP
