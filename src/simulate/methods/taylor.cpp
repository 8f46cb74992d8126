#include "liaison/simulate/taylor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "liaison/compile/interpreter.hpp"
#include "liaison/compile/jit.hpp"
#include "liaison/compile/taylor.hpp"
#include "liaison/simulate/runge_kutta.hpp"

namespace liaison {

namespace {

constexpr double safety = 0.9;
/// One machine function: 0.9 us for the 3,939 instructions of a double pendulum at order 15, in pieces of 300
/// 1.2 us.
constexpr JitOptions how{.contract = true, .chunk_size = 20000, .thorough_limit = 12000};
/// What is left of the size of a component after a step, as for Dormand and Prince.
constexpr double memory_of_size = 0.9;

class Taylor final : public Integrator {
 public:
  Taylor(Evaluator& evaluator, const Program& rates, Tolerance tolerance, double step_length)
      : evaluator_(evaluator),
        n_(evaluator.size()),
        order_(taylor_order(tolerance.relative)),
        tolerance_(tolerance),
        step_length_(step_length),
        program_(make_taylor_program(rates, n_, order_)),
        inputs_(evaluator.rates_inputs().begin(), evaluator.rates_inputs().end()),
        y_(n_),
        old_(n_),
        trial_(n_),
        size_(n_),
        rates_(n_),
        coefficients_(order_ * n_),
        last_series_(order_ * n_),
        scratch_(program_.slot_count),
        without_series_([this](double t, const double* y, double* dy) { return evaluator_.rates(t, y, dy); },
                        n_, tolerance, step_length) {
    if (evaluator.engine() == Engine::compiled) compiled_ = std::make_unique<CompiledProgram>(program_, how);
  }

  bool begin(double t, std::span<const double> y, double) override {
    t_ = previous_ = t;
    clock_.begin(t);
    for (std::size_t i = 0; i < n_; ++i) size_[i] = std::abs(y[i]);
    return restart(y);
  }

  bool restart(std::span<const double> y) override {
    std::copy(y.begin(), y.end(), y_.begin());
    return expand() || has_rates_alone();
  }

  StepOutcome step(double end) override {
    if (!known_ && !expand()) return has_rates_alone() ? step_without_series(end) : StepOutcome::no_value;
    const double direction = end >= t_ ? 1 : -1, left = std::abs(end - t_);
    double length = step_length_ > 0 ? step_length_ : wanted_length();
    if (length >= left * (1 - 1e-9)) {
      length = left;
    } else if (step_length_ <= 0 && length > 0.5 * left) {
      length = 0.5 * left;  // no tiny last step
    }
    const double asked = length;
    length = length_that_holds(direction, length);
    const double least = shortest_step(t_);
    if (length < least && (left > least || step_length_ > 0)) return step_without_series(end);
    const bool is_whole = step_length_ > 0 && length == asked;
    const double t1 = is_whole         ? clock_.next(t_, step_length_, end)
                      : length == left ? end
                                       : t_ + direction * length;
    if (is_whole) {
      clock_.advance(t_, step_length_, end);
    } else {
      clock_.begin(t1);
    }
    previous_ = t_;
    has_series_ = true;
    std::swap(old_, y_);
    std::swap(last_series_, coefficients_);
    evaluate_series(last_series_, old_, t1 - previous_, y_.data());  // what the clock says
    t_ = t1;
    remember_sizes();
    known_ = false;
    return all_finite(y_) ? StepOutcome::stepped : StepOutcome::no_value;
  }

  double time() const override { return t_; }
  std::span<const double> state() const override { return y_; }
  void interpolate(double t, double* y) override {
    if (!has_series_) return without_series_.interpolate(t, y);
    evaluate_series(last_series_, old_, t - previous_, y);
  }

  bool may_step_again() const override { return step_length_ <= 0; }
  double fixed_length() const override { return step_length_; }
  /// What is quiet where a series is made may be loud within its step.
  bool overlooks_time() const override { return true; }
  std::vector<double> memory() const override {
    std::vector<double> result{clock_.origin(), clock_.count()};
    result.insert(result.end(), size_.begin(), size_.end());
    return result;
  }
  void recall(std::span<const double> memory) override {
    if (memory.size() != n_ + 2) return;
    clock_.recall(memory[0], memory[1]);
    std::copy(memory.begin() + 2, memory.end(), size_.begin());
  }
  std::size_t evaluations() const override { return evaluations_ + without_series_.evaluations(); }
  std::size_t rejected() const override { return rejected_ + without_series_.rejected(); }

  std::string failure() const override {
    return known_ ? "" : "the series has no value here, or the constraints depend on each other: use dop853";
  }

 private:
  /// A root that begins at zero has values and no series. Constraints that depend on each other have none
  /// anywhere: for them this is the wrong method.
  bool has_rates_alone() {
    return evaluator_.rates(t_, y_.data(), rates_.data()) && evaluator_.open_factors().empty();
  }

  /// One step of Dormand and Prince leads away from where there is no series.
  StepOutcome step_without_series(double end) {
    if (!without_series_.begin(t_, y_, end)) return StepOutcome::no_value;
    const double before = t_;
    const StepOutcome outcome = without_series_.step(end);
    if (outcome != StepOutcome::stepped) return outcome;
    t_ = step_length_ > 0 ? clock_.next(before, step_length_, end) : without_series_.time();
    if (step_length_ > 0) clock_.advance(before, step_length_, end);
    previous_ = before;
    has_series_ = false;
    std::swap(old_, y_);
    std::copy(without_series_.state().begin(), without_series_.state().end(), y_.begin());
    remember_sizes();
    known_ = false;
    return StepOutcome::stepped;
  }

  void remember_sizes() {
    for (std::size_t i = 0; i < n_; ++i) size_[i] = std::max(std::abs(y_[i]), memory_of_size * size_[i]);
  }

  bool expand() {
    const std::span<const double> inputs = evaluator_.rates_inputs(t_, y_.data());
    std::copy(inputs.begin(), inputs.end(), inputs_.begin());
    ++evaluations_;
    if (compiled_) {
      (*compiled_)(inputs_.data(), coefficients_.data());
    } else {
      run(program_, inputs_.data(), coefficients_.data(), scratch_.data());
    }
    known_ = all_finite(coefficients_) && agrees_with_rates();
    return known_;
  }

  /// The program has no choice of pivots. Where constraints depend on each other the evaluator has, and shows
  /// that the first coefficients are rounding.
  bool agrees_with_rates() {
    if (!evaluator_.has_relations()) return true;
    if (!evaluator_.rates(t_, y_.data(), rates_.data())) return false;
    bool begins_by_rounding = false;
    for (std::size_t i = 0; i < n_; ++i) {
      const double size = std::max({1.0, std::abs(rates_[i]), std::abs(coefficients_[i])});
      if (std::abs(rates_[i] - coefficients_[i]) > 1e-6 * size) return false;
      begins_by_rounding = begins_by_rounding || (rates_[i] == 0 && coefficients_[i] != 0);
    }
    // Where forces that cancel are all that keeps everything at rest, a series of their rounding would grow.
    // Rest is the series there, as far as it has the rates of the equations.
    if (begins_by_rounding &&
        std::all_of(rates_.begin(), rates_.end(), [](double rate) { return rate == 0; }))
      std::fill(coefficients_.begin(), coefficients_.end(), 0.0);
    return true;
  }

  /// The length at which the terms of one order come to the tolerance.
  double length_of_order(std::size_t k) const {
    double largest = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double scale = tolerance_.absolute + tolerance_.relative * size_[i];
      largest = std::max(largest, std::abs(coefficients_[(k - 1) * n_ + i]) / scale);
    }
    return largest > 0 ? std::pow(largest, -1 / static_cast<double>(k)) : INFINITY;
  }
  double wanted_length() const {
    return safety * std::min(length_of_order(order_ - 1), length_of_order(order_));
  }

  /// A series knows what is near: far from a corner that is round within a short way (sqrt(x^2 + 1e-10)) it
  /// ends early and says nothing of it. The length up to which it has the rates of the equations; of a step
  /// of a given length, up to which it has anything to do with them.
  double length_that_holds(double direction, double length) {
    constexpr int most_halvings = 60;
    constexpr double on_the_way = 0.55;
    for (int i = 0; i < most_halvings; ++i) {
      if (has_rates_at(direction * length) && has_rates_at(direction * on_the_way * length)) break;
      length /= 2;
      ++rejected_;
    }
    return length;
  }
  /// Where the equations have no rates others look.
  bool has_rates_at(double h) {
    // A jump that has no symbol, as in atan(tan(x)), is passed with an error of so many tolerances.
    constexpr double most_tolerances = 30, most_of_change = 0.1, rounding = 1e-11;
    evaluate_series(coefficients_, y_, h, trial_.data());
    if (!all_finite(trial_) || !evaluator_.rates(t_ + h, trial_.data(), rates_.data())) return true;
    for (std::size_t i = 0; i < n_; ++i) {
      double slope = 0;
      for (std::size_t k = order_; k-- > 0;)
        slope = slope * h + static_cast<double>(k + 1) * coefficients_[k * n_ + i];
      const double size = std::max(size_[i], std::abs(trial_[i]));
      double allowed =
          std::max(most_tolerances * (tolerance_.absolute + tolerance_.relative * size), rounding * size);
      if (step_length_ > 0)
        allowed += most_of_change * std::max(std::abs(trial_[i] - y_[i]), std::abs(rates_[i] * h));
      if (std::abs((slope - rates_[i]) * h) > allowed) return false;
    }
    return true;
  }

  void evaluate_series(const std::vector<double>& series, const std::vector<double>& start, double h,
                       double* y) const {
    for (std::size_t i = 0; i < n_; ++i) y[i] = series[(order_ - 1) * n_ + i];
    for (std::size_t k = order_ - 1; k-- > 0;) {
      for (std::size_t i = 0; i < n_; ++i) y[i] = y[i] * h + series[k * n_ + i];
    }
    for (std::size_t i = 0; i < n_; ++i) y[i] = y[i] * h + start[i];
  }

  Evaluator& evaluator_;
  std::size_t n_, order_;
  Tolerance tolerance_;
  double step_length_;
  StepClock clock_;
  Program program_;
  std::unique_ptr<CompiledProgram> compiled_;
  std::vector<double> inputs_;
  std::vector<double> y_, old_, trial_, size_, rates_, coefficients_, last_series_, scratch_;
  double t_ = 0, previous_ = 0;
  bool known_ = false;
  bool has_series_ = false;  ///< the last step
  DormandPrince without_series_;
  std::size_t evaluations_ = 0, rejected_ = 0;
};

}  // namespace

std::size_t taylor_order(double tolerance) {
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(-std::log(tolerance) / 2)) + 1, 4, 24);
}

std::unique_ptr<Integrator> make_taylor(Evaluator& evaluator, Tolerance tolerance, double step_length) {
  const Program* rates = evaluator.rates_program();
  if (rates == nullptr) {
    throw Error(ErrorCode::limit_reached,
                "the accelerations of this system are not one straight-line program",
                "use dop853, or --assembly unrolled");
  }
  return std::make_unique<Taylor>(evaluator, *rates, tolerance, step_length);
}

}  // namespace liaison
