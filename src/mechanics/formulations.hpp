#pragma once

#include <optional>
#include <string>
#include <vector>

#include "liaison/expr/substitute.hpp"
#include "liaison/mechanics/formulation.hpp"

/// The roads, one file each, and the steps that several of them take.
namespace liaison {

FormulationResult derive_characteristic(Algebra& algebra, const Motion& motion);
FormulationResult derive_by_omega_r(Algebra& algebra, const Motion& motion);
FormulationResult derive_by_omega_s(Algebra& algebra, const Motion& motion);
FormulationResult derive_lagrange(Algebra& algebra, const Motion& motion);
FormulationResult derive_hamilton(Algebra& algebra, const Motion& motion);
FormulationResult derive_intrinsic(Algebra& algebra, const Motion& motion);
FormulationResult derive_gauss(Algebra& algebra, const Motion& motion);
FormulationResult derive_gibbs_appell(Algebra& algebra, const Motion& motion);
/// With the drives of the system as directions of `whole`; null: it has none.
FormulationResult derive_extended(Algebra& algebra, const Motion& motion, const System* whole);
FormulationResult derive_dalembert(Algebra& algebra, const Motion& motion, const System* whole);
FormulationResult derive_extended_hamilton(Algebra& algebra, const Motion& motion, const System* whole);
FormulationResult derive_extended_form(Algebra& algebra, const Motion& motion, const System* whole);
FormulationResult derive_extended_gauss(Algebra& algebra, const Motion& motion, const System* whole);
FormulationResult derive_extended_gibbs_appell(Algebra& algebra, const Motion& motion, const System* whole);
FormulationResult derive_reactions(Algebra& algebra, const Motion& motion, const System* whole);
FormulationResult derive_perturbation(Algebra& algebra, const Motion& motion, const System* whole);

FormulationResult not_applicable(Formulation formulation, std::string reason);

/// Why a road that solves for the accelerations cannot be gone; nothing if it can.
std::optional<std::string> obstacle_to_solving(const Motion& motion);

/// Why a road that goes by particles and bodies cannot be gone; nothing if it can.
std::optional<std::string> obstacle_to_points(Algebra& algebra, const StateSpace& space);

// ---- kinematics ----

/// du^a/dt as symbols.
std::vector<Expr> acceleration_symbols(const StateSpace& space);
std::vector<Expr> factor_symbols(const Motion& motion);
/// de/dt of e(q, u, t) along any motion, in (q, u, u', t).
Expr rate_along_motion(const StateSpace& space, Expr e);
/// The derivative of e along the dual field of each theta^i: de/dq^i, or by the turning of the quaternion
/// about one axis. Whatever else is in e is held fixed.
std::vector<Expr> configuration_derivatives(const System& system, Expr e);

// ---- dynamics ----

/// What the structure equations add to p' (row G1.II-structure): w x p in body axes, where d w1 = -w2^w3,
/// - w x p in space axes; 0 for a coordinate.
std::vector<Expr> turning_terms(const System& system, const std::vector<Expr>& velocities,
                                const std::vector<Expr>& momenta);
/// Q_i on (q, u, t), the potential included.
std::vector<Expr> applied_forces(const StateSpace& space);
/// sum_h lambda_h l^h_i.
std::vector<Expr> reactions(const Motion& motion);
/// d/dt dT/dv^i - dT/dq^i - Q_i, without reactions: the left sides of Lagrange's equations.
std::vector<Expr> lagrange_rows(Algebra& algebra, const StateSpace& space);
/// dS/du'^a = (Q_i + lambda_h l^h_i) dv^i/du^a, one a velocity parameter.
std::vector<std::pair<Expr, Expr>> gibbs_appell_equations(const Motion& motion);

// ---- solving ----

/// rows = 0, linear in the unknowns. An unknown that stays open keeps its symbol; only the last ones, from
/// `may_stay_open` on, may. Nothing if there is no such solution, or the rows are not linear.
std::optional<std::vector<Expr>> solve_rows(Algebra& algebra, const std::vector<Expr>& rows,
                                            const std::vector<Expr>& unknowns, std::size_t may_stay_open);
/// Appends da^k/dt = 0 for each relation.
void add_relations(const Motion& motion, FormulationResult& result);
/// Accelerations and factors together from the first n + p equations, one bordered linear system
/// [M -L^T; A 0]; both stay empty where the factors are implicit or the system is too large.
void solve_bordered(Algebra& algebra, const Motion& motion, FormulationResult& result);

}  // namespace liaison
