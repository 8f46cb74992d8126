#pragma once

#include <string>
#include <vector>

#include "liaison/simulate/compliant_layer.hpp"
#include "next_modes.hpp"

/// Several motions that the contacts allow: one of them by name, by contacts, or by what it looks like.
namespace liaison {

/// The motion that compliant contacts end in; null where it is none of them.
const NextModes::Candidate* like(const CompliantEnd& end, const std::vector<std::size_t>& resting,
                                 const std::vector<NextModes::Candidate>& candidates);

/// The one that keeps the most contacts, or the fewest; null where there are several such.
const NextModes::Candidate* by_contacts(const std::vector<NextModes::Candidate>& candidates, bool most);

/// "`floor` slips, `wall` opens"
std::string in_words(const NextModes::Candidate& one, const ContactModes& modes,
                     const std::vector<bool>& closed);

/// " dx/dt = 1 dy/dt = 2", of the velocities.
std::string rates_in_words(const NextModes::Candidate& one, const AssembledEquations& equations,
                           std::size_t positions);

}  // namespace liaison
