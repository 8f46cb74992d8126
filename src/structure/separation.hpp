#pragma once

#include "liaison/structure/integrability.hpp"
#include "poisson.hpp"

namespace liaison {

/// The equation of Hamilton and Jacobi in the coordinates of the model: whether it separates, and where a set
/// of n integrals in involution gives each momentum by its own coordinate, the quadratures (rows G6.II-thmIV,
/// G6.II-exI-linear, G6.II-delassus, G6.II-exIII-h-quadratic, G6.II-staeckel, G6.II-liouville).
/// `integrals` on positions and velocities, with the values of parameters in them where these are given;
/// `places` where they stand in the list of integrals, by which their constants are named.
Separation separate(Algebra& algebra, const StateFlow& flow, const PoissonStructure& poisson,
                    const std::vector<Expr>& integrals, const std::vector<std::size_t>& places,
                    const std::vector<std::vector<std::size_t>>& sets);

}  // namespace liaison
