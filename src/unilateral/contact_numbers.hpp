#pragma once

#include <string>
#include <vector>

#include "exact_numbers.hpp"
#include "liaison/mechanics/assembled_equations.hpp"
#include "liaison/unilateral/mode_problem.hpp"

namespace liaison {

/// A system with further relations that may be kept, each with a force of its own: rows of the contacts.
struct ClosedSystem {
  System system;              ///< constraints of the model, then the rows
  std::size_t bilateral = 0;  ///< constraints of the model
};

/// Throws Error: missing_value; undefined_constant where the mass matrix is singular, or the bilateral
/// constraints contradict each other or leave the motion open.
ContactNumbers contact_numbers(const AssembledEquations& equations, std::size_t bilateral, ExactNumbers& at);

}  // namespace liaison
