#pragma once

#include "run_place.hpp"

namespace liaison {

/// Of the time of the motion, within which a state is at an edge.
inline constexpr double near_edge = 1e-7;

/// Goes on from an edge of a contact's surface, along the velocities, until the state is clearly on the side
/// to which they lead; by at most a small part of `time_scale`. False where it stays at the edge. The frame
/// is that of the new place.
bool leave_edge(ContactFrame& frame, Evaluator& open, RunPlace& at, std::size_t contact, double time_scale);

}  // namespace liaison
