#pragma once

#include <vector>

#include "liaison/structure/state_flow.hpp"

namespace liaison {

/// Values of a parameter for which something that the closed forms of a motion divide by vanishes at all
/// states: what is searched along these forms says nothing about them.
struct LostValues {
  std::vector<Rational> values;
  std::vector<Expr> roots_of;  ///< where one of these vanishes they may do so, too
};
/// `beside`: the values of the other parameters.
LostValues values_without_closed_forms(Algebra& algebra, const StateFlow& flow, Expr parameter,
                                       const Substitution& beside);
/// The same as conditions on several parameters: a divisor does so where all of one of these lists vanish.
std::vector<std::vector<Expr>> conditions_without_closed_forms(Algebra& algebra, const StateFlow& flow,
                                                               std::span<const Expr> parameters,
                                                               const Substitution& beside);

}  // namespace liaison
