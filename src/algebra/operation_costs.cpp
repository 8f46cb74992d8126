#include "operation_costs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace liaison {

namespace {

// Operations of library calls, measured on polynomials of 5 to 80,000 terms in 2 to 14 variables.
constexpr std::uint64_t gcd_weight = 64;            // for each term, and each degree
constexpr std::uint64_t factor_limit = 20'000'000;  // beyond that a factorisation may take minutes
constexpr std::uint64_t words_a_step = 8;           // of coefficients that a factorisation lifts
constexpr std::uint64_t quotient_weight = 8;        // for each term
constexpr std::uint64_t small_call = 4;             // what any call takes

/// Of the largest coefficient.
std::uint64_t bits_of(const Poly& a) {
  const slong bits = _fmpz_vec_max_bits(a.raw()->coeffs, a.raw()->length);
  return static_cast<std::uint64_t>(bits < 0 ? -bits : bits);
}

std::uint64_t words_of(const Poly& a) {
  return 1 + bits_of(a) / FLINT_BITS;
}

/// Of the packed exponents of a term.
std::uint64_t exponent_words(const Poly& a) {
  return static_cast<std::uint64_t>(mpoly_words_per_exp(a.raw()->bits, a.ring().raw()->minfo));
}

struct Degrees {
  std::uint64_t variables = 0;  ///< that occur
  std::uint64_t sum = 0;
  std::uint64_t largest = 0;
};

std::vector<slong> all_degrees(const Poly& a) {
  std::vector<slong> all(std::max<std::size_t>(a.ring().variables(), 1));
  fmpz_mpoly_degrees_si(all.data(), a.raw(), a.ring().raw());
  return all;
}

/// Contents are greatest common divisors in one or two variables, by remainders that have all their terms: of
/// degree 15,000 and 7,000 (x^(1/1000) is a generator) they do not end.
std::uint64_t dense_gcd_cost(const Poly& a, const Poly& b) {
  constexpr double steps_an_operation = 30;
  const std::vector<slong> of_a = all_degrees(a), of_b = all_degrees(b);
  double first = 0, second = 0, largest = 0;  // the largest degrees that a common divisor may have
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    const auto common = static_cast<double>(std::max<slong>(std::min(of_a[i], of_b[i]), 0));
    second = std::max(second, std::min(first, common));
    first = std::max(first, common);
    if (common > 0) largest = std::max(largest, static_cast<double>(std::max(of_a[i], of_b[i])));
  }
  return static_cast<std::uint64_t>(std::min(first * (second + 1) * largest / steps_an_operation, 1e18));
}

Degrees degrees_of(const Poly& a) {
  const std::vector<slong> all = all_degrees(a);
  Degrees result;
  for (slong degree : all) {
    if (degree <= 0) continue;
    ++result.variables;
    result.sum += static_cast<std::uint64_t>(degree);
    result.largest = std::max(result.largest, static_cast<std::uint64_t>(degree));
  }
  return result;
}

/// Grows fast with the number of variables, and with the degree: x^720 - 1 takes half a minute.
std::uint64_t factor_cost(const Poly& a) {
  const Degrees degrees = degrees_of(a);
  const auto saturated = [](std::uint64_t n, std::uint64_t most) { return std::min(n, most); };
  const std::uint64_t v = degrees.variables, d = saturated(degrees.largest, 1'000);
  const std::uint64_t terms = saturated(a.terms() * words_of(a), factor_limit);
  return small_call + saturated(terms * saturated(degrees.sum, factor_limit), factor_limit) * v * v * v +
         d * d * d * (1 + saturated(words_of(a), 1'000) / words_a_step);
}

}  // namespace

void charge_product(const Poly& a, const Poly& b) {
  a.ring().budget().check_product(a.terms(), b.terms());
  const std::uint64_t words = words_of(a) + words_of(b) - 1;
  const std::uint64_t room = 1 + (std::max(exponent_words(a), exponent_words(b)) - 1) / 2;
  a.ring().budget().charge(small_call + a.terms() * b.terms() * words * room);
}

void charge_power(const Poly& a, unsigned long exponent) {
  const Budget& budget = a.ring().budget();
  const double terms = budget.check_power(a.terms(), exponent);
  const double bits = static_cast<double>(bits_of(a)) + std::log2(static_cast<double>(a.terms() + 1));
  const double words = 1 + static_cast<double>(exponent) * bits / FLINT_BITS;
  budget.check_power_size(terms * words, a.terms(), exponent);
  budget.charge(small_call + static_cast<std::uint64_t>(terms * words * static_cast<double>(a.terms())));
}

void charge_gcd(const Poly& a, const Poly& b) {
  const Budget& budget = a.ring().budget();
  budget.check_terms(std::max(a.terms(), b.terms()));
  if (std::min(a.terms(), b.terms()) <= 1) return;  // a monomial: the terms of the other are looked at once
  const std::uint64_t degrees = std::min(degrees_of(a).sum, degrees_of(b).sum);
  budget.charge(gcd_weight * (a.terms() + b.terms() + degrees) * std::max(words_of(a), words_of(b)) +
                dense_gcd_cost(a, b));
}

void charge_quotient(const Poly& a, const Poly& b) {
  a.ring().budget().charge(quotient_weight * (a.terms() + b.terms()) * std::max(words_of(a), words_of(b)));
}

void charge_real_roots(const Poly& a) {
  const std::uint64_t d = std::min<std::uint64_t>(degrees_of(a).largest, 1'000'000);
  // coefficients of the remainders grow with their number
  a.ring().budget().charge(small_call + d * d * (words_of(a) + d / words_a_step));
}

void charge_isolation(const Poly& a, long bits) {
  charge_real_roots(a);
  const std::uint64_t d = std::min<std::uint64_t>(degrees_of(a).largest, 1'000);
  const std::uint64_t words = words_of(a) + static_cast<std::uint64_t>(bits) / FLINT_BITS;
  a.ring().budget().charge(small_call + d * d * words * words_a_step * (8 + d));
}

/// Terms of a resultant are as many as its degrees allow.
void charge_resultant(const Poly& a, const Poly& b, std::size_t variable) {
  constexpr double most_terms = 50'000;
  const std::vector<slong> of_a = all_degrees(a), of_b = all_degrees(b);
  const auto m = static_cast<double>(of_a[variable]), n = static_cast<double>(of_b[variable]);
  double terms = 1;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    if (i != variable)
      terms *= 1 + n * static_cast<double>(std::max<slong>(of_a[i], 0)) +
               m * static_cast<double>(std::max<slong>(of_b[i], 0));
  }
  if (terms > most_terms) throw LimitReached{"a resultant may have too many terms"};
  const double words = m * static_cast<double>(words_of(b)) + n * static_cast<double>(words_of(a));
  a.ring().budget().charge(small_call + static_cast<std::uint64_t>((m + n) * (m + n) * terms * (1 + words)));
}

void charge_factorisation(const Poly& a) {
  const std::uint64_t cost = factor_cost(a);
  if (cost > factor_limit) {
    throw LimitReached{"the factorisation of a polynomial of " + std::to_string(a.terms()) +
                       " terms is beyond the limit"};
  }
  a.ring().budget().charge(cost);
}

}  // namespace liaison
