#pragma once

#include <cstdint>
#include <vector>

#include "liaison/structure/state_flow.hpp"

namespace liaison {

struct Independence {
  bool holds = false;
  Grade grade = Grade::proved;  ///< of it; checked: at a point modulo a prime of relations
};
/// Whether the differentials of functions on the states are independent at a point, which is then certain.
/// Where coordinates satisfy relations, functions are written in all of them: their differentials are
/// independent of those of the relations, at a certified state.
Independence are_independent(Algebra& algebra, const StateFlow& flow, const std::vector<Expr>& functions,
                             std::uint64_t seed);
/// The differentials are dependent at all states, by exact elimination; of independent coordinates.
bool are_dependent(Algebra& algebra, const StateFlow& flow, const std::vector<Expr>& functions);

}  // namespace liaison
