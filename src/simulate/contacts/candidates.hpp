#pragma once

#include <string>
#include <vector>

#include "branch_tree.hpp"
#include "liaison/simulate/compliant_layer.hpp"
#include "liaison/simulate/contact_run.hpp"
#include "next_modes.hpp"
#include "segment_results.hpp"

/// Several motions that the contacts allow: one of them by name, by contacts, or by what it looks like.
namespace liaison {

/// The motion that compliant contacts end in; null where it is none of them.
const NextModes::Candidate* like(const CompliantEnd& end, const std::vector<std::size_t>& resting,
                                 const std::vector<NextModes::Candidate>& candidates);

/// The one that keeps the most contacts, or the fewest; null where there are several such.
const NextModes::Candidate* by_contacts(const std::vector<NextModes::Candidate>& candidates, bool most);

/// Where a choice is made, and who is told of it.
struct ChoicePlace {
  double t;
  const std::vector<bool>& closed;
  const ContactModes& modes;
  BranchTree& tree;
  SegmentResults& total;
};
/// The one that a policy takes; null where it takes none.
const NextModes::Candidate* pick(const std::vector<NextModes::Candidate>& candidates, OnIndeterminate policy,
                                 const ChoicePlace& place);

/// "`floor` slips, `wall` opens"
std::string in_words(const NextModes::Candidate& one, const ContactModes& modes,
                     const std::vector<bool>& closed);

/// " dx/dt = 1 dy/dt = 2", of the velocities.
std::string rates_in_words(const NextModes::Candidate& one, const AssembledEquations& equations,
                           std::size_t positions);

/// Each with its rates.
std::vector<std::string> all_in_words(const std::vector<NextModes::Candidate>& candidates,
                                      const ContactModes& modes, const std::vector<bool>& closed,
                                      const AssembledEquations& equations, std::size_t positions);

/// Of the whole run: a mode has what those before it left.
std::string text_of_limit(std::size_t steps, double until);

}  // namespace liaison
