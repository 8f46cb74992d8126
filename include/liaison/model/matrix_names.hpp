#ifndef LIAISON_MODEL_MATRIX_NAMES_HPP
#define LIAISON_MODEL_MATRIX_NAMES_HPP

#include "liaison/model/system.hpp"

namespace liaison {

/// The expression with the entries of the matrices of named rotations as their names, NAME11..NAME33, where
/// they stand in it as they are, halved or with the other sign: as a person writes it, and the language reads
/// it.
Expr with_matrix_names(const System& system, Expr e);

}  // namespace liaison

#endif  // LIAISON_MODEL_MATRIX_NAMES_HPP
