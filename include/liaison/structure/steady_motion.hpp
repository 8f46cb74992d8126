#ifndef LIAISON_STRUCTURE_STEADY_MOTION_HPP
#define LIAISON_STRUCTURE_STEADY_MOTION_HPP

#include <optional>
#include <string>
#include <vector>

#include "liaison/expr/domain.hpp"
#include "liaison/structure/equilibria.hpp"

namespace liaison {

/// How many roots of a polynomial lie on each side of the imaginary axis, with their multiplicities.
struct RootSides {
  std::size_t left = 0, axis = 0, right = 0;  ///< `axis` with those that are zero
  std::size_t zero = 0;
  bool operator==(const RootSides&) const = default;
};
/// Exactly: c[0] + c[1] x + ..., the last one not zero. Roots that come with their opposite are those of the
/// common factor of the even and the odd part; the others are enclosed until their side is certain.
RootSides count_root_sides(const std::vector<Rational>& coefficients);

/// The roots themselves, enclosed, each as often as it is one.
std::vector<Eigenvalue> enclosed_roots(const std::vector<Rational>& coefficients);

/// "asymptotically stable", "unstable" (both by Lyapunov's first method), or "neutral": the linear equations
/// do not decide.
std::string name_of(const RootSides& sides);

/// Where a state stands: outside, where something in the model certainly has no value; inside, where
/// everything certainly has one around it.
enum class StatePlace { inside, edge, outside };
StatePlace place_in(const Domain& domain, const BallPoint& at);
/// Where the model has a value on the admissible states.
Domain domain_of(const StateFlow& flow);

/// A motion along which only coordinates change that the field does not contain, as a disc that rolls
/// straight on, or rest: the small deviations of all else obey linear equations with constant coefficients,
/// on what the constraints allow.
struct SteadyMotion {
  std::string reason;                        ///< not empty: there is none, and why
  std::vector<Expr> variables;               ///< positions that the field contains, then free velocities
  std::vector<Expr> ignored;                 ///< positions that it does not contain
  std::vector<std::string> outputs, inputs;  ///< names of the rows of C and the columns of B
  std::vector<std::string>
      left_out;  ///< outputs with ignored positions, the time, or what has no closed form
  /// d(deviation)/dt = A deviation + B input, output = C deviation + D input; functions of the parameters.
  std::optional<Matrix> a, b, c, d;
  std::vector<Expr> polynomial;  ///< det(x - A), c[0] + c[1] x + ... + x^n
  /// Hurwitz's determinants of it, divided by x as often as that is possible: all roots are on the left
  /// exactly where all of them are positive. Empty where it is even, or of a degree above 6.
  std::vector<Expr> hurwitz;
  std::size_t zeros = 0;  ///< how often it was divided
  Substitution rest;      ///< the positions and quaternions of a rest; empty where something moves
  /// What the closed forms divide by, at the motion: nothing is said where one of them vanishes.
  std::vector<Expr> conditions;
  Domain domain;            ///< there is such a state where this holds
  bool for_values = false;  ///< for the values of the parameters alone
  Grade grade = Grade::proved;
};

/// A state by its symbols; positions and velocities that are not given are zero, or follow from the
/// constraints. Values may contain parameters, and symbols of the state that shall stay free. Parameters stay
/// symbols where that is not too much work, else they have these `values`.
SteadyMotion linearise_steady_motion(Algebra& algebra, const StateFlow& flow, const Substitution& state,
                                     const std::vector<Expr>& inputs, const Substitution& values);

/// Eigenvalues of a matrix without symbols, enclosed; empty where they could not be.
std::vector<Eigenvalue> enclosed_eigenvalues(const Matrix& matrix);

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_STEADY_MOTION_HPP
