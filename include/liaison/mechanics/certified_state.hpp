#ifndef LIAISON_MECHANICS_CERTIFIED_STATE_HPP
#define LIAISON_MECHANICS_CERTIFIED_STATE_HPP

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/mechanics/initial_state.hpp"

namespace liaison {

class Enclosure;

/// The state that a claim speaks of, without rounding. Given values and what is not determined are exact;
/// what the constraints determine is exact where it is rational, else the only solution in a box next to the
/// state that `complete_state` finds, which selects the component.
struct CertifiedState {
  DoublePoint approximate;  ///< every symbol, in double
  std::string problem;      ///< not empty: there is no such state, and why
  std::string uncertain;    ///< not empty: the state exists in double only, and why
  std::shared_ptr<const Enclosure> enclosure;
  std::vector<std::pair<Expr, Expr>> velocities;  ///< v^i(q, u, t) where the parameters are others

  std::vector<Expr> chosen;  ///< neither given nor determined nor zero: other values would do as well

  bool is_certified() const { return problem.empty() && uncertain.empty(); }
  bool is_exact() const;              ///< every symbol has an exact value
  const Substitution& exact() const;  ///< those that have one; of a certified state
  /// Every symbol as a ball, with about that many bits; nothing where they are not reached.
  std::optional<BallPoint> at(long bits) const;
};

/// Exact values of every symbol of a certified state: those that it has, and the solution of what is left
/// where that is linear (velocities at exact positions). Nothing where it is not.
std::optional<Substitution> exact_values(Algebra& algebra, const CertifiedState& state);

/// Throws Error where a given value is no number.
CertifiedState certify_state(Algebra& algebra, const Motion& motion, const Claim& claim);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_CERTIFIED_STATE_HPP
