#pragma once

#include <vector>

#include "liaison/unilateral/many_contacts.hpp"

namespace liaison {

/// Impulses with which each contact does what `steps` says: equations, by elimination. Slip is resisted in
/// the direction of the given impulses. Of contacts that repeat others some get no impulse. Empty where there
/// are more unknowns than `most`.
std::vector<double> impulses_in_modes(const ManyContacts& problem, const std::vector<double>& impulses,
                                      const std::vector<ContactStep>& steps, std::size_t most);

}  // namespace liaison
