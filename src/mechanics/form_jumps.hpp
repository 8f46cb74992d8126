#pragma once

#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/forms/form.hpp"

namespace liaison {

/// sign, or the cut of atan2, in a coefficient.
bool has_jumps(const Form& form);

/// Frobenius' theorem is about smooth forms: what holds off a surface on which they jump is no proof.
Verdict unless_forms_jump(Algebra& algebra, const std::vector<Form>& forms, const Region& states,
                          Verdict verdict);

}  // namespace liaison
