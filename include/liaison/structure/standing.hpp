#ifndef LIAISON_STRUCTURE_STANDING_HPP
#define LIAISON_STRUCTURE_STANDING_HPP

#include <cstddef>
#include <string>

#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// How far what is derived at general states is certain of every one: closed forms divide, ranks are those of
/// general points, and functions of several pieces have derivatives between the pieces alone.
struct Standing {
  Verdict states;                    ///< that there is one; empty: there is none (proved)
  std::size_t rank = 0;              ///< of the relations; on the states it is not larger (proved)
  Grade rank_grade = Grade::proved;  ///< checked: that rank at general states; unknown: it may be smaller
  bool has_levels = false;           ///< positions satisfy relations
  Conditions for_values;  ///< the relations have this rank for values of parameters where none vanishes
  std::string pieces;     ///< not empty: why nothing is differentiated, "`abs(x)` has several pieces"
  std::string reason;     ///< not empty: why what follows is said of general states only

  bool has_states() const { return states.grade != Grade::empty; }
  /// The best that can be said of all states.
  Grade at_most() const { return reason.empty() ? Grade::proved : Grade::checked; }
  /// What was decided at general states, as a statement about all.
  Verdict limited(Verdict verdict) const;
};
Standing standing_of(Algebra& algebra, const Motion& motion);

/// What holds where nothing of these vanishes is at most checked, unless they cannot vanish.
Verdict at_general_states(Verdict verdict, const Conditions& conditions, const std::string& reason);

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_STANDING_HPP
