#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "stepper.hpp"

/// Singular configurations and poles of the time along a run.
namespace liaison {

/// Whether the step goes over a pole of a relation: then it ends there, and so does the run.
bool Stepper::ends_at_pole_of_time() {
  if (time_poles_.empty()) return false;
  const auto pole = time_poles_.first(before_, integrator_.time(), first_);
  if (!pole) return false;
  std::vector<double> y(evaluator_.size());
  if (pole->t < integrator_.time()) {
    integrator_.interpolate(pole->t, y.data());
  } else {
    y = state();
  }
  lost_ = no_way_on(pole->t, std::move(y), pole->what);
  return true;
}

/// A pole of a relation next to here, or within a step of one length, in words.
std::string Stepper::pole_ahead() {
  constexpr double part = 1e-3;
  if (time_poles_.empty()) return {};
  const double reach =
      std::max({16 * shortest_step(time()), part * ranges_.usual_length(), 2 * integrator_.fixed_length()});
  const auto pole = time_poles_.first(before_, time() + reach, first_);
  return pole ? pole->what : std::string{};
}

/// Lays a bridge over a singular configuration that the motion is about to pass. From farther away the next
/// step ends before it: its end is what is returned. Nor does a step turn a gradient so far that what happens
/// on the way cannot be told.
double Stepper::look_ahead(double end) {
  constexpr double small_part = 1e-3, most_turned = 3, rounding = 1e-12;
  constexpr int most_rounds = 8;
  const double fixed = integrator_.fixed_length();
  if (!ranks_.is_needed() || integrator_.is_on_bridge()) return end;
  std::vector<double> rates(evaluator_.size()), next = first_;
  if (!evaluator_.rates(before_, first_.data(), rates.data())) return end;
  double size = 0, speed = 0;
  for (std::size_t i = 0; i < evaluator_.position_count(); ++i) {
    size = std::max(size, std::abs(first_[i]));
    speed = std::max(speed, std::abs(rates[i]));
  }
  if (!(speed > 0)) return end;
  // Places have an origin, the turning of gradients has none: while they turn far, the time was too long.
  // At rest the speed is rounding: no time is longer than what is left of the run.
  double shortly = std::min(small_part * (size > 0 ? size : 1) / speed, options_.until - before_),
         turning = 0;
  for (int round = 0; round < most_rounds; ++round) {
    for (std::size_t i = 0; i < next.size(); ++i) next[i] = first_[i] + shortly * rates[i];
    turning = ranks_.turning(before_, first_.data(), next.data(), shortly);
    const double turned = turning * shortly;
    if (turned < rounding) turning = 0;
    if (!(turned > 10 * small_part)) break;
    shortly *= small_part / turned;
  }
  if (fixed <= 0 && turning > 0) end = std::min(end, before_ + most_turned / turning);
  return ranks_.may_pass() && options_.project ? lay_bridge(end, rates, shortly) : end;
}

double Stepper::lay_bridge(double end, const std::vector<double>& rates, double shortly) {
  constexpr double far = 0.3, nearest = 5e-3, nearer = 0.6;  // of the farthest
  constexpr double least_steps = 6;
  const double distance = ranks_.distance(), fixed = integrator_.fixed_length();
  if (distance > far) tried_ = 1;
  if (distance > far ? fixed > 0 : distance < nearest || distance > nearer * tried_) return end;
  const RankWatch::Prediction predict = [&](double after, double* y) {
    const auto there = predicted(evaluator_, before_, first_, rates, after);
    if (there) std::copy(there->begin(), there->end(), y);
    return there.has_value();
  };
  const auto after = ranks_.ahead(predict, shortly, distance <= far);
  if (!after) return end;
  if (distance > far) return std::min(end, before_ + *after * (1 - nearer * far / distance));
  double length = 2 * *after;
  if (fixed > 0) {
    length = fixed * std::round(length / fixed);
    if (length < least_steps * fixed) return end;
  }
  if (!features_.empty() && features_.limit(before_, before_ + length) < before_ + length) return end;
  tried_ = distance;
  // Rounding next to the configuration is another one with other nodes.
  for (const double factor : {1.0, 0.96, 1.04, 0.98, 1.02})
    if (integrator_.lay(before_, first_, factor * length) || fixed > 0) break;
  return end;
}

/// A step that ends next to a singular configuration is taken again, shorter: the next one passes over it. At
/// a state so near to it the errors of the state decide on which branch the motion goes on. On a bridge the
/// step is as long as two.
StepOutcome Stepper::step_over_singularities() {
  constexpr double too_near = 3e-3;
  constexpr int most_trials = 8;
  const double end = look_ahead(limit());
  evaluator_.set_factor_guess(guess_);
  const bool again = ranks_.is_needed() && ranks_.may_pass() && !integrator_.is_on_bridge() &&
                     (integrator_.may_step_again() || integrator_.fixed_length() > 0);
  const std::vector<double> from = again ? state() : std::vector<double>{};
  StepOutcome outcome = integrator_.step(end);
  for (int trial = 0; ranks_.is_needed() && outcome == StepOutcome::stepped; ++trial) {
    distance_ = ranks_.look(integrator_.time(), integrator_.state().data());
    if (distance_ > too_near || trial == most_trials) break;
    if (integrator_.is_on_bridge() && integrator_.time() < end) {
      ranks_.begin(before_, first_.data());
      outcome = integrator_.step(end);
      continue;
    }
    if (!again) break;
    const double length = integrator_.time() - before_;
    if (!integrator_.begin(before_, from, options_.until)) return StepOutcome::no_value;
    ranks_.begin(before_, from.data());
    outcome = integrator_.step(before_ + 0.6 * length);
  }
  return outcome;
}

void Stepper::look_for_lost_rank() {
  if (lost_) return;
  for (const RankWatch::Loss& loss : ranks_.find([&](double t, double* y) { integrator_.interpolate(t, y); },
                                                 integrator_.fixed_length() > 0)) {
    if (change_ && loss.t > *change_) return;
    if (loss.passes) {
      if (!loss.is_certain && near_ && near_turned_) continue;
      questioned_.resize(evaluator_.size());
      state_at(loss.t, questioned_.data());
      if (loss.is_certain) {
        passing_.push_back({loss.t, loss.what});
      } else {  // the way on tells
        near_ = PassedSingularity{loss.t, loss.what};
        near_turned_ = true;
      }
      continue;
    }
    std::vector<double> y(evaluator_.size());
    integrator_.interpolate(loss.t, y.data());
    lost_ = no_way_on(loss.t, std::move(y), loss.what);
    return;
  }
}

/// A motion that passes a singular configuration goes on smoothly: from before it until after it no velocity
/// changes by more than the accelerations at both ends allow. Otherwise it came onto another branch. Looked
/// at from several distances: from near, where the way is short, and from far, where errors are small.
MaybeEnd Stepper::check_passage() {
  // What is left of a relation rounds the corner of its branches by its root.
  const double at_one = std::max(1e-4, 3 * std::sqrt(options_.tolerance.relative));
  if (lost_ || !ranks_.is_needed()) return {};
  if (distance_ < at_one && !near_) {
    near_ = PassedSingularity{time(), ends_.describe(time(), state(), ranks_)};
    questioned_ = state();
  }
  const std::vector<PassedSingularity> passed_now = passed(time());
  std::optional<PassedSingularity> there = near_;
  if (checked_ < passed_now.size()) there = passed_now.back();
  const std::vector<double> now = state();
  double compared = -INFINITY;
  for (std::size_t k = 0; k < clear.size() && distance_ >= clear[k]; ++k) {
    const double since = std::exchange(clear_times_[k], time());
    const std::vector<double> from = std::exchange(clear_states_[k], now);
    if (!there || since >= there->t || since == compared) continue;
    compared = since;
    if (auto end = compare_sides(*there, since, from, now)) return end;
  }
  if (distance_ < clear.back()) return {};
  if (near_ && near_turned_ && checked_ == passed_now.size()) passed_.push_back(*near_);
  near_.reset();
  near_turned_ = false;
  checked_ = passed(time()).size();
  return {};
}

MaybeEnd Stepper::compare_sides(const PassedSingularity& there, double since, const std::vector<double>& from,
                                const std::vector<double>& now) {
  const double length = time() - since;
  std::vector<double> before(from.size()), after(from.size());
  if (!evaluator_.rates(since, from.data(), before.data()) ||
      !evaluator_.rates(time(), now.data(), after.data()))
    return {};
  constexpr double of_speed = 1e-6;
  double change = 0, allowed = 0, speed = 0, told = 0;
  for (std::size_t i = evaluator_.position_count(); i < from.size(); ++i) {
    const double weight = ranks_.weights()[i - evaluator_.position_count()];
    if (weight * std::abs(now[i] - from[i]) > change) told = std::abs(now[i] - from[i]);
    change = std::max(change, weight * std::abs(now[i] - from[i]));
    allowed = std::max(allowed, weight * std::abs(length) * (std::abs(before[i]) + std::abs(after[i])));
    speed = std::max(speed, weight * std::abs(from[i]));
  }
  // Errors of the state come into the velocities divided by the distance.
  const double error = std::max(of_speed, 100 * options_.tolerance.relative / distance_) * speed;
  if (change <= 2 * allowed + error) return {};
  return no_way_on(
      there.t, questioned_.empty() ? state() : questioned_,
      fmt::format("the motion does not go on smoothly: {}; a velocity "
                  "changes by {:.3g} within {:.3g}",
                  there.what.empty() ? "the gradients of the relations depend on each other" : there.what,
                  told, length));
}

/// A singular configuration within the reach of a long step, in words.
std::string Stepper::singular_in_reach(std::span<const double> y) {
  constexpr double in_reach = 0.5;
  const std::vector<std::string> dependent = ranks_.nearly_dependent(time(), y.data(), in_reach);
  if (dependent.empty()) return {};
  return fmt::format("next to a singular configuration of `{}`, in which the gradients depend on each other",
                     fmt::join(dependent, "`, `"));
}

/// What a step leaves of the constraints is of the size of its error. A way back that is much longer leads
/// somewhere else: at a singular configuration onto another branch.
MaybeEnd Stepper::moved_too_far(std::span<const double> from, std::span<const double> to) {
  constexpr double most = 1e4;  // times the tolerance
  if (!ranks_.do_gradients_turn()) return {};
  double moved = 0;
  sizes_.see(from);
  const double least = options_.tolerance.absolute / options_.tolerance.relative;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i] != to[i]) moved = std::max(moved, std::abs(from[i] - to[i]) / std::max(sizes_[i], least));
  if (moved <= std::clamp(most * options_.tolerance.relative, 1e-6, 0.1)) return {};
  std::string found = pole_ahead();
  if (found.empty()) found = ends_.describe(time(), from, ranks_);
  if (found.empty()) found = singular_in_reach(from);
  return no_way_on(time(), {from.begin(), from.end()},
                   fmt::format("the state left the constraints: the way back is {:.2g} long{}{}", moved,
                               found.empty() ? "" : "; ", found));
}

}  // namespace liaison
