#include "liaison/expr/primes.hpp"

#include <gtest/gtest.h>

#include "liaison/expr/expr.hpp"

namespace liaison {
namespace {

const Rational p55 = *Rational::parse("36028797018976327"), q55 = *Rational::parse("36028797027963979"),
               r55 = *Rational::parse("36028797088963993");
const Rational p71 = *Rational::parse("2361183241434822619387"),
               q71 = *Rational::parse("2361183241434831606901");

Rational product_of(const std::vector<std::pair<Rational, long>>& factors) {
  Rational result(1);
  for (const auto& [base, multiplicity] : factors) result *= power(base, multiplicity);
  return result;
}

TEST(Primes, are_told_from_products_of_large_primes) {
  for (const Rational& prime : {Rational(2), Rational(97), p55, p71}) EXPECT_TRUE(is_proved_prime(prime));
  for (const Rational& none :
       {Rational(1), Rational(0), Rational(-7), Rational(1, 7), p55 * q55, p71 * q71}) {
    EXPECT_FALSE(is_proved_prime(none)) << none.to_string();
  }
}

TEST(Primes, a_number_too_large_for_a_quick_proof_is_not_called_prime) {
  EXPECT_FALSE(is_proved_prime(power(Rational(2), 521) + Rational(-1)));  // a Mersenne prime
}

TEST(Factors, of_numbers_up_to_128_bits_are_primes) {
  for (const Rational& n : {Rational(360), p55 * q55, p55 * p55 * Rational(12), p71 * Rational(97)}) {
    const auto factors = factors_of(n);
    EXPECT_EQ(product_of(factors), n);
    for (const auto& [base, multiplicity] : factors) EXPECT_TRUE(is_proved_prime(base)) << base.to_string();
  }
}

TEST(Factors, of_larger_numbers_have_their_product) {
  const Rational large = p71 * q71;
  for (const Rational& n : {large, Rational(6) * large, large * large, power(p55, 6)}) {
    EXPECT_EQ(product_of(factors_of(n)), n);
  }
  EXPECT_EQ(factors_of(large * large), (std::vector<std::pair<Rational, long>>{{large, 2}}));
  EXPECT_EQ(factors_of(power(p55, 6)), (std::vector<std::pair<Rational, long>>{{p55, 6}}));
}

TEST(RootsOfNumbers, with_large_prime_factors_in_common_are_multiplied_exactly) {
  Pool pool;
  const auto root = [&](const Rational& n) { return sqrt(pool.number(n)); };
  EXPECT_EQ(root(p55 * q55) * root(q55 * r55), q55 * root(p55 * r55));
  EXPECT_EQ(root(p71 * q71) * root(p71 * q71), pool.number(p71 * q71));
}

}  // namespace
}  // namespace liaison
