#pragma once

#include <string>
#include <vector>

#include "exact_numbers.hpp"
#include "liaison/mechanics/assembled_equations.hpp"
#include "liaison/unilateral/complementarity.hpp"

namespace liaison {

/// A system with further relations that may be kept, each with a force of its own: rows of the contacts.
struct ClosedSystem {
  System system;              ///< constraints of the model, then the rows
  std::size_t bilateral = 0;  ///< constraints of the model
};

/// Forces f_h and rates a_k of the rows, and of everything else, once the bilateral constraints are kept:
///   a_k = drive_k + sum_h f_h r[h][k].
struct ContactNumbers {
  RationalMatrix r;
  std::vector<Rational> drive;
  Rational noise;                           ///< relative error of the numbers
  std::vector<Rational> free_acceleration;  ///< du/dt without forces of the rows
  RationalMatrix fields;                    ///< and what a unit of each force adds
  std::vector<Rational> bilateral_factors;  ///< the same for the factors of the bilateral constraints
  RationalMatrix bilateral_response;
};
/// Throws Error: missing_value; undefined_constant where the mass matrix is singular, or the bilateral
/// constraints contradict each other or leave the motion open.
ContactNumbers contact_numbers(const AssembledEquations& equations, std::size_t bilateral, ExactNumbers& at);

}  // namespace liaison
