#pragma once

#include <array>

#include "contact_frame.hpp"

namespace liaison {

/// One contact at rest along a curve, by itself: what is possible besides sticking, by signs of functions
/// that go on along its motion (row G5.V-planar-modes). With accelerations b without the
/// contact and what its forces do to them, r, it may open where b_n > 0, and slip to the side s with the
/// pressure N where d N = -b_n, d = r_nn - s mu r_nt, and its slip grows to that side.
class LoneContact {
 public:
  LoneContact(ContactFrame& frame, const ContactModes& modes, std::size_t contact)
      : frame_(frame), modes_(modes), contact_(contact) {}

  static bool is_one(const ContactModes& modes, const std::vector<std::size_t>& resting) {
    return resting.size() == 1 && modes.rows()[resting[0]].resisted.size() == 1 &&
           modes.rows()[resting[0]].resisted[0].size() == 1 && !modes.depends_on_factors(resting[0]);
  }

  /// b_n, d of both sides, d times the growth of the slip to both sides.
  static constexpr std::size_t functions = 5;
  using Numbers = std::array<double, functions>;
  /// At a state, with the sizes of their terms; false where they have no value.
  bool take(double t, const double* y, double* values, double* sizes);
  /// Motions that are possible at a state, one that sticks among them; 1 where that is not known. A slip that
  /// only a smaller coefficient than that of sticking allows is none: what sticks goes on.
  std::size_t motions(double t, const double* y);

 private:
  ContactFrame& frame_;
  const ContactModes& modes_;
  std::size_t contact_;
};

}  // namespace liaison
