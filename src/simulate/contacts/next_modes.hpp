#pragma once

#include <string>
#include <vector>

#include "contact_frame.hpp"
#include "segments.hpp"

namespace liaison {

/// What the contacts do from a state on: every mode that goes on for some time without breaking its own
/// conditions.
struct NextModes {
  struct Candidate {
    ContactHolds holds;
    std::vector<double> y;      ///< the state, on what it keeps
    double moment = 0;          ///< by which it lies behind the question: a slip that begins has a direction
    double nudged = 0;          ///< velocity that was given to it so that its slip has a direction
    std::vector<double> rates;  ///< dy/dt there
    std::vector<double> later;  ///< y a short while later
    double span = 0;            ///< that while
    std::vector<double> factors;       ///< of all that it keeps
    std::vector<double> chosen;        ///< of several that the equations allow, by the evaluator's guess
    std::vector<std::size_t> sharing;  ///< contacts whose forces are not determined where the motion is
  };
  std::vector<Candidate> candidates;  ///< one a motion
  std::string failure;                ///< not empty: why nothing can be said
  std::string not_looked_at;          ///< not empty: motions that may be possible beside these
  std::string remark;
  bool continuum = false;  ///< forces that are open change the motion: more motions than can be listed
};

/// A state at which the contacts are asked: what is closed and what moves along a surface is known from what
/// happened, and is not judged by the numbers again.
struct ContactQuestion {
  double t = 0;
  std::vector<double> y;
  std::vector<std::size_t> resting;  ///< contacts that are closed and do not separate
  ContactFrame::Moving moving;       ///< of each contact, of each resistance
  ContactHolds before;               ///< modes in which the motion came here; empty at a start
  std::vector<Guard> fired;          ///< what ended them
  double time_scale = 1;             ///< of the motion
  /// The largest velocity, and force by ContactFrame::force_of, so far: beside them rounding is judged.
  double speed = 0, force = 0;
  /// Modes that were followed from here: a condition of each was broken at once.
  std::vector<ContactHolds> refuted = {};
  double slip_start = 1;  ///< of ContactOptions
};

NextModes next_modes(ContactFrame& frame, Segments& segments, const ContactModes& modes,
                     const ContactQuestion& question);

}  // namespace liaison
