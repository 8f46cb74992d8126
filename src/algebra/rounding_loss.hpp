#pragma once

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/written_sums.hpp"

namespace liaison {

/// The values of the hidden symbols go into the point; false where one has none.
bool add_sums(const WrittenText& text, DoublePoint& point);

/// What rounding may do to a form in doubles, to first order and in whatever order sums are added up; NaN
/// where it has no value. A sum of numbers that doubles hold exactly loses nothing.
double rounding_loss(const WrittenText& text, DoublePoint point);

}  // namespace liaison
