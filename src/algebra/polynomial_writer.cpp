#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "readable.hpp"

namespace liaison {

namespace {

// Beyond these sizes a form is not tried: nobody would read it, and it must not take long.
constexpr std::size_t max_factored_terms = 300;
constexpr std::size_t max_gathered_terms = 120;
constexpr std::size_t max_collected_terms = 60;
constexpr unsigned long max_trig_degree = 6;

Expr cheapest(std::span<const Expr> candidates) {
  Expr best = candidates[0];
  double lowest = reading_cost(best);
  for (Expr candidate : candidates.subspan(1)) {
    const double cost = reading_cost(candidate);
    if (cost > lowest || (cost == lowest && compare(candidate, best) >= 0)) continue;
    best = candidate;
    lowest = cost;
  }
  return best;
}

bool is_angle(const Generator& generator) {
  return generator.kind == GeneratorKind::cosine || generator.kind == GeneratorKind::sine;
}

unsigned long largest_trig_degree(const Field& field, const Poly& a) {
  unsigned long largest = 0;
  Exponents exponents;
  for (std::size_t term = 0; term < a.terms(); ++term) {
    a.exponents(term, exponents);
    unsigned long degree = 0;
    for (std::size_t i = 0; i < field.generators().size(); ++i) {
      if (is_angle(field.generators()[i])) degree += exponents[i];
    }
    largest = std::max(largest, degree);
  }
  return largest;
}

Expr monomial_to_expr(const Field& field, const Rational& coefficient, const Exponents& exponents) {
  Poly one_term(field.ring());
  one_term.push_term(Rational(1), exponents);
  return coefficient * field.to_expr(one_term);
}

/// cos^2 as 1 - sin^2 wherever that makes the expanded form shorter, angle by angle.
Poly with_sines(const Field& field, Poly a) {
  for (std::size_t i = 0; i < field.generators().size(); ++i) {
    if (field.generators()[i].kind != GeneratorKind::cosine || a.degree(i) < 2) continue;
    Poly other = with_sine_for_cosine(a, i);
    if (reading_cost(field.to_expr(other)) < reading_cost(field.to_expr(a))) a = std::move(other);
  }
  return a;
}

}  // namespace

Expr PolynomialWriter::write(const Poly& a) const {
  if (a.terms() == 1 && largest_trig_degree(field_, a) < 2) return field_.to_expr(a);
  const Expr sum = write_sum(a);
  if (a.terms() > max_factored_terms) return sum;
  PolyFactors found = factor_if_small(a);
  join_to_sines(field_, found);
  const bool is_irreducible = found.factors.size() == 1 && found.factors[0].exponent == 1 &&
                              found.constant == Rational(1) && found.factors[0].base == a;
  if (is_irreducible) return sum;
  const std::array candidates{sum, write_factored(found)};
  return cheapest(candidates);
}

Expr PolynomialWriter::write_factored(const PolyFactors& found) const {
  Pool& pool = field_.pool();
  std::vector<Expr> parts{pool.number(found.constant)};
  for (const PolyFactor& part : found.factors) {
    parts.push_back(pool.pow(write_sum(part.base), Rational(static_cast<long>(part.exponent))));
  }
  return pool.mul(parts);
}

Expr PolynomialWriter::write_sum(const Poly& a) const {
  std::vector<Expr> candidates{field_.to_expr(Fraction{a, Poly(field_.ring(), 1)})};
  if (a.terms() <= max_gathered_terms && largest_trig_degree(field_, a) <= max_trig_degree) {
    const auto offer = [&](const Poly& form) {
      for (const TrigSum& terms : {expanded_terms(field_, form), gathered_terms(field_, form)}) {
        candidates.push_back(write_terms(terms));
        candidates.push_back(write_by_function(terms));
      }
    };
    offer(a);
    if (const Poly other = with_sines(field_, a); !(other == a)) offer(other);
    const TrigSum mixed = cheapest_by_monomial(a);
    candidates.push_back(write_terms(mixed));
    candidates.push_back(write_by_function(mixed));
  }
  if (a.terms() <= max_collected_terms) {
    for (std::size_t i = 0; i < field_.generators().size(); ++i) {
      if (a.degree(i) > 0) candidates.push_back(write_collected(a, i));
    }
  }
  return cheapest(candidates);
}

Expr PolynomialWriter::write_terms(const TrigSum& terms) const {
  std::vector<Expr> sum;
  for (const TrigTerm& term : terms) {
    sum.push_back(monomial_to_expr(field_, term.coefficient, term.monomial) * term.trig);
  }
  return field_.pool().add(sum);
}

/// (what stands before it) * each product of sines and cosines.
Expr PolynomialWriter::write_by_function(const TrigSum& terms) const {
  std::map<Expr, std::vector<const TrigTerm*>, StructuralLess> groups;
  for (const TrigTerm& term : terms) groups[term.trig].push_back(&term);
  std::vector<Expr> sum;
  for (const auto& [trig, group] : groups) {
    Rational denominator(1);
    for (const TrigTerm* term : group) {
      fmpz_lcm(fmpq_numref(denominator.raw()), fmpq_numref(denominator.raw()),
               fmpq_denref(term->coefficient.raw()));
    }
    Poly coefficient(field_.ring());
    for (const TrigTerm* term : group) coefficient.push_term(term->coefficient * denominator, term->monomial);
    coefficient.normalise();
    if (coefficient.is_zero()) continue;
    const std::array parts{field_.pool().number(Rational(1) / denominator), trig,
                           write_coefficient(coefficient)};
    sum.push_back(field_.pool().mul(parts));
  }
  return field_.pool().add(sum);
}

/// Free of angles: factored, or by powers of one generator.
Expr PolynomialWriter::write_coefficient(const Poly& a) const {
  if (a.terms() == 1) return field_.to_expr(a);
  std::vector<Expr> candidates{field_.to_expr(a)};
  if (a.terms() <= max_collected_terms) {
    const PolyFactors found = factor_if_small(a);
    std::vector<Expr> factors{field_.pool().number(found.constant)};
    for (const PolyFactor& part : found.factors) {
      std::vector<Expr> forms{field_.to_expr(part.base)};
      for (std::size_t i = 0; part.base.terms() > 2 && i < field_.generators().size(); ++i) {
        if (part.base.degree(i) > 0) forms.push_back(write_collected(part.base, i));
      }
      factors.push_back(pow(cheapest(forms), Rational(static_cast<long>(part.exponent))));
    }
    candidates.push_back(field_.pool().mul(factors));
  }
  return cheapest(candidates);
}

/// By powers of one generator, the coefficients factored.
Expr PolynomialWriter::write_collected(const Poly& a, std::size_t generator) const {
  const auto parts = split_by_power(a, generator, 1);
  std::vector<Expr> sum;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (parts[k].is_zero()) continue;
    if (parts[k].terms() == 1) {
      const Expr power =
          k > 0 ? generator_power(field_.pool(), field_.generators()[generator], k) : field_.pool().number(1);
      const std::array factors{field_.to_expr(parts[k]), power};
      sum.push_back(field_.pool().mul(factors));
      continue;
    }
    PolyFactors found = factor_if_small(parts[k]);
    join_to_sines(field_, found);
    std::vector<Expr> factors{field_.pool().number(found.constant)};
    if (k > 0) factors.push_back(generator_power(field_.pool(), field_.generators()[generator], k));
    for (const PolyFactor& part : found.factors) {
      const Poly base = part.base.terms() <= max_collected_terms ? with_sines(field_, part.base) : part.base;
      factors.push_back(pow(field_.to_expr(base), Rational(static_cast<long>(part.exponent))));
    }
    sum.push_back(field_.pool().mul(factors));
  }
  return field_.pool().add(sum);
}

/// For each monomial of the generators that are no angles, the cheapest way to write its coefficient.
TrigSum PolynomialWriter::cheapest_by_monomial(const Poly& a) const {
  std::map<Exponents, Poly> groups;
  Exponents exponents;
  for (std::size_t term = 0; term < a.terms(); ++term) {
    a.exponents(term, exponents);
    Exponents monomial = exponents;
    for (std::size_t i = 0; i < field_.generators().size(); ++i) {
      if (is_angle(field_.generators()[i])) monomial[i] = 0;
    }
    groups.try_emplace(monomial, field_.ring()).first->second.push_term(a.coefficient(term), exponents);
  }
  TrigSum result;
  for (const auto& [monomial, group] : groups) {
    const Poly other = with_sines(field_, group);
    const bool is_other = !(other == group);
    TrigSum best;
    double lowest = 0;
    const auto offer = [&](TrigSum form, bool is_first) {
      const double cost = reading_cost(write_terms(form));
      if (!is_first && cost >= lowest) return;
      best = std::move(form);
      lowest = cost;
    };
    offer(expanded_terms(field_, group), true);
    if (is_other) offer(expanded_terms(field_, other), false);
    offer(gathered_terms(field_, group), false);
    if (is_other) offer(gathered_terms(field_, other), false);
    offer(fourier_terms(field_, group), false);
    result.insert(result.end(), best.begin(), best.end());
  }
  return result;
}

}  // namespace liaison
