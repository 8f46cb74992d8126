#pragma once

#include <span>
#include <vector>

#include "liaison/expr/domain.hpp"

namespace liaison {

/// A function whose sign decides which piece of an expression applies, or whether it has a value: a radicand,
/// a denominator, the argument of abs, sign or log, the difference of the arguments of min and max.
struct Critical {
  Expr e;
  int needed_sign = 0;       ///< 1 or -1: there is no value on the other side; 0: both sides are possible
  bool zero_is_out = false;  ///< no value where it vanishes
};

/// Those of all nodes, inner ones first, and of the requirements; each once.
std::vector<Critical> critical_functions(std::span<const Expr> es, const Domain& domain);

}  // namespace liaison
