#include "perturbed_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

/// Deviations across a reset, by the rule of saltation.
namespace liaison {

bool PerturbedRun::cross(const EventRecord& record, Crossing& crossing) {
  const Event& event = system_->events[record.event];
  CompiledEvent& compiled = compiled_event(record.event);
  if (!compiled.failure.empty()) return fail(compiled.failure);
  if (keeps_relations_ && !settle(state_)) return false;
  if (!perturbation_->take(state_.t, state_.y.data())) return fail(perturbation_->failure());

  crossing = {};
  crossing.compiled = &compiled;
  const auto change = options_.contacts ? options_.contacts->change_of(record.event) : std::nullopt;
  crossing.name = change ? options_.contacts->name(change->contact) : event.name;
  crossing.before.assign(perturbation_->rates().begin(), perturbation_->rates().end());
  if (!take_laws(crossing)) return false;
  const auto law =
      std::find_if(crossing.laws.begin(), crossing.laws.end(), [](const Law& one) { return one.passes; });
  if (law == crossing.laws.end())
    return fail(fmt::format("the event `{}` is only touched: deviations have no limit there", event.name));
  crossing.g = law->g;
  crossing.speed = law->speed;
  crossing.left = -law->when / law->speed;
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
  if (!take_laws(crossing) || !meet_event(crossing)) return false;
  if (const auto change = options_.contacts ? options_.contacts->change_of(record.event) : std::nullopt)
    return change_contacts(*change, crossing);
  std::vector<Eigen::MatrixXd> slopes(crossing.laws.size());
  std::vector<double> after = state_.y;
  std::vector<bool> given(n_, false);
  const bool is_one = agree(crossing, [&](std::size_t i, LawValues& values) {
    const Law& law = crossing.laws[i];
    if (!compiled.resets_by_state.evaluate(law.in.data()))
      return fail(fmt::format("the event `{}` has no derivative there", event.name));
    slopes[i] = compiled.resets_by_state.values;
    const std::size_t count = compiled.targets.size();
    const double* reset = compiled.resets(law.in.data());
    values.value.assign(reset, reset + count);
    values.size.assign(reset + count, reset + 2 * count);
    values.rate.assign(count, 0);
    for (std::size_t k = 0; k < count; ++k) {
      const auto row = static_cast<Eigen::Index>(k);
      values.rate[k] = slopes[i](row, slopes[i].cols() - 1);
      for (std::size_t j = 0; j < n_; ++j)
        values.rate[k] += slopes[i](row, static_cast<Eigen::Index>(j)) * crossing.before[j];
      after[compiled.targets[k]] = reset[k];
      given[compiled.targets[k]] = true;
    }
    return true;
  });
  if (!is_one || (keeps_relations_ && !project_rest(event, after, given))) return false;
  state_.y = after;
  if (!perturbation_->take(state_.t, state_.y.data())) return fail(perturbation_->failure());
  const bool is_shifted =
      shift_deviations(crossing, [&](std::size_t law, const std::vector<double>& moved, double shift) {
        std::vector<double> next = moved;
        const Eigen::Index time = slopes[law].cols() - 1;
        for (std::size_t k = 0; k < compiled.targets.size(); ++k) {
          const auto row = static_cast<Eigen::Index>(k);
          double sum = slopes[law](row, time) * shift;
          for (Eigen::Index j = 0; j < time; ++j)
            sum += slopes[law](row, j) * moved[static_cast<std::size_t>(j)];
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
