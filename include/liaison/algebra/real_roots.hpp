#pragma once

#include <cstddef>
#include <optional>

#include "liaison/expr/expr.hpp"

namespace liaison {

class Algebra;

/// The number of real values of the symbol at which e vanishes is not larger; exact (Sturm). Nothing where e
/// is no rational function of the symbol alone, or of a root of it, with rational numbers, or vanishes
/// identically.
std::optional<std::size_t> most_real_roots(Algebra& algebra, Expr e, Expr symbol);

}  // namespace liaison
