#pragma once

#include <string>
#include <vector>

#include "liaison/unilateral/complementarity.hpp"

/// All solutions of a complementarity problem without any descent: a system of equations for every set of
/// positive factors and, where that one is singular, for every set of relations that are kept.
namespace liaison {

struct BruteForceSet {
  RationalMatrix vertices, rays;  ///< factors, in ascending order; the factors of a ray add up to one

  bool operator==(const BruteForceSet&) const = default;
  auto operator<=>(const BruteForceSet&) const = default;
};

/// The solutions with some set of separations at zero and the other factors at zero, for every such set: the
/// greatest of them, in ascending order.
std::vector<BruteForceSet> brute_force(const Complementarity& problem);

/// What `found` has and brute force has not, or the other way round; empty: they are equal.
std::string difference_from_brute_force(const Complementarity& problem,
                                        const std::vector<ComplementarySet>& found);

bool solves(const Complementarity& problem, const ComplementaryPoint& point);

}  // namespace liaison
