#pragma once

#include <optional>
#include <vector>

#include "liaison/expr/substitute.hpp"
#include "liaison/structure/state_flow.hpp"

namespace liaison {

/// The states of coordinates that satisfy polynomial relations, as rational functions of free symbols: what
/// vanishes on the states vanishes for all values of these, and the other way round where the states are an
/// irreducible variety.
struct RationalChart {
  Substitution states;        ///< of coordinates and velocities
  std::vector<Expr> symbols;  ///< free: positions, velocities, the time
};

/// Each relation between coordinates has some that those before it do not have: it is linear in one of them,
/// or a sum of squares beside a constant with a rational point, from which lines go through it. Relations
/// between velocities are the rates of these. Nothing: it is not so. `flow` is without a chart.
std::optional<RationalChart> rational_chart(Algebra& algebra, const StateFlow& flow,
                                            const std::vector<Expr>& relations);

}  // namespace liaison
