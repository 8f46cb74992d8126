#include <Eigen/Dense>
#include <limits>

#include "liaison/compile/interpreter.hpp"
#include "liaison/mechanics/term_sizes.hpp"
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
  for (const std::size_t row : equations.vanishing) {
    for (const SparseEntry& entry : equations.g.entries)
      if (entry.row == row) outputs.push_back(size_of_terms(entry.value));
    outputs.push_back(size_of_terms(equations.c[row]));
  }
  return outputs;
}

/// Of columns of length one, what of one is left beside the others.
constexpr double nearly_dependent = 1e-5, dependent = 1e-12;

class DenseSolver : public ActiveSolver {
 public:
  DenseSolver(SaddlePtr equations, Engine engine)
      : equations_(std::move(equations)),
        entries_(make_program(equations_->inputs, outputs_of(*equations_), {.fixed = equations_->fixed}),
                 engine),
        n_(index(equations_->a.rows)),
        a_(n_, n_),
        free_(n_) {
    set_active(std::vector<bool>(equations_->g.rows, true));
  }

  void set_active(const std::vector<bool>& active) override {
    place_.clear();
    relations_ = forces_ = 0;
    for (std::size_t h = 0; h < std::max(equations_->l.rows, equations_->g.rows); ++h) {
      const bool is_relation = h < equations_->g.rows, is_kept = !is_relation || active[h];
      place_.push_back(is_kept ? std::max(relations_, forces_) : inactive);
      if (!is_kept) continue;
      if (is_relation) ++relations_;
      if (h < equations_->l.rows) ++forces_;
    }
    l_.resize(n_, forces_);
    g_.resize(relations_, n_);
    fields_.resize(n_, forces_);
    r_.resize(relations_, forces_);
    drive_.resize(relations_);
    left_.resize(relations_);
    z_.resize(forces_);
  }

  SaddleOutcome couple(const double* in, std::vector<double>& r, std::vector<double>& drive) override {
    const SaddleOutcome outcome = read(in);
    if (outcome != SaddleOutcome::solved) return outcome;
    fields_ = l_;
    solve_mass(fields_);
    r_.noalias() = g_ * fields_;
    r.assign(r_.data(), r_.data() + r_.size());  // by columns: one a force
    drive.assign(drive_.data(), drive_.data() + drive_.size());
    return outcome;
  }

  SaddleOutcome solve(const double* in, double* further, double* x, double* z) override {
    const SaddleOutcome outcome = read(in);
    if (outcome == SaddleOutcome::no_value) return outcome;
    std::copy_n(entries_.values().data(), equations_->further.size(), further);
    if (outcome != SaddleOutcome::solved) return outcome;
    Eigen::Map<VectorXd> result(x, n_);
    result = free_;
    if (forces_ == 0) {
      std::fill_n(z, equations_->l.rows, 0.0);
      return SaddleOutcome::solved;
    }
    fields_ = l_;
    const bool half = cholesky_ && equations_->ideal;  // r = (L^-1 g^T)^T (L^-1 g^T)
    if (half) {
      llt_.matrixL().solveInPlace(fields_);
      r_.noalias() = fields_.transpose() * fields_;
    } else {
      solve_mass(fields_);
      r_.noalias() = g_ * fields_;
    }
    equations_->ranks->open.clear();
    const SaddleOutcome solved = half ? solve_ideal() : solve_general();
    if (solved != SaddleOutcome::solved) return solved;
    if (!equations_->ranks->open.empty()) {
      add_without_rounding(result, half);
    } else {
      result += free_;
    }
    for (std::size_t h = 0; h < equations_->l.rows; ++h) z[h] = place_[h] == inactive ? 0.0 : z_(place_[h]);
    return SaddleOutcome::solved;
  }

  std::size_t operation_count() const override {
    const std::size_t n = equations_->a.rows, m = equations_->l.rows;
    return entries_.program().instructions.size() + n * n * n / 3 + 2 * n * n * m + m * m * m / 3;
  }

 private:
  static constexpr Index inactive = -1;

  /// Takes the entries at a state, factorises a, and finds what the motion would be without forces.
  SaddleOutcome read(const double* in) {
    const double* values = entries_(in);
    if (!all_finite(entries_.values())) return SaddleOutcome::no_value;
    values += equations_->further.size();
    a_.setZero();
    for (const SparseEntry& entry : equations_->a.entries)
      a_(index(entry.row), index(entry.column)) = *values++;
    l_.setZero();
    for (const SparseEntry& entry : equations_->l.entries) {
      const Index place = place_[entry.row];
      if (place != inactive) l_(index(entry.column), place) = *values;
      ++values;
    }
    g_.setZero();
    for (const SparseEntry& entry : equations_->g.entries) {
      const Index place = place_[entry.row];
      if (place != inactive) g_(place, index(entry.column)) = *values;
      ++values;
    }
    const Eigen::Map<const VectorXd> b(values, n_);
    const double* c = values + n_;
    for (std::size_t k = 0; k < equations_->g.rows; ++k)
      if (place_[k] != inactive) drive_(place_[k]) = c[k];
    drop_vanishing(c + equations_->c.size());
    cholesky_ = equations_->symmetric;
    if (cholesky_) {
      llt_.compute(a_);
      cholesky_ = llt_.info() == Eigen::Success;
    }
    if (!cholesky_ && !factorise_with_pivots()) return SaddleOutcome::singular;
    free_ = b;
    solve_mass(free_);
    if (!free_.allFinite()) return SaddleOutcome::singular;
    size_ = drive_.cwiseAbs();
    size_.noalias() += g_.cwiseAbs() * free_.cwiseAbs();
    drive_.noalias() += g_ * free_;
    return SaddleOutcome::solved;
  }

  /// Relations that ask nothing on this piece.
  void drop_vanishing(const double* sizes) {
    for (const std::size_t row : equations_->vanishing) {
      const Index place = place_[row];
      for (const SparseEntry& entry : equations_->g.entries) {
        if (entry.row != row) continue;
        const double size = *sizes++;
        const Index column = index(entry.column);
        if (place == inactive || std::abs(g_(place, column)) > vanished_beside * size) continue;
        g_(place, column) = 0;
        if (equations_->ideal) l_(column, place) = 0;
      }
      const double size = *sizes++;
      if (place != inactive && std::abs(drive_(place)) <= vanished_beside * size) drive_(place) = 0;
    }
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

  /// With f = L^-1 g^T, for which r = f^T f: f^T w = -drive, f z = w, and x changes by L^-T w.
  SaddleOutcome solve_ideal() {
    if (solve_positive()) {
      learn(relations_);
      free_.noalias() = fields_ * z_;
    } else if (!solve_orthogonal()) {
      return SaddleOutcome::incompatible;
    }
    llt_.matrixU().solveInPlace(free_);
    return SaddleOutcome::solved;
  }

  /// Where relations say the same thing, rounding makes each of them push against the others: what is left of
  /// accelerations that cancel would grow, since nothing else moves there.
  void add_without_rounding(Eigen::Map<VectorXd>& result, bool half) {
    constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
    if (half) llt_.matrixU().solveInPlace(fields_);
    const VectorXd sizes = result.cwiseAbs() + fields_.cwiseAbs() * z_.cwiseAbs();
    result += free_;
    for (Index i = 0; i < n_; ++i)
      if (std::abs(result(i)) <= rounding * sizes(i)) result(i) = 0;
  }

  /// By orthogonal factors of f, whose columns have length one; the square root of what r would lose.
  bool solve_orthogonal() {
    scale_ = fields_.colwise().norm().transpose();
    scale_ = (scale_.array() > 0).select(scale_, 1.0);
    qr_.compute(fields_ * scale_.cwiseInverse().asDiagonal());
    const Index rank = choose_rank(qr_.matrixR().diagonal().cwiseAbs().head(std::min(n_, relations_)));
    const auto triangle = qr_.matrixR().topLeftCorner(rank, rank).template triangularView<Eigen::Upper>();
    VectorXd right = qr_.colsPermutation().transpose() * VectorXd(-drive_.cwiseQuotient(scale_));
    VectorXd w = VectorXd::Zero(n_);
    w.head(rank) = triangle.transpose().solve(right.head(rank));
    VectorXd y = VectorXd::Zero(relations_);
    y.head(rank) = triangle.solve(w.head(rank));
    free_ = qr_.householderQ() * w;
    z_ = (qr_.colsPermutation() * y).cwiseQuotient(scale_);
    if (rank < relations_) {
      MatrixXd kernel = MatrixXd::Zero(relations_, relations_ - rank);
      kernel.topRows(rank) = -triangle.solve(qr_.matrixR().topRightCorner(rank, relations_ - rank));
      kernel.bottomRows(relations_ - rank).setIdentity();
      take_least(scale_.cwiseInverse().asDiagonal() * (qr_.colsPermutation() * kernel));
    }
    if (!z_.allFinite() || !free_.allFinite()) return false;
    if (!equations_->strict) return true;
    left_ = drive_;
    left_.noalias() += fields_.transpose() * free_;
    return is_kept();
  }

  /// r z = -drive with directions of their own.
  SaddleOutcome solve_general() {
    z_.setZero();
    free_.setZero();
    MatrixXd kernel = MatrixXd::Identity(forces_, forces_);
    if (relations_ > 0) {
      const VectorXd rows = r_.cwiseAbs().rowwise().maxCoeff(), columns = r_.cwiseAbs().colwise().maxCoeff();
      const VectorXd by_row = (rows.array() > 0).select(rows.cwiseInverse(), 1.0);
      const VectorXd by_column = (columns.array() > 0).select(columns.cwiseInverse(), 1.0);
      decomposition_.setThreshold(dependent);
      decomposition_.compute(by_row.asDiagonal() * r_ * by_column.asDiagonal());
      z_ = by_column.asDiagonal() * decomposition_.solve(VectorXd(by_row.asDiagonal() * -drive_));
      if (!z_.allFinite()) return SaddleOutcome::incompatible;
      left_ = drive_;
      left_.noalias() += r_ * z_;
      if (equations_->strict && !is_kept()) return SaddleOutcome::incompatible;
      const Index rank = decomposition_.rank();
      kernel =
          by_column.asDiagonal() * (decomposition_.colsPermutation() *
                                    decomposition_.matrixZ().transpose().rightCols(forces_ - rank).eval());
    }
    if (kernel.cols() > 0) {
      take_least(kernel);
      const VectorXd moved = (fields_ * kernel).cwiseAbs().rowwise().maxCoeff();
      const double size = fields_.cwiseAbs().maxCoeff() * kernel.cwiseAbs().maxCoeff();
      if (moved.maxCoeff() > equations_->ranks->open_motion * size) return SaddleOutcome::undetermined;
    }
    free_.noalias() = fields_ * z_;
    return SaddleOutcome::solved;
  }

  /// Beside the terms of each relation. States that a method tries lie off the constraints, where relations
  /// that repeat each other differ, by how much depends on the method: those of the motion decide.
  bool is_kept() const {
    constexpr double part = 1e-8;
    const RankMemory& ranks = *equations_->ranks;
    if (!ranks.learning && ranks.rank > 0) return true;
    const VectorXd size = size_ + r_.cwiseAbs() * z_.cwiseAbs();
    // An entry of r may be a rounded zero, beside what moves its relations by themselves.
    constexpr double rounding = 1e-13;
    const VectorXd own = r_.diagonal().cwiseAbs().cwiseSqrt();
    VectorXd allowed = part * size;
    allowed.head(own.size()) += rounding * own * own.dot(z_.head(own.size()).cwiseAbs());
    return (left_.array().abs() <= allowed.array()).all();
  }

  /// Of all factors that differ by the kernel those with the least sum of squares, as the relations are
  /// written.
  void take_least(const MatrixXd& kernel) {
    const Eigen::HouseholderQR<MatrixXd> factors(kernel);
    const MatrixXd basis = factors.householderQ() * MatrixXd::Identity(kernel.rows(), kernel.cols());
    z_ -= basis * (basis.transpose() * z_);
    for (Index c = 0; c < basis.cols(); ++c) {
      std::vector<double>& direction = equations_->ranks->open.emplace_back(equations_->l.rows, 0.0);
      for (std::size_t h = 0; h < direction.size(); ++h)
        if (place_[h] != inactive) direction[h] = basis(place_[h], c);
    }
  }

  void learn(Index rank) {
    RankMemory& ranks = *equations_->ranks;
    if (ranks.learning) ranks.rank = std::max(ranks.rank, static_cast<std::size_t>(rank));
  }

  /// Diagonal elements that are clear count; beyond them as many as the motion has, down to rounding.
  Index choose_rank(const VectorXd& diagonal) {
    const double largest = diagonal.size() > 0 ? diagonal.maxCoeff() : 0;
    const Index clear = (diagonal.array() > nearly_dependent * largest).count();
    learn(clear);
    const Index there = (diagonal.array() > dependent * largest).count();
    return std::max(clear, std::min(there, index(equations_->ranks->rank)));
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
  Index n_, forces_ = 0, relations_ = 0;
  std::vector<Index> place_;  ///< of each relation and force among the active ones
  MatrixXd a_, l_, g_;        ///< l transposed: one column a force
  MatrixXd fields_, r_;
  VectorXd free_, drive_, left_, z_;
  VectorXd size_;  ///< of the terms of the drive
  bool cholesky_ = false;
  Eigen::LLT<MatrixXd> llt_, factor_llt_;
  Eigen::PartialPivLU<MatrixXd> lu_;
  VectorXd scale_;
  Eigen::ColPivHouseholderQR<MatrixXd> qr_;
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition_;
};

}  // namespace

std::unique_ptr<SaddleSolver> make_dense_solver(SaddlePtr equations, Engine engine) {
  return std::make_unique<DenseSolver>(std::move(equations), engine);
}

std::unique_ptr<ActiveSolver> make_active_solver(SaddlePtr equations, Engine engine) {
  return std::make_unique<DenseSolver>(std::move(equations), engine);
}

}  // namespace liaison
