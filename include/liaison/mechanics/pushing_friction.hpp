#ifndef LIAISON_MECHANICS_PUSHING_FRICTION_HPP
#define LIAISON_MECHANICS_PUSHING_FRICTION_HPP

#include <span>
#include <string>
#include <vector>

#include "liaison/model/system.hpp"

namespace liaison {

/// The friction of a constraint that cannot open: of `power y' - f*abs(x')` the part -f*abs(x') that keeps
/// its value where all velocities turn about, times the factor. It is resistance as long as that is not
/// positive: f*lambda is a size for positive factors alone, and the factor of a bilateral constraint has
/// either sign.
struct ConstraintFriction {
  std::string name;  ///< of the constraint
  Expr factor;
  Expr power;  ///< lambda times that part
};
/// Of the constraints that have one, but for those that a `contact` stands for: their factors are watched.
std::vector<ConstraintFriction> frictions_of_constraints(const System& system);

/// "the factor of `g` is negative: ...".
std::string text_of_pushing(const ConstraintFriction& friction, double factor);
/// Whether a power of friction is positive beside the sizes of its terms.
bool pushes(double power, double size);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_PUSHING_FRICTION_HPP
