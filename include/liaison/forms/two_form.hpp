#ifndef LIAISON_FORMS_TWO_FORM_HPP
#define LIAISON_FORMS_TWO_FORM_HPP

#include <optional>
#include <string>
#include <vector>

#include "liaison/forms/calculus.hpp"

namespace liaison {

/// k_ij with Omega = sum_(i<j) k_ij theta^i^theta^j, antisymmetric.
Matrix coefficient_matrix(const Form& omega);

struct TwoFormRank {
  std::size_t rank = 0;  ///< even; 2r where Omega^r != 0, Omega^(r+1) = 0
  std::size_t class_ =
      0;  ///< number of functions needed locally: codimension of {X: i(X)Omega = 0, i(X)dOmega = 0}
  Conditions conditions;
  Grade grade = Grade::proved;
};
TwoFormRank rank_and_class(Algebra& algebra, const Form& omega);

enum class CharacteristicStatus {
  found,
  rank_too_low,      ///< rank < dimension - 1: several independent characteristic fields
  rank_full,         ///< even dimension, full rank: only the zero field
  not_normalisable,  ///< i(E)dt = 0 on the only characteristic direction: dt is not admissible
};
struct CharacteristicField {
  CharacteristicStatus status;
  std::optional<VectorField> field;  ///< i(E)Omega = 0, i(E)time = 1
  std::size_t rank = 0;
  Conditions conditions;
  std::string explanation;  ///< what is wrong, in words
  Grade grade = Grade::proved;
};
/// G6.II-E-minors: components proportional to the minors of order 2n of (k_ij), normalised on the 1-form
/// `time`.
CharacteristicField characteristic_field(Algebra& algebra, const Form& omega, const Form& time);

}  // namespace liaison

#endif  // LIAISON_FORMS_TWO_FORM_HPP
