#pragma once

#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/forms/form.hpp"

namespace liaison {

/// Zero where all coefficients of a form are.
Expr sum_of_squares(Pool& pool, const Form& form);

/// sign, or the cut of atan2, in a coefficient.
bool has_jumps(const Form& form);

/// Frobenius' theorem is about smooth forms: what holds off a surface on which they jump is no proof.
Verdict unless_forms_jump(Algebra& algebra, const std::vector<Form>& forms, const Region& states,
                          Verdict verdict);

}  // namespace liaison
