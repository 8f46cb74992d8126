#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "liaison/simulate/quantities.hpp"
#include "moment.hpp"

namespace liaison {

/// Values that belong to factors; all else stays as it is. One that is not finite has no value.
using ValuesOfFactors = std::function<std::vector<double>(std::span<const double> factors)>;

/// Which values depend on what is open among the factors: they are not the same for all members of
/// factors + span(open). Members on both sides are looked at, of many sizes. A value is the same where it
/// changes by no more than rounding makes of what the factors do to it one by one.
std::vector<bool> depend_on_open(const ValuesOfFactors& values, std::span<const double> factors,
                                 const std::vector<std::vector<double>>& open);

/// Quantities at a state whose rates a moment has taken.
ValuesOfFactors values_of_factors(Quantities& quantities, double t, const std::vector<double>& y,
                                  const Moment& moment);

/// "lambda(a), lambda(b)": the factors that are open.
std::string open_in_words(const Evaluator& evaluator);

}  // namespace liaison
