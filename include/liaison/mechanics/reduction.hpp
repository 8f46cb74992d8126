#ifndef LIAISON_MECHANICS_REDUCTION_HPP
#define LIAISON_MECHANICS_REDUCTION_HPP

#include <optional>
#include <string>
#include <vector>

#include "liaison/expr/substitute.hpp"
#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// The constraint manifold {a^h = 0} solved for as many velocity parameters as there are constraints.
struct SolvedRelations {
  std::vector<std::size_t> eliminated;  ///< velocity parameters, one a constraint: those with constant
                                        ///< coefficients first, later declarations before earlier ones
  Substitution values;                  ///< each eliminated parameter as a function of the others
  Conditions conditions;
};
/// Nothing if the relations are not linear in the velocity parameters or not independent.
std::optional<SolvedRelations> solve_relations(Algebra& algebra, const Motion& motion);

struct ReducedForm {
  Form form;                                     ///< on the full coframe; eliminated basis forms do not occur
  std::vector<std::size_t> velocity_forms;       ///< eliminated by da^h = 0
  std::vector<std::size_t> configuration_forms;  ///< eliminated by the directions
  Substitution values;                           ///< velocity parameters eliminated by a^h = 0
  Conditions conditions;
};

/// Omega_s (rows G2.VII-ThII, G3.IV-ThII): Omega restricted to da^h = 0, l^h_i theta^i = P_u^h dt with P_u^h
/// = l^h_i v^i. It is free of the factors, and its characteristics are the motion exactly when det r != 0.
std::optional<ReducedForm> derive_omega_s(Algebra& algebra, const Motion& motion);

/// Omega_r (rows G2.VII-ThI, G3.III-ThI): Omega + sum lambda_h l^h_i theta^i ^ dt restricted to da^h = 0; it
/// keeps the factors.
std::optional<ReducedForm> derive_omega_r(Algebra& algebra, const Motion& motion);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_REDUCTION_HPP
