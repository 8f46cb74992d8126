#pragma once

#include <utility>
#include <vector>

#include "run_place.hpp"
#include "segments.hpp"

/// Slips that begin, and are slow at first; what is rounding there in the conditions of a mode.
namespace liaison {

/// What rested along a surface in space slips in the mode that begins here.
bool begins_in_space(const ContactModes& modes, const RunPlace& at);

/// A slip in space is so slow that friction turns it into its direction within a small part of a while: by
/// the time in which friction alone would stop it, with pressures that are at most `force`.
bool turns_fast(ContactFrame& frame, const ContactModes& modes, const RunPlace& at, double force,
                double span);

/// Slips in space of a mode at a state, two numbers each: as Slips has them.
bool slips_in_space(ContactFrame& frame, const ContactModes& modes, const ContactHolds& holds, double t,
                    const double* y, std::vector<double>& pairs);

/// A condition of forces: a pressure, or what is left of a friction to its limit.
bool is_force(const Guard& guard);

/// By what the value of a guard is measured where all its terms vanish: a gap and a slip by the motion
/// itself, a factor by the other factors and the load, in its own unit. The limit of a friction in space is
/// one of squares.
double scale_of(ContactFrame& frame, const ContactModes& modes, const Guard& guard, double force);

/// Of the pressures that are conditions of a mode, by their events: what may be zero as far as that is told,
/// as where modes are chosen. A friction that comes flatly to its limit is followed to its own digits.
std::vector<std::pair<std::size_t, double>> roundings_of(ContactFrame& frame, const ContactModes& modes,
                                                         const Segment& segment, double force);

/// By what rounding of its rate a slip that begins where the frame is may change in a unit of time, or a gap
/// that is zero there: a contact that an impact has brought to rest, and that nothing presses, goes on
/// touching as far as the velocities are known, and what forces make of them in a first step of length
/// `span`.
double stray_of(ContactFrame& frame, const ContactModes& modes, const Guard& guard, double force,
                double span);

}  // namespace liaison
