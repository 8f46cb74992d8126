#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "contact_frame.hpp"
#include "liaison/simulate/simulation.hpp"

namespace liaison {

/// A wall that starts or stops under what touches it, or turns back along itself under what sticks to it.
struct TurningWall {
  std::size_t contact;
  double jump;                                 ///< of the rate of its gap, or of the slip; both were zero
  std::optional<std::size_t> resistance = {};  ///< of the slip
};

/// The closed contacts behind the jumps; none where one of them is of something else.
std::vector<TurningWall> find_walls(const ContactModes& modes, const std::vector<bool>& closed,
                                    const std::vector<JumpOfRate>& jumps);

/// The first time, to within a thousand roundings, at which the rates of gaps and the slips are those behind
/// the jump. Leaves the frame there.
std::optional<double> time_behind(ContactFrame& frame, double t, const std::vector<double>& y,
                                  const std::vector<TurningWall>& walls);

}  // namespace liaison
