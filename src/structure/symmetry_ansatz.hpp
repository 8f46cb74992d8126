#pragma once

#include <optional>
#include <vector>

#include "admissible_directions.hpp"
#include "function_basis.hpp"
#include "liaison/structure/symmetries.hpp"
#include "modular_matrix.hpp"
#include "rational_points.hpp"
#include "relation_frame.hpp"

namespace liaison {

/// What a symmetry must keep, beside Omega.
struct KeptBySymmetries {
  std::optional<AdmissibleDirections> directions;  ///< where there are relations between velocities
  std::vector<std::vector<Expr>> covectors;        ///< of all relations, on the velocities; beside these
  std::optional<RelationFrame> frame;              ///< where there are some between coordinates
  ChartInverse chart;                              ///< of velocity parameters of the model's own
};
/// `refused`: why that cannot be asked.
struct KeptResult {
  KeptBySymmetries kept;
  std::string refused;
};
KeptResult kept_by_symmetries(Algebra& algebra, const StateFlow& flow);

/// Whether a prolonged field keeps Omega and the admissible directions. Where relations bind coordinates, it
/// is tangent to them and keeps Omega on their tangent vectors.
Verdict decide_symmetry(Algebra& algebra, const StateFlow& flow, const KeptBySymmetries& kept,
                        const VectorField& field);

/// Y = sum c_ij b_j(q, t) e_i + c_0 d/dt with unknown constants c. theta(X)Omega = 0 and <omega^h, [Y, D_A]>
/// = 0 are linear in c at each point.
class SymmetryAnsatz {
 public:
  SymmetryAnsatz(Algebra& algebra, const StateFlow& flow, const SymmetryOptions& options);
  const std::string& refusal() const { return refusal_; }
  const std::string& described() const { return described_; }
  std::size_t columns() const { return columns_.size(); }
  /// The functions are independent (certified), and no root or logarithm stands in the equations.
  bool is_whole() const { return is_whole_; }
  bool solve();
  const std::vector<std::vector<Residue>>& kernel() const { return kernel_; }
  /// The prolonged field with coefficients in the field of the parameters.
  std::optional<VectorField> lift(const std::vector<Residue>& vector);
  /// Omega is kept, and so are the admissible directions.
  Verdict decide(const VectorField& field) const { return decide_symmetry(algebra_, flow_, kept_, field); }

 private:
  struct Column {
    VectorField field;             ///< prolonged, on V
    std::vector<Expr> conditions;  ///< what must vanish
  };
  VectorField basis_field(std::size_t direction, Expr function) const;
  std::vector<Expr> conditions_of(const VectorField& field) const;
  void keep_independent(const std::vector<std::size_t>& functions, ModularMatrix& matrix);
  std::vector<Expr> asked(const std::vector<std::size_t>& columns) const;
  /// Rows of the equations at a point of columns, from the values of their conditions, and of the entries of
  /// the relations' differentials. False: these are dependent there.
  bool add_rows(const PrimeField& field, std::span<const Residue> conditions,
                std::span<const Residue> entries, std::size_t columns, ModularMatrix& matrix) const;
  /// Where relations bind the points: with coefficients that are polynomials in the parameters.
  std::optional<std::vector<Expr>> lift_on_relations(const std::vector<std::size_t>& columns) const;
  std::vector<Expr> relations() const { return kept_.frame ? kept_.frame->relations() : std::vector<Expr>{}; }
  PointChoices choices() const { return {flow_.quaternions, {}, relations()}; }

  Algebra& algebra_;
  const StateFlow& flow_;
  const SymmetryOptions& options_;
  FunctionBasis basis_;
  KeptBySymmetries kept_;
  std::vector<Column> columns_;
  std::vector<std::vector<Residue>> kernel_;
  std::string refusal_, described_;
  bool is_whole_ = true;
};

/// Values of expressions at random rational points of the states, one list a point; none where some have no
/// value.
std::vector<std::vector<Expr>> rational_samples(Algebra& algebra, const StateFlow& flow,
                                                const std::vector<Expr>& asked, std::size_t count);

}  // namespace liaison
