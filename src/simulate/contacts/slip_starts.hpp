#pragma once

#include "run_place.hpp"

/// Slips that begin, and are slow at first.
namespace liaison {

/// What rested along a surface in space slips in the mode that begins here.
bool begins_in_space(const ContactModes& modes, const RunPlace& at);

/// A slip in space is so slow that friction turns it into its direction within a small part of a while: by
/// the time in which friction alone would stop it, with pressures that are at most `force`.
bool turns_fast(ContactFrame& frame, const ContactModes& modes, const RunPlace& at, double force,
                double span);

/// By what rounding of its rate a slip that begins where the frame is may change in a unit of time, or a gap
/// that is zero there: a contact that an impact has brought to rest, and that nothing presses, goes on
/// touching as far as the velocities are known.
double stray_of(ContactFrame& frame, const ContactModes& modes, const Guard& guard, double force);

}  // namespace liaison
