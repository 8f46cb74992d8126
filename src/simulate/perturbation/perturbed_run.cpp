#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/simulate/perturbation.hpp"
#include "liaison/simulate/runge_kutta.hpp"
#include "simulate/perturbation/compiled_matrix.hpp"

namespace liaison {

namespace {

/// What of an event the deviations ask for.
struct CompiledEvent {
  CompiledMatrix when_by_state, when_by_unknowns;  ///< by y, parameters, time; by u' and factors
  Runner resets;
  CompiledMatrix resets_by_state;
  std::vector<std::size_t> targets;  ///< places in y
  std::string failure;
};

class PerturbedRun {
 public:
  PerturbedRun(const AssembledEquations& equations, Evaluator& evaluator, PerturbationEquations& perturbation,
               const DoublePoint& values, const std::vector<EventRecord>& events, PerturbedState begin,
               const PerturbedRunOptions& options, const std::function<bool(const PerturbedState&)>& receive)
      : equations_(equations),
        system_(*equations.system),
        evaluator_(evaluator),
        perturbation_(perturbation),
        values_(values),
        options_(options),
        receive_(receive),
        n_(evaluator.size()),
        state_(std::move(begin)) {
    for (const EventRecord& record : events) {
      const bool resets = system_.events[record.event].action == EventAction::reset;
      if (resets && !record.touches && record.t > state_.t && record.t <= options.until)
        jumps_.push_back(record);
    }
    keeps_relations_ = evaluator.has_relations() || !system_.rotations.empty();
  }

  PerturbedRunResult run() {
    DormandPrince method([this](double t, const double* z, double* dz) { return rates(t, z, dz); },
                         n_ * (1 + state_.deviations.size()), options_.tolerance);
    begin_ = state_.t;
    if (!begin(method)) return end(SimulationOutcome::singular, failure());
    if (!learn_sides()) return end(SimulationOutcome::singular, failure());
    if (receive_ && !receive_(state_)) return end(SimulationOutcome::interrupted, {});
    std::size_t next_jump = 0;
    while (state_.t < options_.until) {
      if (options_.interrupted && options_.interrupted()) return end(SimulationOutcome::interrupted, {});
      if (result_.steps >= options_.max_steps)
        return end(SimulationOutcome::step_limit, fmt::format("{} steps were not enough", result_.steps));
      const double target = next_jump < jumps_.size() ? jumps_[next_jump].t : options_.until;
      const StepOutcome outcome = method.step(target);
      if (outcome != StepOutcome::stepped)
        return end(SimulationOutcome::singular,
                   failure().empty() ? "the steps fall to nothing: a singularity is near" : failure());
      ++result_.steps;
      result_.rejected = method.rejected();
      if (!sides_are_kept(method)) return end(SimulationOutcome::singular, message_);
      if (options_.every > 0 && !rows(method, target)) return end(SimulationOutcome::interrupted, {});
      unpack(method.time(), method.state());
      const bool jumps = next_jump < jumps_.size() && state_.t >= jumps_[next_jump].t;
      if (jumps) {
        std::size_t last = next_jump;
        while (last < jumps_.size() && jumps_[last].t == jumps_[next_jump].t) ++last;
        if (last > next_jump + 1)
          return end(SimulationOutcome::singular,
                     "several events reset the state at one time: deviations have no one rule there");
        if (!jump(system_.events[jumps_[next_jump].event], jumps_[next_jump].event))
          return end(SimulationOutcome::singular, message_);
        next_jump = last;
        ++result_.jumps;
        if (!begin(method) || !learn_sides()) return end(SimulationOutcome::singular, failure());
      } else if (keeps_relations_) {
        if (!settle(state_)) return end(SimulationOutcome::singular, message_);
        if (!method.restart(packed())) return end(SimulationOutcome::singular, failure());
      }
      const bool is_last = state_.t >= options_.until;
      const bool hands_on = options_.every <= 0 || (is_last && last_row_ < state_.t);
      if (hands_on && receive_ && !receive_(state_)) return end(SimulationOutcome::interrupted, {});
    }
    return end(SimulationOutcome::finished, {});
  }

 private:
  bool begin(DormandPrince& method) {
    const double last = options_.until;
    return method.begin(state_.t, packed(), last);
  }

  const std::string& failure() const { return message_.empty() ? perturbation_.failure() : message_; }

  PerturbedRunResult end(SimulationOutcome outcome, const std::string& message) {
    result_.outcome = outcome;
    result_.message = outcome == SimulationOutcome::singular && !message.empty()
                          ? fmt::format("at t = {:.15g}: {}", state_.t, message)
                          : message;
    result_.end = std::move(state_);
    return std::move(result_);
  }

  /// The motion, and each deviation by the matrix of the linearised equations along it.
  bool rates(double t, const double* z, double* dz) {
    if (!perturbation_.take(t, z)) return false;
    const std::span<const double> f = perturbation_.rates(), a = perturbation_.matrix();
    std::copy(f.begin(), f.end(), dz);
    const std::size_t parameters = perturbation_.parameter_count(), width = n_ + parameters + 1;
    for (std::size_t c = 0; c < state_.deviations.size(); ++c) {
      const double* deviation = z + (c + 1) * n_;
      const double* moved = state_.deviations[c].data() + n_;
      for (std::size_t i = 0; i < n_; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < n_; ++j) sum += a[i * width + j] * deviation[j];
        for (std::size_t p = 0; p < parameters; ++p) sum += a[i * width + n_ + p] * moved[p];
        dz[(c + 1) * n_ + i] = sum;
      }
    }
    return true;
  }

  std::vector<double> packed() const {
    std::vector<double> z = state_.y;
    for (const auto& deviation : state_.deviations)
      z.insert(z.end(), deviation.begin(), deviation.begin() + static_cast<std::ptrdiff_t>(n_));
    return z;
  }

  void unpack(double t, std::span<const double> z, PerturbedState& to) const {
    to.t = t;
    std::copy_n(z.begin(), n_, to.y.begin());
    for (std::size_t c = 0; c < to.deviations.size(); ++c)
      std::copy_n(z.begin() + static_cast<std::ptrdiff_t>((c + 1) * n_), n_, to.deviations[c].begin());
  }
  void unpack(double t, std::span<const double> z) { unpack(t, z, state_); }

  /// Back onto the constraints, and the deviations onto what these allow.
  bool settle(PerturbedState& state) {
    if (!keeps_relations_) return true;
    if (!evaluator_.project(state.t, state.y.data())) {
      message_ = "the state does not come back onto the constraints";
      return false;
    }
    for (auto& deviation : state.deviations) {
      if (perturbation_.make_admissible(state.t, state.y.data(), deviation.data())) continue;
      message_ = "a deviation does not come back onto the constraints";
      return false;
    }
    return true;
  }

  bool rows(DormandPrince& method, double target) {
    static_cast<void>(target);
    std::vector<double> z(packed().size());
    while (true) {
      const double at = begin_ + static_cast<double>(next_row_) * options_.every;
      if (at > method.time() || at > options_.until) return true;
      method.interpolate(at, z.data());
      PerturbedState row = state_;
      unpack(at, z, row);
      if (!settle(row)) return true;
      last_row_ = at;
      ++next_row_;
      if (receive_ && !receive_(row)) return false;
    }
  }

  // ---- where abs, sign, min and max change their side ----

  bool sides_at(double t, const double* y, std::vector<int>& sides) {
    const std::size_t count = evaluator_.switch_arguments().size();
    std::vector<double> found(count), sizes(count);
    sides.assign(count, 0);
    if (count > 0 && !evaluator_.switch_values(t, y, found.data(), sizes.data())) return false;
    for (std::size_t k = 0; k < count; ++k)
      if (std::abs(found[k]) > 1e-13 * sizes[k]) sides[k] = found[k] > 0 ? 1 : -1;
    return true;
  }

  bool learn_sides() { return sides_at(state_.t, state_.y.data(), sides_); }

  bool sides_are_kept(DormandPrince& method) {
    if (sides_.empty()) return true;
    constexpr int looks = 8;
    std::vector<double> z(packed().size());
    std::vector<int> now;
    for (int k = 1; k <= looks; ++k) {
      const double at = state_.t + (method.time() - state_.t) * k / looks;
      method.interpolate(at, z.data());
      if (!sides_at(at, z.data(), now)) return true;
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i] == sides_[i]) continue;
        message_ = fmt::format(
            "before t = {:.9g} `{}` changes its sign, and the equations their form: "
            "deviations are not followed across that",
            at, to_infix(evaluator_.switch_arguments()[i]));
        return false;
      }
    }
    return true;
  }

  // ---- resets ----

  std::vector<Expr> symbols_of_inputs() const {
    std::vector<Expr> inputs{system_.time};
    inputs.insert(inputs.end(), equations_.positions.begin(), equations_.positions.end());
    inputs.insert(inputs.end(), equations_.parameters.begin(), equations_.parameters.end());
    for (const Parameter& parameter : system_.parameters) inputs.push_back(parameter.symbol);
    for (Expr u : equations_.parameters) inputs.push_back(acceleration_symbol(u));
    inputs.insert(inputs.end(), equations_.factors.begin(), equations_.factors.end());
    return inputs;
  }

  /// In the state, u' and the factors; empty where it holds more.
  Expr translated(Expr e) const {
    e = with_energies(system_, e);
    for (const Query& query : system_.queries)
      if (depends_on(e, query.symbol)) return {};
    Substitution velocities, accelerations;
    for (std::size_t i = 0; i < system_.chart.velocities.size(); ++i) {
      const Expr velocity = system_.directions[i].velocity;
      const auto& own = equations_.parameters;
      if (std::find(own.begin(), own.end(), velocity) != own.end()) continue;
      velocities.emplace(velocity, system_.chart.velocities[i]);
      accelerations.emplace(acceleration_symbol(velocity),
                            time_derivative(system_, system_.chart.velocities[i]));
    }
    return substitute(substitute(e, accelerations), velocities);
  }

  CompiledEvent compile(const Event& event) const {
    CompiledEvent result;
    const std::vector<Expr> inputs = symbols_of_inputs();
    std::vector<Expr> state(inputs.begin() + 1, inputs.begin() + 1 + static_cast<std::ptrdiff_t>(n_)),
        unknowns;
    for (Expr u : equations_.parameters) unknowns.push_back(acceleration_symbol(u));
    unknowns.insert(unknowns.end(), equations_.factors.begin(), equations_.factors.end());
    std::vector<Expr> by = state;
    const auto& varied = perturbation_.parameters();
    by.insert(by.end(), varied.begin(), varied.end());
    by.push_back(system_.time);
    const Expr when = translated(event.when);
    if (when.empty()) {
      result.failure = fmt::format(
          "the event `{}` asks for more than the state, accelerations and factors: "
          "deviations are not followed across its reset",
          event.name);
      return result;
    }
    std::vector<Expr> resets;
    for (const InitialValue& reset : event.resets) {
      const Expr value = translated(reset.value);
      const auto place = std::find(state.begin(), state.end(), reset.symbol);
      if (value.empty() || place == state.end()) {
        result.failure = fmt::format(
            "the reset of `{}` is not one of the state: deviations are not followed "
            "across it",
            reset.symbol.symbol().name);
        return result;
      }
      resets.push_back(value);
      result.targets.push_back(static_cast<std::size_t>(place - state.begin()));
    }
    const Expr one[] = {when};
    result.when_by_state = CompiledMatrix(one, by, inputs, Engine::interpreted);
    result.when_by_unknowns = CompiledMatrix(one, unknowns, inputs, Engine::interpreted);
    result.resets = Runner(inputs, resets, Engine::interpreted);
    result.resets_by_state = CompiledMatrix(resets, by, inputs, Engine::interpreted);
    return result;
  }

  bool fail(std::string message) {
    message_ = std::move(message);
    return false;
  }

  bool jump(const Event& event, std::size_t number) {
    auto found = compiled_.find(number);
    if (found == compiled_.end()) found = compiled_.emplace(number, compile(event)).first;
    CompiledEvent& compiled = found->second;
    if (!compiled.failure.empty()) return fail(compiled.failure);
    if (keeps_relations_ && !settle(state_)) return false;
    if (!perturbation_.take(state_.t, state_.y.data())) return fail(perturbation_.failure());

    const std::size_t parameters = perturbation_.parameter_count(), width = n_ + parameters + 1;
    std::vector<double> in{state_.t};
    in.insert(in.end(), state_.y.begin(), state_.y.end());
    for (const Parameter& parameter : system_.parameters) in.push_back(values_.at(parameter.symbol));
    const std::vector<double> before(perturbation_.rates().begin(), perturbation_.rates().end());
    in.insert(in.end(), before.begin() + static_cast<std::ptrdiff_t>(equations_.positions.size()),
              before.end());
    in.insert(in.end(), perturbation_.factors().begin(), perturbation_.factors().end());
    if (!compiled.when_by_state.evaluate(in.data()) || !compiled.when_by_unknowns.evaluate(in.data()) ||
        !compiled.resets_by_state.evaluate(in.data()))
      return fail(fmt::format("the event `{}` has no derivative there", event.name));

    // dg by y, parameters and the time, with what these do to u' and the factors
    const std::span<const double> a = perturbation_.matrix(), l = perturbation_.factor_matrix();
    std::vector<double> g(width);
    const std::size_t positions = equations_.positions.size(), u = n_ - positions;
    for (std::size_t j = 0; j < width; ++j) {
      g[j] = compiled.when_by_state.values(0, static_cast<Eigen::Index>(j));
      for (std::size_t i = 0; i < u + equations_.factors.size(); ++i) {
        const double slope = compiled.when_by_unknowns.values(0, static_cast<Eigen::Index>(i));
        if (slope != 0) g[j] += slope * (i < u ? a[(positions + i) * width + j] : l[(i - u) * width + j]);
      }
    }
    double speed = g.back(), size = std::abs(g.back());
    for (std::size_t j = 0; j < n_; ++j) {
      speed += g[j] * before[j];
      size += std::abs(g[j] * before[j]);
    }
    if (!(std::abs(speed) > 1e-9 * size))
      return fail(fmt::format("the event `{}` is only touched: deviations have no limit there", event.name));

    std::vector<double> after = state_.y;
    const double* reset = compiled.resets(in.data());
    std::vector<bool> given(n_, false);
    for (std::size_t k = 0; k < compiled.targets.size(); ++k) {
      after[compiled.targets[k]] = reset[k];
      given[compiled.targets[k]] = true;
    }
    if (keeps_relations_ && !project_rest(event, after, given)) return false;
    const std::vector<double> old = std::exchange(state_.y, after);
    if (!perturbation_.take(state_.t, state_.y.data())) return fail(perturbation_.failure());
    const std::span<const double> behind = perturbation_.rates();
    for (std::vector<double>& deviation : state_.deviations) {
      double shift = 0;
      for (std::size_t j = 0; j < n_ + parameters; ++j) shift -= g[j] * deviation[j];
      shift /= speed;
      std::vector<double> moved = deviation;  // at the time of its own event
      for (std::size_t j = 0; j < n_; ++j) moved[j] += before[j] * shift;
      std::vector<double> next = moved;
      for (std::size_t k = 0; k < compiled.targets.size(); ++k) {
        double sum = compiled.resets_by_state.values(static_cast<Eigen::Index>(k),
                                                     static_cast<Eigen::Index>(width - 1)) *
                     shift;
        for (std::size_t j = 0; j < n_ + parameters; ++j)
          sum += compiled.resets_by_state.values(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) *
                 moved[j];
        next[compiled.targets[k]] = sum;
      }
      for (std::size_t j = 0; j < n_; ++j) next[j] -= behind[j] * shift;
      deviation = std::move(next);
    }
    if (!keeps_relations_) return true;
    for (auto& deviation : state_.deviations) {
      if (!perturbation_.make_admissible(state_.t, state_.y.data(), deviation.data()))
        return fail("a deviation does not come back onto the constraints");
    }
    return true;
  }

  /// What a reset does not give follows the constraints. Where that is more than rounding the least change in
  /// the mass metric is no linear rule.
  bool project_rest(const Event& event, std::vector<double>& after, const std::vector<bool>& given) {
    const std::vector<double> wanted = after;
    if (const std::string why = evaluator_.project_rest(state_.t, after.data(), given); !why.empty())
      return fail(fmt::format("after the event `{}` {}", event.name, why));
    for (std::size_t i = 0; i < n_; ++i) {
      if (std::abs(after[i] - wanted[i]) <= 1e-6 * (1e-3 + std::abs(wanted[i]))) continue;
      return fail(
          fmt::format("the reset of `{}` leaves the constraints, and `{}` is moved back onto them: "
                      "deviations are not followed across that",
                      event.name, evaluator_.symbols()[i].symbol().name));
    }
    return true;
  }

  const AssembledEquations& equations_;
  const System& system_;
  Evaluator& evaluator_;
  PerturbationEquations& perturbation_;
  const DoublePoint& values_;
  const PerturbedRunOptions& options_;
  const std::function<bool(const PerturbedState&)>& receive_;
  std::size_t n_;
  PerturbedState state_;
  double begin_ = 0, last_row_ = -INFINITY;
  std::size_t next_row_ = 1;
  std::vector<EventRecord> jumps_;
  std::map<std::size_t, CompiledEvent> compiled_;
  std::vector<int> sides_;
  bool keeps_relations_ = false;
  std::string message_;
  PerturbedRunResult result_;
};

}  // namespace

PerturbedRunResult follow_deviations(const AssembledEquations& equations, Evaluator& evaluator,
                                     PerturbationEquations& perturbation, const DoublePoint& values,
                                     const std::vector<EventRecord>& events, PerturbedState begin,
                                     const PerturbedRunOptions& options,
                                     const std::function<bool(const PerturbedState&)>& receive) {
  return PerturbedRun(equations, evaluator, perturbation, values, events, std::move(begin), options, receive)
      .run();
}

}  // namespace liaison
