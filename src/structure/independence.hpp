#pragma once

#include <cstdint>
#include <vector>

#include "liaison/structure/state_flow.hpp"

namespace liaison {

struct Independence {
  bool holds = false;
  Grade grade = Grade::proved;  ///< of it; unknown: on levels, where it is not decided
};
/// Whether the differentials of functions on the states are independent at a point, which is then certain; on
/// levels it is not known whether they are independent there.
Independence are_independent(Algebra& algebra, const StateFlow& flow, const std::vector<Expr>& functions,
                             std::uint64_t seed);

}  // namespace liaison
