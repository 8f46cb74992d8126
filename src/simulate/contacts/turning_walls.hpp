#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "contact_frame.hpp"

namespace liaison {

/// Walls start or stop at a time: the first time, to within a thousand roundings, at which the rates of their
/// gaps are those behind the jump. Leaves the frame there. `rates`: contacts and these rates.
std::optional<double> time_behind(ContactFrame& frame, double t, const std::vector<double>& y,
                                  const std::vector<std::pair<std::size_t, double>>& rates);

}  // namespace liaison
