#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "contact_frame.hpp"
#include "liaison/simulate/integrator.hpp"

namespace liaison {

/// Velocities that are this part of the largest of an impact are zero.
inline constexpr double rest_beside = 1e-11;

inline double largest_of(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

/// Where a run with contacts is, and what is known of them there otherwise than by the numbers.
struct RunPlace {
  double t = 0;
  std::vector<double> y;
  std::vector<bool> closed;
  ContactFrame::Moving moving;
  ContactHolds holds;                 ///< modes from here on; empty while they are not known
  ContactHolds before;                ///< modes in which the motion came here; empty at a start
  std::vector<Guard> fired;           ///< what ended them
  std::set<std::size_t> rests;        ///< along their normals, after an impact
  std::vector<ContactHolds> refuted;  ///< modes that were followed from this state and broken at once

  /// At rest along its normal: known from its mode or from an impact, else by the numbers of the frame.
  bool is_resting(std::size_t contact, const ContactFrame& frame) const {
    const bool kept = !holds.empty() && holds[contact].kind != ContactHold::Kind::open;
    return kept || rests.contains(contact) || frame.rate(contact).sign() == 0;
  }
  void find_slips(std::size_t contact, const ContactFrame& frame) {
    for (std::size_t k = 0; k < moving[contact].size(); ++k) moving[contact][k] = frame.moves(contact, k);
  }
  /// What was known of a contact from its mode is to be found from the numbers of the frame.
  void find_anew(std::size_t contact, const ContactFrame& frame) {
    before.clear();
    rests.erase(contact);
    find_slips(contact, frame);
    if (!holds.empty()) holds[contact] = {};
  }
  /// The first contact of those whose coefficient of friction came to zero here.
  std::optional<std::size_t> with_turned_coefficient() const {
    for (const Guard& guard : fired)
      if (guard.kind == Guard::Kind::turns) return guard.contact;
    return {};
  }
  /// Whether a contact holds something along its surface.
  bool sticks() const {
    return std::any_of(holds.begin(), holds.end(), [](const ContactHold& hold) {
      return std::find(hold.slips.begin(), hold.slips.end(), 0) != hold.slips.end();
    });
  }
  /// What moves along the contacts by their modes.
  ContactFrame::Moving moving_in_mode() const {
    ContactFrame::Moving result = moving;
    for (std::size_t c = 0; c < holds.size(); ++c) {
      for (std::size_t k = 0; k < holds[c].slips.size(); ++k) result[c][k] = holds[c].slips[k] != 0;
    }
    return result;
  }
};

/// A time in which the motion without contacts changes by about itself, and not more than some steps of the
/// run; `step`: their mean, 0 where there was none.
double time_of_motion(Evaluator& open, const RunPlace& at, double step);

/// In which gaps that begin to open are wide beside the error of a step, or close again before.
double time_of_opening(ContactFrame& frame, const RunPlace& at, const std::set<std::size_t>& opening,
                       const Tolerance& tolerance);

}  // namespace liaison
