#include "perturbed_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison {

PerturbedRunResult PerturbedRun::run() {
  DormandPrince method([this](double t, const double* z, double* dz) { return rates(t, z, dz); },
                       n_ * (1 + state_.deviations.size()), options_.tolerance);
  if (!options_.absolute.empty()) {
    std::vector<double> all = options_.absolute;
    for (std::size_t k = 0; k < state_.deviations.size(); ++k)
      all.insert(all.end(), options_.absolute_of_deviations.begin(), options_.absolute_of_deviations.end());
    method.set_absolute(std::move(all));
  }
  begin_ = last_jump_ = state_.t;
  if (!begin(method)) return end(SimulationOutcome::singular, failure());
  if (!learn_sides()) return end(SimulationOutcome::singular, failure());
  if (state_.t > begin_ && !begin(method)) return end(SimulationOutcome::singular, failure());
  if (receive_ && !receive_(state_)) return end(SimulationOutcome::interrupted, {});
  std::size_t next_jump = 0;
  int rounds = 0;  // in which the time of the next one was sought
  while (state_.t < options_.until) {
    if (options_.interrupted && options_.interrupted()) return end(SimulationOutcome::interrupted, {});
    if (result_.steps >= options_.max_steps)
      return end(SimulationOutcome::step_limit, fmt::format("{} steps were not enough", result_.steps));
    const double jump_time = next_jump < jumps_.size() ? jumps_[next_jump].t : options_.until;
    const StepOutcome outcome = method.step(change_ ? std::min(jump_time, change_->target) : jump_time);
    if (outcome == StepOutcome::too_small && arrives_at_change()) {
      if (!settle(state_) || !pass_change()) return end(SimulationOutcome::singular, message_);
      if (!begin(method)) return end(SimulationOutcome::singular, failure());
      continue;
    }
    if (outcome != StepOutcome::stepped)
      return end(SimulationOutcome::singular,
                 failure().empty() ? "the steps fall to nothing: a singularity is near" : failure());
    ++result_.steps;
    result_.rejected = method.rejected();
    if (look_for_change(method, next_jump < jumps_.size()
                                    ? jump_time
                                    : INFINITY)) {  // the step is taken again, up to there
      if (!message_.empty()) return end(SimulationOutcome::singular, failure());
      const bool is_here = change_ && change_->target <= state_.t;
      if (is_here && (!settle(state_) || !pass_change())) return end(SimulationOutcome::singular, message_);
      if (!begin(method)) return end(SimulationOutcome::singular, failure());
      continue;
    }
    if (options_.contacts != nullptr && grazes(method)) return end(SimulationOutcome::singular, failure());
    const PerturbedState step_begin = state_;
    unpack(method.time(), method.state());
    const bool jumps = next_jump < jumps_.size() && state_.t >= jumps_[next_jump].t;
    Crossing crossing;
    if (jumps) {
      if (next_jump + 1 < jumps_.size() && told_[next_jump + 1] == told_[next_jump])
        return end(SimulationOutcome::singular,
                   "several events reset the state at one time: deviations have no one rule there");
      if (seek_own_time(jumps_[next_jump], told_[next_jump], rounds, step_begin, crossing)) {
        if (!message_.empty() || !begin(method)) return end(SimulationOutcome::singular, failure());
        continue;
      }
    }
    if (options_.every > 0 && !rows(method))
      return end(message_.empty() ? SimulationOutcome::interrupted : SimulationOutcome::singular, message_);
    if (change_ && state_.t >= change_->target) {
      if (!settle(state_) || !pass_change()) return end(SimulationOutcome::singular, message_);
      if (!begin(method)) return end(SimulationOutcome::singular, failure());
    }
    if (jumps) {
      const PerturbedState before = state_;
      if (!jump(jumps_[next_jump], crossing)) {
        state_ = before;  // not half of the jump
        return end(SimulationOutcome::singular, failure());
      }
      if (!leave_sides() || !return_to_end()) return end(SimulationOutcome::singular, failure());
      last_jump_ = state_.t;
      ++next_jump;
      rounds = 0;
      ++result_.jumps;
      if (!begin(method)) return end(SimulationOutcome::singular, failure());
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

bool PerturbedRun::begin(DormandPrince& method) {
  const double last = options_.until;
  return method.begin(state_.t, packed(), last);
}

PerturbedRunResult PerturbedRun::end(SimulationOutcome outcome, const std::string& message) {
  result_.outcome = outcome;
  result_.message = outcome == SimulationOutcome::singular && !message.empty()
                        ? fmt::format("at t = {:.15g}: {}", state_.t, message)
                        : message;
  result_.end = std::move(state_);
  return std::move(result_);
}

bool PerturbedRun::rates(double t, const double* z, double* dz) {
  if (!perturbation_->take(t, z)) return false;
  const std::span<const double> f = perturbation_->rates(), a = perturbation_->matrix();
  std::copy(f.begin(), f.end(), dz);
  const std::size_t parameters = perturbation_->parameter_count(), width = n_ + parameters + 1;
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

std::vector<double> PerturbedRun::packed() const {
  std::vector<double> z = state_.y;
  for (const auto& deviation : state_.deviations)
    z.insert(z.end(), deviation.begin(), deviation.begin() + static_cast<std::ptrdiff_t>(n_));
  return z;
}

void PerturbedRun::unpack(double t, std::span<const double> z, PerturbedState& to) const {
  to.t = t;
  std::copy_n(z.begin(), n_, to.y.begin());
  for (std::size_t c = 0; c < to.deviations.size(); ++c)
    std::copy_n(z.begin() + static_cast<std::ptrdiff_t>((c + 1) * n_), n_, to.deviations[c].begin());
}

bool PerturbedRun::settle(PerturbedState& state) {
  if (!keeps_relations_) return true;
  if (!evaluator_->project(state.t, state.y.data())) {
    message_ = "the state does not come back onto the constraints";
    return false;
  }
  for (auto& deviation : state.deviations) {
    if (perturbation_->make_admissible(state.t, state.y.data(), deviation.data())) continue;
    message_ = "a deviation does not come back onto the constraints";
    return false;
  }
  return true;
}

bool PerturbedRun::rows(DormandPrince& method) {
  std::vector<double> z(packed().size());
  while (true) {
    const double at = begin_ + static_cast<double>(next_row_) * options_.every;
    if (at > method.time() || at > options_.until) return true;
    method.interpolate(at, z.data());
    PerturbedState row = state_;
    unpack(at, z, row);
    if (!settle(row)) return false;
    last_row_ = at;
    ++next_row_;
    if (receive_ && !receive_(row)) return false;
  }
}

PerturbedRunResult follow_deviations(const AssembledEquations& equations, Evaluator& evaluator,
                                     PerturbationEquations& perturbation, const DoublePoint& values,
                                     const std::vector<EventRecord>& events, PerturbedState begin,
                                     const PerturbedRunOptions& options,
                                     const std::function<bool(const PerturbedState&)>& receive) {
  return PerturbedRun(equations, evaluator, perturbation, values, events, std::move(begin), options, receive)
      .run();
}

}  // namespace liaison
