#pragma once

#include <string>
#include <vector>

#include "liaison/model/system.hpp"

namespace liaison {

/// The named contacts as constraints, so that a state is completed on them. Throws Refused for a name that is
/// none.
System with_closed(const System& system, const std::vector<std::string>& touching);

}  // namespace liaison
