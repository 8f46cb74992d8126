#include "framed_contacts.hpp"

#include "liaison/unilateral/gap_corners.hpp"

namespace liaison {

FramedContacts::FramedContacts(ContactFrame& frame, const ContactModes& modes)
    : frame_(frame), modes_(modes) {
  gaps_.assign(modes.size(), 0.0);
  sizes_ = gaps_;
}

bool FramedContacts::take(double t, const std::vector<double>& y) {
  if (!frame_.take(t, y.data())) {
    failure_ = frame_.failure();
    return false;
  }
  for (std::size_t c = 0; c < gaps_.size(); ++c) {
    gaps_[c] = frame_.gap(c).value;
    sizes_[c] = frame_.gap(c).size;
  }
  return true;
}

std::optional<ManyContacts> FramedContacts::step(const std::vector<std::size_t>& contacts,
                                                 std::span<const double> velocities) {
  for (const std::size_t c : contacts) {
    const auto edge = frame_.edge(c);
    if (!edge || edge->of_time) continue;
    failure_ = text_of_edge(modes_.name(c), edge->argument, OnEdge::presses);
    return {};
  }
  auto problem = frame_.step(contacts, velocities);
  if (!problem) failure_ = frame_.failure();
  return problem;
}

}  // namespace liaison
