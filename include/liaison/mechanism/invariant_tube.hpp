#ifndef LIAISON_MECHANISM_INVARIANT_TUBE_HPP
#define LIAISON_MECHANISM_INVARIANT_TUBE_HPP

#include <optional>
#include <string>

#include "liaison/mechanism/parts.hpp"
#include "liaison/structure/integral_invariant.hpp"

namespace liaison {

/// A tube of motions from a closed curve of states, and what is asked of it.
struct TubeRequest {
  std::string curve;  ///< "a: x = cos(a), x' = 1 + sin(a)/2": a goes from 0 to 2 pi
  std::string until;  ///< the end of each motion, a number or an expression in the parameter of the curve
  std::string set;    ///< other values of parameters
  std::size_t sections = 4, points = 64;
  std::string integrator = "dop853";
  double tolerance = 1e-12;
  /// "p*dx - H*dt" in place of p theta - H dt, and "N*dx" in place of the reactions, or none where only the
  /// first is given.
  std::optional<std::string> form, force;
};
/// Circuit integrals at equal steps of u, with their errors (rows TA3-invariant-definition, TA4-*). Throws
/// Refused.
TubeIntegrals integrate_tube(MechanismParts& parts, const TubeRequest& request);

}  // namespace liaison

#endif  // LIAISON_MECHANISM_INVARIANT_TUBE_HPP
