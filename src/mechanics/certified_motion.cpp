#include "certified_motion.hpp"

#include <algorithm>

namespace liaison {

namespace {

BallMatrix absolute(BallMatrix a) {
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j) arb_abs(a.at(i, j), a.at(i, j));
  }
  return a;
}

BallMatrix product(const BallMatrix& a, const BallMatrix& b, long bits) {
  BallMatrix result(a.rows(), b.columns());
  arb_mat_mul(result.raw(), a.raw(), b.raw(), bits);
  return result;
}

class Evaluation {
 public:
  Evaluation(const Motion& motion, const BallPoint& point, long bits)
      : motion_(motion),
        point_(point),
        bits_(bits),
        n_(motion.space.size()),
        forces_(motion.constraints.size()),
        relations_(motion.relation_count) {}

  MotionBalls run() {
    if (!read()) return std::move(result_);
    if (!solve_mass()) {
      if (!is_implicit(motion_)) solve_together();
      return std::move(result_);
    }
    form_r();
    if (!is_implicit(motion_)) solve_factors();
    return std::move(result_);
  }

  std::optional<MotionSizes> sizes() {
    if (forces_ != relations_ || !read()) return std::nullopt;
    if (!solve_mass()) return sizes_together();
    form_r();
    BallMatrix load(n_, 1), bias(relations_, 1), inverse(n_, n_), r_inverse(forces_, forces_);
    for (std::size_t i = 0; i < n_; ++i) {
      if (!add_sizes(motion_.free.load[i], load.at(i, 0))) return std::nullopt;
    }
    for (std::size_t k = 0; k < relations_; ++k) {
      if (!add_sizes(motion_.constraints[k].bias, bias.at(k, 0))) return std::nullopt;
    }
    const BallMatrix mass(n_, n_, std::span(values_).first(n_ * n_));
    if (!arb_mat_inv(inverse.raw(), mass.raw(), bits_)) return std::nullopt;
    if (forces_ > 0 && !arb_mat_inv(r_inverse.raw(), balance_.raw(), bits_)) return std::nullopt;
    BallMatrix acceleration = product(absolute(inverse), load, bits_);
    MotionSizes result;
    result.free_acceleration = acceleration.column(0);
    BallMatrix drive = product(absolute(gradients_), acceleration, bits_);
    arb_mat_add(drive.raw(), drive.raw(), bias.raw(), bits_);
    const BallMatrix factors = product(absolute(r_inverse), drive, bits_);
    const BallMatrix moved = product(absolute(result_.fields), factors, bits_);
    arb_mat_add(acceleration.raw(), acceleration.raw(), moved.raw(), bits_);
    result.drive = drive.column(0);
    result.factors = factors.column(0);
    result.acceleration = acceleration.column(0);
    return result;
  }

 private:
  /// The sum of the absolute values of what is added up in e.
  bool add_sizes(Expr e, arb_struct* sum) {
    const BallValues found = e.is(Op::add) ? evaluate_balls(e.args(), point_, bits_)
                                           : evaluate_balls(std::span(&e, 1), point_, bits_);
    for (const Ball& value : found.values) {
      Ball size;
      arb_abs(size.raw(), value.raw());
      arb_add(sum, sum, size.raw(), bits_);
    }
    return found.status == EvaluationStatus::ok;
  }

  bool fail(MotionBalls::Status status, std::string reason) {
    result_.status = status;
    result_.reason = std::move(reason);
    return false;
  }

  /// mass, load, directions, gradients, bias at once: they share subexpressions.
  bool read() {
    std::vector<Expr> parts = motion_.free.mass.entries;
    parts.insert(parts.end(), motion_.free.load.begin(), motion_.free.load.end());
    for (const ConstraintField& constraint : motion_.constraints)
      parts.insert(parts.end(), constraint.direction.begin(), constraint.direction.end());
    for (std::size_t k = 0; k < relations_; ++k) {
      const ConstraintField& constraint = motion_.constraints[k];
      parts.insert(parts.end(), constraint.gradient.begin(), constraint.gradient.end());
      parts.push_back(constraint.bias);
    }
    const BallValues found = evaluate_balls(parts, point_, bits_);
    if (found.status == EvaluationStatus::precision_limit)
      return fail(MotionBalls::Status::more_bits, found.reason());
    if (found.status != EvaluationStatus::ok) return fail(MotionBalls::Status::no_value, found.reason());
    values_ = found.values;
    return true;
  }

  /// M E = load and M e^h = l^h, all right sides at once.
  bool solve_mass() {
    const BallMatrix mass(n_, n_, std::span(values_).first(n_ * n_));
    BallMatrix right(n_, 1 + forces_), solution(n_, 1 + forces_);
    for (std::size_t h = 0; h <= forces_; ++h) {
      for (std::size_t i = 0; i < n_; ++i) arb_set(right.at(i, h), values_[n_ * n_ + h * n_ + i].raw());
    }
    if (!arb_mat_solve(solution.raw(), mass.raw(), right.raw(), bits_)) {
      return fail(MotionBalls::Status::more_bits,
                  "the mass matrix is singular at this state, or next to it: the accelerations are not "
                  "determined");
    }
    result_.free_acceleration = solution.column(0);
    result_.fields = BallMatrix(n_, forces_);
    for (std::size_t h = 0; h < forces_; ++h) {
      for (std::size_t a = 0; a < n_; ++a) arb_set(result_.fields.at(a, h), solution.at(a, 1 + h));
    }
    result_.acceleration = result_.free_acceleration;
    result_.regular = forces_ == 0;
    arb_one(result_.determinant.raw());
    return true;
  }

  /// mass u' - sum_h lambda_h l^h = load and da^k/du u' = -bias^k in one matrix, which may be regular where
  /// the masses alone are not: a relation holds what has none.
  BallMatrix saddle() const {
    BallMatrix result(n_ + relations_, n_ + forces_);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t a = 0; a < n_; ++a) arb_set(result.at(i, a), values_[i * n_ + a].raw());
      for (std::size_t h = 0; h < forces_; ++h)
        arb_neg(result.at(i, n_ + h), values_[n_ * n_ + (1 + h) * n_ + i].raw());
    }
    for (std::size_t k = 0; k < relations_; ++k) {
      for (std::size_t a = 0; a < n_; ++a) arb_set(result.at(n_ + k, a), relation_row(k)[a].raw());
    }
    return result;
  }

  /// The gradient of a relation, then its bias.
  const Ball* relation_row(std::size_t k) const {
    return &values_[n_ * n_ + n_ + forces_ * n_ + k * (n_ + 1)];
  }

  /// Accelerations and factors without E, e^h and r, which have no value where the mass matrix is singular.
  void solve_together() {
    if (forces_ == 0 || forces_ != relations_) return;
    BallMatrix right(n_ + relations_, 1), solution(n_ + forces_, 1);
    for (std::size_t i = 0; i < n_; ++i) arb_set(right.at(i, 0), values_[n_ * n_ + i].raw());
    for (std::size_t k = 0; k < relations_; ++k) arb_neg(right.at(n_ + k, 0), relation_row(k)[n_].raw());
    if (!arb_mat_solve(solution.raw(), saddle().raw(), right.raw(), bits_)) return;
    const std::vector<Ball> all = solution.column(0);
    result_.acceleration.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n_));
    result_.factors.assign(all.begin() + static_cast<std::ptrdiff_t>(n_), all.end());
    result_.status = MotionBalls::Status::ok;
    result_.reason.clear();
    result_.regular = true;
    result_.has_fields = false;
  }

  std::optional<MotionSizes> sizes_together() {
    const std::size_t size = n_ + forces_;
    BallMatrix right(size, 1), inverse(size, size);
    for (std::size_t i = 0; i < n_; ++i) {
      if (!add_sizes(motion_.free.load[i], right.at(i, 0))) return std::nullopt;
    }
    for (std::size_t k = 0; k < relations_; ++k) {
      if (!add_sizes(motion_.constraints[k].bias, right.at(n_ + k, 0))) return std::nullopt;
    }
    if (!arb_mat_inv(inverse.raw(), saddle().raw(), bits_)) return std::nullopt;
    const std::vector<Ball> all = product(absolute(inverse), right, bits_).column(0);
    MotionSizes result;
    result.acceleration.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n_));
    result.factors.assign(all.begin() + static_cast<std::ptrdiff_t>(n_), all.end());
    return result;
  }

  void form_r() {
    gradients_ = BallMatrix(relations_, n_);
    result_.drive.resize(relations_);
    for (std::size_t k = 0; k < relations_; ++k) {
      const Ball* row = relation_row(k);
      result_.drive[k] = row[n_];
      for (std::size_t a = 0; a < n_; ++a) {
        arb_set(gradients_.at(k, a), row[a].raw());
        arb_addmul(result_.drive[k].raw(), row[a].raw(), result_.free_acceleration[a].raw(), bits_);
      }
    }
    balance_ = BallMatrix(relations_, forces_);
    arb_mat_mul(balance_.raw(), gradients_.raw(), result_.fields.raw(), bits_);
    result_.r = BallMatrix(forces_, relations_);
    arb_mat_transpose(result_.r.raw(), balance_.raw());
    if (forces_ == relations_) arb_mat_det(result_.determinant.raw(), balance_.raw(), bits_);
  }

  /// sum_h lambda_h r^{hk} + i(E)da^k = 0.
  void solve_factors() {
    if (forces_ == 0 || forces_ != relations_) return;
    BallMatrix right(relations_, 1, result_.drive), solution(forces_, 1), moved(n_, 1);
    arb_mat_neg(right.raw(), right.raw());
    if (!arb_mat_solve(solution.raw(), balance_.raw(), right.raw(), bits_)) return;
    arb_mat_mul(moved.raw(), result_.fields.raw(), solution.raw(), bits_);
    for (std::size_t a = 0; a < n_; ++a) {
      arb_add(result_.acceleration[a].raw(), result_.acceleration[a].raw(), moved.at(a, 0), bits_);
    }
    result_.factors = solution.column(0);
    result_.regular = true;
  }

  const Motion& motion_;
  const BallPoint& point_;
  long bits_;
  std::size_t n_, forces_, relations_;
  std::vector<Ball> values_;
  BallMatrix gradients_{0, 0};
  BallMatrix balance_{0, 0};  ///< r transposed
  MotionBalls result_;
};

}  // namespace

MotionBalls evaluate_motion(const Motion& motion, const BallPoint& point, long bits) {
  return Evaluation(motion, point, bits).run();
}

std::optional<MotionSizes> evaluate_sizes(const Motion& motion, const BallPoint& point, long bits) {
  return Evaluation(motion, point, bits).sizes();
}

bool is_implicit(const Motion& motion) {
  return std::any_of(motion.constraints.begin(), motion.constraints.end(),
                     [](const ConstraintField& constraint) { return constraint.depends_on_factor; });
}

}  // namespace liaison
