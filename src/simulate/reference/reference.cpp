#include "liaison/simulate/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "liaison/expr/substitute.hpp"
#include "reference_constraints.hpp"
#include "reference_extrapolation.hpp"

namespace liaison {

namespace {

constexpr int least_digits = 10, most_digits = 250;  ///< sizes of errors are doubles
constexpr int local_guard_digits = 2;
constexpr double second_tolerance = 100;  ///< times the first
constexpr double rounding = 4e-16;        ///< doubles of one number differ by no more, relative

/// One trajectory with all that it takes.
class ReferenceRun {
 public:
  ReferenceRun(const AssembledEquations& equations, const ExactPoint& start, const Rational& t0,
               const Rational& t1, const ReferenceOptions& options)
      : equations_(equations),
        options_(options),
        precision_(options.digits),
        fixed_(parameters_in(start)),
        motion_(equations, fixed_, precision_),
        constraints_(equations, fixed_, precision_),
        t0_(t0, precision_.bits),
        t1_(t1, precision_.bits),
        symbols_(equations.positions) {
    symbols_.insert(symbols_.end(), equations.parameters.begin(), equations.parameters.end());
    start_ = values_of(symbols_, start, true);
    first_factors_ = values_of(equations.factors, start, false);
    if (options.settle) constraints_.settle(t0_, start_);
  }

  ReferenceTrajectory trajectory() {
    const double tolerance = std::pow(10.0, -options_.digits - local_guard_digits);
    Extrapolation first = run(tolerance);
    ReferenceTrajectory result;
    result.t = t1_.to_double();
    result.symbols = symbols_;
    for (const LongReal& value : first.state()) result.y.push_back(printed(value));
    for (const LongReal& value : motion_.factors()) result.factors.push_back(printed(value));
    describe_end(first.state(), result);
    result.steps = first.steps();
    result.rejected = first.rejected();
    result.evaluations = first.evaluations();
    if (options_.second_run) {
      const Extrapolation second = run(tolerance * second_tolerance);
      for (std::size_t i = 0; i < symbols_.size(); ++i) {
        LongReal difference;
        arf_sub(difference.raw(), first.state()[i].raw(), second.state()[i].raw(), 64, ARF_RND_DOWN);
        result.error = std::max(result.error, std::abs(difference.to_double()) / first.sizes()[i]);
      }
    }
    return result;
  }

 private:
  ExactPoint parameters_in(const ExactPoint& start) const {
    ExactPoint result;
    for (const Parameter& parameter : equations_.system->parameters) {
      const auto found = start.find(parameter.symbol);
      if (found != start.end()) result.insert(*found);
    }
    return result;
  }

  std::vector<LongReal> values_of(const std::vector<Expr>& symbols, const ExactPoint& point,
                                  bool needed) const {
    std::vector<Expr> values;
    for (Expr symbol : symbols) {
      const auto found = point.find(symbol);
      if (found == point.end() && needed) {
        throw Error(ErrorCode::missing_value, "`" + symbol.symbol().name + "` has no value at the start");
      }
      values.push_back(found == point.end() ? symbol.pool().number(0) : found->second);
    }
    MultiprecisionProgram program({}, values, precision_.bits);
    std::vector<LongReal> result(values.size());
    program.run({}, result);
    return result;
  }

  Extrapolation run(double tolerance) {
    ExtrapolationOptions how{.bits = precision_.bits, .tolerance = tolerance};
    how.columns = options_.columns;
    how.step = options_.step;
    how.max_steps = options_.max_steps;
    motion_.factors() = first_factors_;
    Extrapolation extrapolation([this](const LongReal& t, const std::vector<LongReal>& y,
                                       std::vector<LongReal>& dy) { return motion_.rates(t, y, dy); },
                                how);
    const ExtrapolationOutcome outcome = extrapolation.run(t0_, start_, t1_);
    if (outcome != ExtrapolationOutcome::finished) throw_outcome(outcome, extrapolation);
    return extrapolation;
  }

  [[noreturn]] void throw_outcome(ExtrapolationOutcome outcome, const Extrapolation& extrapolation) const {
    std::string where = fmt::format("t = {:.17g}", extrapolation.time().to_double());
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      where += fmt::format(", {} = {:.9g}", symbols_[i].symbol().name, extrapolation.state()[i].to_double());
    }
    std::string what = motion_.failure();
    ErrorCode code = ErrorCode::limit_reached;
    if (outcome == ExtrapolationOutcome::no_value) {
      if (!motion_.failed_to_converge()) code = ErrorCode::undefined_constant;
    } else if (outcome == ExtrapolationOutcome::step_limit) {
      what = fmt::format("{} steps were not enough", options_.max_steps);
    } else {
      what = "the steps fall to nothing" + (what.empty() ? what : ": " + what);
    }
    throw Error(code, what + " at " + where);
  }

  ReferenceValue printed(const LongReal& value) const {
    return {.value = value.to_double(), .digits = value.to_string(options_.digits)};
  }

  void describe_end(const std::vector<LongReal>& y, ReferenceTrajectory& result) {
    const ReferenceConstraints::Energies before = constraints_.energies(t0_, start_);
    const ReferenceConstraints::Energies after = constraints_.energies(t1_, y);
    result.kinetic = printed(after.kinetic);
    result.potential = printed(after.potential);
    LongReal change;
    arf_add(change.raw(), after.kinetic.raw(), after.potential.raw(), precision_.bits, ARF_RND_DOWN);
    arf_sub(change.raw(), change.raw(), before.kinetic.raw(), precision_.bits, ARF_RND_DOWN);
    arf_sub(change.raw(), change.raw(), before.potential.raw(), precision_.bits, ARF_RND_DOWN);
    result.energy_change = change.to_double();
    const ReferenceConstraints::Residuals residuals = constraints_.residuals(t1_, y);
    result.level_residual = residuals.level;
    result.relation_residual = residuals.relation;
  }

  const AssembledEquations& equations_;
  ReferenceOptions options_;
  ReferencePrecision precision_;
  ExactPoint fixed_;
  ReferenceEquations motion_;
  ReferenceConstraints constraints_;
  LongReal t0_, t1_;
  std::vector<Expr> symbols_;
  std::vector<LongReal> start_, first_factors_;
};

bool agree(double exact, double given) {
  return std::abs(exact - given) <= rounding * std::max(std::abs(exact), std::abs(given));
}

}  // namespace

const ReferenceValue& ReferenceTrajectory::operator[](Expr symbol) const {
  const auto found = std::find(symbols.begin(), symbols.end(), symbol);
  if (found == symbols.end()) {
    throw Error(ErrorCode::missing_value, "the trajectory has no such component");
  }
  return y[static_cast<std::size_t>(found - symbols.begin())];
}

ReferenceTrajectory reference_trajectory(const AssembledEquations& equations, const ExactPoint& start,
                                         const Rational& t0, const Rational& t1,
                                         const ReferenceOptions& options) {
  if (options.digits < least_digits || options.digits > most_digits) {
    throw Error(ErrorCode::limit_reached, fmt::format("{} digits are asked for; a reference has {} to {}",
                                                      options.digits, least_digits, most_digits));
  }
  return ReferenceRun(equations, start, t0, t1, options).trajectory();
}

ReferenceTrajectory reference_trajectory(const AssembledEquations& equations, const ExactPoint& start,
                                         double t0, double t1, const ReferenceOptions& options) {
  return reference_trajectory(equations, start, Rational::from_double(t0), Rational::from_double(t1),
                              options);
}

ExactPoint exact_start(const System& system, const DoublePoint& completed) {
  ExactPoint result = exact_point(completed);
  const auto replace = [&](Expr symbol, Expr exact) {
    const auto given = completed.find(symbol);
    if (given == completed.end() || !exact.is_constant()) return;
    const DoubleValues value = evaluate(std::span(&exact, 1), {});
    if (value.status == EvaluationStatus::ok && agree(value.values[0], given->second)) {
      result.insert_or_assign(symbol, exact);
    }
  };
  for (const Parameter& parameter : system.parameters) {
    if (parameter.value) replace(parameter.symbol, parameter.exact());
  }
  for (const InitialValue& initial : system.start) replace(initial.symbol, substitute(initial.value, result));
  return result;
}

}  // namespace liaison
