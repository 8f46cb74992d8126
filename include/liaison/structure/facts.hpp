#ifndef LIAISON_STRUCTURE_FACTS_HPP
#define LIAISON_STRUCTURE_FACTS_HPP

#include <string>
#include <vector>

#include "liaison/structure/standing.hpp"

/// What a model says about itself before anything is searched.
namespace liaison {

enum class ConstraintKind {
  positions,  ///< a relation between coordinates (and time)
  linear,     ///< linear and homogeneous in the velocities
  affine,     ///< linear in the velocities, with a part that is free of them
  nonlinear,
  reaction,  ///< a force that no relation of its own determines
};
std::string name_of(ConstraintKind kind);  ///< "holonomic", "linear", "affine", "non-linear", "reaction"

struct ConstraintFact {
  std::string name;
  ConstraintKind kind = ConstraintKind::linear;
  bool has_time = false;
  bool is_ideal = true;  ///< its force has the direction da/dv
  Verdict integrable;    ///< with the help of the others, as `claim holonomic(name)` decides it
};

struct ModelFacts {
  std::size_t directions = 0;           ///< velocities without the constraints
  std::size_t degrees_of_freedom = 0;   ///< velocities that the relations leave free
  Grade freedom_grade = Grade::proved;  ///< checked: at general states; unknown: there may be more
  std::string freedom_reason;           ///< why that is not proved
  std::string no_state;                 ///< not empty: there is no state, and why; nothing else is said
  std::vector<ConstraintFact> constraints;
  std::vector<std::string> open_contacts;  ///< unilateral constraints: what is said is said of open ones
  Verdict compatible, holonomic;
  std::string determinism;  ///< "regular", "redundant but consistent: ...": as a derivation says it
};
ModelFacts derive_facts(Algebra& algebra, const Motion& motion, const Standing& standing);

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_FACTS_HPP
