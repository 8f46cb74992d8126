#pragma once

#include "liaison/expr/substitute.hpp"
#include "liaison/model/system.hpp"

namespace liaison {

/// Values in place of symbols, in all that a system says; the extended energies and the laws of its drives
/// stay.
void put_in(System& system, const Substitution& values);
void put_in(Domain& domain, const Substitution& values);

}  // namespace liaison
