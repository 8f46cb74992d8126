#ifndef LIAISON_MECHANICS_VAKONOMIC_HPP
#define LIAISON_MECHANICS_VAKONOMIC_HPP

#include <string>
#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/model/system.hpp"

namespace liaison {

/// Clebsch and Mayer's problem of the calculus of variations (rows MO1-ClebschMayer, MO1-knife-vakonomic):
/// the integral of T - V is stationary among the curves that satisfy the kinematic relations phi^h = 0. Its
/// multipliers mu_h are the velocities s_h' of further coordinates in the kinetic energy T + sum s_h' phi^h:
/// d(phi^h)/dt = 0 is the equation of s_h. Relations between coordinates stay constraints.
struct VakonomicSystem {
  System system;  ///< without claims; the motions with phi^h = 0 at the start are those of the problem
  std::vector<std::string> relations;  ///< names of the kinematic constraints
  std::vector<Expr> multipliers;       ///< s_h', one a relation
  std::string reason;                  ///< not empty: why there is no such problem
};
/// Why a system is no such problem, whatever is asked of its motions; empty: it is one.
std::string why_not_vakonomic(Algebra& algebra, const System& system);
VakonomicSystem derive_vakonomic(Algebra& algebra, const System& system);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_VAKONOMIC_HPP
