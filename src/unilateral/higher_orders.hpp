#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exact_numbers.hpp"
#include "liaison/unilateral/possible_motions.hpp"

namespace liaison {

/// What further derivatives say of contacts that accelerations leave undecided.
struct SettledContacts {
  std::vector<ContactMode> modes;  ///< opens, kept or touches; one an undecided contact
  std::vector<std::string> how;    ///< "the derivative of order 3 of its gap is 24"
  bool open = false;               ///< the orders that were looked at decide nothing of one of them
  bool family = false;             ///< factors of some order are a family, of which one member is told
};

/// Contacts with neither factor nor separation at a state, beside constraints that are kept: the discussion
/// is repeated with the derivatives of the next order along the motion that keeps those, and with r reduced
/// by them (rows G4.II-thm1, G4.II-degenerate, G5.III-degenerate-all, G5.III-degenerate-general; the
/// derivatives are those along E + lambda e of what is kept, not along E). All ways. One that no order
/// moves touches: for ever where its rate is provably zero, else it is open what it does.
std::vector<SettledContacts> settle(Algebra& algebra, const System& system,
                                    const std::vector<Constraint>& kept,
                                    const std::vector<Constraint>& undecided,
                                    const ContactStateValues& state);

}  // namespace liaison
