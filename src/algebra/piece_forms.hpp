#pragma once

#include <span>
#include <vector>

#include "liaison/algebra/algebra.hpp"

namespace liaison {

/// The expressions with the arguments of sign and abs as short as the equations make them: sign(R11 + R22 +
/// R33 + 1) is sign(4*R_e0^2) on unit quaternions. Only arguments that have a value everywhere are touched,
/// so that values and domain are those of the given expressions wherever the equations hold.
std::vector<Expr> with_short_pieces(Algebra& algebra, std::span<const Expr> es,
                                    std::span<const Expr> equations);

}  // namespace liaison
