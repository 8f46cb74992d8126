#pragma once

#include "next_modes.hpp"

namespace liaison {

/// A motion with which contacts at rest along surfaces in space go on, a moment after the question.
struct Onset {
  ContactHolds holds;
  double moment = 0;
  std::vector<double> y;  ///< the state then
  bool begins = false;    ///< a slip along a surface in space does
  bool is_open = false;   ///< the motion depends on how the contacts share their load
};

/// By a step of Moreau's law over the moment, in whose middle the forces are taken: what is at its limit has
/// given way there. All motions that are found from many starts, each of which satisfies the law to rounding;
/// there may be others. The frame is left where it was taken last.
std::vector<Onset> onsets(ContactFrame& frame, Evaluator& open, const ContactModes& modes,
                          const ContactQuestion& question);

}  // namespace liaison
