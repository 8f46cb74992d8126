#pragma once

#include <span>
#include <string>

#include "liaison/expr/substitute.hpp"
#include "liaison/structure/state_flow.hpp"

/// What questions about values of parameters share.
namespace liaison {

/// The values that a model gives its other parameters.
Substitution values_beside(Algebra& algebra, const StateFlow& flow, std::span<const Expr> varied);

/// Why a search is not of all functions of its form at all states, where it is not.
std::string why_not_whole(const StateFlow& flow);

}  // namespace liaison
