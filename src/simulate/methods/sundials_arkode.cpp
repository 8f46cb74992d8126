#include <cmath>

#include "liaison/simulate/sundials.hpp"
#include "sundials_method.hpp"

namespace liaison {

namespace {

using sundials::Solver;

struct FreedTable {
  void operator()(ARKodeButcherTable table) const { ARKodeButcherTable_Free(table); }
};
using Table = std::unique_ptr<std::remove_pointer_t<ARKodeButcherTable>, FreedTable>;

/// The method of Fehlberg with a fourteenth stage of no weight. ERKStep before 6.6 takes a last stage at the
/// end of the step for the rates at the new state, whatever its coefficients; the thirteenth stage of this
/// method is such a one, and the order would fall to 7.
Table make_table() {
  const auto fehlberg = sundials::owned<Table>(ARKodeButcherTable_LoadERK(ARKODE_FEHLBERG_13_7_8));
  const int stages = fehlberg->stages;
  auto table = sundials::owned<Table>(ARKodeButcherTable_Alloc(stages + 1, 1));
  table->q = fehlberg->q;
  table->p = fehlberg->p;
  for (int i = 0; i < stages; ++i) {
    table->b[i] = fehlberg->b[i];
    table->c[i] = fehlberg->c[i];
    table->d[i] = fehlberg->d[i];
    std::copy_n(fehlberg->A[i], stages, table->A[i]);
  }
  return table;
}

class Arkode final : public sundials::RatesMethod {
 public:
  Arkode(Rates rates, std::size_t size, Tolerance tolerance, double fixed_step)
      : RatesMethod(std::move(rates), size),
        tolerance_(tolerance),
        fixed_step_(fixed_step),
        table_(make_table()),
        own_(size),
        old_(size),
        at_(size),
        stages_(static_cast<std::size_t>(table_->stages - 1) * size) {}

  bool may_step_again() const override { return fixed_step_ <= 0; }
  double fixed_length() const override { return fixed_step_; }
  /// The estimate of Fehlberg's method is zero where the rates depend on the time alone, or on what grows as
  /// the time does.
  bool overlooks_quadratures() const override { return true; }

 private:
  int start(double first_step) override {
    const bool turned = backward_ != std::signbit(first_step);
    backward_ = std::signbit(first_step);
    std::copy(y_.values().begin(), y_.values().end(), own_.begin());
    if (solver_ == nullptr || turned) return make(first_step);
    const int flag = ERKStepReInit(solver_.get(), evaluate, clock_, y_.get());
    return flag < 0 ? flag : ERKStepSetInitStep(solver_.get(), first_step);
  }

  int make(double first_step) {
    constexpr int most_rejections = 40;
    solver_ = sundials::owned<Solver<ERKStepFree>>(ERKStepCreate(evaluate, clock_, y_.get(), context_.get()));
    void* solver = solver_.get();
    for (const int flag :
         {ERKStepSetErrHandlerFn(solver, keep_message, static_cast<Method*>(this)),
          ERKStepSetUserData(solver, static_cast<RatesMethod*>(this)), ERKStepSetInterpolantDegree(solver, 2),
          ERKStepSetTable(solver, table_.get()),
          ERKStepSStolerances(solver, tolerance_.relative, tolerance_.absolute),
          ERKStepSetMaxErrTestFails(solver, most_rejections), ERKStepSetInitStep(solver, first_step)}) {
      if (flag < 0) return flag;
    }
    return 0;
  }

  /// A method of one step remembers nothing but the length.
  double first_step(double) override {
    double length = 0;
    if (solver_ != nullptr) ERKStepGetCurrentStep(solver_.get(), &length);
    return std::abs(length);
  }

  int advance(double end, double& clock) override {
    old_ = own_;
    begin_ = clock_;
    const int flag = fixed_step_ > 0 ? fixed_step(end, clock) : evolve(end, clock);
    if (flag >= 0) std::copy(next_.values().begin(), next_.values().end(), own_.begin());
    return flag;
  }

  int evolve(double end, double& clock) {
    const int flag = ERKStepSetStopTime(solver_.get(), end);
    return flag < 0 ? flag : ERKStepEvolve(solver_.get(), end, next_.get(), &clock, ARK_ONE_STEP);
  }

  /// As long as the times say at which it begins and ends.
  int fixed_step(double end, double& clock) {
    if (t_ != steps_at_) steps_.begin(t_);
    const double begin = t_, next = steps_.next(begin, fixed_step_, end_);
    const double to = next == end_ ? end : clock_ + (next - begin);
    int flag = ERKStepSetFixedStep(solver_.get(), to - clock_);
    if (flag >= 0) flag = evolve(to, clock);
    if (flag < 0) return flag;
    steps_.advance(begin, fixed_step_, end_);
    steps_at_ = next;
    const bool is_there = clock == to;  // ERKStep adds up its steps
    clock = to;
    return is_there ? flag : ERKStepReset(solver_.get(), clock, next_.get());
  }

  /// A step of this method from the beginning of the last one. The interpolation of ERKStep has the error h^5
  /// at best, far above that of the steps; this one costs thirteen evaluations.
  int evaluate_between(double clock, N_Vector y) override {
    const double h = clock - begin_;
    const auto count = static_cast<std::size_t>(table_->stages - 1);
    const auto move = [&](const double* weights, std::size_t until, double* to) {
      std::copy(old_.begin(), old_.end(), to);
      for (std::size_t s = 0; s < until; ++s) {
        if (weights[s] == 0) continue;
        for (std::size_t i = 0; i < size_; ++i) to[i] += h * weights[s] * stages_[s * size_ + i];
      }
    };
    for (std::size_t s = 0; s < count; ++s) {
      move(table_->A[s], s, at_.data());
      if (!evaluate_rates(time_at(begin_ + table_->c[s] * h), at_.data(), stages_.data() + s * size_))
        return -1;
    }
    move(table_->b, count, N_VGetArrayPointer(y));
    return 0;
  }

  Cause cause(int flag) const override {
    switch (flag) {
      case ARK_ERR_FAILURE:
      case ARK_TOO_MUCH_ACC: return Cause::error_test;
      case ARK_RHSFUNC_FAIL:
      case ARK_FIRST_RHSFUNC_ERR:
      case ARK_REPTD_RHSFUNC_ERR:
      case ARK_UNREC_RHSFUNC_ERR: return Cause::no_value;
      default: return flag >= 0 ? Cause::success : Cause::setup;
    }
  }

  std::size_t failed_steps() const override {
    long count = 0;
    ERKStepGetNumErrTestFails(solver_.get(), &count);
    return static_cast<std::size_t>(count);
  }

  bool may_shorten() const override { return fixed_step_ <= 0; }

  Tolerance tolerance_;
  double fixed_step_;
  Table table_;
  bool backward_ = false;
  StepClock steps_;                        ///< of one length
  double steps_at_ = NAN;                  ///< the time at which they stand
  double begin_ = 0;                       ///< of the last step, by the solver's clock
  std::vector<double> own_;                ///< the solver's state
  std::vector<double> old_, at_, stages_;  ///< the state there; stages of a step from there
  Solver<ERKStepFree> solver_;
};

}  // namespace

std::unique_ptr<Integrator> make_arkode(Rates rates, std::size_t size, Tolerance tolerance,
                                        double fixed_step) {
  return std::make_unique<Arkode>(std::move(rates), size, tolerance, fixed_step);
}

}  // namespace liaison
