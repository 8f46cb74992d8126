#ifndef LIAISON_UNILATERAL_LEMKE_HPP
#define LIAISON_UNILATERAL_LEMKE_HPP

#include <optional>
#include <vector>

#include "liaison/unilateral/complementarity.hpp"

namespace liaison {

/// One solution of the complementarity problem by Lemke's path, with lexicographic pivots so that it never
/// cycles. Nothing where the path ends in a ray: for a P-matrix, and for r positive semidefinite with a
/// solution, it does not.
std::optional<ComplementaryPoint> lemke(const Complementarity& problem);

struct DoubleComplementarity {
  std::vector<double> r;  ///< r[h * p + k]
  std::vector<double> drive;
};
struct DoubleComplementaryPoint {
  std::vector<double> factors, separations;
  double residual = 0;  ///< largest violation of a sign or of a product, over the largest drive
};
/// The same in doubles. Nothing also where rounding has spoilt the path.
std::optional<DoubleComplementaryPoint> lemke(const DoubleComplementarity& problem);

}  // namespace liaison

#endif  // LIAISON_UNILATERAL_LEMKE_HPP
