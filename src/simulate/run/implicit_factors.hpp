#pragma once

#include <string>
#include <vector>

#include "liaison/simulate/evaluator.hpp"

namespace liaison {

/// All factors that keep the relations at a state where factors enter their own directions:
///   r(lambda) lambda + drive = 0.
/// - One factor enters, by a polynomial in its own direction: all real roots, isolated between those of the
///   derivatives.
/// - One factor enters otherwise: every change of sign of the balance on both sides of zero, over 36 decades
///   around the size of drive/r, 24 places a decade.
/// - Several enter: Newton's method from starts on every axis and diagonal, over 12 decades of both signs.
struct FoundFactors {
  std::vector<std::vector<double>> roots;
  bool all = false;  ///< there are no others
};
FoundFactors find_factors(Evaluator& evaluator, double t, const double* y);

/// "several motions: .. lambda(f) = 1 or lambda(f) = 2"; empty where no more than one set of factors was
/// found. One set is where the evaluator begins.
std::string several_factors(Evaluator& evaluator, double t, const double* y);

/// The real roots of a polynomial with these coefficients, the constant first, in their order; touching ones
/// once. Empty for a constant.
std::vector<double> real_roots(std::vector<double> coefficients);

}  // namespace liaison
