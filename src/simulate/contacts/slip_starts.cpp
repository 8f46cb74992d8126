#include "slip_starts.hpp"

#include <algorithm>
#include <limits>

#include "motion_family.hpp"

namespace liaison {

bool begins_in_space(const ContactModes& modes, const RunPlace& at) {
  for (std::size_t c = 0; c < modes.size(); ++c) {
    for (std::size_t k = 0; k < at.holds[c].slips.size(); ++k) {
      if (at.holds[c].slips[k] != 0 && !at.moving[c][k] && modes.rows()[c].resisted[k].size() == 2)
        return true;
    }
  }
  return false;
}

bool turns_fast(ContactFrame& frame, const ContactModes& modes, const RunPlace& at, double force,
                double span) {
  constexpr double small = 2e-2;
  if (!frame.take(at.t, at.y.data())) return false;
  const std::vector<double>&forces = frame.force_units(), &rates = frame.rate_units();
  if (forces.empty() || rates.empty()) return false;
  const std::size_t bilateral = modes.bilateral_count();
  for (std::size_t c = 0; c < modes.size(); ++c) {
    for (std::size_t k = 0; k < at.holds[c].slips.size(); ++k) {
      const auto& rows = modes.rows()[c].resisted[k];
      if (rows.size() != 2 || at.holds[c].slips[k] == 0) continue;
      const double pressure = force / forces[bilateral + modes.rows()[c].normal];
      const double braking =
          frame.slipping(c, k) * pressure * forces[bilateral + rows[0]] * rates[bilateral + rows[0]];
      if (frame.speed(c, k) < small * span * braking) return true;
    }
  }
  return false;
}

bool slips_in_space(ContactFrame& frame, const ContactModes& modes, const ContactHolds& holds, double t,
                    const double* y, std::vector<double>& pairs) {
  pairs.clear();
  if (!frame.take(t, y)) return false;
  for (std::size_t c = 0; c < modes.size(); ++c) {
    for (std::size_t k = 0; k < holds[c].slips.size(); ++k) {
      if (holds[c].slips[k] == 0 || modes.rows()[c].resisted[k].size() != 2) continue;
      for (std::size_t i = 0; i < 2; ++i) pairs.push_back(frame.slip(c, k, i).value);
    }
  }
  return true;
}

bool is_force(const Guard& guard) {
  return guard.kind == Guard::Kind::opens || guard.kind == Guard::Kind::slips;
}

double scale_of(ContactFrame& frame, const ContactModes& modes, const Guard& guard, double force) {
  const std::vector<double>& units = frame.force_units();
  if (!is_force(guard) || units.empty()) return 0;
  const ContactModes::Rows& own = modes.rows()[guard.contact];
  const bool opens = guard.kind == Guard::Kind::opens;
  const std::size_t row = opens ? own.normal : own.resisted[guard.resistance][0];
  const double size = force / units[modes.bilateral_count() + row];
  return !opens && own.resisted[guard.resistance].size() == 2 ? size * size : size;
}

std::vector<std::pair<std::size_t, double>> roundings_of(ContactFrame& frame, const ContactModes& modes,
                                                         const Segment& segment, double force) {
  std::vector<std::pair<std::size_t, double>> result;
  for (std::size_t g = 0; g < segment.mode.guards.size(); ++g) {
    const Guard& guard = segment.mode.guards[g];
    if (guard.kind == Guard::Kind::opens)
      result.emplace_back(segment.first_guard() + g, limit_beside * scale_of(frame, modes, guard, force));
  }
  return result;
}

double stray_of(ContactFrame& frame, const ContactModes& modes, const Guard& guard, double force,
                double span) {
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
  const std::size_t normal = modes.rows()[guard.contact].normal;
  const double largest = std::max(force, frame.force_of({}));
  if (guard.kind == Guard::Kind::closes && modes.laws()[guard.contact].held.holonomic)
    return rounding * (frame.speed_size(normal) + span * frame.rate_size(normal, largest));
  if (guard.kind != Guard::Kind::stops) return 0;
  return rounding * frame.rate_size(modes.rows()[guard.contact].resisted[guard.resistance][0], largest);
}

}  // namespace liaison
