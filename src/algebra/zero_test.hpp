#pragma once

#include <cstddef>

#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/region.hpp"

namespace liaison {

/// Enough to see a perturbation of 10^-300; a check is reported to the digits of the options.
constexpr long check_bits = 1024;
constexpr long look_bits = 128;

/// Parts of a region on which an equation may fail to follow; at a point, each must be excluded.
constexpr std::size_t most_parts_to_exclude = 32;

/// left == right at every point of the region: a point first, then a proof, then points everywhere.
Verdict decide(Algebra& algebra, Expr left, Expr right, const Region& region);

/// What is assumed on the region vanishes on no component of it, special values of parameters aside.
Verdict decide_off_parameters(Algebra& algebra, const Region& region);

}  // namespace liaison
