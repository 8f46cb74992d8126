#ifndef LIAISON_EXPR_PRIMES_HPP
#define LIAISON_EXPR_PRIMES_HPP

#include <utility>
#include <vector>

#include "liaison/expr/rational.hpp"

/// Factors of the numbers under roots. Roots of different primes are independent over the rationals; roots of
/// numbers that only could not be taken apart are not.
namespace liaison {

/// An integer that is proved to be prime. False says that it is none, or too large for a quick proof.
bool is_proved_prime(const Rational& n);

/// n > 0 as a product of powers. The bases are primes, but for one that has more than 128 bits when the small
/// factors are gone, which stands for itself, or for its root where it is a perfect power.
std::vector<std::pair<Rational, long>> factors_of(const Rational& n);

}  // namespace liaison

#endif  // LIAISON_EXPR_PRIMES_HPP
