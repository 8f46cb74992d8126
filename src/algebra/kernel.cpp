#include <algorithm>

#include "linear.hpp"

namespace liaison {

namespace {

using PolyVector = std::vector<Poly>;

std::size_t size_of(const PolyVector& v) {
  std::size_t terms = 0;
  for (const Poly& entry : v) terms += entry.terms();
  return terms;
}

void divide_by_common_factor(PolyVector& v, const PolyRing& ring) {
  Poly common(ring);
  for (const Poly& entry : v) {
    if (common.is_one()) return;
    if (!entry.is_zero()) common = gcd(common, entry);
  }
  if (common.is_zero() || common.is_one()) return;
  for (Poly& entry : v) entry = exact_quotient(entry, common);
}

/// A common factor sin is hidden by sin^2 = 1 - cos^2: then sin times each entry is a multiple of 1 - cos^2.
void divide_by_hidden_sines(PolyVector& v, const Field& field) {
  const PolyRing& ring = field.ring();
  for (std::size_t i = 0; i < field.generators().size(); ++i) {
    if (field.generators()[i].kind != GeneratorKind::sine) continue;
    const Poly sine = Poly::variable(ring, i), square = Poly(ring, 1) - Poly::variable(ring, i - 1, 2);
    PolyVector quotients;
    for (const Poly& entry : v) {
      const Poly product = field.reduce_integral(entry * sine);
      if (!divides(square, product)) break;
      quotients.push_back(exact_quotient(product, square));
    }
    if (quotients.size() == v.size()) v = std::move(quotients);
  }
}

/// The vector over its entry at `free` in lowest terms, times the least common denominator; if that is
/// shorter.
void try_rationalised(PolyVector& v, std::size_t free, const Field& field) {
  const PolyRing& ring = field.ring();
  if (field.is_rational(v[free])) return;
  std::vector<Fraction> quotients;
  Poly denominator(ring, 1);
  for (const Poly& entry : v) {
    quotients.push_back(entry.is_zero() ? field.integer(0) : field.rationalise({entry, v[free]}));
    const Poly& den = quotients.back().den;
    denominator = denominator * exact_quotient(den, gcd(denominator, den));
  }
  PolyVector other;
  for (const Fraction& q : quotients) {
    other.push_back(field.reduce_integral(q.num * exact_quotient(denominator, q.den)));
  }
  if (size_of(other) < size_of(v) && has_no_new_zero(field, denominator, v[free])) v = std::move(other);
}

void simplify(PolyVector& v, std::size_t free, const Field& field) {
  divide_by_common_factor(v, field.ring());
  if (!field.has_integral_relations()) return;
  divide_by_hidden_sines(v, field);
  if (field.is_independent()) {
    try {
      try_rationalised(v, free, field);
    } catch (const NotCanonical&) {
    } catch (const LimitReached&) {
    }
  }
  divide_by_common_factor(v, field.ring());
}

}  // namespace

std::vector<std::vector<Expr>> derive_kernel(PolyMatrix& matrix, const PivotForm& form,
                                             std::span<const std::size_t> free, std::size_t unknowns) {
  const Field& field = matrix.field();
  const PolyRing& ring = field.ring();
  Poly denominator(ring, 1);
  for (const Poly& d : form.denominators) {
    if (!(d == denominator)) denominator = denominator * exact_quotient(d, gcd(denominator, d));
  }
  std::vector<std::vector<Expr>> basis;
  for (std::size_t f = 0; f < free.size(); ++f) {
    PolyVector v(unknowns, Poly(ring));
    v[free[f]] = denominator;
    for (std::size_t i = 0; i < form.pivots.size(); ++i) {
      v[form.pivots[i].column] = -(form.numerators[i][f] * exact_quotient(denominator, form.denominators[i]));
    }
    simplify(v, free[f], field);
    const bool negative = v[free[f]].content().sign() < 0;
    auto& vector = basis.emplace_back();
    for (const Poly& entry : v)
      vector.push_back(field.to_expr(Fraction{negative ? -entry : entry, Poly(ring, 1)}));
  }
  return basis;
}

}  // namespace liaison
