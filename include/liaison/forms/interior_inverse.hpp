#ifndef LIAISON_FORMS_INTERIOR_INVERSE_HPP
#define LIAISON_FORMS_INTERIOR_INVERSE_HPP

#include <optional>
#include <string>

#include "liaison/forms/two_form.hpp"

namespace liaison {

/// A field by what it does to a 2-form.
struct InteriorInverse {
  std::optional<VectorField> field;  ///< x with i(x)Omega = pi, i(x)time = 0
  bool is_unique = false;            ///< with i(x)time = 0; without that, modulo the characteristic field
  Conditions conditions;
  std::string reason;  ///< why there is none
  Grade grade = Grade::proved;
};
/// i(x)Omega vanishes on the motions, and each Pfaff form pi with i(E)pi = 0 is one (row G6.II-thmI). Where
/// Omega is closed, fields x with d(i(x)Omega) = 0 are its symmetries, and their closed forms the first
/// integrals (rows G6.II-first-integral-closed, G6.II-thmII).
InteriorInverse invert_interior(Algebra& algebra, const Form& omega, const Form& pi, const Form& time);

}  // namespace liaison

#endif  // LIAISON_FORMS_INTERIOR_INVERSE_HPP
