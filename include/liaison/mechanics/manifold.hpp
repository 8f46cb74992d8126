#ifndef LIAISON_MECHANICS_MANIFOLD_HPP
#define LIAISON_MECHANICS_MANIFOLD_HPP

#include <optional>
#include <string>
#include <vector>

#include "liaison/expr/substitute.hpp"
#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// The constraint manifold {a^h = 0, levels = 0} as substitutions that satisfy it: velocity parameters and
/// coordinates given by the others. A relation of degree two gives two branches; what holds on the manifold
/// holds on each of them.
struct Manifold {
  std::vector<Substitution> branches;  ///< at least one; the empty substitution where nothing is constrained
  std::vector<std::size_t>
      unsolved;  ///< constraints (indices into Motion::constraints) that no branch satisfies by itself
  Conditions conditions;
  bool solved() const { return unsolved.empty(); }
};
/// `use_chart`: q' = psi(t, q, z) of the model's `intrinsic` statement where there is one; else the relations
/// are solved.
Manifold solve_manifold(Algebra& algebra, const Motion& motion, bool use_chart = true);

/// What closed forms divide by, each once: conditions under which they say something.
void add_denominators(const std::vector<Expr>& closed_forms, Conditions& conditions);

/// a == b on the states of the system, on every component, where what the closed forms of the motion divide
/// by does not vanish. No accelerations, factors or queries are left in them.
Verdict are_equal_on(Algebra& algebra, const Motion& motion, Expr a, Expr b);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_MANIFOLD_HPP
