#pragma once

#include <vector>

#include "liaison/simulate/simulation.hpp"
#include "run_place.hpp"

namespace liaison {

/// Of the time of the motion, within which a state is at an edge.
inline constexpr double near_edge = 1e-7;

/// A motion at edges of the surfaces of its contacts, and at walls that start, stop or turn back.
class EdgePassage {
 public:
  /// `time`: of the whole motion, by which a place is near an edge.
  EdgePassage(ContactFrame& frame, const ContactModes& modes, Evaluator& open, RunPlace& at, double time)
      : frame_(frame), modes_(modes), open_(open), at_(at), time_(time) {}

  /// Goes on from an edge of a contact's surface, along the velocities, until the state is clearly on the
  /// side to which they lead; by at most a small part of the time of the motion. False where it stays at the
  /// edge. The frame is that of the new place.
  bool goes_beyond(std::size_t contact);
  /// Walls that turn where the run begins have turned: it begins as much later as rounding tells.
  void begin_behind_turns();
  /// Walls start, stop or turn back under what touches them. The velocities go on, so that they are left, or
  /// hit, or slip.
  bool walls_turn(const std::vector<JumpOfRate>& jumps);
  /// What slides along a side of an edge goes on beyond it where the other side falls away.
  bool pass(const std::vector<JumpOfRate>& jumps);
  /// A slip is measured along the side on which it is: where the motion goes over an edge it jumps, and that
  /// is no end of it.
  void slip_over();
  /// Along a surface in space no guard looks at the slip: the mode has no equations at the edge.
  bool slip_over_in_space();

 private:
  bool slips_over(std::size_t contact);

  ContactFrame& frame_;
  const ContactModes& modes_;
  Evaluator& open_;
  RunPlace& at_;
  double time_;
};

}  // namespace liaison
