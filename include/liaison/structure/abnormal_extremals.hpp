#ifndef LIAISON_STRUCTURE_ABNORMAL_EXTREMALS_HPP
#define LIAISON_STRUCTURE_ABNORMAL_EXTREMALS_HPP

#include <string>

#include "liaison/structure/constraint_flag.hpp"

namespace liaison {

/// Curves that satisfy the constraints and are singular points of the map from such curves to their end:
/// along them there is a covector p, not zero, that vanishes on the admissible directions D, with sum_j u^j
/// <p, [X_i, X_j]> = 0 for the velocity sum_j u^j X_j. They depend on the constraints alone, and are
/// extremals of every variational problem with them.
enum class AbnormalKind {
  not_asked,
  none,             ///< but curves that stay at one place
  every_curve,      ///< admissible curves do not fill the space
  every_direction,  ///< through each general place one at least in each admissible direction
  one_direction,    ///< along one field; others may have a covector that vanishes on further brackets
  some,             ///< through each general place, `dimension` of their directions for a general covector
  undecided,        ///< none for a general covector, perhaps for special ones
};

struct AbnormalExtremals {
  AbnormalKind kind = AbnormalKind::not_asked;
  Grade grade = Grade::unknown;
  std::size_t dimension = 0;  ///< of the directions for a general covector (`some`)
  bool are_others_open =
      false;  ///< `one_direction`: covectors that vanish on D + [D, D] + [D, [D, D]] were not asked
  std::vector<std::pair<Expr, Expr>>
      direction;          ///< `one_direction`: rates of the coordinates, up to a factor
  std::string reason;     ///< why it is not asked
  Conditions for_values;  ///< with parameters: said of values where none vanishes
};

/// At general places, by the growth of the constraints: for two directions the growth vector decides, for
/// more the rank of the matrix <p, [X_i, X_j]>.
AbnormalExtremals find_abnormal_extremals(Algebra& algebra, const StateFlow& flow,
                                          const ConstraintFlag& flag);

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_ABNORMAL_EXTREMALS_HPP
