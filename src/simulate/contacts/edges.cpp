#include "edges.hpp"

#include <algorithm>

namespace liaison {

bool leave_edge(ContactFrame& frame, Evaluator& open, RunPlace& at, std::size_t contact, double time_scale) {
  constexpr double least = 1e-15;  // of the time of the motion
  if (!frame.take(at.t, at.y.data())) return false;
  const auto edge = frame.nearest_edge(contact);
  std::vector<double> rates(at.y.size());
  if (!edge || !open.rates(at.t, at.y.data(), rates.data())) return false;
  const double until = std::max(edge->time, 0.0);
  for (double more = least * time_scale; more <= near_edge * time_scale; more *= 2) {
    const double length = until + more;
    if (length > near_edge * time_scale) break;
    std::vector<double> y = at.y;
    for (std::size_t i = 0; i < open.position_count(); ++i) y[i] += length * rates[i];
    if (!frame.take(at.t + length, y.data())) return false;
    const auto now = frame.nearest_edge(contact);
    if (frame.edge(contact) || !now || !(now->time < 0)) continue;
    at.t += length;
    at.y = std::move(y);
    return true;
  }
  return false;
}

}  // namespace liaison
