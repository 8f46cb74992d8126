#pragma once

#include <string>
#include <vector>

#include "liaison/mechanics/assembled_equations.hpp"

namespace liaison {

/// On the first solid, in space: its pressure and its friction together. Of one that stays closed friction
/// goes against the slip; of one that can open it is the force of the rows of its slip, sticking too.
std::vector<Expr> force_of_contact(const System& system, const Contact& contact);
std::vector<Expr> force_of_contact(const AssembledEquations& equations, const Unilateral& unilateral);

struct NamedForce {
  std::string name;         ///< of the constraint
  std::vector<Expr> force;  ///< one component a coordinate of the point
};
/// lambda l, component by component, on a point that has coordinates of its own; else none. What the rows of
/// one unilateral constraint do is one force.
std::vector<NamedForce> forces_on_point(const AssembledEquations& equations, const System& system,
                                        const std::vector<Expr>& place);

}  // namespace liaison
