#pragma once

#include <string>
#include <vector>

#include "liaison/expr/evaluate.hpp"
#include "liaison/mechanics/assembled_equations.hpp"

namespace liaison {

/// The relations of a system on positions and on velocities, quaternions of length one included.
struct StateRelations {
  std::vector<Expr> levels, velocity_relations;
  std::vector<std::string> level_names, velocity_names;
};
StateRelations relations_of(const AssembledEquations& equations);

/// The relations between velocities as they are just after the time of a state, where a piece of time changes
/// at it: a drive that rests until t = 0 and runs from then on runs.
void take_side_after(const System& system, const DoublePoint& at, std::vector<Expr>& velocity_relations);

Expr length_relation(const Rotation& rotation);
std::string length_name(const Rotation& rotation);

/// The velocity parameters u, and the parameters z of q' = psi(t, q, z) where the model gives that chart.
std::vector<Expr> velocity_symbols(const AssembledEquations& equations);

/// The velocities v^i from the velocity parameters.
void add_velocities(const System& system, DoublePoint& point);

}  // namespace liaison
