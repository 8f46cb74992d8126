#pragma once

#include <string>

#include "worker.hpp"

namespace bench {

/// From the file of a model to what a numerical program needs for accelerations and reactions: the mass
/// matrix, the loads, and of each constraint its gradient, bias and direction. Method "work" stops there, the
/// assembled form; "default" also solves in closed form where derive_motion does so by itself.
Outcome derive(const std::string& method, const Case& input);

}  // namespace bench
