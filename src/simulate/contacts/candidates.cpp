#include "candidates.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison {

const NextModes::Candidate* like(const CompliantEnd& end, const std::vector<std::size_t>& resting,
                                 const std::vector<NextModes::Candidate>& candidates) {
  const auto is_it = [&](const NextModes::Candidate& one) {
    for (std::size_t i = 0; i < resting.size(); ++i) {
      const ContactHold& hold = one.holds[resting[i]];
      const bool presses = hold.kind == ContactHold::Kind::closed;
      if (presses != end.presses[i] || (presses && hold.slips != end.slips[i])) return false;
    }
    return true;
  };
  const auto found = std::find_if(candidates.begin(), candidates.end(), is_it);
  return found == candidates.end() ? nullptr : &*found;
}

const NextModes::Candidate* by_contacts(const std::vector<NextModes::Candidate>& candidates, bool most) {
  const auto kept = [](const NextModes::Candidate& one) {
    return std::count_if(one.holds.begin(), one.holds.end(),
                         [](const ContactHold& hold) { return hold.kind != ContactHold::Kind::open; });
  };
  const NextModes::Candidate* best = nullptr;
  bool tie = false;
  for (const NextModes::Candidate& one : candidates) {
    const auto better = best == nullptr ? 1 : most ? kept(one) - kept(*best) : kept(*best) - kept(one);
    tie = better == 0 || (tie && better < 0);
    if (better > 0) best = &one;
  }
  return tie ? nullptr : best;
}

const NextModes::Candidate* pick(const std::vector<NextModes::Candidate>& candidates, OnIndeterminate policy,
                                 const ChoicePlace& place) {
  if (candidates.size() == 1) return &candidates[0];
  if (candidates.size() > 1 && policy == OnIndeterminate::branch) {
    const NextModes::Candidate& taken = candidates.at(place.tree.choose(candidates.size()));
    place.tree.took(place.t, in_words(taken, place.modes, place.closed));
    return &taken;
  }
  if (candidates.empty() || policy == OnIndeterminate::stop || policy == OnIndeterminate::compliant)
    return nullptr;
  const bool most = policy == OnIndeterminate::contact;
  const NextModes::Candidate* best = by_contacts(candidates, most);
  if (best == nullptr) return nullptr;
  place.total.note(fmt::format("at t = {:.9g} {} motions are possible: taken is the one with the {} contacts",
                               place.t, candidates.size(), most ? "most" : "fewest"));
  return best;
}

std::string in_words(const NextModes::Candidate& one, const ContactModes& modes,
                     const std::vector<bool>& closed) {
  std::string text;
  for (std::size_t c = 0; c < modes.size(); ++c) {
    const bool is_open = one.holds[c].kind == ContactHold::Kind::open;
    if (is_open && !closed[c]) continue;
    text += fmt::format("{}`{}` {}", text.empty() ? "" : ", ", modes.name(c),
                        is_open ? "opens" : modes.word_for(c, one.holds[c]));
  }
  return text;
}

std::string rates_in_words(const NextModes::Candidate& one, const AssembledEquations& equations,
                           std::size_t positions) {
  std::string text;
  for (std::size_t a = 0; a < equations.parameters.size(); ++a)
    text += fmt::format(" d{}/dt = {:.9g}", equations.parameters[a].symbol().name, one.rates[positions + a]);
  return text;
}

std::vector<std::string> all_in_words(const std::vector<NextModes::Candidate>& candidates,
                                      const ContactModes& modes, const std::vector<bool>& closed,
                                      const AssembledEquations& equations, std::size_t positions) {
  std::vector<std::string> result;
  for (const NextModes::Candidate& one : candidates)
    result.push_back(in_words(one, modes, closed) + ":" + rates_in_words(one, equations, positions));
  return result;
}

std::string text_of_limit(std::size_t steps, double until) {
  return fmt::format("{} steps were not enough to come to t = {:.9g}", steps, until);
}

}  // namespace liaison
