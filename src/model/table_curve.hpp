#pragma once

#include <string_view>
#include <vector>

#include "liaison/expr/expr.hpp"

namespace liaison {

struct TablePoint {
  Rational x, y;
};

enum class TableKind {
  linear,    ///< straight from point to point
  cubic,     ///< the cubic spline with two continuous derivatives, one polynomial on the first two and on the
             ///< last two pieces (not-a-knot)
  monotone,  ///< cubic pieces that rise and fall with the points (Fritsch and Carlson, weighted by Butland)
};

/// The curve through points with rising x, at u: a sum over the pieces of max(u - x_k, 0), so that every x_k
/// is a switch that the algebra and the runs know. Beyond the ends it keeps its value, or its slope if it is
/// extended. Linear and monotone curves are exact; the slopes of a spline are rounded to doubles.
Expr table_curve(Expr u, const std::vector<TablePoint>& points, TableKind kind, bool is_extended);

}  // namespace liaison
