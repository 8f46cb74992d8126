#include "stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "implicit_factors.hpp"
#include "liaison/mechanics/open_factors.hpp"

namespace liaison {

std::size_t count_of(double number) {
  return number >= 0 && number < 9e15 ? static_cast<std::size_t>(number) : 0;
}

Stepper::Stepper(Evaluator& evaluator, BridgedMethod& integrator, const SimulationOptions& options)
    : evaluator_(evaluator),
      integrator_(integrator),
      options_(options),
      sizes_(evaluator.position_count()),
      late_(evaluator, options.tolerance),
      kinks_(evaluator, options),
      impulses_(evaluator),
      features_(evaluator.written_equations(), evaluator.time_symbol(), evaluator.parameter_values(),
                evaluator.equations().system->parameters),
      state_features_(evaluator),
      projects_(options.project && !integrator.keeps_constraints()),
      ranks_(evaluator),
      poles_(evaluator, options),
      root_starts_(evaluator, options),
      time_poles_(evaluator),
      slides_(evaluator, options.tolerance),
      ends_(evaluator) {}

MaybeEnd Stepper::begin(double t, std::vector<double>& y) {
  before_ = begin_time_ = t;
  evaluator_.set_constraint_sizes({});
  if (projects_) {
    if (!starts_on_its_sides(t, y)) evaluator_.let_sides_follow();
    if (!evaluator_.project(t, y.data()))
      return no_way_on(t, y, "the start cannot be moved onto the constraints");
  }
  return begin_again(t, y);
}

/// Whether the start is on its relations on the sides to which the motion goes, which are held then: where a
/// drive starts to move, they have another value between the sides.
bool Stepper::starts_on_its_sides(double t, const std::vector<double>& y) {
  if (kinks_.empty()) return false;
  evaluator_.let_sides_follow();
  const std::vector<double> following = impulses_.values_at(t, y);
  return !kinks_.begin(t, y) && impulses_.of_start(t, y, following).empty();
}

MaybeEnd Stepper::begin_again(double t, const std::vector<double>& y) {
  keep_passed(t);
  lost_.reset();
  change_.reset();
  evaluator_.let_sides_follow();
  const std::vector<double> following = impulses_.values_at(t, y);
  if (auto end = kinks_.begin(t, y)) return end;
  if (std::string missing = impulses_.of_start(t, y, following); !missing.empty())
    return no_way_on(t, y, missing);
  if (std::string several = several_factors(evaluator_, t, y.data(), kinks_.held()); !several.empty())
    return no_way_on(t, y, several);
  poles_.begin(t, y);
  state_features_.begin();
  if (auto end = begin_method(t, y)) return end;
  if (std::string vanishes = poles_.vanished_at_begin(); !vanishes.empty()) return no_way_on(t, y, vanishes);
  return look_for_roots(t, y);
}

/// Roots of what is zero at a state where the motion begins, with the sides of switches as they follow.
MaybeEnd Stepper::look_for_roots(double t, const std::vector<double>& y) {
  evaluator_.let_sides_follow();
  const std::string several = root_starts_.several_from(t, y);
  if (!kinks_.empty()) evaluator_.hold_sides(kinks_.held().sides, kinks_.held().nudges);
  evaluator_.set_factor_guess(guess_);
  return several.empty() ? MaybeEnd{} : no_way_on(t, y, several);
}

MaybeEnd Stepper::begin_method(double t, const std::vector<double>& y) {
  std::vector<double> rates(y.size());
  if (!evaluator_.learn_rank(t, y.data())) return no_way_on(t, y, reason());
  add_open_directions(evaluator_.open_factors(), open_);
  if (!evaluator_.rates(t, y.data(), rates.data()) || !integrator_.begin(t, y, options_.until))
    return no_way_on(t, y, reason());
  ranks_.begin(t, y.data());
  clear_times_.assign(clear.size(), t);
  clear_states_.assign(clear.size(), y);
  if (steps_ == 0) ends_.begin(t, y);
  guess_ = evaluator_.factor_guess();
  return {};
}

std::vector<double> Stepper::state() const {
  if (lost_) return lost_->y;
  if (change_) return change_state_;
  return {integrator_.state().begin(), integrator_.state().end()};
}

/// Not beyond the end, nor farther than one step may go, nor over what the equations do by the time alone.
double Stepper::limit() {
  double result = options_.until;
  if (options_.max_step > 0) result = std::min(result, before_ + options_.max_step);
  if (const double fixed = integrator_.fixed_length(); fixed > 0) {
    const double length = poles_.length_before_zero(before_, first_, fixed);
    if (length < fixed) result = std::min(result, before_ + length);
  }
  if (before_ < slow_until_)
    result = std::min(result, before_ < slow_from_ ? slow_from_ : before_ + slow_length_);
  if (features_.empty()) return result;
  // A change that the time can hardly tell from the beginning is left to the search after the step.
  const double soon = before_ + 256 * std::numeric_limits<double>::epsilon() * std::abs(before_);
  if (integrator_.fixed_length() <= 0) {
    // A method that looks at the equations at the ends of its steps alone must come to a cell as often as the
    // polynomial that follows it there.
    const double part = integrator_.lives_on_its_past() ? 1.0 / 16 : 1;
    const double next = features_.limit(before_, result, part);
    return next > soon ? next : std::min(result, features_.limit(soon, result, part));
  }
  const double far = before_ + 2 * integrator_.fixed_length();  // where a step cannot come
  const double change = features_.next_change(soon, far);
  return change < far ? std::min(result, change) : result;
}

MaybeEnd Stepper::step() {
  before_ = time();
  if (lost_ || change_) {
    first_ = state();
  } else {
    first_.assign(integrator_.state().begin(), integrator_.state().end());
  }
  sizes_.see(first_);
  ranges_.see(first_);
  evaluator_.set_factor_guess(guess_);  // what was looked at in between changes no bit of the motion
  const StepOutcome outcome = step_over_singularities();
  if (outcome != StepOutcome::stepped) return failed(outcome);
  guess_ = evaluator_.factor_guess();
  if (auto end = shorten_to_rates()) return end;
  if (auto end = shorten_to_features()) return end;
  ++steps_;
  ranges_.see_step(integrator_.time() - before_);
  ends_.see_step(integrator_.time() - before_);
  if (auto end = late_.after_step(before_, first_, integrator_.time(), integrator_.state())) return end;
  if (ends_at_pole_of_time()) return {};
  if (auto end = look_for_poles()) return end;
  look_for_lost_rank();
  if (lost_) return {};
  constexpr double near = 1e-2;  // of a divisor that makes rates grow as if they jumped
  if (const auto jump = slides_.after_step(time(), integrator_.state())) {
    std::string divisor = pole_ahead();
    if (divisor.empty()) divisor = poles_.fallen_divisor(time(), integrator_.state().data(), near);
    if (divisor.empty()) {
      divisor = fmt::format(
          "the motion slides along a jump of its equations, as where a slip ends or a contact opens: {}",
          in_words(evaluator_, *jump));
    }
    lost_ = no_way_on(time(), state(), divisor);
    return {};
  }
  if (is_in_vain()) {
    std::string found = pole_ahead();
    const std::string divisor = poles_.fallen_divisor(time(), integrator_.state().data(), near);
    const bool crawled = steps_ % 2000 != 0;  // next to a divisor
    if (found.empty() && crawled) found = divisor;
    if (found.empty()) found = ends_.describe(time(), integrator_.state(), ranks_);
    if (found.empty()) found = divisor;
    const std::string what = fmt::format(
        "the motion does not come on: {} steps leave the state where it is, as where a slip ends{}{}",
        crawled ? "hundreds of" : "two thousand", found.empty() ? "" : "; ", found);
    if (time_stands_) return no_way_on(before_, first_, what);
    lost_ = no_way_on(time(), state(), what);
    return {};
  }
  return check_passage();
}

/// Takes a step again with half its length until it follows the rates.
MaybeEnd Stepper::shorten_to_rates() {
  constexpr int most_halvings = 40;
  const bool is_blind =
      integrator_.overlooks_quadratures() || (integrator_.overlooks_time() && !features_.empty());
  if (!is_blind || integrator_.fixed_length() > 0) return {};
  for (int i = 0; i < most_halvings && !follows_rates(before_, integrator_.time()); ++i) {
    std::vector<double> unused(evaluator_.size());
    const double half = before_ + (integrator_.time() - before_) / 2;
    if (half <= before_ || half >= integrator_.time()) return {};
    if (auto end = land(half, unused)) return end;
  }
  return {};
}

/// Takes a step again that passed over a feature of the state without seeing it: up to where the feature
/// begins, or a part of it.
MaybeEnd Stepper::shorten_to_features() {
  constexpr int most_rounds = 60;
  if (state_features_.empty() || integrator_.fixed_length() > 0) return {};
  const StateFeatures::StateAt at = [&](double t, double* y) { integrator_.interpolate(t, y); };
  const StateFeatures::Follows follows = [&](double low, double high) {
    const double a = low + 0.37 * (high - low), b = low + 0.61 * (high - low);
    return follows_rates(low, a) && follows_rates(a, b) &&
           follows_rates(b, high);  // what turns has no integral
  };
  for (int round = 0; round < most_rounds; ++round) {
    const std::vector<double> last(integrator_.state().begin(), integrator_.state().end());
    const auto feature = state_features_.in_step(before_, integrator_.time(), first_, last, at, follows);
    if (!feature) return {};
    const double length = feature->high - feature->low;
    const double end = std::max(feature->low, before_ + length / 2);
    if (!(end > before_) || end >= integrator_.time()) return {};
    slow_length_ = length;
    slow_from_ = end;
    slow_until_ = feature->high + 4 * length;
    std::vector<double> unused(evaluator_.size());
    if (auto ended = land(end, unused)) return ended;
  }
  return {};
}

/// Whether a part of the step is the integral of the rates along it, by Gauss's formula with twelve points.
bool Stepper::follows_rates(double begin, double end) {
  constexpr double points[] = {0.1252334085114689, 0.3678314989981802, 0.5873179542866175,
                               0.7699026741943047, 0.9041172563704749, 0.9815606342467192};
  constexpr double weights[] = {0.2491470458134028, 0.2334925365383548, 0.2031674267230659,
                                0.1600783285433462, 0.1069393259953184, 0.04717533638651183};
  constexpr double most_tolerances = 100;
  const double half = (end - begin) / 2;
  const std::size_t n = evaluator_.size();
  std::vector<double> sum(n), y(n), rates(n), from = first_, to(n);
  if (begin > before_) integrator_.interpolate(begin, from.data());
  std::copy(integrator_.state().begin(), integrator_.state().end(), to.begin());
  if (end < integrator_.time()) integrator_.interpolate(end, to.data());
  for (std::size_t k = 0; k < std::size(points); ++k) {
    for (const double x : {-points[k], points[k]}) {
      const double t = begin + half * (1 + x);
      integrator_.interpolate(t, y.data());
      if (!evaluator_.rates(t, y.data(), rates.data())) return false;
      for (std::size_t i = 0; i < n; ++i) sum[i] += half * weights[k] * rates[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double change = to[i] - from[i];
    const double size = std::max({std::abs(from[i]), std::abs(to[i]), std::abs(change)});
    if (!(std::abs(change - sum[i]) <=
          most_tolerances * (options_.tolerance.absolute + options_.tolerance.relative * size)))
      return false;
  }
  return true;
}

/// Where the method is not as exact within a step as at its end, or the equations are not smooth beyond a
/// change, the step is taken again up to the change, until it ends there.
MaybeEnd Stepper::approach_change() {
  constexpr int most_rounds = 12;
  constexpr double there = 1e-12;
  for (int round = 0;; ++round) {
    if (auto end = find_change()) return end;
    if (!change_ || round == most_rounds || *change_ <= before_) return {};
    if (integrator_.interpolates_to_its_order() && !kinks_.is_rough()) return {};
    const double end = integrator_.time();
    const double resolution = there * std::max(end - before_, std::abs(end));
    if (end - *change_ <= resolution || *change_ - before_ <= resolution) return {};
    kinks_.look_again();
    std::vector<double> unused(evaluator_.size());
    if (auto ended = land(*change_, unused)) return ended;
  }
}

/// The first of what ends the step: a change of form, or a place at which the equations divide by zero and
/// the motion is not determined. The step is taken again, shorter, until that place is known.
MaybeEnd Stepper::look_for_poles() {
  constexpr int most_rounds = 100;
  const PoleWatch::StateAt at = [&](double t, double* y) { state_at(t, y); };
  for (int round = 0;; ++round) {
    if (auto end = approach_change()) return end;
    const auto pole = poles_.after_step(
        {before_, time(), first_, state(), at, round < most_rounds, integrator_.fixed_length() > 0});
    if (!pole) return {};
    if (!pole->again) {
      std::vector<double> y(evaluator_.size());
      state_at(pole->t, y.data());
      lost_ = no_way_on(pole->t, std::move(y), pole->what);
      return {};
    }
    kinks_.look_again();
    std::vector<double> unused(evaluator_.size());
    if (auto end = land(*pole->again, unused)) return end;
  }
}

MaybeEnd Stepper::land(double t, std::vector<double>& y) {
  if (t <= before_) {
    y = first_;
    return {};
  }
  lost_.reset();
  change_.reset();
  evaluator_.set_factor_guess(guess_);
  if (auto end = begin_method(before_, first_)) return end;
  const StepOutcome outcome = integrator_.step(t);
  if (outcome != StepOutcome::stepped) return failed(outcome);
  if (ranks_.is_needed()) distance_ = ranks_.look(integrator_.time(), integrator_.state().data());
  guess_ = evaluator_.factor_guess();
  y = state();
  return {};
}

MaybeEnd Stepper::find_change() {
  if (kinks_.empty()) return {};
  std::optional<double> change;
  const auto at = [&](double t, double* y) { state_at(t, y); };
  if (auto end = kinks_.after_step(before_, integrator_.time(), first_, at, change)) return end;
  if (!change) return {};
  change_state_.resize(evaluator_.size());
  state_at(*change, change_state_.data());
  change_ = change;
  return {};
}

/// Many steps that are tried in vain, or next to where a gradient or a divisor vanishes, while the state
/// stays where it is.
bool Stepper::is_in_vain() {
  constexpr std::size_t window = 2000;
  constexpr double stays = 1e-4;
  if (crawls()) return true;
  if (steps_ % window != 0) return false;
  // An event may cut this step.
  const std::vector<double> from = std::exchange(window_state_, first_);
  const std::size_t tried = rejected() - std::exchange(window_rejected_, rejected());
  const double passed = before_ - std::exchange(window_time_, before_);
  constexpr double near = 1e-2;      // of a squared gradient
  constexpr double comes_on = 1e-3;  // the time of a body at rest
  const bool passes = passed > comes_on * static_cast<double>(window) * ranges_.usual_length();
  constexpr double stands = 1e-6, told = 1e3 * std::numeric_limits<double>::epsilon();
  const bool is_still = passed < stands * static_cast<double>(window) * ranges_.usual_length();
  time_stands_ = passed < told * static_cast<double>(window) * std::abs(before_);
  const bool many = (tried >= window * 3 / 10 && !passes) || is_still || poles_.least_gradient() < near;
  return many && ranges_.are_same(from, window_state_, stays, options_.tolerance);
}

bool Stepper::crawls() {
  constexpr std::size_t window = 250;
  constexpr double stays = 1e-4, comes_on = 1e-4, near = 1e-2;
  if (steps_ % window != 0 || integrator_.fixed_length() > 0) return false;
  const std::vector<double> from = std::exchange(crawl_state_, state());
  const double since = std::exchange(crawl_time_, time());
  if (time() - since > comes_on * static_cast<double>(window) * ranges_.usual_length()) return false;
  return ranges_.are_same(from, crawl_state_, stays, options_.tolerance) &&
         !poles_.fallen_divisor(time(), integrator_.state().data(), near).empty();
}

std::vector<PassedSingularity> Stepper::passed(double until) const {
  std::vector<PassedSingularity> result = passed_;
  for (const PassedSingularity& one : passing_)
    if (one.t <= until) result.push_back(one);
  return result;
}

/// An event may have cut the step before it.
void Stepper::keep_passed(double until) {
  passed_ = passed(until);
  passing_.clear();
  checked_ = std::min(checked_, passed_.size());
}

void Stepper::state_at(double t, double* y) {
  if (lost_ && t == lost_->t) {
    std::copy(lost_->y.begin(), lost_->y.end(), y);
    return;
  }
  if (t == integrator_.time()) {
    std::copy(integrator_.state().begin(), integrator_.state().end(), y);
  } else if (t == before_) {
    std::copy(first_.begin(), first_.end(), y);
  } else {
    integrator_.interpolate(t, y);
  }
  if (options_.project) evaluator_.project(t, y);
}

/// Where relations repeat each other, which factors are open may change with the state.
MaybeEnd Stepper::learn_open(const std::vector<double>& y) {
  if (evaluator_.open_factors().empty()) return {};
  if (!evaluator_.learn_rank(time(), y.data())) return no_motion(time(), y);
  add_open_directions(evaluator_.open_factors(), open_);
  return {};
}

MaybeEnd Stepper::settle() {
  keep_passed(time());
  if (change_) return pass_change();
  if (!projects_) return learn_open(state());
  if (integrator_.lives_on_its_past()) {  // a restart costs more than what is left of a residual
    const Evaluator::Residuals left = evaluator_.residuals(time(), integrator_.state().data());
    constexpr double rounding = 1e-14, small = 1e-4;
    const double part = poles_.least_gradient() < small ? poles_.least_gradient() : 1;
    const double allowed = std::max(options_.tolerance.relative * part, rounding);
    if (std::max(left.level, left.relation) <= allowed) return learn_open(state());
  }
  const std::span<const double> unmoved = integrator_.state();
  std::vector<double>& y = settled_;
  y.assign(unmoved.begin(), unmoved.end());
  evaluator_.set_factor_guess(guess_);
  const bool projected = evaluator_.project(time(), y.data());
  if (projected) {
    if (auto end = moved_too_far(unmoved, y)) return end;
  }
  if (projected && integrator_.restart(y)) {
    if (auto end = learn_open(y)) return end;
    guess_ = evaluator_.factor_guess();
    return {};
  }
  if (projected) return failed(StepOutcome::no_value);
  const std::string found = ends_.describe(time(), state(), ranks_);
  return no_way_on(time(), state(),
                   fmt::format("the state left the constraints and could not be moved back{}{}",
                               found.empty() ? "" : "; ", found));
}

/// Whether there is one change after the other while time and state stay where they are. What swings to and
/// fro passes with another velocity each time.
bool Stepper::chatters(double t) {
  constexpr double stays = 1e-6, stays_there = 1e-6;  // of a usual step; of its range
  constexpr std::size_t often = 200;
  if (kinks_.is_of_time()) return false;
  const double short_time = std::max(stays * ranges_.usual_length(), 16 * shortest_step(t));
  if (t - chatter_time_ > short_time || t < chatter_time_ ||
      !ranges_.are_same(change_state_, chatter_state_, stays_there, options_.tolerance)) {
    chatter_time_ = t;
    chatter_state_ = change_state_;
    chatter_count_ = 0;
  }
  return ++chatter_count_ > often;
}

/// Goes on to the other side of a change, where no impulse is missing.
MaybeEnd Stepper::pass_change() {
  constexpr double shortly = 1e-10;  // far beyond the rounding of the time of a change
  const double t = *change_;
  if (chatters(t)) {
    return no_way_on(
        t, change_state_,
        fmt::format("{} again and again at one time: on either side the equations lead back to it, "
                    "and they do not say how the motion stays there (a slip that ends, a switch "
                    "that chatters)",
                    kinks_.where()));
  }
  const double h = shortly * std::max(std::abs(t), integrator_.time() - before_);
  const bool of_time = kinks_.is_of_time();
  if (!of_time) late_.see_change();
  impulses_.see_before(t, change_state_, h);
  const std::string where = kinks_.where();
  if (auto end = kinks_.pass(t, change_state_)) return end;
  const std::string missing = impulses_.found_behind(where, of_time);
  if (!missing.empty()) {
    RunEnd end = no_way_on(t, change_state_, missing);
    end.jumps = impulses_.jumps_of_rates();
    return end;
  }
  change_.reset();
  return begin_method(t, change_state_);
}

/// Why there is no step: the equations know, or the method.
std::string Stepper::reason() const {
  const std::string why = evaluator_.failure().empty() ? integrator_.failure() : evaluator_.failure();
  return why.empty() ? "the tolerance asks for steps that the time cannot tell apart" : why;
}

RunEnd Stepper::no_motion(double t, const std::vector<double>& y) {
  const std::string why = evaluator_.failure(), found = ends_.describe(t, y, ranks_);
  return no_way_on(t, y, found.empty() || found == why ? why : fmt::format("{}: {}", why, found));
}

RunEnd Stepper::failed(StepOutcome outcome) {
  const char* what = outcome == StepOutcome::too_small        ? "the step fell to nothing"
                     : outcome == StepOutcome::no_convergence ? "a step was not solved"
                                                              : "a step has no value";
  const std::string method = reason(), lost = poles_.lost_coupling(time(), integrator_.state().data());
  std::string found = lost.empty() ? ends_.describe(time(), integrator_.state(), ranks_) : lost;
  const std::string fallen = poles_.fallen_divisor(time(), integrator_.state().data());
  if (!fallen.empty() && (found.empty() || found.starts_with("the equations jump"))) found = fallen;
  if (const std::string pole = pole_ahead(); !pole.empty()) found = pole;
  if (found.empty() && outcome == StepOutcome::no_convergence) {
    found = singular_in_reach(state());
    if (!found.empty()) found += "; " + method;
  }
  return no_way_on(time(), state(), fmt::format("{}: {}", what, found.empty() ? method : found));
}

std::vector<double> Stepper::memory() const {
  std::vector<double> result{static_cast<double>(steps_), static_cast<double>(evaluations()),
                             static_cast<double>(rejected())};
  const std::vector<double> constraints = evaluator_.constraint_sizes();
  result.insert(result.end(), constraints.begin(), constraints.end());
  result.insert(result.end(), {near_ ? near_turned_ ? 2.0 : 1.0 : 0.0, near_ ? near_->t : 0.0});
  Memorise memory;
  const_cast<Stepper*>(this)->remember(memory);  // which changes nothing here
  result.insert(result.end(), memory.numbers().begin(), memory.numbers().end());
  return result;
}

bool Stepper::recall(double t, std::span<const double> y, std::span<const double> method,
                     std::span<const double> own, std::span<const double> kinks) {
  const std::size_t counts = 3, rows = evaluator_.constraint_sizes().size();
  if (y.size() != evaluator_.size() || own.size() < counts + rows + 2 || !kinks_.recall(kinks)) return false;
  std::vector<double> at(y.begin(), y.end());
  ranks_.begin(t, y.data());
  poles_.begin(t, at);
  const std::span<const double> near = own.subspan(counts + rows, 2);
  Recall memory(own.subspan(counts + rows + 2));
  remember(memory);
  if (!memory.fits() || guess_.size() != evaluator_.factor_guess().size()) return false;
  evaluator_.set_factor_guess(guess_);
  if (!integrator_.begin(t, y, options_.until)) return false;
  steps_ = count_of(own[0]);
  earlier_evaluations_ = count_of(own[1]) - integrator_.evaluations();
  earlier_rejected_ = count_of(own[2]);
  if (!integrator_.can_recall(method)) return false;
  integrator_.recall(method);
  before_ = t;
  near_turned_ = near[0] > 1;
  if (near[0] != 0) near_ = PassedSingularity{near[1], ends_.describe(near[1], y, ranks_)};
  if (!evaluator_.learn_rank(t, y.data())) {
    lost_ = no_motion(t, at);
    return false;
  }
  add_open_directions(evaluator_.open_factors(), open_);
  evaluator_.set_constraint_sizes(own.subspan(counts, rows));
  evaluator_.set_factor_guess(guess_);
  return true;
}

}  // namespace liaison
