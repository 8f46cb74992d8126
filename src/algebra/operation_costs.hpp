#pragma once

#include "polynomial.hpp"

namespace liaison {

/// What a library call is going to take, charged to the budget of the ring before it. They throw
/// LimitReached.
void charge_product(const Poly& a, const Poly& b);
void charge_power(const Poly& a, unsigned long exponent);
void charge_gcd(const Poly& a, const Poly& b);
void charge_quotient(const Poly& a, const Poly& b);
void charge_factorisation(const Poly& a);
void charge_real_roots(const Poly& a);            ///< of one in one variable, by remainders
void charge_isolation(const Poly& a, long bits);  ///< of all its roots, complex ones too
void charge_resultant(const Poly& a, const Poly& b, std::size_t variable);

}  // namespace liaison
