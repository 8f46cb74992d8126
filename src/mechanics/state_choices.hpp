#pragma once

#include <string>
#include <vector>

#include "least_change.hpp"

namespace liaison {

/// What was chosen where equations have other solutions than the one found: "y = 0.8 was chosen on `rod`:
/// -0.8 is possible too". Newton's method looks for them beside each unknown that is not zero and at its
/// opposite; nothing is said about systems of more than 60 unknowns.
std::vector<std::string> choices_among(const NumericEquations& equations,
                                       const std::vector<std::string>& names, const DoublePoint& solution);

/// The largest of the values of its kind, coordinates or velocities: numbers are small against these, not
/// against 1, whatever the units are.
double size_beside(Expr symbol, const DoublePoint& point);

}  // namespace liaison
