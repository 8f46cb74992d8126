#pragma once

#include <functional>
#include <string>

#include "contact_numbers.hpp"
#include "liaison/mechanics/assembled_equations.hpp"
#include "liaison/unilateral/mode_problem.hpp"

namespace liaison {

/// Where r vanishes beside its terms to 60 digits, and algebra does not prove that it is zero; empty:
/// nowhere. `slipping`: the coefficient of a contact and of what it resists.
std::string unproved_limits(Algebra& algebra, const AssembledEquations& equations, const ClosedSystem& closed,
                            const Substitution& values, const ContactNumbers& numbers,
                            const std::vector<ContactRows>& rows,
                            const std::function<Expr(std::size_t, std::size_t)>& slipping);

}  // namespace liaison
