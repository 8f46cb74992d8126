#include <algorithm>

#include "field.hpp"

namespace liaison {

namespace {

/// Chebyshev polynomials of the cosine c: cos(p u) = T(c), sin(p u) = sin(u) U(c).
struct Chebyshev {
  Poly first;
  Poly second;
};

Chebyshev chebyshev(const PolyRing& ring, std::size_t cosine, long p) {
  const Poly c = Poly::variable(ring, cosine), one(ring, 1), two_c = scaled(c, 2);
  Poly t0 = one, t1 = c, u0 = Poly(ring), u1 = one;
  for (long k = 1; k < p; ++k) {
    Poly t2 = two_c * t1 - t0, u2 = two_c * u1 - u0;
    t0 = std::move(t1), t1 = std::move(t2);
    u0 = std::move(u1), u1 = std::move(u2);
  }
  return {t1, u1};
}

/// a = b(T(c))/scale with the variable c of b standing for T.
struct Decomposed {
  Poly poly;
  Rational scale;
};

/// Writes a in powers of T by repeated division; fails where a remainder still has c.
std::optional<Decomposed> decompose(Poly a, std::size_t cosine, const Poly& t) {
  const PolyRing& ring = a.ring();
  std::vector<Poly> digits;
  std::vector<Rational> scales;
  Rational scale(1);
  while (!a.is_zero()) {
    Poly quotient(ring), remainder(ring);
    Rational step;
    fmpz_mpoly_quasidivrem(fmpq_numref(step.raw()), quotient.raw(), remainder.raw(), a.raw(), t.raw(),
                           ring.raw());
    if (remainder.degree(cosine) > 0) return std::nullopt;
    scale *= step;
    digits.push_back(std::move(remainder));
    scales.push_back(scale);
    a = std::move(quotient);
  }
  Poly sum(ring);
  for (std::size_t j = 0; j < digits.size(); ++j) {
    sum = sum + scaled(digits[j], scale / scales[j]) * Poly::variable(ring, cosine, j);
  }
  return Decomposed{std::move(sum), scale};
}

Fraction normalised(Poly num, Poly den) {
  const Poly common = gcd(num, den);
  num = exact_quotient(num, common);
  den = exact_quotient(den, common);
  if (den.content().sign() < 0) return {-num, -den};
  return {std::move(num), std::move(den)};
}

/// The fraction in cos(p u), sin(p u) if it can be written so. A factor of U may have been cancelled before:
/// it is put back by `fill`.
std::optional<Fraction> in_multiple_angle(const Fraction& value, std::size_t cosine, const Chebyshev& p,
                                          const Poly& fill) {
  const std::size_t sine = cosine + 1;
  const auto den = decompose(value.den * fill, cosine, p.first);
  if (!den) return std::nullopt;
  const auto parts = split_by_power(value.num * fill, sine, 1);
  const auto even = decompose(parts[0], cosine, p.first);
  if (!even) return std::nullopt;
  const PolyRing& ring = value.num.ring();
  Poly num = scaled(even->poly, den->scale);
  Poly scale = Poly(ring, even->scale);
  if (parts.size() > 1) {
    // over Q: sin(u) times the primitive part of U is sin(p u) over the content of U
    const Rational content = p.second.content();
    const Poly primitive = exact_quotient(p.second, content);
    Poly quotient(ring);
    if (!fmpz_mpoly_divides(quotient.raw(), parts[1].raw(), primitive.raw(), ring.raw())) return std::nullopt;
    const auto odd = decompose(std::move(quotient), cosine, p.first);
    if (!odd) return std::nullopt;
    const Rational odd_scale = odd->scale * content;
    num = scaled(num, odd_scale) + scaled(odd->poly, den->scale * even->scale) * Poly::variable(ring, sine);
    scale = scaled(scale, odd_scale);
  }
  return normalised(std::move(num), scale * den->poly);
}

std::optional<Fraction> coarsen_once(const Fraction& value, std::size_t cosine, long p) {
  const PolyRing& ring = value.num.ring();
  const Chebyshev polynomials = chebyshev(ring, cosine, p);
  const auto factors = factor(polynomials.second).factors;
  for (std::size_t subset = 0; subset < (std::size_t{1} << factors.size()); ++subset) {
    Poly fill(ring, 1);
    for (std::size_t i = 0; i < factors.size(); ++i) {
      if (subset >> i & 1) fill = fill * factors[i].base;
    }
    if (auto coarser = in_multiple_angle(value, cosine, polynomials, fill)) return coarser;
  }
  return std::nullopt;
}

long smallest_prime_factor(long n, long from) {
  for (long p = from; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

}  // namespace

Fraction coarsen_angles(Fraction value, std::vector<Generator>& generators) {
  for (std::size_t i = 0; i < generators.size(); ++i) {
    if (generators[i].kind != GeneratorKind::cosine) continue;
    for (long rest = generators[i].unit; rest > 1;) {
      const long p = smallest_prime_factor(rest, 2);
      rest /= p;
      if (p > max_coarsening_prime) continue;
      auto coarser = coarsen_once(value, i, p);
      if (!coarser) continue;
      value = std::move(*coarser);
      generators[i].unit /= p;
      generators[i + 1].unit /= p;
    }
  }
  return value;
}

}  // namespace liaison
