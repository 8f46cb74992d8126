#ifndef LIAISON_UNILATERAL_Q_MATRIX_HPP
#define LIAISON_UNILATERAL_Q_MATRIX_HPP

#include <cstddef>
#include <vector>

#include "liaison/unilateral/complementarity.hpp"

namespace liaison {

/// r is a Q-matrix: there is a motion for every drive. Every set of contacts that is kept has motions for
/// the drives of a cone, and r is Q where these 2^p cones leave no drive out.
enum class QVerdict { is_q, is_not_q, undecided };
struct QMatrixAnswer {
  QVerdict verdict = QVerdict::undecided;
  std::vector<Rational> drive;  ///< for which there is no motion; certified by all_solutions
};

/// What the cones leave out of the space of drives, cone after cone, by exact linear programming. Small p: it
/// ends undecided after `most_regions`.
QMatrixAnswer q_matrix(const RationalMatrix& r, std::size_t most_regions = 20'000);

}  // namespace liaison

#endif  // LIAISON_UNILATERAL_Q_MATRIX_HPP
