#ifndef LIAISON_STRUCTURE_CONSTRAINT_FLAG_HPP
#define LIAISON_STRUCTURE_CONSTRAINT_FLAG_HPP

#include <optional>
#include <string>
#include <vector>

#include "liaison/structure/state_flow.hpp"

namespace liaison {

/// An integrable combination of the constraints: a Pfaff form that vanishes on every motion, and a function
/// that is constant where it is one's differential up to a factor.
struct IntegrablePart {
  Form form;
  std::optional<Expr> integral;
  bool multivalued = false;  ///< the integral is an angle or a logarithm that changes along a loop
};

/// Where motions can go: the admissible directions D, their brackets, and what these leave out (rows
/// MO7-derived-system, MP-A.1). Dimensions are those of a general place; where the relations contain the
/// time, time is a direction too.
struct ConstraintFlag {
  bool with_time = false;
  std::size_t space = 0;             ///< dimension of the space of positions, time included where it counts
  std::vector<std::size_t> growth;   ///< of D, D + [D, D], D + [D, D] + [D, [D, D]], ...
  std::vector<std::size_t> derived;  ///< of D, D' = D + [D, D], D'' = D' + [D', D'], ...
  std::size_t accessible() const { return growth.empty() ? 0 : growth.back(); }
  /// proved: each dimension by an exact rank; checked: it is certainly not smaller, and not larger at points
  /// modulo a prime of 61 bits.
  Grade ranks = Grade::proved;
  std::string ranks_reason;                ///< not empty: why they are not proved
  Conditions for_values;                   ///< with parameters: where none vanishes the dimensions are these
  Grade grade = Grade::proved;             ///< of what is said of all states: what vanishes on every motion
  std::string reason;                      ///< not empty: why it is said of general states only
  bool has_relations = false;              ///< there are constraints to speak of
  std::vector<IntegrablePart> integrable;  ///< the largest integrable part of the constraints
  Conditions conditions;
};

struct ConstraintFlagResult {
  std::optional<ConstraintFlag> flag;
  std::string reason;  ///< why there is none
};
enum class FlagQuestion { all, dimensions };  ///< dimensions: without the integrable part
ConstraintFlagResult derive_constraint_flag(Algebra& algebra, const StateFlow& flow,
                                            FlagQuestion question = FlagQuestion::all);

/// Morera's count (rows MO6-count-*): with d/dt, the admissible directions and the brackets of two of them
/// span m dimensions of positions and time. So many independent combinations of relations vanish on all of
/// these: N + 1 - m.
struct FirstBrackets {
  std::size_t positions = 0;   ///< N
  std::size_t directions = 0;  ///< n
  std::size_t spanned = 0;     ///< m
  Grade grade = Grade::proved;
  Conditions for_values;  ///< with parameters: where none vanishes m is not smaller
  std::size_t combinations() const { return positions + 1 - spanned; }
};
/// Nothing where the velocities are not linear in the velocity parameters, or positions satisfy relations.
std::optional<FirstBrackets> count_first_brackets(Algebra& algebra, const StateFlow& flow);

/// "(2, 3, 4)"
std::string to_string(const std::vector<std::size_t>& growth);

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_CONSTRAINT_FLAG_HPP
