#ifndef LIAISON_MODEL_EXTENDED_SYSTEM_HPP
#define LIAISON_MODEL_EXTENDED_SYSTEM_HPP

#include <memory>

#include "liaison/expr/diagnostic.hpp"
#include "liaison/model/system.hpp"

namespace liaison {

/// The extended manifold of the system that was read from this text, in its pool: each rheonomic coordinate
/// is a direction, the last ones, and driven by a constraint q0 = tau(t), the last ones too, whose factor is
/// R_0 (row V6.gallissot-map). Empty: none was chosen.
std::shared_ptr<const System> extended_system(const Source& source, const System& system);

}  // namespace liaison

#endif  // LIAISON_MODEL_EXTENDED_SYSTEM_HPP
