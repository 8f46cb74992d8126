#pragma once

#include <optional>

#include "liaison/structure/integrability.hpp"

namespace liaison {

/// Of a system with two coordinates, constant masses and a potential that is a homogeneous polynomial of a
/// degree k > 2, for the values of the parameters: a point c with dV(c) = g M c, g = 1 or -1, at which the
/// second derivatives of V/g have an eigenvalue that the theorem of J. J. Morales-Ruiz and J. P. Ramis
/// (Methods Appl. Anal. 8 (2001) 113) does not allow. Nothing: none was found, or it is another system.
std::optional<Obstruction> find_obstruction(Algebra& algebra, const StateFlow& flow,
                                            const Substitution& values);

/// Whether the eigenvalue is one that a degree k > 2 allows, of a system that is integrable by meromorphic
/// functions. True where the ball holds one.
bool may_be_allowed(long degree, const Ball& eigenvalue);

}  // namespace liaison
