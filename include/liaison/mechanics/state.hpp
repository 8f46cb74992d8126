#ifndef LIAISON_MECHANICS_STATE_HPP
#define LIAISON_MECHANICS_STATE_HPP

#include <string>
#include <vector>

#include "liaison/expr/evaluate.hpp"
#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// One set of factors that keeps the relations at a state, and the motion it gives.
struct StateMotion {
  std::vector<double> factors;       ///< one a constraint or reaction
  std::vector<double> acceleration;  ///< du^a/dt
};

/// Numbers at a state: the same objects as in Motion, by dense factorisation instead of closed forms.
struct StateValues {
  std::vector<double> free_acceleration;  ///< velocity components of E
  std::vector<std::vector<double>>
      fields;  ///< velocity components of each e^h, at the factors of the first motion
  std::vector<std::vector<double>> r;  ///< r[h][k] = i(e^h)da^k
  std::vector<double> drive;           ///< i(E)da^k
  double determinant = 1;              ///< det r where it is square
  bool compatible = true;              ///< det r != 0: one motion for every drive
  std::vector<double> residual;        ///< a^k at the state
  std::vector<double> level_residual;  ///< of holonomic relations, else 0
  double kinetic = 0, potential = 0;
  std::vector<StateMotion> motions;  ///< one where compatible; several or none where the factors enter
                                     ///< non-linearly or det r = 0 (rows G2.VI-N, G2.IV-degenerate)
  std::vector<std::vector<double>>
      open;             ///< directions in factor space that no relation determines (row G3.ex6)
  std::string failure;  ///< not empty: what has no value here, or which matrix is singular
  std::string remark;   ///< how the factors were found where it is not the plain way
};
StateValues evaluate_state(Algebra& algebra, const Motion& motion, const DoublePoint& state);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_STATE_HPP
