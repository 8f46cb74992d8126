#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "liaison/simulate/sundials.hpp"
#include "mechanics/dense.hpp"
#include "sundials_method.hpp"

namespace liaison {

namespace {

using sundials::Solver;

/// The stabilised system of index 2 of Gear, Gupta and Leimkuhler (1985),
///   q' = v(q, u, t) - (da/dq)^T mu,   M u' = load + sum_h lambda_h l^h,   relations = 0,   levels = 0,
/// where mu vanishes on the solution. The unknowns are the integrals Lambda and N of lambda and mu: Lambda'
/// and N' stand in the equations. Backward differences then give the same q, u, lambda and mu, but the matrix
/// of Newton's method does not degenerate as the step goes to zero, and there is nothing to scale by the
/// step. Unknowns: q, u, Lambda, N. Rows: rates of q, rates of u, relations, levels.
class Ida final : public sundials::Method {
 public:
  Ida(Evaluator& evaluator, Tolerance tolerance)
      : Method(evaluator.size(), evaluator.size() + evaluator.factor_count() + evaluator.level_count()),
        evaluator_(evaluator),
        tolerance_(tolerance),
        positions_(evaluator.position_count()),
        n_(evaluator.direction_count()),
        forces_(evaluator.factor_count()),
        levels_(evaluator.level_count()),
        unknowns_(size_ + forces_ + levels_),
        rates_(unknowns_, context_),
        next_rates_(unknowns_, context_),
        differential_(unknowns_, context_),
        varied_(unknowns_),
        varied_rates_(unknowns_),
        residual_(unknowns_),
        varied_residual_(unknowns_),
        sizes_(size_) {
    std::fill_n(differential_.data(), size_, 1.0);
  }

  bool keeps_constraints() const override { return true; }

 private:
  bool complete() override;
  bool are_factors_determined();
  int start(double first_step) override;
  int make(double first_step);
  double first_step(double end) override;
  double size_in_tolerances(const double* values) const;
  void see_sizes(const double* y, double kept);
  bool compute_residual(double t, const double* y, const double* dy, double* result);
  bool compute_jacobian(double t, double rate_factor, const double* y, const double* dy, SUNMatrix result);
  void add_rate_derivatives(double rate_factor, SUNMatrix result) const;

  static Ida& self_of(void* self) { return static_cast<Ida&>(*static_cast<Method*>(self)); }
  static int evaluate(double clock, N_Vector y, N_Vector dy, N_Vector result, void* self) {
    Ida& ida = self_of(self);
    return ida.guarded(clock, [&](double t) {
      return ida.compute_residual(t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy),
                                  N_VGetArrayPointer(result));
    });
  }
  static int evaluate_jacobian(double clock, double rate_factor, N_Vector y, N_Vector dy, N_Vector,
                               SUNMatrix result, void* self, N_Vector, N_Vector, N_Vector) {
    Ida& ida = self_of(self);
    return ida.guarded(clock, [&](double t) {
      return ida.compute_jacobian(t, rate_factor, N_VGetArrayPointer(y), N_VGetArrayPointer(dy), result);
    });
  }

  /// The tolerance of each number is relative to its size: one that comes to zero is as large as it was some
  /// steps before, and none is known better than the rounding of the largest position. What is only an
  /// integral of factors is not judged: neither by the error test nor by Newton's method.
  static int weigh(N_Vector y, N_Vector weights, void* self) {
    const Ida& ida = self_of(self);
    const double* values = N_VGetArrayPointer(y);
    double* result = N_VGetArrayPointer(weights);
    constexpr double any_size = 1e100, rounding = 16 * std::numeric_limits<double>::epsilon();
    double largest = 0;
    for (std::size_t i = 0; i < ida.positions_; ++i) largest = std::max(largest, std::abs(values[i]));
    for (std::size_t i = 0; i < ida.unknowns_; ++i) {
      if (i >= ida.size_) {
        result[i] = 1 / any_size;
        continue;
      }
      const double least = std::max(ida.tolerance_.absolute, i < ida.positions_ ? rounding * largest : 0.0);
      result[i] = 1 / (least + ida.tolerance_.relative * std::max(std::abs(values[i]), ida.sizes_[i]));
    }
    return 0;
  }

  /// What Newton's method leaves of the constraints, a part of the tolerance, is taken away from the states
  /// that are handed on; the past of the method stays its own.
  int advance(double end, double& clock) override {
    int flag = IDASetStopTime(solver_.get(), end);
    if (flag < 0) return flag;
    flag = IDASolve(solver_.get(), end, &clock, next_.get(), next_rates_.get(), IDA_ONE_STEP);
    if (flag < 0) return flag;
    put_on_constraints(time_at(clock), next_.data());
    constexpr double memory_of_size = 0.9;  // as for Dormand and Prince
    see_sizes(next_.data(), memory_of_size);
    return flag;
  }
  int evaluate_between(double clock, N_Vector y) override {
    const int flag = IDAGetDky(solver_.get(), clock, 0, y);
    if (flag >= 0) put_on_constraints(time_at(clock), N_VGetArrayPointer(y));
    return flag;
  }
  void put_on_constraints(double t, double* y) {
    std::copy_n(y, size_, varied_.begin());
    if (evaluator_.project(t, varied_.data())) std::copy_n(varied_.begin(), size_, y);
  }
  Cause cause(int flag) const override;
  std::size_t failed_steps() const override {
    long errors = 0, solves = 0;
    IDAGetNumErrTestFails(solver_.get(), &errors);
    IDAGetNumStepSolveFails(solver_.get(), &solves);
    return static_cast<std::size_t>(errors + solves);
  }

  Evaluator& evaluator_;
  Tolerance tolerance_;
  std::size_t positions_, n_, forces_, levels_, unknowns_;
  sundials::Vector rates_, next_rates_, differential_;
  std::vector<double> varied_, varied_rates_, residual_, varied_residual_, state_rates_;
  std::vector<double> sizes_;  ///< of the state, now and some steps before
  Evaluator::Pieces pieces_, varied_pieces_;
  sundials::Matrix matrix_;
  sundials::LinearSolver linear_;
  Solver<IDAFree> solver_;
};

/// Onto the constraints, and the rates and factors there: consistent values, as IDA wants them.
bool Ida::complete() {
  std::fill_n(y_.data() + size_, unknowns_ - size_, 0.0);
  std::fill_n(rates_.data(), unknowns_, 0.0);
  ++evaluations_;
  if (!evaluator_.project(t_, y_.data())) {
    failure_ = fmt::format("the state at t = {:.9g} cannot be moved onto the constraints", t_);
    return false;
  }
  if (!evaluator_.rates(t_, y_.data(), rates_.data())) {
    failure_ = evaluator_.failure();
    return false;
  }
  std::copy_n(evaluator_.factors().begin(), forces_, rates_.data() + size_);
  see_sizes(y_.data(), 1);
  return are_factors_determined();
}

/// det r != 0: otherwise the factors of a step are not determined, and neither is the step.
bool Ida::are_factors_determined() {
  constexpr double smallest_pivot = 1e-11;  // relative to the largest
  if (forces_ == 0) return true;
  if (forces_ != evaluator_.relation_count()) {
    failure_ = fmt::format("there are {} factors for {} relations: they are not determined", forces_,
                           evaluator_.relation_count());
    return false;
  }
  Evaluator::Couplings couplings;
  const std::vector<double> factors(evaluator_.factors().begin(), evaluator_.factors().end());
  if (!evaluator_.couplings(t_, y_.data(), factors, couplings)) {
    failure_ = evaluator_.failure();
    return false;
  }
  const auto size = static_cast<Eigen::Index>(forces_);
  DenseRank rank(Eigen::Map<const Eigen::MatrixXd>(couplings.r.data(), size, size));
  rank.set_threshold(smallest_pivot);
  if (rank.is_invertible()) return true;
  failure_ = fmt::format("the constraints are dependent at t = {:.9g}: their factors are not determined", t_);
  return false;
}

int Ida::start(double first_step) {
  if (solver_ == nullptr) return make(first_step);
  const int flag = IDAReInit(solver_.get(), clock_, y_.get(), rates_.get());
  return flag < 0 ? flag : IDASetInitStep(solver_.get(), first_step);
}

int Ida::make(double first_step) {
  constexpr int most_rejections = 40;
  constexpr double newton_part = 0.01;  // of the tolerance
  solver_ = sundials::owned<Solver<IDAFree>>(IDACreate(context_.get()));
  matrix_ = sundials::make_matrix(unknowns_, context_);
  linear_ = sundials::owned<sundials::LinearSolver>(SUNLinSol_Dense(y_.get(), matrix_.get(), context_.get()));
  void* solver = solver_.get();
  for (const int flag :
       {IDASetErrHandlerFn(solver, keep_message, static_cast<Method*>(this)),
        IDAInit(solver, evaluate, clock_, y_.get(), rates_.get()),
        IDASetUserData(solver, static_cast<Method*>(this)), IDAWFtolerances(solver, weigh),
        IDASetId(solver, differential_.get()), IDASetSuppressAlg(solver, 1),
        IDASetLinearSolver(solver, linear_.get(), matrix_.get()), IDASetJacFn(solver, evaluate_jacobian),
        IDASetNonlinConvCoef(solver, newton_part), IDASetMaxErrTestFails(solver, most_rejections),
        IDASetInitStep(solver, first_step)}) {
    if (flag < 0) return flag;
  }
  return 0;
}

void Ida::see_sizes(const double* y, double kept) {
  for (std::size_t i = 0; i < size_; ++i) sizes_[i] = std::max(std::abs(y[i]), kept * sizes_[i]);
}

/// The root mean square of the state's components, each relative to its tolerance.
double Ida::size_in_tolerances(const double* values) const {
  double sum = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const double scale = tolerance_.absolute + tolerance_.relative * std::abs(y_.values()[i]);
    sum += values[i] / scale * (values[i] / scale);
  }
  return std::sqrt(sum / static_cast<double>(size_));
}

/// The first step has order 1 and the error h^2/2 y'': y'' from the rates a little later.
double Ida::first_step(double end) {
  // A restart at the end of a run does not know yet how far it will go.
  const double span = end == t_ ? std::numeric_limits<double>::max() : std::abs(end - t_);
  const double here = size_in_tolerances(y_.data()), speed = size_in_tolerances(rates_.data());
  double ahead = speed > 0 && here > 0 ? std::min(1e-2 * here / speed, span) : std::min(1e-6, 1e-2 * span);
  const double direction = forward_ ? 1 : -1;
  for (int attempt = 0; attempt < 4; ++attempt, ahead *= 1e-3) {
    for (std::size_t i = 0; i < size_; ++i) varied_[i] = y_.data()[i] + direction * ahead * rates_.data()[i];
    ++evaluations_;
    if (!evaluator_.rates(t_ + direction * ahead, varied_.data(), varied_rates_.data())) continue;
    for (std::size_t i = 0; i < size_; ++i) varied_rates_[i] -= rates_.data()[i];
    const double bend = size_in_tolerances(varied_rates_.data()) / ahead;
    const double length = std::sqrt(1 / std::max(bend, std::numeric_limits<double>::min()));
    return std::isfinite(length) ? std::min({length, 100 * ahead, 1e-2 * span}) : 0;
  }
  return 0;
}

bool Ida::compute_residual(double t, const double* y, const double* dy, double* result) {
  ++evaluations_;
  const double* factors = dy + size_;  // Lambda'
  varied_pieces_.position_rates.clear();
  if (!evaluator_.pieces(t, y, {factors, forces_}, varied_pieces_)) return false;
  if (varied_pieces_.position_rates.size() !=
      positions_) {  // from the rates, where the pieces leave them out
    state_rates_.resize(size_);
    if (!evaluator_.rates(t, y, state_rates_.data())) return false;
    varied_pieces_.position_rates.assign(state_rates_.begin(),
                                         state_rates_.begin() + static_cast<std::ptrdiff_t>(positions_));
  }
  const Evaluator::Pieces& at = varied_pieces_;
  for (std::size_t i = 0; i < positions_; ++i) {
    result[i] = dy[i] - at.position_rates[i];
    for (std::size_t k = 0; k < levels_; ++k)
      result[i] += at.level_gradients[k * positions_ + i] * factors[forces_ + k];
  }
  for (std::size_t i = 0; i < n_; ++i) {
    double sum = -at.load[i];
    for (std::size_t j = 0; j < n_; ++j) sum += at.mass[i * n_ + j] * dy[positions_ + j];
    for (std::size_t h = 0; h < forces_; ++h) sum -= at.directions[h * n_ + i] * factors[h];
    result[positions_ + i] = sum;
  }
  std::copy(at.relations.begin(), at.relations.end(), result + size_);
  std::copy(at.levels.begin(), at.levels.end(), result + size_ + forces_);
  return std::all_of(result, result + unknowns_, [](double value) { return std::isfinite(value); });
}

/// dF/dy + rate_factor dF/dy'. By y: difference quotients; by y': the entries themselves, and a difference
/// quotient for the directions that depend on their factors.
bool Ida::compute_jacobian(double t, double rate_factor, const double* y, const double* dy,
                           SUNMatrix result) {
  const double root = std::sqrt(std::numeric_limits<double>::epsilon());
  const double floor = tolerance_.relative > 0 ? tolerance_.absolute / tolerance_.relative : 1;
  if (!compute_residual(t, y, dy, residual_.data())) return false;
  std::swap(pieces_, varied_pieces_);  // those of the state stay
  SUNMatZero(result);
  std::copy_n(y, unknowns_, varied_.begin());
  std::copy_n(dy, unknowns_, varied_rates_.begin());
  const auto add_difference = [&](double& varied, double size, double factor, std::size_t column) {
    const double kept = varied;
    volatile double moved = kept + root * std::max({size, floor, root});
    varied = moved;
    const double step = varied - kept;
    const bool known = compute_residual(t, varied_.data(), varied_rates_.data(), varied_residual_.data());
    varied = kept;
    if (!known) return false;
    double* entries = SUNDenseMatrix_Column(result, static_cast<sunindextype>(column));
    for (std::size_t i = 0; i < unknowns_; ++i)
      entries[i] += factor * (varied_residual_[i] - residual_[i]) / step;
    return true;
  };
  for (std::size_t j = 0; j < size_; ++j) {
    const double size = std::max({std::abs(y[j]), std::abs(dy[j] / rate_factor), sizes_[j]});
    if (!add_difference(varied_[j], size, 1, j)) return false;
  }
  for (std::size_t h = 0; h < forces_; ++h) {
    if (!add_difference(varied_rates_[size_ + h], std::max(1.0, std::abs(dy[size_ + h])), rate_factor,
                        size_ + h))
      return false;
  }
  add_rate_derivatives(rate_factor, result);
  return true;
}

/// Everything by q', u' and N', where the equations are linear.
void Ida::add_rate_derivatives(double rate_factor, SUNMatrix result) const {
  const auto column = [&](std::size_t j) {
    return SUNDenseMatrix_Column(result, static_cast<sunindextype>(j));
  };
  for (std::size_t i = 0; i < positions_; ++i) column(i)[i] += rate_factor;
  for (std::size_t j = 0; j < n_; ++j) {
    double* entries = column(positions_ + j);
    for (std::size_t i = 0; i < n_; ++i) entries[positions_ + i] += rate_factor * pieces_.mass[i * n_ + j];
  }
  for (std::size_t k = 0; k < levels_; ++k) {
    double* entries = column(size_ + forces_ + k);
    for (std::size_t i = 0; i < positions_; ++i)
      entries[i] += rate_factor * pieces_.level_gradients[k * positions_ + i];
  }
}

Ida::Cause Ida::cause(int flag) const {
  switch (flag) {
    case IDA_ERR_FAIL:
    case IDA_TOO_MUCH_ACC: return Cause::error_test;
    case IDA_CONV_FAIL:
    case IDA_LSETUP_FAIL:
    case IDA_LSOLVE_FAIL:
    case IDA_NLS_FAIL: return Cause::convergence;
    case IDA_RES_FAIL:
    case IDA_REP_RES_ERR:
    case IDA_FIRST_RES_FAIL: return Cause::no_value;
    default: return flag >= 0 ? Cause::success : Cause::setup;
  }
}

}  // namespace

std::unique_ptr<Integrator> make_ida(Evaluator& evaluator, Tolerance tolerance) {
  return std::make_unique<Ida>(evaluator, tolerance);
}

}  // namespace liaison
