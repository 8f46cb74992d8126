#pragma once

#include <optional>

#include "liaison/structure/integrability.hpp"

namespace liaison {

/// The exponents of a field whose components are quasi-homogeneous polynomials of the state, for the values
/// of the parameters; nothing where it is another field, or has no real solution c t^-w in the box.
std::optional<KovalevskayaExponents> find_exponents(Algebra& algebra, const StateFlow& flow,
                                                    const Substitution& values);

/// What is known of a number in a ball.
ExponentKind kind_of_exponent(const Ball& re, const Ball& im);

}  // namespace liaison
