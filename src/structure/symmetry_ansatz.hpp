#pragma once

#include <optional>
#include <vector>

#include "admissible_directions.hpp"
#include "function_basis.hpp"
#include "liaison/structure/symmetries.hpp"
#include "modular_matrix.hpp"
#include "rational_points.hpp"

namespace liaison {

/// Whether a prolonged field keeps Omega and the admissible directions, of which there are some where there
/// are relations.
Verdict decide_symmetry(Algebra& algebra, const StateFlow& flow,
                        const std::optional<AdmissibleDirections>& directions, const VectorField& field);

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
  Verdict decide(const VectorField& field) const {
    return decide_symmetry(algebra_, flow_, directions_, field);
  }

 private:
  struct Column {
    VectorField field;             ///< prolonged, on V
    std::vector<Expr> conditions;  ///< what must vanish
  };
  VectorField basis_field(std::size_t direction, Expr function) const;
  std::vector<Expr> conditions_of(const VectorField& field) const;
  void keep_independent(const std::vector<std::size_t>& functions, ModularMatrix& matrix);
  std::vector<Expr> asked(const std::vector<std::size_t>& columns) const;

  Algebra& algebra_;
  const StateFlow& flow_;
  const SymmetryOptions& options_;
  FunctionBasis basis_;
  std::optional<AdmissibleDirections> directions_;  ///< where there are relations
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
