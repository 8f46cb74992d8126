#ifndef LIAISON_STRUCTURE_REDUCING_MULTIPLIER_HPP
#define LIAISON_STRUCTURE_REDUCING_MULTIPLIER_HPP

#include <optional>
#include <string>
#include <vector>

#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// Chaplygin's reducing multiplier of a system without constraints that has forces F(q, v) of the second
/// degree besides those of a potential: N(q) such that in the time tau, dtau = N dt, the motions are those of
/// the Lagrangian T(q, N dq/dtau) - V. That is the condition
///   F_i = sum_j (n_i p_j - n_j p_i) v^j,  n = d(log N),
/// linear in n: so it is decided whether there is one.
struct ReducingMultiplier {
  Verdict exists;  ///< around general places; refuted: there is none
  std::vector<Expr> coordinates;
  std::vector<Expr> logarithmic;  ///< n_i; empty where there is none
  std::optional<Expr> value;      ///< N, up to a constant factor, where it was found in closed form
  std::string reason;             ///< why there is none, or why that is not decided
};
ReducingMultiplier find_reducing_multiplier(Algebra& algebra, const Motion& motion);

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_REDUCING_MULTIPLIER_HPP
