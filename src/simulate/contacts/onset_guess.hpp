#pragma once

#include <optional>

#include "next_modes.hpp"

namespace liaison {

/// What contacts at rest that share their load may begin to do.
struct OnsetGuess {
  ContactHolds holds;
  std::vector<double> accelerations;
};

/// By a step of Moreau's law from the state, one solution of perhaps several: a guess, to be judged by its
/// own conditions. Its directions are those a short while later, when what is at its limit now has given way.
/// Nothing where no solution is found. The frame is left where it was taken last.
std::optional<OnsetGuess> onset_guess(ContactFrame& frame, const ContactModes& modes,
                                      const ContactQuestion& question, double after);

}  // namespace liaison
