#ifndef LIAISON_STRUCTURE_TWO_PRINCIPLES_HPP
#define LIAISON_STRUCTURE_TWO_PRINCIPLES_HPP

#include <string>
#include <vector>

#include "liaison/structure/constraint_flag.hpp"

namespace liaison {

enum class Coincidence {
  always,     ///< the relations are integrable: each motion of one is one of the other, for all multipliers
  suitable,   ///< each motion of d'Alembert is one of Clebsch and Mayer with suitable multipliers
  different,  ///< at general states no multipliers make them agree
  undecided,
};
std::string name_of(Coincidence coincidence);  ///< "always", "with suitable multipliers", "not in general"

/// D'Alembert's principle beside Clebsch and Mayer's variational one (rows MO1-coincidence-criterion,
/// MO1-integrable-coincidence). On the admissible direction xi_r the equations of the second have the further
/// terms sum_h mu_h C_rh, C_rh = xi_r^i E_i(phi^h), E_i the expression of Lagrange: minus the bilinear
/// covariant of phi^h. A motion of d'Alembert with factors lambda is one of the second where sum_h mu_h C_rh
/// = 0, and mu changes as the equations across the admissible directions say: mu' = N mu - lambda.
struct TwoPrinciples {
  std::vector<std::string> relations;  ///< between velocities
  std::vector<Expr> multipliers;       ///< symbols mu_h
  std::vector<Expr> directions;        ///< the free velocity of each admissible direction
  std::vector<Expr> further;           ///< sum_h mu_h C_rh on the states, one a direction
  Coincidence coincidence = Coincidence::undecided;
  Verdict verdict;                   ///< of it
  std::vector<Expr> suitable;        ///< mu_h as functions of the state; empty: several, or none
  std::size_t free_multipliers = 0;  ///< how many of the suitable ones stay open
  /// Combinations of the relations, with coefficients on the positions, whose multipliers have no further
  /// terms: those that may be used in T before it is differentiated (row MO7-theorem). For linear relations.
  std::vector<std::vector<Expr>> idle;
  /// How many such combinations there are by brackets, without solving for them: another road.
  std::optional<FirstBrackets> brackets;
  std::string reason;  ///< not empty: why nothing was asked, or is decided
};
TwoPrinciples compare_principles(Algebra& algebra, const StateFlow& flow);

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_TWO_PRINCIPLES_HPP
