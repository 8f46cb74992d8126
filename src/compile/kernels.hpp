#pragma once

#include <cmath>

#include "liaison/compile/program.hpp"

/// The scalar kernels: the interpreter runs them, compiled code calls the same ones or emits the same
/// formula.
namespace liaison::kernels {

inline double sign(double x) {
  return static_cast<double>(x > 0) - static_cast<double>(x < 0);
}
inline double min(double a, double b) {
  return a < b || a != a ? a : b;
}
inline double max(double a, double b) {
  return a > b || a != a ? a : b;
}
inline void sincos(double x, double* sine, double* cosine) {
#ifdef __GLIBC__
  ::sincos(x, sine, cosine);
#else
  *sine = std::sin(x);
  *cosine = std::cos(x);
#endif
}

using Unary = double (*)(double);
using Binary = double (*)(double, double);
/// The library function behind an operation; nullptr where it is plain arithmetic.
Unary unary_function(Operation operation);
Binary binary_function(Operation operation);

/// One instruction with one result.
double apply(Operation operation, double a, double b);

}  // namespace liaison::kernels
