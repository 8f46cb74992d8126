#pragma once

#include <optional>
#include <string>
#include <vector>

#include "liaison/mechanics/claims.hpp"

namespace liaison {

/// Whether relations are holonomic of which one is not linear in the velocities and is a product: on the
/// states of each factor that factor is the relation. Nothing where none of them is a product.
std::optional<Verdict> holonomic_by_factors(Algebra& algebra, const Motion& motion,
                                            const std::vector<const ConstraintField*>& asked,
                                            std::string& detail);

}  // namespace liaison
