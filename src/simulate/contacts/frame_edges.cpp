#include <algorithm>
#include <cmath>

#include "contact_frame.hpp"

// Places where a gap bends, of a contact frame.
namespace liaison {

bool ContactFrame::bends(const Places::Corner& corner) const {
  return std::any_of(corner.bend.begin(), corner.bend.end(),
                     [&](std::size_t place) { return measured(place).sign() != 0; });
}

ContactFrame::Edge ContactFrame::edge_at(const Places::Corner& corner) const {
  const SizedNumber rate = measured(corner.rate);
  Edge edge{corner.argument, corner.of_time, rate.sign(), {}};
  edge.rate = measured(edge.side > 0 ? corner.rate_above : corner.rate_below);
  if (edge.side != 0) edge.time = -measured(corner.value).value / rate.value;
  return edge;
}

std::optional<ContactFrame::Edge> ContactFrame::edge(std::size_t contact) const {
  for (const Places::Corner& corner : at_[contact].corners) {
    if (measured(corner.value).sign() == 0 && (corner.of_time || bends(corner))) return edge_at(corner);
  }
  return {};
}

std::optional<ContactFrame::Edge> ContactFrame::nearest_edge(std::size_t contact) const {
  std::optional<Edge> nearest;
  for (const Places::Corner& corner : at_[contact].corners) {
    if (corner.of_time || !bends(corner)) continue;
    const Edge edge = edge_at(corner);
    if (edge.side != 0 && (!nearest || std::abs(edge.time) < std::abs(nearest->time))) nearest = edge;
  }
  return nearest;
}

}  // namespace liaison
