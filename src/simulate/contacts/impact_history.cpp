#include "impact_history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison {

void ImpactHistory::add(std::size_t contact, double t, double approach) {
  std::vector<double>& times = times_[contact];
  if (!times.empty() && !(t > times.back())) return;
  times.push_back(t);
  approaches_[contact].resize(times.size(), 0.0);
  approaches_[contact].back() = approach;
}

Accumulation ImpactHistory::ends(std::size_t contact, double t) {
  const double last = interval(contact, t);
  const std::vector<double>& times = times_[contact];
  double rest = std::isfinite(last) ? last : 0;
  // The last intervals are rounding: how they shrink is seen from the first of them on.
  if (times.size() > 2 && rest > 0) {
    const double first = times[1] - times[0];
    const double ratio = std::pow(rest / first, 1 / static_cast<double>(times.size() - 1));
    if (ratio < 1) rest = std::max(rest, 2 * rest * ratio / (1 - ratio));
  }
  Accumulation result{
      .contact = contact, .t = t, .error = rest, .rests = t, .impacts = times_[contact].size()};
  times_[contact].clear();
  return result;
}

double ImpactHistory::interval(std::size_t contact, double t) const {
  const std::vector<double>& times = times_[contact];
  return times.empty() ? std::numeric_limits<double>::infinity() : t - times.back();
}

std::optional<Accumulation> ImpactHistory::accumulates(std::size_t contact, double t, double approach,
                                                       double tolerance, bool is_rounding) {
  constexpr std::size_t fewest = 5;
  std::vector<double>& times = times_[contact];
  if (times.size() < fewest || !(t > times.back())) return {};
  const double last = t - times.back();
  std::vector<double> intervals{last};  // back in time, while they grow
  for (std::size_t i = times.size() - 1; i > 0; --i) {
    const double interval = times[i] - times[i - 1];
    if (!(interval > intervals.back())) break;
    intervals.push_back(interval);
  }
  if (intervals.size() < fewest) return {};
  const double ratio = intervals[0] / intervals[1], earlier = intervals[1] / intervals[2];
  if (!(ratio < 1)) return {};
  const double rest = last * ratio / (1 - ratio), all = t - times[times.size() - intervals.size()];
  const double resolution = 1e6 * std::numeric_limits<double>::epsilon() * std::abs(t);
  if (rest > std::max(tolerance * all, resolution) && !is_rounding) return {};
  // Intervals may shrink by chance. Where impacts come to an end so do their velocities, about as the
  // intervals.
  const double shrinks = std::sqrt(last / intervals.back());
  if (approach > shrinks * approaches_[contact][times.size() - intervals.size()]) return {};
  // By how much the ratio still changes, and that by more where the changes grow.
  const double before = intervals[2] / intervals[3];
  const double change = std::abs(ratio - earlier), last_change = std::abs(earlier - before);
  constexpr double most_growth = 100;
  const double growth = change > last_change ? std::min(change / last_change, most_growth) : 1;
  Accumulation result{
      .contact = contact,
      .t = t + rest,
      .error =
          std::max(2 * growth * last * change / ((1 - ratio) * (1 - ratio)), resolution) + tolerance * all,
      .rests = t,
      .impacts = intervals.size() + 1};
  times.clear();
  return result;
}

}  // namespace liaison
