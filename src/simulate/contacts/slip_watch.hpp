#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "run_place.hpp"
#include "segment_results.hpp"

namespace liaison {

/// Slips along surfaces in space, step by step: where one ends it has no direction, and a step whose
/// tolerance does not tell its speed from zero may lead over the end, to the other way.
class SlipWatch {
 public:
  SlipWatch(ContactFrame& frame, const ContactModes& modes, const ContactHolds& holds,
            const SegmentResults& total, const Tolerance& tolerance)
      : frame_(frame), total_(total), tolerance_(tolerance) {
    for (std::size_t c = 0; c < modes.size(); ++c) {
      for (std::size_t k = 0; k < holds[c].slips.size(); ++k) {
        if (holds[c].slips[k] != 0 && modes.rows()[c].resisted[k].size() == 2) before_[{c, k}] = {};
      }
    }
  }

  bool is_empty() const { return before_.empty(); }
  /// The slip of a contact that has turned round since the last state, or slowed down, and is as good as
  /// zero.
  std::optional<std::pair<std::size_t, std::size_t>> ended(double t, const double* y) {
    if (!frame_.take(t, y)) return {};
    for (auto& [place, before] : before_) {
      const auto [c, k] = place;
      const SizedNumber first = frame_.slip(c, k, 0), second = frame_.slip(c, k, 1);
      const bool turns = before.x * first.value + before.y * second.value < 0;
      const double speed = frame_.speed(c, k), lost = noise * tolerance_.absolute;
      // What a step leaves of a slip that is a small difference of large velocities.
      const double blurred = lost + error * tolerance_.relative * std::hypot(first.size, second.size);
      const bool is_over = speed <= blurred && before.fastest > 10 * blurred;
      // What begins is slow, and at first finds its direction: only what was faster ends.
      const bool slows = speed < std::hypot(before.x, before.y) && total_.fastest(c, k) > 10 * lost;
      before = {first.value, second.value, std::max(before.fastest, speed)};
      if (turns && (is_over || speed <= slow * total_.fastest(c, k) + lost)) return place;
      if (slows && (is_over || speed <= lost)) return place;
    }
    return {};
  }

  /// Part of the fastest slip of a run that is none.
  static constexpr double slow = 1e-4;

 private:
  static constexpr double noise = 100;  ///< what is left of a velocity, in absolute tolerances
  static constexpr double error = 4;    ///< the same of its terms, in relative ones
  ContactFrame& frame_;
  const SegmentResults& total_;
  Tolerance tolerance_;
  struct Slip {
    double x = 0, y = 0;
    double fastest = 0;  ///< in this mode
  };
  std::map<std::pair<std::size_t, std::size_t>, Slip> before_;
};

/// Slips along surfaces in space, by contact and resistance, that are as good as zero.
inline std::vector<std::pair<std::size_t, std::size_t>> slow_slips(const ContactFrame& frame,
                                                                   const ContactModes& modes,
                                                                   const ContactHolds& holds,
                                                                   const SegmentResults& total,
                                                                   double largest_velocity) {
  std::vector<std::pair<std::size_t, std::size_t>> slow;
  for (std::size_t c = 0; c < modes.size(); ++c) {
    for (std::size_t k = 0; k < holds[c].slips.size(); ++k) {
      if (modes.rows()[c].resisted[k].size() != 2 || holds[c].slips[k] == 0) continue;
      const double fastest = std::max(largest_velocity, total.fastest(c, k));
      if (frame.speed(c, k) <= SlipWatch::slow * fastest) slow.emplace_back(c, k);
    }
  }
  return slow;
}

/// Where a slip has ended, those that have ended with it: what rests now keeps them.
inline std::vector<std::pair<std::size_t, std::size_t>> slips_that_are_kept(ContactFrame& frame,
                                                                            const ContactModes& modes,
                                                                            const RunPlace& at,
                                                                            const SegmentResults& total) {
  const auto stops = [](const Guard& guard) { return guard.kind == Guard::Kind::stops; };
  if (std::none_of(at.fired.begin(), at.fired.end(), stops)) return {};
  std::vector<std::size_t> resting;
  ContactHolds slipping(modes.size());
  for (std::size_t c = 0; c < modes.size(); ++c) {
    if (!at.closed[c] || !at.is_resting(c, frame)) continue;
    const ContactModes::Rows& rows = modes.rows()[c];
    resting.push_back(rows.normal);
    for (std::size_t k = 0; k < at.moving[c].size(); ++k) {
      if (!at.moving[c][k]) resting.insert(resting.end(), rows.resisted[k].begin(), rows.resisted[k].end());
      slipping[c].slips.push_back(at.moving[c][k] ? 1 : 0);
    }
  }
  auto ended = slow_slips(frame, modes, slipping, total, total.largest_velocity());
  std::erase_if(ended, [&](const auto& one) {
    return !frame.are_kept_by(modes.rows()[one.first].resisted[one.second], resting);
  });
  return ended;
}

}  // namespace liaison
