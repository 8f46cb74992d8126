#include <Eigen/Dense>

#include "liaison/compile/interpreter.hpp"
#include "runner.hpp"
#include "saddle.hpp"

namespace liaison {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Index index(std::size_t i) {
  return static_cast<Index>(i);
}

std::vector<Expr> outputs_of(const SaddleEquations& equations) {
  std::vector<Expr> outputs = equations.further;
  for (const SparseMatrix* matrix : {&equations.a, &equations.l, &equations.g})
    for (const SparseEntry& entry : matrix->entries) outputs.push_back(entry.value);
  outputs.insert(outputs.end(), equations.b.begin(), equations.b.end());
  outputs.insert(outputs.end(), equations.c.begin(), equations.c.end());
  return outputs;
}

class DenseSolver : public SaddleSolver {
 public:
  DenseSolver(SaddlePtr equations, Engine engine)
      : equations_(std::move(equations)),
        entries_(make_program(equations_->inputs, outputs_of(*equations_), {.fixed = equations_->fixed}),
                 engine),
        n_(index(equations_->a.rows)),
        forces_(index(equations_->l.rows)),
        relations_(index(equations_->g.rows)),
        a_(n_, n_),
        l_(n_, forces_),
        g_(relations_, n_),
        fields_(n_, forces_),
        r_(relations_, forces_),
        free_(n_),
        drive_(relations_),
        left_(relations_),
        z_(forces_) {}

  SaddleOutcome solve(const double* in, double* further, double* x, double* z) override {
    const double* values = entries_(in);
    if (!all_finite(entries_.values())) return SaddleOutcome::no_value;
    std::copy_n(values, equations_->further.size(), further);
    values += equations_->further.size();
    values = fill(a_, equations_->a, values, false);
    values = fill(l_, equations_->l, values, true);
    values = fill(g_, equations_->g, values, false);
    const Eigen::Map<const VectorXd> b(values, n_), c(values + n_, relations_);
    cholesky_ = equations_->symmetric;
    if (cholesky_) {
      llt_.compute(a_);
      cholesky_ = llt_.info() == Eigen::Success;
    }
    if (!cholesky_ && !factorise_with_pivots()) return SaddleOutcome::singular;
    free_ = b;
    solve_mass(free_);
    if (!free_.allFinite()) return SaddleOutcome::singular;
    Eigen::Map<VectorXd> result(x, n_);
    result = free_;
    if (forces_ == 0) return SaddleOutcome::solved;
    drive_ = c;
    drive_.noalias() += g_ * free_;
    fields_ = l_;
    const bool half = cholesky_ && equations_->ideal;  // r = (L^-1 g^T)^T (L^-1 g^T)
    if (half) {
      llt_.matrixL().solveInPlace(fields_);
      r_.noalias() = fields_.transpose() * fields_;
    } else {
      solve_mass(fields_);
      r_.noalias() = g_ * fields_;
    }
    if (!solve_factors(half)) return SaddleOutcome::incompatible;
    free_.noalias() = fields_ * z_;
    if (half) llt_.matrixU().solveInPlace(free_);
    result += free_;
    Eigen::Map<VectorXd>(z, forces_) = z_;
    return SaddleOutcome::solved;
  }

  std::size_t operation_count() const override {
    const std::size_t n = equations_->a.rows, m = equations_->l.rows;
    return entries_.program().instructions.size() + n * n * n / 3 + 2 * n * n * m + m * m * m / 3;
  }

 private:
  static const double* fill(MatrixXd& matrix, const SparseMatrix& pattern, const double* values,
                            bool transposed) {
    matrix.setZero();
    for (const SparseEntry& entry : pattern.entries) {
      const Index row = index(entry.row), column = index(entry.column);
      (transposed ? matrix(column, row) : matrix(row, column)) = *values++;
    }
    return values;
  }

  /// False where a pivot is nothing beside its row: some acceleration is not determined, whatever the load.
  bool factorise_with_pivots() {
    lu_.compute(a_);
    const VectorXd rows = lu_.permutationP() * VectorXd(a_.cwiseAbs().rowwise().maxCoeff());
    const VectorXd pivots = lu_.matrixLU().diagonal().cwiseAbs();
    return ((pivots.array() > 1e-15 * rows.array()) && (pivots.array() > 0)).all();
  }

  template <class Right>
  void solve_mass(Right& right) {
    if (cholesky_) {
      llt_.solveInPlace(right);
    } else {
      right = lu_.solve(right).eval();
    }
  }

  /// r z = -drive; false where no z does it.
  bool solve_factors(bool positive) {
    if (relations_ == 0) {
      z_.setZero();
      return true;
    }
    if (!(positive && solve_positive())) {
      decomposition_.compute(r_);
      z_ = decomposition_.solve(-drive_);
    }
    if (!z_.allFinite()) return false;
    if (!equations_->strict) return true;
    left_ = drive_;
    left_.noalias() += r_ * z_;
    return left_.cwiseAbs().maxCoeff() <= 1e-8 * std::max(1.0, drive_.cwiseAbs().maxCoeff());
  }

  bool solve_positive() {
    factor_llt_.compute(r_);
    if (factor_llt_.info() != Eigen::Success) return false;
    const MatrixXd& factor = factor_llt_.matrixLLT();
    for (Index k = 0; k < relations_; ++k)
      if (!(factor(k, k) * factor(k, k) > smallest_pivot * r_(k, k))) return false;
    z_ = -drive_;
    factor_llt_.solveInPlace(z_);
    return true;
  }

  SaddlePtr equations_;
  Runner entries_;
  Index n_, forces_, relations_;
  MatrixXd a_, l_, g_;  ///< l transposed: one column a force
  MatrixXd fields_, r_;
  VectorXd free_, drive_, left_, z_;
  bool cholesky_ = false;
  Eigen::LLT<MatrixXd> llt_, factor_llt_;
  Eigen::PartialPivLU<MatrixXd> lu_;
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition_;
};

}  // namespace

std::unique_ptr<SaddleSolver> make_dense_solver(SaddlePtr equations, Engine engine) {
  return std::make_unique<DenseSolver>(std::move(equations), engine);
}

}  // namespace liaison
