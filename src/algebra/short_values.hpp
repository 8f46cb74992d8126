#pragma once

#include <random>

#include "liaison/expr/rational.hpp"

namespace liaison {

using Random = std::mt19937_64;

/// A number from [0, 1) with 32 random bits.
double random_unit(Random& random);

/// A random number that a person reads with ease, of size about `scale`, negative or positive. Level 0 has
/// one or two digits (3, 1/2, 7/5); the higher the level (up to 3), the longer and the less likely to meet an
/// accident.
Rational short_value(Random& random, int level, const Rational& scale);

/// The fraction with the least denominator in [low, high]; both are finite.
Rational simplest_between(double low, double high);

/// The simplest fraction within relative `width` of x; 0 for what is as small as rounding.
Rational short_near(double x, double width);

/// The simplest fraction within `width`, absolute for small numbers, relative for large ones.
Rational snapped(double x, double width);

/// A short number strictly between the ends, either of which may be infinite, and not 0: inside a narrow gap,
/// about `reach` away from the smaller end of a wide one.
Rational short_inside(Random& random, double low, double high, double reach);

}  // namespace liaison
