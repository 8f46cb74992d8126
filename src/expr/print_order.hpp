#pragma once

#include <vector>

#include "liaison/expr/expr.hpp"

namespace liaison {

/// base^exponent with a positive exponent: the sign says above or below the bar.
struct PrintFactor {
  Expr base;
  Rational exponent;
};

/// A term as a person writes it: [-] numerator*above / (denominator*below).
struct PrintFraction {
  bool negative = false;
  Rational numerator = 1;    ///< a positive integer
  Rational denominator = 1;  ///< a positive integer
  std::vector<PrintFactor> above;
  std::vector<PrintFactor> below;
};

/// Anything but a sum. Factors in the order of print: roots of numbers and pi, parameters (masses first),
/// other symbols, brackets, functions.
PrintFraction split_fraction(Expr term);

/// The terms of a sum, highest degree first: degree in coordinates and velocities, then in all symbols, then
/// in functions, then by factors. The first positive term leads where there is one.
std::vector<Expr> ordered_terms(Expr sum);

}  // namespace liaison
