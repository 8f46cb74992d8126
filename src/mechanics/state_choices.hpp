#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "least_change.hpp"

namespace liaison {

/// Whether a solution is one that may be meant.
using IsAllowed = std::function<bool(const DoublePoint&)>;

/// Allowed solutions that differ from the one found, the nearest first. Newton's method begins at the
/// opposite of each unknown; where that finds none, or the nearest is asked for, at values of many sizes of
/// each; where these find none, of all together. Equations that are linear in their unknowns have none.
/// Systems of many unknowns are asked from fewer starts, and those of more than 60 not at all.
std::vector<DoublePoint> other_solutions(const NumericEquations& equations, const DoublePoint& solution,
                                         const IsAllowed& is_allowed = {}, bool asks_for_nearest = false);

/// The values of the unknowns at other solutions.
using OtherValues = std::vector<std::vector<std::pair<Expr, double>>>;

/// What was chosen where equations have other solutions than the one found: "y = 0.8 was chosen on `rod`:
/// -0.8 is possible too", the nearest of those that were found. Unknowns that nothing determines are zero,
/// and were not chosen. The solutions that were met go to `others`.
std::vector<std::string> choices_among(const NumericEquations& equations,
                                       const std::vector<std::string>& names, const DoublePoint& solution,
                                       const IsAllowed& is_allowed = {}, OtherValues* others = nullptr);

/// The largest of the values of its kind, coordinates or velocities: numbers are small against these, not
/// against 1, whatever the units are.
double size_beside(Expr symbol, const DoublePoint& point);

}  // namespace liaison
