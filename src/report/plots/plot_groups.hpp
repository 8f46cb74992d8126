#pragma once

#include <cstddef>
#include <vector>

#include "liaison/report/plot.hpp"

/// Which curves may share a scale.
namespace liaison::plot {

/// Of one panel the largest extent may be so much times the extent of any curve that is not constant: less
/// than this part of the height looks flat.
constexpr double most_extent = 20;

/// Columns of one unit, as lists of their places: in one list no curve is flat beside another. A column that
/// is constant stands with those whose values are near. The order of the columns is kept in each list, and
/// lists stand in the order of their first columns.
std::vector<std::vector<std::size_t>> group_by_magnitude(
    const std::vector<const std::vector<double>*>& columns);

}  // namespace liaison::plot
