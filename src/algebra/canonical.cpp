#include <algorithm>
#include <array>

#include "field.hpp"

namespace liaison {

namespace {

constexpr unsigned long few_powers = 256;  // of a generator, remembered while a polynomial is written
constexpr std::uint64_t operations_per_written_term = 60;

/// den = D0 + D1 g: what to multiply with so that g disappears from it.
Poly conjugate(const Poly& den, std::size_t generator, unsigned long order) {
  const auto parts = split_by_power(den, generator, 1);
  std::size_t lowest = 0;
  while (parts[lowest].is_zero()) ++lowest;
  if (lowest + 1 == parts.size()) return Poly::variable(den.ring(), generator, order - lowest);
  if (order != 2) throw NotCanonical{"a root of order " + std::to_string(order) + " in a denominator"};
  return parts[0] - parts[1] * Poly::variable(den.ring(), generator);
}

}  // namespace

bool Field::is_rational(const Poly& a) const {
  return std::none_of(relations_.begin(), relations_.end(),
                      [&](const Relation& relation) { return a.degree(relation.generator) > 0; });
}

Poly with_sine_for_cosine(const Poly& a, std::size_t cosine) {
  const PolyRing& ring = a.ring();
  const Poly cosine_squared = Poly(ring, 1) - Poly::variable(ring, cosine + 1, 2);
  const auto parts = split_by_power(a, cosine, 2);
  Poly sum = parts.back();
  for (std::size_t m = parts.size() - 1; m-- > 0;) sum = sum * cosine_squared + parts[m];
  return sum;
}

void join_to_sines(const Field& field, PolyFactors& found) {
  const PolyRing& ring = field.ring();
  const auto find = [&](const Poly& base) {
    return std::find_if(found.factors.begin(), found.factors.end(),
                        [&](const PolyFactor& f) { return f.base == base; });
  };
  for (std::size_t i = 0; i < field.generators().size(); ++i) {
    if (field.generators()[i].kind != GeneratorKind::sine) continue;
    const Poly cosine = Poly::variable(ring, i - 1), one(ring, 1);
    const auto minus = find(cosine - one), plus = find(cosine + one);
    if (minus == found.factors.end() || plus == found.factors.end()) continue;
    const unsigned long common = std::min(minus->exponent, plus->exponent);
    minus->exponent -= common;
    plus->exponent -= common;
    if (common % 2 == 1) found.constant = -found.constant;
    found.factors.push_back({Poly::variable(ring, i), 2 * common});
  }
  std::erase_if(found.factors, [](const PolyFactor& f) { return f.exponent == 0; });
}

Fraction Field::rationalise(const Fraction& a) const {
  Fraction result = cancelled(a.num, a.den);
  for (const Relation& relation : relations_) {
    // 1/(abs(x) + 1) has no zero to divide by, (abs(x) - 1)/(x^2 - 1) has
    if (generators_[relation.generator].kind == GeneratorKind::absolute) continue;
    while (result.den.degree(relation.generator) > 0) {
      const Poly factor = conjugate(result.den, relation.generator, relation.order);
      const Fraction num = reduce(result.num * factor), den = reduce(result.den * factor);
      if (den.num.is_zero()) throw NotCanonical{"a denominator whose roots are dependent"};
      result = over(num, den);
    }
  }
  return result;
}

Expr generator_power(Pool& pool, const Generator& generator, unsigned long exponent) {
  const Rational whole(static_cast<long>(exponent));
  const Rational part = whole / Rational(generator.unit);
  switch (generator.kind) {
    case GeneratorKind::plain:
    case GeneratorKind::root: return pool.pow(generator.atom, part);
    case GeneratorKind::cosine: return pow(cos(generator.argument()), whole);
    case GeneratorKind::sine: return pow(sin(generator.argument()), whole);
    case GeneratorKind::exponential: return exp(whole * generator.argument());
    case GeneratorKind::absolute: return pow(abs(generator.atom), whole);
  }
  return {};
}

Expr polynomial_to_expr(Pool& pool, const std::vector<Generator>& generators, const Poly& a,
                        const Rational& denominator) {
  std::vector<Expr> terms;
  terms.reserve(a.terms());
  a.ring().budget().charge(operations_per_written_term * a.terms());
  Exponents exponents;
  std::vector<std::vector<Expr>> powers(generators.size());  // by generator and exponent, made when first met
  const auto power_of = [&](std::size_t i) {
    if (exponents[i] >= few_powers) return generator_power(pool, generators[i], exponents[i]);
    if (powers[i].size() <= exponents[i]) powers[i].resize(exponents[i] + 1);
    Expr& known = powers[i][exponents[i]];
    if (known.empty()) known = generator_power(pool, generators[i], exponents[i]);
    return known;
  };
  for (std::size_t term = 0; term < a.terms(); ++term) {
    a.exponents(term, exponents);
    std::vector<Expr> factors{pool.number(a.coefficient(term) / denominator)};
    std::vector<Expr> exponent_terms;  // one exp for the whole monomial
    for (std::size_t i = 0; i < generators.size(); ++i) {
      if (exponents[i] == 0) continue;
      if (generators[i].kind == GeneratorKind::exponential) {
        exponent_terms.push_back(Rational(static_cast<long>(exponents[i])) * generators[i].argument());
      } else {
        factors.push_back(power_of(i));
      }
    }
    if (!exponent_terms.empty()) factors.push_back(exp(pool.add(exponent_terms)));
    terms.push_back(pool.mul(factors));
  }
  return pool.add(terms);
}

Expr Field::to_expr(const Poly& a) const {
  return polynomial_to_expr(pool_, generators_, a, Rational(1));
}

Expr Field::to_expr(const Fraction& rationalised) const {
  std::vector<Generator> generators = generators_;
  const Fraction value = coarsen_angles(rationalised, generators);
  if (value.den.is_constant()) return polynomial_to_expr(pool_, generators, value.num, value.den.content());
  const Rational top = value.num.content(), bottom = value.den.content();
  const Expr num = polynomial_to_expr(pool_, generators, exact_quotient(value.num, top), Rational(1));
  const Expr den = polynomial_to_expr(pool_, generators, exact_quotient(value.den, bottom), Rational(1));
  const std::array factors{pool_.number(top / bottom), num, pool_.pow(den, Rational(-1))};
  return pool_.mul(factors);
}

}  // namespace liaison
