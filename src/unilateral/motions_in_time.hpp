#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exact_numbers.hpp"
#include "liaison/unilateral/possible_motions.hpp"

namespace liaison {

/// A resting contact, in formulas that hold around the state.
struct ContactInTime {
  struct Row {
    Constraint slip;  ///< the relation that the velocity is zero; its factor is the force
    Expr slipping, sticking;
  };
  Constraint held;
  std::vector<Row> resisted;
};

/// What a contact may do for a while from the state on.
struct WayInTime {
  bool closed = false;
  std::vector<int> slips = {};  ///< of each resisted velocity its direction; 0: at rest
  /// Of each that is at rest the side to which it would slip, where its friction is at its limit while others
  /// hold it; 0, or empty: it holds itself.
  std::vector<int> limits = {};
  bool is_at_limit(std::size_t i) const { return !limits.empty() && limits[i] != 0; }
};

/// One motion, with every way of independent contacts to carry it.
struct MotionInTime {
  std::vector<ContactMode> modes;
  std::vector<std::string> how;  ///< of each contact by what it is settled; empty: by its acceleration
  struct Carried {
    std::vector<Rational> normals;
    std::vector<std::vector<Rational>> resistances;
  };
  std::vector<Carried> carried;
};

struct MotionsInTime {
  std::vector<MotionInTime> motions;
  std::vector<std::string> left_open;  ///< what was not decided, and why
};

/// The motions of all hypotheses that give each contact one of its ways: each is followed by its derivatives
/// at the state. What is closed keeps its gap, and its factor does not become negative; what is open does not
/// close; a slip begins in its direction, and what sticks has a friction within its limit (rows
/// G4.II-degenerate, G5.III-degenerate-general). Each condition is decided by the first of its derivatives
/// that is not zero. Of contacts whose forces depend on each other around the state those carry that are
/// independent: every other way to carry the same motion is a mean of these (Caratheodory). Where contacts
/// stick that depend on each other, the forces that share the load are a polytope without lines, and it has
/// one within all limits where it has such a vertex: there some are at their limits, and the others hold.
MotionsInTime motions_in_time(Algebra& algebra, const System& system,
                              const std::vector<ContactInTime>& contacts,
                              const std::vector<std::vector<WayInTime>>& ways,
                              const ContactStateValues& state);

}  // namespace liaison
