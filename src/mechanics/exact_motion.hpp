#pragma once

#include <optional>
#include <vector>

#include "liaison/expr/substitute.hpp"
#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// The motion at a state with exact values, by exact algebra: what det r = 0 leaves of it.
struct ExactMotion {
  enum class Status {
    unique,      ///< det r != 0
    open,        ///< the relations agree with each other, and leave something open
    impossible,  ///< no factors keep the relations
    unknown,     ///< not decided
  };
  Status status = Status::unknown;
  Substitution values;     ///< accelerations and factors; those that are open are symbols in the others
  std::vector<Expr> open;  ///< factors or accelerations that no equation determines
};

/// mass du/dt - sum_h lambda_h l^h = load, da^k/du du/dt + bias^k = 0. Every step must be proved.
ExactMotion solve_exact_motion(Algebra& algebra, const Motion& motion, const Substitution& exact);

/// The only solution of equations that are linear in the unknowns, with constant coefficients; nothing where
/// they are not, or it is not proved to be the only one.
std::optional<Substitution> solve_linear_exactly(Algebra& algebra, const std::vector<Expr>& equations,
                                                 const std::vector<Expr>& unknowns);

/// Row G2.IV-degenerate: where i(e)da and i(E)da of the only constraint vanish together (proved), the second
/// derivative gives a quadratic equation for its factor: one motion for each real root, in order. Nothing
/// where it has none, or one cannot be told.
std::vector<ExactMotion> solve_second_order(Algebra& algebra, const Motion& motion,
                                            const Substitution& exact);

}  // namespace liaison
