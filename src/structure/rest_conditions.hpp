#pragma once

#include <span>
#include <string>
#include <vector>

#include "liaison/structure/equilibria.hpp"

namespace liaison {

/// What rest is for a system whose constraints may move: coordinates that the relations give as functions of
/// the time go on, the others stay (row V7.relative-equilibrium).
struct RestConditions {
  std::vector<MovingCoordinate> moving;
  Substitution given;           ///< those of them whose law is known
  std::vector<Expr> equations;  ///< vanish at all times where it rests, for the parameters as given
  bool has_levels = false;      ///< relations between the coordinates that stay are among them
  std::string refusal;          ///< not empty: what stands in the way
};
RestConditions rest_conditions(Algebra& algebra, const StateFlow& flow, const Substitution& values);

/// "the function U is not given": a search of numbers needs it; empty: all are known.
std::string unknown_function(std::span<const Expr> equations);

/// Vanishes wherever the equation does, and has no quotients where these can be cleared.
Expr without_quotients(Algebra& algebra, Expr equation);

/// At two times beside the first one: what vanishes at all times vanishes there.
std::vector<Expr> at_times(Algebra& algebra, Expr equation, Expr time);

}  // namespace liaison
