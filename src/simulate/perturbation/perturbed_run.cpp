#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/simulate/perturbation.hpp"
#include "liaison/simulate/runge_kutta.hpp"
#include "simulate/perturbation/compiled_event.hpp"

namespace liaison {

namespace {

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
    for (const EventRecord& record : jumps_) told_.push_back(record.t);
    keeps_relations_ = evaluator.has_relations() || !system_.rotations.empty();
  }

  PerturbedRunResult run() {
    DormandPrince method([this](double t, const double* z, double* dz) { return rates(t, z, dz); },
                         n_ * (1 + state_.deviations.size()), options_.tolerance);
    begin_ = last_jump_ = state_.t;
    if (!begin(method)) return end(SimulationOutcome::singular, failure());
    if (!learn_sides()) return end(SimulationOutcome::singular, failure());
    if (receive_ && !receive_(state_)) return end(SimulationOutcome::interrupted, {});
    std::size_t next_jump = 0;
    int rounds = 0;  // in which the time of the next one was sought
    while (state_.t < options_.until) {
      if (options_.interrupted && options_.interrupted()) return end(SimulationOutcome::interrupted, {});
      if (result_.steps >= options_.max_steps)
        return end(SimulationOutcome::step_limit, fmt::format("{} steps were not enough", result_.steps));
      const double jump_time = next_jump < jumps_.size() ? jumps_[next_jump].t : options_.until;
      const StepOutcome outcome = method.step(change_ ? std::min(jump_time, change_->target) : jump_time);
      if (outcome != StepOutcome::stepped)
        return end(SimulationOutcome::singular,
                   failure().empty() ? "the steps fall to nothing: a singularity is near" : failure());
      ++result_.steps;
      result_.rejected = method.rejected();
      if (look_for_change(method)) {  // the step is taken again, up to there
        if (!message_.empty() || !begin(method)) return end(SimulationOutcome::singular, failure());
        continue;
      }
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
        if (!jump(system_.events[jumps_[next_jump].event], crossing) || !return_to_end())
          return end(SimulationOutcome::singular, failure());
        last_jump_ = state_.t;
        ++next_jump;
        rounds = 0;
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

  /// False where one is not on the constraints, with a message, or where the receiver has enough.
  bool rows(DormandPrince& method) {
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

  // ---- where abs, sign, min and max change their side ----

  bool sides_at(double t, const double* y, std::vector<int>& sides) {
    const std::size_t count = evaluator_.switch_arguments().size();
    std::vector<double> found(count), sizes(count);
    sides.assign(count, 0);
    if (count > 0 && !evaluator_.switch_values(t, y, found.data(), sizes.data()))
      return fail("what abs, sign, min and max are taken of has no value");
    for (std::size_t k = 0; k < count; ++k)
      if (std::abs(found[k]) > 1e-13 * sizes[k]) sides[k] = found[k] > 0 ? 1 : -1;
    return true;
  }

  /// A motion that begins where a side changes goes to the side to which the argument moves, where the rates
  /// of both agree: else deviations to the one and to the other side are not one.
  bool learn_sides() {
    if (!sides_at(state_.t, state_.y.data(), sides_)) return false;
    for (std::size_t k = 0; k < sides_.size(); ++k) {
      if (sides_[k] != 0 || !is_plain(k)) continue;
      if (!perturbation_.take(state_.t, state_.y.data())) return false;
      const std::vector<double> slope = slope_of_argument(k);
      if (slope.empty()) continue;
      std::vector<double> one(n_), two(n_), held(sides_.begin(), sides_.end());
      const std::vector<double> nudges(held.size(), 0.0);
      held[k] = 1;
      evaluator_.hold_sides(held, nudges);
      bool agree = evaluator_.rates(state_.t, state_.y.data(), one.data());
      held[k] = -1;
      evaluator_.hold_sides(held, nudges);
      agree = agree && evaluator_.rates(state_.t, state_.y.data(), two.data());
      evaluator_.let_sides_follow();
      double speed = slope.back();
      for (std::size_t j = 0; j < n_; ++j) {
        speed += slope[j] * one[j];
        agree = agree && std::abs(one[j] - two[j]) <= 1e-12 * (1 + std::abs(one[j]));
      }
      if (agree && speed != 0) sides_[k] = speed > 0 ? 1 : -1;
    }
    return true;
  }

  /// A side that changes in the step that was just taken: the step shall end a little before. True where
  /// there is one; with a message where it is not passed, or where that is not known.
  bool look_for_change(DormandPrince& method) {
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
        if (rounds > 12 || low - room <= first) {
          fail(
              fmt::format("`{}` is only touched, or changes its sign again at once: deviations have no limit "
                          "there",
                          name_of_argument(i)));
          return true;
        }
        change_ = Change{i, low - room, room, rounds};
        return true;
      }
    }
    return false;
  }

  std::string name_of_argument(std::size_t argument) const {
    return to_infix(evaluator_.switch_arguments()[argument]);
  }

  /// One smooth argument of the state, of parameters and of the time.
  bool is_plain(std::size_t argument) const {
    const Expr written = evaluator_.switch_arguments()[argument];
    const std::vector<Expr> inputs = inputs_of(equations_);
    const auto first = inputs.begin() + static_cast<std::ptrdiff_t>(1 + n_ + system_.parameters.size());
    return evaluator_.carried().empty() && !evaluator_.is_rough(argument) &&
           !evaluator_.is_nested(argument) &&
           std::none_of(first, inputs.end(), [&](Expr unknown) { return depends_on(written, unknown); });
  }

  bool may_pass(std::size_t argument) {
    return (sides_[argument] != 0 && is_plain(argument)) ||
           fail(fmt::format("where `{}` changes its sign the equations change their form: deviations are not "
                            "followed across that",
                            name_of_argument(argument)));
  }

  /// Across a change of form, by the rule of saltation without a reset. The last and the next moment are so
  /// short that their second order is below rounding; in between both sides are held.
  bool pass_change() {
    const auto [argument, target, room, rounds] = *change_;
    if (!perturbation_.take(state_.t, state_.y.data())) return fail(perturbation_.failure());
    const std::vector<double> before(perturbation_.rates().begin(), perturbation_.rates().end());
    const std::vector<double> slope = slope_of_argument(argument);
    std::vector<double> value(sides_.size()), sizes(sides_.size());
    if (slope.empty() || !evaluator_.switch_values(state_.t, state_.y.data(), value.data(), sizes.data()))
      return fail(
          fmt::format("`{}` has no derivative where it changes its sign", name_of_argument(argument)));
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
    if (!(std::abs(left) <= 4 * room))
      return fail(
          fmt::format("`{}` is only touched: deviations have no limit there", name_of_argument(argument)));
    advance(left);
    std::vector<double> held(sides_.begin(), sides_.end());
    held[argument] = -held[argument];
    evaluator_.hold_sides(held, std::vector<double>(held.size(), 0.0));
    std::vector<double> after(n_);
    const bool goes_on = evaluator_.rates(state_.t, state_.y.data(), after.data());
    evaluator_.let_sides_follow();
    if (!goes_on) return fail(evaluator_.failure());
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
    return settle(state_);
  }

  /// By the rates and the matrix that were taken last.
  void advance(double step) {
    const std::span<const double> f = perturbation_.rates(), a = perturbation_.matrix();
    const std::size_t parameters = perturbation_.parameter_count(), width = n_ + parameters + 1;
    for (std::vector<double>& deviation : state_.deviations) {
      const std::vector<double> old = deviation;
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t j = 0; j < n_ + parameters; ++j) deviation[i] += step * a[i * width + j] * old[j];
    }
    for (std::size_t i = 0; i < n_; ++i) state_.y[i] += step * f[i];
    state_.t += step;
  }

  /// The derivatives of an argument by y, the parameters and the time; empty where there are none.
  std::vector<double> slope_of_argument(std::size_t argument) {
    auto found = argument_slopes_.find(argument);
    if (found == argument_slopes_.end()) {
      const std::vector<Expr> inputs = inputs_of(equations_);
      std::vector<Expr> by(inputs.begin() + 1, inputs.begin() + 1 + static_cast<std::ptrdiff_t>(n_));
      by.insert(by.end(), perturbation_.parameters().begin(), perturbation_.parameters().end());
      by.push_back(system_.time);
      const Expr one[] = {evaluator_.switch_arguments()[argument]};
      found = argument_slopes_.emplace(argument, CompiledMatrix(one, by, inputs, Engine::interpreted)).first;
    }
    if (!found->second.evaluate(inputs_at(perturbation_.rates()).data())) return {};
    const Eigen::MatrixXd& row = found->second.values;
    return {row.data(), row.data() + row.size()};
  }

  /// The inputs of what is compiled here, at the present state.
  std::vector<double> inputs_at(std::span<const double> rates) const {
    std::vector<double> in{state_.t};
    in.insert(in.end(), state_.y.begin(), state_.y.end());
    for (const Parameter& parameter : system_.parameters) in.push_back(values_.at(parameter.symbol));
    in.insert(in.end(), rates.begin() + static_cast<std::ptrdiff_t>(equations_.positions.size()),
              rates.end());
    in.insert(in.end(), perturbation_.factors().begin(), perturbation_.factors().end());
    return in;
  }

  // ---- resets ----

  bool fail(std::string message) {
    message_ = std::move(message);
    return false;
  }

  /// How an event's function changes at the present state; with the rates and matrices of that state.
  struct Crossing {
    CompiledEvent* compiled = nullptr;
    std::vector<double> in, before;  ///< the inputs of what is compiled, the rates
    std::vector<double> g;           ///< by y, parameters and the time
    double speed = 0, left = 0;      ///< along the motion; the time to the event
  };
  bool cross(const EventRecord& record, Crossing& crossing) {
    const Event& event = system_.events[record.event];
    auto found = compiled_.find(record.event);
    if (found == compiled_.end()) {
      CompiledEvent compiled = compile_event(equations_, event, perturbation_.parameters());
      found = compiled_.emplace(record.event, std::move(compiled)).first;
    }
    CompiledEvent& compiled = found->second;
    if (!compiled.failure.empty()) return fail(compiled.failure);
    if (keeps_relations_ && !settle(state_)) return false;
    if (!perturbation_.take(state_.t, state_.y.data())) return fail(perturbation_.failure());

    const std::size_t parameters = perturbation_.parameter_count(), width = n_ + parameters + 1;
    const std::vector<double> before(perturbation_.rates().begin(), perturbation_.rates().end());
    const std::vector<double> in = inputs_at(before);
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
    crossing = {&compiled, in, before, g, speed, -*compiled.when(in.data()) / speed};
    return true;
  }

  /// An event that the plain motion has before the end may come a little behind it here.
  bool return_to_end() {
    if (state_.t <= options_.until) return true;
    if (!perturbation_.take(state_.t, state_.y.data())) return false;
    advance(options_.until - state_.t);
    return settle(state_);
  }

  /// The motion beside its deviations takes other steps than the plain one, and comes to an event at a time
  /// of its own: a reset at the other's time would drop how errors move the event, and they would grow. True
  /// where the step was taken back or the event is ahead; with a message where it is not found.
  bool seek_own_time(EventRecord& record, double told, int& rounds, const PerturbedState& step_begin,
                     Crossing& crossing) {
    constexpr int most = 12;
    if (!cross(record, crossing)) return true;
    const double room = std::max(1e-9 * std::abs(state_.t - step_begin.t), 64 * shortest_step(state_.t));
    if (std::abs(crossing.left) <= room) return false;
    const double own = state_.t + crossing.left;
    if (!(std::abs(own - told) <= 1e-3 * (told - last_jump_)) || ++rounds > most) {
      fail(
          fmt::format("the event `{}` comes at t = {:.9g} by the steps of the motion alone and not there by "
                      "the steps beside its deviations: a smaller --tol may tell",
                      system_.events[record.event].name, told));
      return true;
    }
    record.t = own;
    if (crossing.left < 0) state_ = step_begin;
    return true;
  }

  bool jump(const Event& event, const Crossing& crossing) {
    CompiledEvent& compiled = *crossing.compiled;
    const std::size_t parameters = perturbation_.parameter_count(), width = n_ + parameters + 1;
    // the rest of the way is so short that its second order is below rounding
    advance(crossing.left);
    const std::vector<double>&before = crossing.before, &g = crossing.g;
    const std::vector<double> in = inputs_at(before);
    const double speed = crossing.speed;

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
      if (!perturbation_.make_admissible(state_.t, state_.y.data(), deviation.data(), given))
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
  double begin_ = 0, last_row_ = -INFINITY, last_jump_ = 0;
  std::size_t next_row_ = 1;
  std::vector<EventRecord> jumps_;  ///< at the times of this motion, as they are found
  std::vector<double> told_;        ///< when they came in the plain one
  std::map<std::size_t, CompiledEvent> compiled_;
  std::map<std::size_t, CompiledMatrix> argument_slopes_;
  std::vector<int> sides_;
  struct Change {
    std::size_t argument;
    double target, room;  ///< where the step before it ends, and how far from it that is
    int rounds;           ///< for which it was sought
  };
  std::optional<Change> change_;  ///< of a side, ahead
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
