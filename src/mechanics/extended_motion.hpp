#pragma once

#include <string>
#include <utility>
#include <vector>

#include "formulations.hpp"

/// The system with each rheonomic coordinate as a direction, for the roads that go there.
namespace liaison {

struct ExtendedMotion {
  Motion motion;                   ///< n coordinates and m drives, whose constraints follow the others
  std::size_t n = 0, m = 0;        ///< directions
  std::size_t relation_count = 0;  ///< without those of the drives
  Substitution law;                ///< q0, q0' and q0'' by the time
  std::vector<Expr> forces;        ///< R_0 of each drive, a symbol for reading

  Expr drive_factor(std::size_t k) const { return motion.constraints[relation_count + k].factor; }
  Expr inserted(Expr e) const { return substitute(e, law); }
};
/// `system`: that of the motion with its drives as directions; accelerations and factors only where they are
/// asked for.
ExtendedMotion extend_motion(Algebra& algebra, const Motion& motion, const System& system,
                             bool closed_form = false);

/// A symbol that is not in the model: the name, with underscores where the model has another use for it.
Expr symbol_for_reading(const System& system, std::string name);

/// left = right of each direction of the extended system becomes the equations of a road: those of the
/// coordinates, the relations, and left - right without R_0 = R_0; solved for accelerations, factors and R_0.
void finish_extended(Algebra& algebra, const Motion& motion, const ExtendedMotion& extended,
                     const std::vector<std::pair<Expr, Expr>>& equations, FormulationResult& result);

/// R_0 of each drive by Omega on the extended manifold, in accelerations and factors, the laws inserted.
std::vector<Expr> drive_rows(const ExtendedMotion& extended);

}  // namespace liaison
