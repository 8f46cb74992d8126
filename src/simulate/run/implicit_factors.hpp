#pragma once

#include <span>
#include <string>
#include <vector>

#include "liaison/simulate/evaluator.hpp"

namespace liaison {

/// Sides of the switches of an evaluator (Evaluator::switch_arguments). None: as the state has them.
struct HeldSides {
  std::span<const double> sides, nudges;
  /// Of arguments that change their sides here: less than this is zero, and they are on the side that is
  /// held. Empty, or zero: no such argument.
  std::span<const double> noise;
};

/// All factors that keep the relations at a state where factors enter their own directions:
///   r(lambda) lambda + drive = 0.
/// Switches with factors in their arguments are put on every side, and what is found counts where the
/// arguments are on these sides; the others are on the sides that are held.
/// What the domain of the system leaves out (a pressure that is negative) does not count. With sides:
/// - One factor enters, by polynomials: all real roots of a determinant, isolated between those of its
///   derivatives.
/// - One factor enters otherwise: every change of sign of the balance on both sides of zero, over 36 decades
///   around the size of drive/r, 24 places a decade, and pairs of changes next to where it comes near zero.
/// - Several enter: Newton's method from starts on every axis and diagonal, over 12 decades of both signs.
struct FoundFactors {
  std::vector<std::vector<double>> roots;
  /// Of each root, the sides of the switches that factors are in; 0 of the others, and of those that are at
  /// zero.
  std::vector<std::vector<double>> sides;
  bool all = false;  ///< there are no others
};
/// Leaves the evaluator with the sides that are held.
FoundFactors find_factors(Evaluator& evaluator, double t, const double* y, const HeldSides& held = {});

/// The places of the switches that factors are in.
std::vector<std::size_t> switches_of_factors(const Evaluator& evaluator);

/// "several motions: .. lambda(f) = 1 or lambda(f) = 2"; empty where no more than one set of factors was
/// found.
std::string several_in_words(const Evaluator& evaluator, const FoundFactors& found);
/// The same of a state. One set is where the evaluator begins.
std::string several_factors(Evaluator& evaluator, double t, const double* y, const HeldSides& held = {});

/// The real roots of a polynomial with these coefficients, the constant first, in their order; touching ones
/// once. Empty for a constant.
std::vector<double> real_roots(std::vector<double> coefficients);

}  // namespace liaison
