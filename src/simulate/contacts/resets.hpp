#pragma once

#include <string>

#include "run_place.hpp"
#include "segment_results.hpp"
#include "segments.hpp"

namespace liaison {

/// The values that an event of a mode gives; the rest moves onto the constraints that cannot open. Empty, or
/// why there is no such state.
std::string reset(Segment& segment, std::size_t event, Segment& open, SegmentResults& total, RunPlace& at);

}  // namespace liaison
