#include "liaison/simulate/sundials.hpp"
#include "sundials_method.hpp"

namespace liaison {

namespace {

using sundials::Solver;

class Cvode final : public sundials::RatesMethod {
 public:
  Cvode(Rates rates, std::size_t size, Tolerance tolerance, const CvodeOptions& options)
      : RatesMethod(std::move(rates), size),
        tolerance_(tolerance),
        options_(options),
        adams_(options.family == MultistepFamily::adams),
        jacobian_(options.jacobian ? size * size : 0) {}

  bool keeps_constraints() const override { return projects(); }
  bool lives_on_its_past() const override { return true; }

 private:
  bool projects() const { return !adams_ && options_.project; }

  int start(double first_step) override {
    if (solver_ == nullptr) return make(first_step);
    const int flag = CVodeReInit(solver_.get(), clock_, y_.get());
    return flag < 0 ? flag : CVodeSetInitStep(solver_.get(), first_step);
  }

  int make(double first_step) {
    constexpr int most_rejections = 40;
    solver_ = sundials::owned<Solver<CVodeFree>>(CVodeCreate(adams_ ? CV_ADAMS : CV_BDF, context_.get()));
    void* solver = solver_.get();
    for (const int flag :
         {CVodeSetErrHandlerFn(solver, keep_message, static_cast<Method*>(this)),
          CVodeInit(solver, evaluate, clock_, y_.get()),
          CVodeSetUserData(solver, static_cast<RatesMethod*>(this)),
          CVodeSStolerances(solver, tolerance_.relative, tolerance_.absolute),
          CVodeSetMaxErrTestFails(solver, most_rejections), CVodeSetInitStep(solver, first_step)}) {
      if (flag < 0) return flag;
    }
    return adams_ ? attach_fixed_point() : attach_newton();
  }

  int attach_fixed_point() {
    fixed_point_ =
        sundials::owned<sundials::NonlinearSolver>(SUNNonlinSol_FixedPoint(y_.get(), 0, context_.get()));
    return CVodeSetNonlinearSolver(solver_.get(), fixed_point_.get());
  }

  int attach_newton() {
    matrix_ = sundials::make_matrix(size_, context_);
    linear_ =
        sundials::owned<sundials::LinearSolver>(SUNLinSol_Dense(y_.get(), matrix_.get(), context_.get()));
    int flag = CVodeSetLinearSolver(solver_.get(), linear_.get(), matrix_.get());
    if (flag >= 0 && options_.jacobian) flag = CVodeSetJacFn(solver_.get(), evaluate_jacobian);
    if (flag >= 0 && projects()) flag = CVodeSetProjFn(solver_.get(), project);
    // The estimate of the error is left as it is: its part across the constraints makes it a little larger.
    if (flag >= 0 && projects()) flag = CVodeSetProjErrEst(solver_.get(), 0);
    return flag;
  }

  static int evaluate_jacobian(double clock, N_Vector y, N_Vector, SUNMatrix jacobian, void* self, N_Vector,
                               N_Vector, N_Vector) {
    auto& method = static_cast<Cvode&>(*static_cast<RatesMethod*>(self));
    return method.guarded(clock, [&](double t) {
      std::vector<double>& rows = method.jacobian_;
      if (!method.options_.jacobian(t, N_VGetArrayPointer(y), rows.data())) return false;
      const std::size_t n = method.size_;
      for (std::size_t j = 0; j < n; ++j) {
        double* column = SUNDenseMatrix_Column(jacobian, static_cast<sunindextype>(j));
        for (std::size_t i = 0; i < n; ++i) column[i] = rows[i * n + j];
      }
      return true;
    });
  }

  static int project(double clock, N_Vector y, N_Vector correction, double, N_Vector, void* self) {
    auto& method = static_cast<Cvode&>(*static_cast<RatesMethod*>(self));
    return method.guarded(clock, [&](double t) {
      const double* from = N_VGetArrayPointer(y);
      double* to = N_VGetArrayPointer(correction);
      std::copy_n(from, method.size_, to);
      if (!method.options_.project(t, to)) return false;
      for (std::size_t i = 0; i < method.size_; ++i) to[i] -= from[i];
      return true;
    });
  }

  double first_step(double) override { return 0; }

  int advance(double end, double& clock) override {
    const int flag = CVodeSetStopTime(solver_.get(), end);
    return flag < 0 ? flag : CVode(solver_.get(), end, next_.get(), &clock, CV_ONE_STEP);
  }

  int evaluate_between(double clock, N_Vector y) override { return CVodeGetDky(solver_.get(), clock, 0, y); }

  Cause cause(int flag) const override {
    switch (flag) {
      case CV_ERR_FAILURE:
      case CV_TOO_MUCH_ACC: return Cause::error_test;
      case CV_CONV_FAILURE:
      case CV_LSETUP_FAIL:
      case CV_LSOLVE_FAIL:
      case CV_NLS_FAIL:
      case CV_PROJFUNC_FAIL:
      case CV_REPTD_PROJFUNC_ERR: return Cause::convergence;
      case CV_RHSFUNC_FAIL:
      case CV_FIRST_RHSFUNC_ERR:
      case CV_REPTD_RHSFUNC_ERR:
      case CV_UNREC_RHSFUNC_ERR: return Cause::no_value;
      default: return flag >= 0 ? Cause::success : Cause::setup;
    }
  }

  std::size_t failed_steps() const override {
    long errors = 0, solves = 0;
    CVodeGetNumErrTestFails(solver_.get(), &errors);
    CVodeGetNumStepSolveFails(solver_.get(), &solves);
    return static_cast<std::size_t>(errors + solves);
  }

  Tolerance tolerance_;
  CvodeOptions options_;
  bool adams_;
  std::vector<double> jacobian_;  ///< row by row
  sundials::Matrix matrix_;
  sundials::LinearSolver linear_;
  sundials::NonlinearSolver fixed_point_;
  Solver<CVodeFree> solver_;
};

}  // namespace

std::unique_ptr<Integrator> make_cvode(Rates rates, std::size_t size, Tolerance tolerance,
                                       const CvodeOptions& options) {
  return std::make_unique<Cvode>(std::move(rates), size, tolerance, options);
}

}  // namespace liaison
