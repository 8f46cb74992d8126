#pragma once

#include "liaison/expr/substitute.hpp"
#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// Whether a motion starts at a printed point, whose values are rounded to 17 digits: all of this is certain
/// for every point that is rounded to it.

/// None of these is zero.
bool do_not_vanish_at(const std::vector<Expr>& conditions, const Witness& witness);
/// Every constraint is maintained by an ideal reaction, and there are no other reactions.
bool is_ideal(const System& system);
/// The mass matrix is positive definite, by Cholesky's factorisation in balls.
bool has_definite_mass_at(const Motion& motion, const Witness& witness);
/// One motion: the determinant of mass, directions and gradients is not zero. The relations are independent
/// there.
bool is_regular_at(const Motion& motion, const Witness& witness);
/// The relations have the same rank at all states nearby: some are independent at the point, and the others
/// follow from these around it. No motion changes parameters: those whose values are exact are put in, and
/// relations between parameters that hold are `kept`. At k = 0 the relation k*x' = 0 is none.
bool has_constant_rank_at(Algebra& algebra, const Motion& motion, const Witness& witness,
                          const Substitution& parameters, const std::vector<Expr>& kept = {});

}  // namespace liaison
