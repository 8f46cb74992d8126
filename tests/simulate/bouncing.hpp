#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Bodies that bounce in a box for many impacts, by runs from event to event. The judge has gaps, directions
/// of contacts, masses and the free flight in closed form of its own.
namespace liaison {

struct BouncingKind {
  std::string name;
  bool friction;
};
const std::vector<BouncingKind>& bouncing_kinds();

/// The worst of many runs. Lengths are beside the radius of the smallest body, which is of order one tenth of
/// the box.
struct Bouncing {
  std::size_t impacts = 0, several = 0;  ///< `several`: more than one contact is closed at it
  std::size_t runs = 0, looks = 0;       ///< states at which all gaps were looked at
  double depth = 0;                      ///< the most negative gap
  double closed = 0;                     ///< the largest gap of a contact that an impact is said to be at
  double momentum = 0;  ///< M (v+ - v-) outside of the directions of what is closed, beside itself
  double approach = 0;  ///< gap rate of a lone contact after its impact where negative, beside the velocities
  double cone = 0;      ///< friction of a lone contact beyond its cone, beside the momenta
  double restitution = 0;  ///< without friction: v_n+ + e v_n- of a lone contact, beside the velocities
  double gained = 0;       ///< energy by an impact, beside the energy before
  double flight = 0;       ///< distance from the free flight in closed form, between impacts
  std::vector<std::string> broken;  ///< what a promise was broken by, the first few
};

/// Runs with seeds `seed`, `seed` + 1, ... until `count` impacts were looked at.
Bouncing random_bounces(const BouncingKind& kind, std::uint64_t seed, std::size_t count);

}  // namespace liaison
