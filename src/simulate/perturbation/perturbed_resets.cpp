#include "perturbed_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

/// Deviations across a reset, by the rule of saltation.
namespace liaison {

bool PerturbedRun::cross(const EventRecord& record, Crossing& crossing) {
  const Event& event = system_->events[record.event];
  auto found = compiled_.find({system_, record.event});
  if (found == compiled_.end()) {
    CompiledEvent compiled = compile_event(*equations_, event, perturbation_->parameters());
    found = compiled_.emplace(InMode(system_, record.event), std::move(compiled)).first;
  }
  CompiledEvent& compiled = found->second;
  if (!compiled.failure.empty()) return fail(compiled.failure);
  if (keeps_relations_ && !settle(state_)) return false;
  if (!perturbation_->take(state_.t, state_.y.data())) return fail(perturbation_->failure());

  const std::size_t parameters = perturbation_->parameter_count(), width = n_ + parameters + 1;
  const std::vector<double> before(perturbation_->rates().begin(), perturbation_->rates().end());
  const std::vector<double> in = inputs_at(before);
  if (!compiled.when_by_state.evaluate(in.data()) || !compiled.when_by_unknowns.evaluate(in.data()) ||
      !compiled.resets_by_state.evaluate(in.data()))
    return fail(fmt::format("the event `{}` has no derivative there", event.name));

  // dg by y, parameters and the time, with what these do to u' and the factors
  const std::span<const double> a = perturbation_->matrix(), l = perturbation_->factor_matrix();
  std::vector<double> g(width);
  const std::size_t positions = equations_->positions.size(), u = n_ - positions;
  for (std::size_t j = 0; j < width; ++j) {
    g[j] = compiled.when_by_state.values(0, static_cast<Eigen::Index>(j));
    for (std::size_t i = 0; i < u + equations_->factors.size(); ++i) {
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
  crossing = {&compiled, in, before, g, speed, -*compiled.when(in.data()) / speed};
  return true;
}

bool PerturbedRun::return_to_end() {
  if (state_.t <= options_.until) return true;
  if (!perturbation_->take(state_.t, state_.y.data())) return false;
  advance(options_.until - state_.t);
  return settle(state_);
}

bool PerturbedRun::seek_own_time(EventRecord& record, double told, int& rounds,
                                 const PerturbedState& step_begin, Crossing& crossing) {
  constexpr int most = 12;
  if (!cross(record, crossing)) return true;
  const double room = std::max(1e-9 * std::abs(state_.t - step_begin.t), 64 * shortest_step(state_.t));
  if (std::abs(crossing.left) <= room) return false;
  const double own = state_.t + crossing.left;
  if (!(std::abs(own - told) <= 1e-3 * (told - last_jump_)) || ++rounds > most) {
    fail(
        fmt::format("the event `{}` comes at t = {:.9g} by the steps of the motion alone and not there by "
                    "the steps beside its deviations: a smaller --tol may tell",
                    system_->events[record.event].name, told));
    return true;
  }
  record.t = own;
  if (crossing.left < 0) state_ = step_begin;
  return true;
}

bool PerturbedRun::jump(const EventRecord& record, Crossing& crossing) {
  const Event& event = system_->events[record.event];
  CompiledEvent& compiled = *crossing.compiled;
  // the rest of the way is so short that its second order is below rounding
  advance(crossing.left);
  if (!meet_event(crossing)) return false;
  if (const auto change = options_.contacts ? options_.contacts->change_of(record.event) : std::nullopt)
    return change_contacts(*change, crossing);
  const std::vector<double> in = inputs_at(crossing.before);
  std::vector<double> after = state_.y;
  const double* reset = compiled.resets(in.data());
  std::vector<bool> given(n_, false);
  for (std::size_t k = 0; k < compiled.targets.size(); ++k) {
    after[compiled.targets[k]] = reset[k];
    given[compiled.targets[k]] = true;
  }
  if (keeps_relations_ && !project_rest(event, after, given)) return false;
  state_.y = after;
  if (!perturbation_->take(state_.t, state_.y.data())) return fail(perturbation_->failure());
  const Eigen::MatrixXd& slopes = compiled.resets_by_state.values;
  const Eigen::Index time = slopes.cols() - 1;
  const bool is_shifted = shift_deviations(crossing, [&](const std::vector<double>& moved, double shift) {
    std::vector<double> next = moved;
    for (std::size_t k = 0; k < compiled.targets.size(); ++k) {
      const auto row = static_cast<Eigen::Index>(k);
      double sum = slopes(row, time) * shift;
      for (Eigen::Index j = 0; j < time; ++j) sum += slopes(row, j) * moved[static_cast<std::size_t>(j)];
      next[compiled.targets[k]] = sum;
    }
    return next;
  });
  if (!is_shifted || !keeps_relations_) return is_shifted;
  for (auto& deviation : state_.deviations) {
    if (!perturbation_->make_admissible(state_.t, state_.y.data(), deviation.data(), given))
      return fail("a deviation does not come back onto the constraints");
  }
  return true;
}

bool PerturbedRun::project_rest(const Event& event, std::vector<double>& after,
                                const std::vector<bool>& given) {
  const std::vector<double> wanted = after;
  if (const std::string why = evaluator_->project_rest(state_.t, after.data(), given); !why.empty())
    return fail(fmt::format("after the event `{}` {}", event.name, why));
  double sizes[2] = {0, 0};  // of positions and velocities, in whatever unit
  const std::size_t positions = equations_->positions.size();
  for (std::size_t i = 0; i < n_; ++i) {
    double& size = sizes[i < positions ? 0 : 1];
    size = std::max({size, std::abs(wanted[i]), std::abs(state_.y[i])});
  }
  for (std::size_t i = 0; i < n_; ++i) {
    if (std::abs(after[i] - wanted[i]) <= 1e-8 * sizes[i < positions ? 0 : 1]) continue;
    return fail(
        fmt::format("the reset of `{}` leaves the constraints, and `{}` is moved back onto them: "
                    "deviations are not followed across that",
                    event.name, evaluator_->symbols()[i].symbol().name));
  }
  return true;
}

}  // namespace liaison
