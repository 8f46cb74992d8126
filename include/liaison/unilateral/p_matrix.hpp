#ifndef LIAISON_UNILATERAL_P_MATRIX_HPP
#define LIAISON_UNILATERAL_P_MATRIX_HPP

#include <cstddef>
#include <optional>
#include <vector>

#include "liaison/unilateral/complementarity.hpp"

namespace liaison {

struct PrincipalMinor {
  std::vector<std::size_t> indices;  ///< ascending; none of its proper principal minors fails
  Rational value;
};

/// r is a P-matrix: all 2^p - 1 principal minors are positive, and there is one motion for every drive (row
/// G5.II-thmII). Otherwise the minor that decides. By Schur complements (each matrix with and without its
/// first index) in intervals, and exactly where an interval meets zero.
struct PMatrixAnswer {
  bool is_p = true;
  std::optional<PrincipalMinor> failing;
};
PMatrixAnswer p_matrix(const RationalMatrix& r, const Rational& noise = {});

/// A drive for which a matrix that is no P-matrix has at least two motions, from its failing minor: x with
/// x_i (r^T x)_i <= 0 for every i is split into what is positive and what is negative (row G5.II-thmII, the
/// converse).
struct SeveralMotions {
  std::vector<Rational> drive;
  ComplementaryPoint first, second;
};
SeveralMotions drive_with_several(const RationalMatrix& r, const PrincipalMinor& failing);

/// det of the rows and columns `indices` of r.
Rational principal_minor(const RationalMatrix& r, const std::vector<std::size_t>& indices,
                         const Rational& noise = {});

}  // namespace liaison

#endif  // LIAISON_UNILATERAL_P_MATRIX_HPP
