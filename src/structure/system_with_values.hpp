#pragma once

#include "liaison/expr/substitute.hpp"
#include "liaison/model/system.hpp"

namespace liaison {

/// The model with these values of parameters in it; the other parameters have none. What is claimed, shown
/// or begun from is left out: it has no part in the motion.
System system_with_values(const System& system, const Substitution& values);

}  // namespace liaison
