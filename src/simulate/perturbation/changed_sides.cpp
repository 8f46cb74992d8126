#include "perturbed_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"

/// Deviations across a change of form: where abs, sign, min and max change their side.
namespace liaison {

bool PerturbedRun::sides_at(double t, const double* y, std::vector<int>& sides) {
  const std::size_t count = evaluator_->switch_arguments().size();
  std::vector<double> found(count), sizes(count);
  sides.assign(count, 0);
  if (count > 0 && !evaluator_->switch_values(t, y, found.data(), sizes.data()))
    return fail("what abs, sign, min and max are taken of has no value");
  for (std::size_t k = 0; k < count; ++k)
    if (std::abs(found[k]) > 1e-13 * sizes[k]) sides[k] = found[k] > 0 ? 1 : -1;
  return true;
}

bool PerturbedRun::learn_sides() {
  if (!sides_at(state_.t, state_.y.data(), sides_)) return false;
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    if (sides_[k] != 0 || !is_plain(k)) continue;
    if (!perturbation_->take(state_.t, state_.y.data())) return false;
    const std::vector<double> slope = slope_of_argument(k);
    if (slope.empty()) continue;
    if (slope.back() != 0 && std::all_of(slope.begin(), slope.end() - 1, [](double by) { return by == 0; })) {
      if (!leave_by_time(k, slope.back())) return false;
      continue;
    }
    std::vector<double> one(n_), two(n_), held(sides_.begin(), sides_.end());
    const std::vector<double> nudges(held.size(), 0.0);
    held[k] = 1;
    evaluator_->hold_sides(held, nudges);
    bool agree = evaluator_->rates(state_.t, state_.y.data(), one.data());
    held[k] = -1;
    evaluator_->hold_sides(held, nudges);
    agree = agree && evaluator_->rates(state_.t, state_.y.data(), two.data());
    evaluator_->let_sides_follow();
    double speed = slope.back();
    for (std::size_t j = 0; j < n_; ++j) {
      speed += slope[j] * one[j];
      agree = agree && std::abs(one[j] - two[j]) <= 1e-12 * (1 + std::abs(one[j]));
    }
    if (agree && speed != 0) sides_[k] = speed > 0 ? 1 : -1;
  }
  return true;
}

bool PerturbedRun::leave_by_time(std::size_t argument, double rate) {
  sides_[argument] = rate > 0 ? 1 : -1;
  const std::vector<double> held(sides_.begin(), sides_.end());
  evaluator_->hold_sides(held, std::vector<double>(held.size(), 0.0));
  std::vector<double> rates(n_);
  const bool moves = evaluator_->rates(state_.t, state_.y.data(), rates.data());
  evaluator_->let_sides_follow();
  if (!moves) return fail(evaluator_->failure());
  const double step = 64 * shortest_step(state_.t);
  for (std::size_t j = 0; j < n_; ++j) state_.y[j] += step * rates[j];
  state_.t += step;
  return true;
}

bool PerturbedRun::look_for_change(DormandPrince& method) {
  if (sides_.empty()) return false;
  constexpr int looks = 16;
  const double first = state_.t, last = method.time();
  std::vector<double> z(packed().size());
  std::vector<int> now;
  for (int k = 1; k <= looks; ++k) {
    const double at = first + (last - first) * k / looks;
    method.interpolate(at, z.data());
    if (!sides_at(at, z.data(), now)) return true;
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i] == sides_[i] || now[i] == 0) continue;
      if (!may_pass(i)) return true;
      double low = first + (last - first) * (k - 1) / looks, high = at;
      for (int round = 0; round < 60; ++round) {
        const double middle = 0.5 * (low + high);
        method.interpolate(middle, z.data());
        std::vector<int> there;
        if (!sides_at(middle, z.data(), there)) return true;
        (there[i] == sides_[i] ? low : high) = middle;
      }
      const double room = std::max(1e-8 * (last - first), 64 * shortest_step(last));
      const int rounds = change_ ? change_->rounds + 1 : 0;
      if (rounds > 12) {
        fail(
            fmt::format("`{}` is only touched, or changes its sign again at once: deviations have no limit "
                        "there",
                        name_of_argument(i)));
        return true;
      }
      // a step may end right before it: then it is passed from here
      change_ = Change{i, std::max(first, low - room), room, rounds};
      return true;
    }
  }
  return false;
}

std::string PerturbedRun::name_of_argument(std::size_t argument) const {
  return to_infix(evaluator_->switch_arguments()[argument]);
}

bool PerturbedRun::is_plain(std::size_t argument) const {
  const Expr written = evaluator_->switch_arguments()[argument];
  const std::vector<Expr> inputs = inputs_of(*equations_);
  const auto first = inputs.begin() + static_cast<std::ptrdiff_t>(1 + n_ + system_->parameters.size());
  return evaluator_->carried().empty() && !evaluator_->is_rough(argument) &&
         !evaluator_->is_nested(argument) &&
         std::none_of(first, inputs.end(), [&](Expr unknown) { return depends_on(written, unknown); });
}

bool PerturbedRun::may_pass(std::size_t argument) {
  return (sides_[argument] != 0 && is_plain(argument)) ||
         fail(fmt::format("where `{}` changes its sign the equations change their form: deviations are not "
                          "followed across that",
                          name_of_argument(argument)));
}

bool PerturbedRun::pass_change() {
  const auto [argument, target, room, rounds] = *change_;
  if (!perturbation_->take(state_.t, state_.y.data())) return fail(perturbation_->failure());
  const std::vector<double> before(perturbation_->rates().begin(), perturbation_->rates().end());
  const std::vector<double> slope = slope_of_argument(argument);
  std::vector<double> value(sides_.size()), sizes(sides_.size());
  if (slope.empty() || !evaluator_->switch_values(state_.t, state_.y.data(), value.data(), sizes.data()))
    return fail(fmt::format("`{}` has no derivative where it changes its sign", name_of_argument(argument)));
  const auto speed_of = [&](std::span<const double> rates) {
    double result = slope.back();
    for (std::size_t j = 0; j < n_; ++j) result += slope[j] * rates[j];
    return result;
  };
  const double speed = speed_of(before), left = -value[argument] / speed;
  if (left > 4 * room && rounds < 12) {  // the step that found it was not as exact
    change_ = Change{argument, state_.t + left - room, room, rounds + 1};
    return true;
  }
  const bool goes_there = speed * sides_[argument] < 0;
  if (!goes_there || !(std::abs(left) <= 4 * room))
    return fail(
        fmt::format("`{}` is only touched: deviations have no limit there", name_of_argument(argument)));
  advance(left);
  std::vector<double> held(sides_.begin(), sides_.end());
  held[argument] = -held[argument];
  evaluator_->hold_sides(held, std::vector<double>(held.size(), 0.0));
  std::vector<double> after(n_);
  const bool goes_on = evaluator_->rates(state_.t, state_.y.data(), after.data());
  evaluator_->let_sides_follow();
  if (!goes_on) return fail(evaluator_->failure());
  if (!(speed_of(after) * speed > 0))
    return fail(
        fmt::format("the motion does not pass where `{}` changes its sign: it stays there, or comes "
                    "back",
                    name_of_argument(argument)));
  for (std::vector<double>& deviation : state_.deviations) {
    double shift = 0;
    for (std::size_t j = 0; j + 1 < slope.size(); ++j) shift -= slope[j] * deviation[j];
    shift /= speed;
    for (std::size_t j = 0; j < n_; ++j) deviation[j] += (before[j] - after[j]) * shift;
  }
  const double step = std::min(room, 0.5 * std::max(0.0, options_.until - state_.t));
  for (std::size_t j = 0; j < n_; ++j) state_.y[j] += step * after[j];
  state_.t += step;
  sides_[argument] = -sides_[argument];
  change_.reset();
  ++result_.jumps;
  // the deviations go the same way, by the equations behind the change
  if (!perturbation_->take(state_.t, state_.y.data())) return fail(perturbation_->failure());
  advance_deviations(step);
  return settle(state_);
}

void PerturbedRun::advance_deviations(double step) {
  const std::span<const double> a = perturbation_->matrix();
  const std::size_t parameters = perturbation_->parameter_count(), width = n_ + parameters + 1;
  for (std::vector<double>& deviation : state_.deviations) {
    const std::vector<double> old = deviation;
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_ + parameters; ++j) deviation[i] += step * a[i * width + j] * old[j];
  }
}

void PerturbedRun::advance(double step) {
  const std::span<const double> f = perturbation_->rates();
  advance_deviations(step);
  for (std::size_t i = 0; i < n_; ++i) state_.y[i] += step * f[i];
  state_.t += step;
}

std::vector<double> PerturbedRun::slope_of_argument(std::size_t argument) {
  auto found = argument_slopes_.find({system_, argument});
  if (found == argument_slopes_.end()) {
    const std::vector<Expr> inputs = inputs_of(*equations_);
    std::vector<Expr> by(inputs.begin() + 1, inputs.begin() + 1 + static_cast<std::ptrdiff_t>(n_));
    by.insert(by.end(), perturbation_->parameters().begin(), perturbation_->parameters().end());
    by.push_back(system_->time);
    const Expr one[] = {evaluator_->switch_arguments()[argument]};
    found = argument_slopes_
                .emplace(InMode(system_, argument), CompiledMatrix(one, by, inputs, Engine::interpreted))
                .first;
  }
  if (!found->second.evaluate(inputs_at(perturbation_->rates()).data())) return {};
  const Eigen::MatrixXd& row = found->second.values;
  return {row.data(), row.data() + row.size()};
}

std::vector<double> PerturbedRun::inputs_at(std::span<const double> rates) const {
  std::vector<double> in{state_.t};
  in.insert(in.end(), state_.y.begin(), state_.y.end());
  for (const Parameter& parameter : system_->parameters) in.push_back(values_.at(parameter.symbol));
  in.insert(in.end(), rates.begin() + static_cast<std::ptrdiff_t>(equations_->positions.size()), rates.end());
  in.insert(in.end(), perturbation_->factors().begin(), perturbation_->factors().end());
  return in;
}

}  // namespace liaison
