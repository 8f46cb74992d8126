#pragma once

#include <string>
#include <vector>

#include "liaison/forms/calculus.hpp"
#include "liaison/forms/pullback.hpp"
#include "support/random_expression.hpp"

namespace liaison::test {

/// A coframe to try laws on, with its name for messages.
struct NamedCoframe {
  std::string name;
  CoframePtr coframe;
};

/// Coordinates of R^3 to R^5, SO(3) in body and space axes, R^2 x SO(3) x time, and a moving frame of R^3.
std::vector<NamedCoframe> law_coframes(Algebra& algebra);

/// Random forms and fields with short polynomial and trigonometric coefficients in the coordinates and one
/// parameter.
class RandomForms {
 public:
  RandomForms(std::uint64_t seed, const CoframePtr& coframe);

  Expr function();
  /// A few random products of basis forms.
  Form form(std::size_t degree);
  VectorField field();
  std::uint64_t below(std::uint64_t n) { return random_.below(n); }

 private:
  CoframePtr coframe_;
  std::vector<Expr> symbols_;
  RandomExpressions random_;
};

/// A random map of degree at most 2 between coordinate coframes.
SmoothMap random_map(std::uint64_t seed, Algebra& algebra, const CoframePtr& source,
                     const CoframePtr& target);
/// An invertible matrix: numbers on the diagonal, and in each row one entry below it, a function of a
/// coordinate.
Matrix random_frame_matrix(std::uint64_t seed, const CoframePtr& coframe);

}  // namespace liaison::test
