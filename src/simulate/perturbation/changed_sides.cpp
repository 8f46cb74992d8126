#include "perturbed_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "simulate/equations/switches.hpp"

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
  std::vector<std::size_t> zeros;
  for (std::size_t k = 0; k < sides_.size(); ++k)
    if (sides_[k] == 0 && is_plain(k)) zeros.push_back(k);
  if (zeros.empty()) return true;
  if (!perturbation_->take(state_.t, state_.y.data())) return false;
  // those of the time alone first: what they are decides the rates
  std::map<std::size_t, std::vector<double>> slopes;
  bool has_left = false;
  double rest = 0;  // the time to leave those that begin at rest
  for (std::size_t k : zeros) {
    if (evaluator_->is_nested(k)) {  // it may have a side beside those of what is within it
      std::vector<double> value, sizes;
      if (!values_with(sides_, value, sizes)) return false;
      if (std::abs(value[k]) > 1e-13 * sizes[k]) {
        sides_[k] = value[k] > 0 ? 1 : -1;
        continue;
      }
    }
    const std::vector<double> slope = slope_of_argument(k);
    if (slope.empty()) continue;
    const bool is_fixed = std::all_of(slope.begin(), slope.end() - 1, [](double by) { return by == 0; });
    if (slope.back() != 0 && is_fixed) {  // no parameter moves it either
      sides_[k] = slope.back() > 0 ? 1 : -1;
      has_left = true;
    } else {
      slopes.emplace(k, slope);
    }
  }
  for (std::size_t k = 0; k < sides_.size() && has_left; ++k) {  // beside the sides that were found
    if (!evaluator_->is_nested(k)) continue;
    std::vector<double> value, sizes;
    if (!values_with(sides_, value, sizes)) return false;
    if (std::abs(value[k]) > 1e-13 * sizes[k]) sides_[k] = value[k] > 0 ? 1 : -1;
  }
  for (const auto& [k, slope] : slopes) {
    const Surface surface{{k}, slope, is_of_time(slope)};
    std::vector<int> low = sides_, high = sides_;
    low[k] = -1;
    high[k] = 1;
    std::vector<double> below, above;
    if (!settle_nested({surface}, low) || !settle_nested({surface}, high)) {
      message_.clear();
      continue;
    }
    if (!rates_with(low, below) || !rates_with(high, above)) return false;
    const double speed = speed_of(slope, above);
    // motions that all begin on it go to one side, whatever the rates beyond are
    const bool is_left = speed * speed_of(slope, below) > 0 &&
                         std::all_of(state_.deviations.begin(), state_.deviations.end(),
                                     [&](const std::vector<double>& one) { return begins_on(slope, one); });
    if (!are_equal(below, above) && !is_left) continue;
    // what jumps beside this motion is an impulse there, whatever its rates are
    if (!carries_over(surface, low, high, above, state_.deviations)) {
      message_.clear();
      continue;
    }
    const int side = speed == 0 ? side_from_rest(k, high, rest) : speed > 0 ? 1 : -1;
    if (side != 0) sides_ = side > 0 ? high : low;
    has_left = has_left || is_left;
  }
  if (rest > 0) return leave_rest(rest);
  return !has_left || leave_start();
}

bool PerturbedRun::begins_on(std::span<const double> slope, const std::vector<double>& deviation) const {
  double value = 0, size = 0;
  for (std::size_t j = 0; j + 1 < slope.size(); ++j) {
    value += slope[j] * deviation[j];
    size += std::abs(slope[j] * deviation[j]);
  }
  return std::abs(value) <= 1e-13 * size;
}

int PerturbedRun::side_from_rest(std::size_t argument, const std::vector<int>& sides, double& time) {
  constexpr double seen = 1e-11, near = 1e-6, certain = 3e-12;  // beside the size of its terms
  const PerturbedState start = state_;
  const auto value_after = [&](double step) {
    std::vector<double> rates, found(sides.size()), sizes(sides.size());
    double result = 0;
    if (rates_with(sides, rates)) {
      for (std::size_t j = 0; j < n_; ++j) state_.y[j] += 0.5 * step * rates[j];
      state_.t += 0.5 * step;
      const bool known = rates_with(sides, rates);
      for (std::size_t j = 0; j < n_; ++j) state_.y[j] = start.y[j] + step * rates[j];
      if (known && evaluator_->switch_values(start.t + step, state_.y.data(), found.data(), sizes.data()))
        result = found[argument] / sizes[argument];
    }
    state_ = start;
    message_.clear();
    return result;
  };
  for (double step = 1e-3 * (options_.until - start.t); step > 64 * shortest_step(start.t); step /= 4) {
    const double whole = value_after(step), half = value_after(step / 2);
    if (!(std::abs(whole) > seen)) return 0;
    if (std::abs(whole) > near || !(half / whole > 0.2 && half / whole < 0.3)) continue;
    time = std::max(time, step * std::sqrt(certain / std::abs(whole)));
    return whole > 0 ? 1 : -1;
  }
  return 0;
}

bool PerturbedRun::leave_rest(double step) {
  const PerturbedState start = state_;
  std::vector<double> rates;
  if (!rates_with(sides_, rates)) return false;
  for (std::size_t j = 0; j < n_; ++j) state_.y[j] += 0.5 * step * rates[j];
  state_.t += 0.5 * step;
  if (!rates_with(sides_, rates)) return false;
  if (!perturbation_->take(state_.t, state_.y.data())) return fail(perturbation_->failure());
  advance_deviations(step);
  for (std::size_t j = 0; j < n_; ++j) state_.y[j] = start.y[j] + step * rates[j];
  state_.t = start.t + step;
  return settle(state_);
}

bool PerturbedRun::are_equal(std::span<const double> one, std::span<const double> two) const {
  constexpr double rounding = 1e-13, of_others = 1e-16;  // what cancels has the rounding of the largest
  double sizes[2] = {0, 0};                              // of positions and of velocities
  const auto block = [&](std::size_t j) { return j < equations_->positions.size() ? 0 : 1; };
  for (std::size_t j = 0; j < n_; ++j)
    sizes[block(j)] = std::max({sizes[block(j)], std::abs(one[j]), std::abs(two[j])});
  for (std::size_t j = 0; j < n_; ++j) {
    const double own = std::max(std::abs(one[j]), std::abs(two[j]));
    if (!(std::abs(one[j] - two[j]) <= rounding * own + of_others * sizes[block(j)])) return false;
  }
  return true;
}

bool PerturbedRun::leave_start() {
  std::vector<double> rates;
  if (!rates_with(sides_, rates)) return false;
  const double step = 64 * shortest_step(state_.t);
  for (std::size_t j = 0; j < n_; ++j) state_.y[j] += step * rates[j];
  state_.t += step;
  return true;
}

bool PerturbedRun::holds_zero(std::size_t argument, const std::vector<int>& sides) const {
  if (!evaluator_->is_nested(argument)) return false;
  const std::vector<Expr>& written = evaluator_->switch_arguments();
  for (std::size_t k = 0; k < argument; ++k)
    if (sides[k] == 0 && sides_[k] != 0 && holds_switch_of(written[argument], written[k])) return true;
  return false;
}

bool PerturbedRun::look_for_change(DormandPrince& method, double jump_time) {
  if (sides_.empty()) return false;
  constexpr int looks = 16;
  const double first = state_.t, last = method.time();
  length_ = std::max(last - first, 0.1 * length_);
  std::vector<double> z(packed().size());
  std::vector<int> now;
  for (int k = 1; k <= looks; ++k) {
    const double at = first + (last - first) * k / looks;
    method.interpolate(at, z.data());
    if (!sides_at(at, z.data(), now)) return true;
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i] == sides_[i] || now[i] == 0 || holds_zero(i, now)) continue;
      double low = first + (last - first) * (k - 1) / looks, high = at;
      for (int round = 0; round < 60; ++round) {
        const double middle = 0.5 * (low + high);
        method.interpolate(middle, z.data());
        std::vector<int> there;
        if (!sides_at(middle, z.data(), there)) return true;
        (there[i] == sides_[i] ? low : high) = middle;
      }
      if (last >= jump_time && low > jump_time - doubt_of_time()) continue;  // with the event itself
      method.interpolate(low, z.data());
      if (is_smooth(i, low, z.data())) {
        sides_[i] = now[i];
        continue;
      }
      if (!may_pass(i)) {
        unpack(low, z);
        return true;
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
      const double target = low - room > first + 64 * shortest_step(first) ? low - room : first;
      change_ = Change{i, target, room, rounds};
      return true;
    }
  }
  return false;
}

bool PerturbedRun::arrives_at_change() {
  std::vector<double> value, sizes;
  if (sides_.empty() || !perturbation_->take(state_.t, state_.y.data()) || !values_with(sides_, value, sizes))
    return false;
  const double room = std::max(1e-8 * length_, 64 * shortest_step(state_.t));
  double nearest = room;
  change_.reset();
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    if (sides_[k] == 0 || !is_plain(k)) continue;
    const std::vector<double> slope = slope_of_argument(k);
    if (slope.empty()) continue;
    const double speed = speed_of(slope, perturbation_->rates()), left = -value[k] / speed;
    if (!(speed * sides_[k] < 0) || !(std::abs(left) <= nearest)) continue;
    nearest = std::abs(left);
    change_ = Change{k, state_.t, room, 0};
  }
  return change_.has_value();
}

double PerturbedRun::doubt_of_time() const {
  return std::max(
      {1e-8 * length_, 100 * options_.tolerance.relative * length_, 64 * shortest_step(state_.t)});
}

std::string PerturbedRun::name_of_argument(std::size_t argument) const {
  return to_infix(evaluator_->switch_arguments()[argument]);
}

bool PerturbedRun::is_plain(std::size_t argument) const {
  const Expr written = evaluator_->switch_arguments()[argument];
  const std::vector<Expr> inputs = inputs_of(*equations_);
  const auto first = inputs.begin() + static_cast<std::ptrdiff_t>(1 + n_ + system_->parameters.size());
  return !evaluator_->is_rough(argument) &&
         std::none_of(first, inputs.end(), [&](Expr unknown) { return depends_on(written, unknown); });
}

bool PerturbedRun::is_smooth(std::size_t argument, double t, const double* y) {
  if (!evaluator_->is_rough(argument)) return false;
  auto found = cuts_.find({system_, argument});
  if (found == cuts_.end()) {
    const Expr written = evaluator_->switch_arguments()[argument];
    std::vector<Expr> all = evaluator_->written_equations(), cuts;
    for (Expr energy : {equations_->kinetic, equations_->potential})
      if (!energy.empty()) all.push_back(energy);
    bool has_other = false;
    for (Expr node : postorder(all)) {
      if (!is_switch(node) || argument_of_switch(node) != written) continue;
      if (node.is(Op::atan2))
        cuts.push_back(node.arg(1));
      else
        has_other = true;
    }
    if (has_other) cuts.clear();
    found = cuts_
                .emplace(InMode(system_, argument),
                         Cuts{cuts.size(), Runner(inputs_of(*equations_), cuts, Engine::interpreted)})
                .first;
  }
  Cuts& cuts = found->second;
  if (cuts.count == 0) return false;
  std::vector<double> in{t};
  in.insert(in.end(), y, y + n_);
  for (const Parameter& parameter : system_->parameters) in.push_back(values_.at(parameter.symbol));
  in.resize(in.size() + equations_->parameters.size() + equations_->factors.size(), std::nan(""));
  const double* second = cuts.values(in.data());
  return std::all_of(second, second + cuts.count, [](double value) { return value > 0; });
}

bool PerturbedRun::may_pass(std::size_t argument) {
  return (sides_[argument] != 0 && is_plain(argument)) ||
         fail(fmt::format("where `{}` changes its sign the equations change their form: deviations are not "
                          "followed across that",
                          name_of_argument(argument)));
}

double PerturbedRun::speed_of(std::span<const double> slope, std::span<const double> rates) const {
  double result = slope.back();
  for (std::size_t j = 0; j < n_; ++j) result += slope[j] * rates[j];
  return result;
}

bool PerturbedRun::rates_with(const std::vector<int>& sides, std::vector<double>& rates) {
  const std::vector<double> held(sides.begin(), sides.end());
  rates.resize(n_);
  evaluator_->hold_sides(held, std::vector<double>(held.size(), 0.0));
  const bool known = evaluator_->rates(state_.t, state_.y.data(), rates.data());
  evaluator_->let_sides_follow();
  return known || fail(evaluator_->failure());
}

bool PerturbedRun::pass_change() {
  const auto [argument, target, room, rounds] = *change_;
  if (!perturbation_->take(state_.t, state_.y.data())) return fail(perturbation_->failure());
  std::vector<double> before(perturbation_->rates().begin(), perturbation_->rates().end());
  const std::vector<double> slope = slope_of_argument(argument);
  if (slope.empty())
    return fail(fmt::format("`{}` has no derivative where it changes its sign", name_of_argument(argument)));
  std::vector<double> value, sizes;
  if (!values_with(sides_, value, sizes)) return false;
  const double speed = speed_of(slope, before), left = -value[argument] / speed;
  // what rounding leaves of the argument hides where it is zero
  const double near = 4 * std::max(room, 1e-13 * sizes[argument] / std::abs(speed));
  if (left > near && rounds < 12) {  // the step that found it was not as exact
    change_ = Change{argument, state_.t + left - room, room, rounds + 1};
    return true;
  }
  const bool goes_there = speed * sides_[argument] < 0;
  if (!goes_there || !(std::abs(left) <= near))
    return fail(
        fmt::format("`{}` is only touched: deviations have no limit there", name_of_argument(argument)));
  advance(left);
  if (!rates_with(sides_, before)) return false;  // the last step may have ended a little behind it
  std::vector<Surface> surfaces;
  double next = INFINITY;
  if (!meet_surfaces(argument, before, surfaces, next)) return false;
  std::vector<double> after;
  if (!pass_surfaces(surfaces, before, after)) return false;
  const double step = std::min({room, 0.5 * std::max(0.0, options_.until - state_.t), 0.5 * next});
  for (std::size_t j = 0; j < n_; ++j) state_.y[j] += step * after[j];
  state_.t += step;
  std::vector<int> behind = sides_;
  for (const Surface& surface : surfaces)
    if (!flip(surface, surfaces, behind)) return false;
  sides_ = std::move(behind);
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
