#pragma once

#include <vector>

#include "field.hpp"
#include "liaison/expr/expr.hpp"

namespace liaison {

/// What reading costs: the operations as written on paper, a function call one more, a fraction bar a little.
double reading_cost(Expr e);

/// coefficient * monomial of the generators that are no angles * product of sines and cosines.
struct TrigTerm {
  Rational coefficient;
  Exponents monomial;
  Expr trig;
};
using TrigSum = std::vector<TrigTerm>;

/// The terms of a polynomial as they are.
TrigSum expanded_terms(const Field& field, const Poly& a);
/// Pairs joined by the addition theorems: cos(a)*cos(b) + sin(a)*sin(b) is cos(a - b).
TrigSum gathered_terms(const Field& field, const Poly& a);
/// Products of sines and cosines as sums of sines and cosines of sums of angles.
TrigSum fourier_terms(const Field& field, const Poly& a);

/// Writes polynomials of a field in the cheapest of the forms that we know. Equal by construction.
class PolynomialWriter {
 public:
  explicit PolynomialWriter(const Field& field) : field_(field) {}

  Expr write(const Poly& a) const;

 private:
  Expr write_factored(const PolyFactors& found) const;
  Expr write_sum(const Poly& a) const;
  Expr write_terms(const TrigSum& terms) const;
  Expr write_by_function(const TrigSum& terms) const;
  Expr write_coefficient(const Poly& a) const;
  Expr write_collected(const Poly& a, std::size_t generator) const;
  TrigSum cheapest_by_monomial(const Poly& a) const;

  const Field& field_;
};

}  // namespace liaison
