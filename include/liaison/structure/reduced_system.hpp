#ifndef LIAISON_STRUCTURE_REDUCED_SYSTEM_HPP
#define LIAISON_STRUCTURE_REDUCED_SYSTEM_HPP

#include <string>
#include <vector>

#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// A system for the coordinates that are left when others are ignored: those on which neither energies nor
/// forces nor relations depend.
///
/// Routh, without constraints: the momenta p_s = dT/ds' are constants, and R = T - V - p_s s' is the
/// Lagrangian of the rest; what it has without velocities is the amended potential. Chaplygin, with as many
/// ideal relations s' = A(q) q' as ignored coordinates: T_c = T(q, q', A q') with the forces
///   sum_s p_s (dA^s_a/dq^b - dA^s_b/dq^a) q'^b,  p_s = dT/ds' on the relations.
struct ReducedSystem {
  enum class Kind { routh, chaplygin };
  Kind kind = Kind::routh;
  System system;                      ///< without constraints and claims; in the pool of the model
  std::vector<Expr> ignored;          ///< coordinates
  std::vector<Expr> rates;            ///< their velocities, by the rest: what is left to integrate
  std::vector<Expr> momenta;          ///< of Routh: p_s, further parameters
  std::vector<Expr> momentum;         ///< what each is: dT/ds'
  std::vector<std::string> left_out;  ///< velocities that the start of the model gives, and that are ignored
  std::vector<std::string> events_left_out;  ///< recorded events that speak of what is ignored
  Verdict agrees;                            ///< the accelerations of the rest are those of the model
  std::string reason;                        ///< not empty: why there is no such reduction
};

/// `by`: coordinates to ignore; none: all that can be (Routh), a set that the relations can be solved for, if
/// possible at every place (Chaplygin).
ReducedSystem reduce_system(Algebra& algebra, const Motion& motion, const std::vector<Expr>& by = {});

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_REDUCED_SYSTEM_HPP
