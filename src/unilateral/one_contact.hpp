#pragma once

#include <array>
#include <cstddef>

#include "liaison/unilateral/many_contacts.hpp"

namespace liaison {

/// A contact among others whose impulses rest: its normal, and up to two rows of one resistance.
///   v_k = drive_k + sum_h p_h r[h][k],   v_n >= 0 complementary to p_n >= 0.
struct OneContact {
  using Numbers = std::array<double, 3>;
  std::size_t size = 1;
  std::array<Numbers, 3> r = {};
  double slipping = 0, sticking = 0;

  /// Nothing that moves the contact reaches it.
  bool is_immovable() const;
};

struct OneImpulse {
  OneContact::Numbers p = {};
  ContactStep step = ContactStep::open;
  std::size_t found = 0;  ///< solutions that were seen; 0: p is a step towards one
};

/// A solution in the mode that it is in; where there is none, of all others the nearest to `present`.
OneImpulse solve(const OneContact& contact, const OneContact::Numbers& drive,
                 const OneContact::Numbers& present, ContactStep mode);

/// How many there are in all modes, with impulses that differ by more than `apart`.
std::size_t count_solutions(const OneContact& contact, const OneContact::Numbers& drive, double apart);

/// (x, y) onto the disc of a radius.
void onto_disc(double radius, double& x, double& y);

}  // namespace liaison
