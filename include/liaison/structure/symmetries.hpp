#ifndef LIAISON_STRUCTURE_SYMMETRIES_HPP
#define LIAISON_STRUCTURE_SYMMETRIES_HPP

#include <optional>
#include <string>
#include <vector>

#include "liaison/algebra/matrix.hpp"
#include "liaison/structure/state_flow.hpp"

namespace liaison {

/// A field on the positions (and time) whose prolongation X to the velocities keeps the 2-form, theta(X)Omega
/// = 0, and the constraints: the admissible directions go over into themselves (rows G6.II-thmIII,
/// G6.II-time-translation).
struct Symmetry {
  VectorField field;  ///< X on the state manifold V
  Verdict verdict;
  std::string name;  ///< "time", "translation along x", or empty
  /// f with df = -i(X)Omega: X^i p_i - X^t (T + V) where all forces are those of a potential that X keeps; of
  /// d/dt alone the energy itself, df = i(X)Omega. Nothing where that form is not closed, or has no primitive
  /// in closed form. Without constraints it is conserved (Noether); with them where the field is admissible
  /// itself, or the reactions have no power on it.
  std::optional<Expr> momentum;
  bool multivalued = false;
  Verdict conserved;  ///< of the momentum
};

/// [X_a, X_b] = sum value * X_c.
struct StructureConstant {
  std::size_t a, b, c;
  Expr value;
};

struct SymmetryOptions {
  unsigned function_degree = 2;
  std::size_t max_columns = 160;  ///< unknown coefficients
  std::uint64_t seed = 20'260'103;
};

struct Symmetries {
  std::vector<Symmetry> fields;  ///< linearly independent
  std::string form;              ///< what was searched; empty: nothing was
  std::size_t unknowns = 0;
  Grade none_else = Grade::unknown;  ///< of "all fields of this form are combinations of these"
  std::string reason;
  std::vector<StructureConstant> constants;  ///< of a < b, those that are not zero
  std::vector<std::size_t> derived_series;   ///< dimensions of L, [L, L], ...; empty where L is not closed
  std::string closure;                       ///< why L is not closed; empty: it is
};
Symmetries find_symmetries(Algebra& algebra, const StateFlow& flow, const SymmetryOptions& options = {});

/// A field that is given, by its components on the theta^i and on dt: whether it is a symmetry, and its
/// momentum. `refused`: why that is not asked.
struct TestedSymmetry {
  std::optional<Symmetry> symmetry;
  std::string refused;
};
TestedSymmetry test_symmetry(Algebra& algebra, const StateFlow& flow, const std::vector<Expr>& components,
                             Expr time_component);

/// The field on V that a field on the positions gives: components on theta^i (functions of positions and
/// time) and a constant one on dt. `chart`: of velocity parameters of the model's own, the inverse of
/// dv^i/du^a (`chart_inverse`).
VectorField prolongation(const StateSpace& space, const std::vector<Expr>& components, Expr time_component,
                         const std::optional<Matrix>& chart = std::nullopt);
/// Nothing: the velocities are the parameters, or do not determine them.
struct ChartInverse {
  std::optional<Matrix> matrix;
  Conditions conditions;  ///< what it divides by
};
ChartInverse chart_inverse(Algebra& algebra, const StateSpace& space);

/// Whether a field keeps Omega: theta(X)Omega = 0.
Verdict keeps_omega(Algebra& algebra, const Motion& motion, const VectorField& field);

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_SYMMETRIES_HPP
