#ifndef LIAISON_MODEL_MOTION_TEXTS_HPP
#define LIAISON_MODEL_MOTION_TEXTS_HPP

#include <vector>

#include "liaison/model/system.hpp"

namespace liaison {

/// The texts that define the motion, as they stand in the model before anything is differentiated: energies,
/// forces, velocities of the chart, relations with their powers and directions, laws of reactions. Contacts
/// that may open have laws of their own.
std::vector<Expr> motion_texts(const System& system);

}  // namespace liaison

#endif  // LIAISON_MODEL_MOTION_TEXTS_HPP
