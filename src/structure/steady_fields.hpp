#pragma once

#include <vector>

#include "liaison/structure/steady_motion.hpp"
#include "manifold_equations.hpp"

namespace liaison {

/// Fields whose flows map motions to motions, as components on the state of the equations: along a
/// combination of them a motion may be steady.
struct SteadyFields {
  std::vector<std::vector<Expr>> fields;
  Grade grade = Grade::proved;
};
/// With relations between coordinates: turns and shifts of the coordinates that keep energies, relations and
/// have no other forces. Without: all symmetries that a search finds.
SteadyFields steady_fields(Algebra& algebra, const StateFlow& flow, const ManifoldEquations& equations,
                           const Substitution& values);

}  // namespace liaison
