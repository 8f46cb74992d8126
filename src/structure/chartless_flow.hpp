#pragma once

#include <vector>

#include "liaison/structure/state_flow.hpp"

namespace liaison {

/// The motion in all coordinates and velocity parameters of the model, beside the relations that its states
/// satisfy: where positions are not independent, functions on the states are written in all of them.
StateFlow without_chart(const StateFlow& flow);

/// What vanishes at every state: levels, then the relations at velocity level, without denominators; with
/// these values of parameters.
std::vector<Expr> relations_of(Algebra& algebra, const Motion& motion, const Substitution& values = {});

}  // namespace liaison
