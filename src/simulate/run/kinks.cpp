#include "kinks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/simulate/runge_kutta.hpp"

namespace liaison {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr std::size_t most_choices = 7;  ///< of arguments: 3^7 trials
constexpr int distances = 20;            ///< at which a trial is looked at, each half of the next one
/// Less than this part of what another choice does to an argument is rounding.
constexpr double nothing = 1e-11;

double sign(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

/// Whether rates are the same, each beside its own size; what is rounding is told by the largest rate of the
/// positions, or of the velocities.
bool agree(const std::vector<double>& a, const std::vector<double>& b, std::size_t positions,
           double tolerance) {
  double largest[2] = {0, 0};
  for (std::size_t i = 0; i < a.size(); ++i) {
    double& size = largest[i < positions ? 0 : 1];
    size = std::max({size, std::abs(a[i]), std::abs(b[i])});
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double rounding = 64 * epsilon * largest[i < positions ? 0 : 1];
    if (std::abs(a[i] - b[i]) > tolerance * std::max(std::abs(a[i]), std::abs(b[i])) + rounding) return false;
  }
  return true;
}

/// Whether nothing of the state is in an argument: the time alone tells its side.
bool has_time_alone(const Evaluator& evaluator, std::size_t argument) {
  const auto& parameters = evaluator.parameter_values();
  const std::vector<Expr> nodes = postorder(evaluator.switch_arguments()[argument]);
  return std::all_of(nodes.begin(), nodes.end(), [&](Expr node) {
    if (node.is(Op::apply)) return false;
    return !node.is(Op::symbol) || node == evaluator.time_symbol() ||
           std::any_of(parameters.begin(), parameters.end(), [&](const auto& p) { return p.first == node; });
  });
}

/// Times that are nearer and nearer to the beginning of a step, the nearest first.
std::vector<double> times_near(double begin, double end) {
  constexpr int halvings = 40;
  std::vector<double> result;
  for (int k = halvings; k > 0; --k) {
    const double t = begin + std::ldexp(end - begin, -k);
    if (t > (result.empty() ? begin : result.back()) && t < end) result.push_back(t);
  }
  return result;
}

}  // namespace

Kinks::Kinks(Evaluator& evaluator, const SimulationOptions& options)
    : evaluator_(evaluator),
      options_(options),
      search_(evaluator.switch_arguments().size(), 0),
      before_step_(search_),
      sides_(evaluator.switch_arguments().size()),
      sure_(sides_.size()),
      of_time_(sides_.size()),
      values_(sides_.size()),
      sizes_(sides_.size()) {
  for (std::size_t k = 0; k < sides_.size(); ++k) of_time_[k] = has_time_alone(evaluator, k);
}

Kinks::~Kinks() {
  evaluator_.let_sides_follow();
}

void Kinks::hold() {
  evaluator_.hold_sides(sides_);
}

std::string Kinks::text_of(std::size_t argument) const {
  constexpr std::size_t longest = 60;
  std::string text = to_infix(evaluator_.switch_arguments()[argument]);
  if (text.size() <= longest) return text;
  text.resize(longest);
  return text.append("...");
}

std::string Kinks::texts_of(std::span<const std::size_t> arguments) const {
  std::string result;
  for (const std::size_t k : arguments) result += (result.empty() ? "`" : ", `") + text_of(k) + "`";
  return result;
}

MaybeEnd Kinks::begin(double t, const std::vector<double>& y) {
  if (empty()) return {};
  evaluator_.let_sides_follow();
  if (!evaluator_.switch_values(t, y.data(), values_.data(), sizes_.data()))
    return no_way_on(t, y, "an argument of abs, sign, min or max has no value");
  search_.begin(values_, sizes_);
  std::vector<std::size_t> zeros;
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    sides_[k] = search_.side(k);
    if (sides_[k] == 0) zeros.push_back(k);
  }
  hold();
  return zeros.empty() ? MaybeEnd{} : decide(t, y, std::move(zeros));
}

/// Whether the rates at a state depend on the side of an argument.
bool Kinks::matters(double t, const std::vector<double>& y, std::size_t argument) {
  const std::size_t positions = evaluator_.position_count();
  std::vector<double> sides = sides_, rates(y.size()), others(y.size());
  sides[argument] = 0;
  evaluator_.hold_sides(sides);
  if (!evaluator_.rates(t, y.data(), rates.data())) return true;
  for (const double side : {-1.0, 1.0}) {
    sides[argument] = side;
    evaluator_.hold_sides(sides);
    if (!evaluator_.rates(t, y.data(), others.data()) || !agree(rates, others, positions, 16 * epsilon))
      return true;
  }
  return false;
}

/// A short step with given sides, looked at near its beginning and farther on.
Kinks::Trial Kinks::attempt(double t, const std::vector<double>& y, const std::vector<double>& sides,
                            std::span<const std::size_t> zeros) {
  Trial trial;
  trial.sides = sides;
  trial.path.resize(zeros.size());
  trial.rates.resize(y.size());
  evaluator_.hold_sides(sides);
  DormandPrince method(
      [&](double at, const double* state, double* rates) { return evaluator_.rates(at, state, rates); },
      y.size(), options_.tolerance);
  if (!evaluator_.rates(t, y.data(), trial.rates.data()) || !method.begin(t, y, options_.until) ||
      method.step(options_.until) != StepOutcome::stepped)
    return trial;
  trial.length = method.time() - t;
  trial.end.assign(method.state().begin(), method.state().end());
  std::vector<double> at(y.size());
  for (int k = distances; k-- > 0;) {
    const double when = t + std::ldexp(trial.length, -k);
    method.interpolate(when, at.data());
    if (!evaluator_.switch_values(when, at.data(), values_.data(), sizes_.data())) return trial;
    for (std::size_t i = 0; i < zeros.size(); ++i) trial.path[i].push_back(values_[zeros[i]]);
  }
  trial.known = true;
  return trial;
}

MaybeEnd Kinks::decide(double t, const std::vector<double>& y, std::vector<std::size_t> zeros) {
  std::vector<std::size_t> open;
  for (const std::size_t k : zeros) {
    sides_[k] = 0;
    search_.at_zero(k);
  }
  for (const std::size_t k : zeros) {
    if (matters(t, y, k)) open.push_back(k);
  }
  if (open.size() > most_choices) {
    return no_way_on(
        t, y,
        fmt::format("{} arguments of abs, sign, min or max are zero at once, and more than {} are "
                    "not tried on all sides: {}",
                    open.size(), most_choices, texts_of(open)));
  }
  std::size_t choices = 1;
  for (std::size_t i = 0; i < open.size(); ++i) choices *= 3;
  std::vector<Trial> trials;
  for (std::size_t choice = 0; choice < choices; ++choice) {
    std::vector<double> sides = sides_;
    std::size_t rest = choice;
    for (const std::size_t k : open) {
      sides[k] = static_cast<double>(rest % 3) - 1;
      rest /= 3;
    }
    trials.push_back(attempt(t, y, sides, zeros));
  }
  std::vector<double> largest(zeros.size());  // what any choice does to an argument, at a like distance
  for (const Trial& trial : trials) {
    for (std::size_t i = 0; trial.known && i < zeros.size(); ++i)
      for (const double value : trial.path[i]) largest[i] = std::max(largest[i], std::abs(value));
  }
  const auto direction = [&](const Trial& trial, std::size_t i) {
    const auto farthest = *std::max_element(trial.path[i].begin(), trial.path[i].end(),
                                            [](double a, double b) { return std::abs(a) < std::abs(b); });
    if (std::abs(farthest) <= nothing * largest[i]) return 0.0;
    for (const double value : trial.path[i]) {
      if (std::abs(value) > 1e-8 * std::abs(farthest)) return sign(value);
    }
    return sign(farthest);
  };
  std::vector<const Trial*> possible;
  for (const Trial& trial : trials) {
    bool consistent = trial.known;
    for (std::size_t i = 0; consistent && i < zeros.size(); ++i) {
      const bool is_open = std::find(open.begin(), open.end(), zeros[i]) != open.end();
      consistent = !is_open || direction(trial, i) == trial.sides[zeros[i]];
    }
    if (consistent) possible.push_back(&trial);
  }
  if (possible.empty()) {
    hold();
    return no_way_on(
        t, y,
        fmt::format("the motion cannot go on from where {} is zero: above zero the equations lead "
                    "below, below zero above, and with zero in place of its sign it does not stay "
                    "(a body that friction holds, a switch that chatters)",
                    texts_of(open)));
  }
  for (const Trial* other : possible) {
    if (agree(possible[0]->rates, other->rates, evaluator_.position_count(), 1e-12)) continue;
    hold();
    return no_way_on(t, y,
                     fmt::format("several motions begin here, where {} is zero: the equations lead away from "
                                 "zero on more than one side, or may stay",
                                 texts_of(open)));
  }
  for (std::size_t i = 0; i < zeros.size(); ++i) {
    const bool is_open = std::find(open.begin(), open.end(), zeros[i]) != open.end();
    sides_[zeros[i]] = is_open ? possible[0]->sides[zeros[i]] : direction(*possible[0], i);
    sure_[zeros[i]] = is_open;
  }
  hold();
  return {};
}

/// The side on which an argument left the zero at which the step began; where it changed afterwards, the
/// first change tells. 0: it is there still.
double Kinks::side_left_to(std::size_t argument, const CrossingSearch::Found& found) const {
  for (const Crossing& crossing : found.crossings) {
    if (crossing.function == argument && !crossing.touches()) return crossing.before;
  }
  return search_.side(argument);
}

/// All changes in a step. What a long step does far away may hide that an argument leaves zero to its side
/// and comes back soon: where it seems to leave to another one, the beginning is looked at more closely.
CrossingSearch::Found Kinks::look(double before, double time, const CrossingSearch::Values& values) {
  const CrossingSearch::Found found = search_.between(before, time, values);
  if (!found.known) return found;
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    if (before_step_.side(k) != 0 || sides_[k] == 0 || search_.side(k) == 0) continue;
    if (side_left_to(k, found) == sides_[k]) continue;
    search_ = before_step_;
    return search_.between(before, time, values, times_near(before, time));
  }
  return found;
}

/// Whether the motion was not yet tried from this time with the other side of an argument. It cannot go on
/// only where it comes back to zero from all that was tried.
bool Kinks::may_try_other_side(std::size_t argument, double t) {
  if (t != tried_at_) tried_.clear();
  tried_at_ = t;
  tried_.push_back(sides_);
  std::vector<double> other = sides_;
  other[argument] = -other[argument];
  return std::find(tried_.begin(), tried_.end(), other) == tried_.end();
}

MaybeEnd Kinks::after_step(double before, double time, const std::vector<double>& first,
                           const StateAt& state_at, std::optional<double>& change) {
  change.reset();
  changing_.clear();
  left_zero_ = false;
  if (empty()) return {};
  before_step_ = search_;
  std::vector<double> y(first.size());
  const CrossingSearch::Values values = [&](double t, double* found, double* sizes) {
    state_at(t, y.data());
    return evaluator_.switch_values(t, y.data(), found, sizes);
  };
  const CrossingSearch::Found found = look(before, time, values);
  if (!found.known) {
    state_at(found.unknown_at, y.data());
    return no_way_on(found.unknown_at, y, "an argument of abs, sign, min or max has no value");
  }
  const double one_time = 64 * epsilon * std::max(std::abs(time), time - before);
  for (const Crossing& crossing : found.crossings) {
    if (crossing.touches()) continue;
    if (change && crossing.t - *change > one_time) break;
    if (!change) change = crossing.t;
    changing_.push_back({crossing.function, static_cast<double>(crossing.after)});
  }
  if (change && time - *change <= one_time) change = time;  // what ends a step is not cut by rounding
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    if (before_step_.side(k) != 0 || search_.side(k) == 0) continue;
    const double left = side_left_to(k, found);
    if (left == sides_[k]) continue;
    if (sides_[k] != 0 && may_try_other_side(k, before)) {
      change = before;
      changing_.assign(1, {k, left});
      return {};
    }
    if (sides_[k] != 0 && of_time_[k]) continue;  // rounding: the next change tells its side
    if (sides_[k] != 0) {
      return no_way_on(
          before, first,
          fmt::format(
              "`{}` came to zero and cannot leave it: on either side the equations lead back to it, and "
              "they do not say how the motion stays there (a slip that ends, a switch that chatters)",
              text_of(k)));
    }
    const double leaves = last_zero(k, before, time, state_at);
    if (change && *change < leaves) continue;
    if (!change || leaves < *change) changing_.clear();
    change = leaves;
    left_zero_ = true;
  }
  return {};
}

/// The time at which an argument that was zero leaves it.
double Kinks::last_zero(std::size_t argument, double low, double high, const StateAt& state_at) {
  std::vector<double> y(evaluator_.size());
  state_at(high, y.data());
  evaluator_.switch_values(high, y.data(), values_.data(), sizes_.data());
  const double noise = nothing * std::abs(values_[argument]);
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return low;
    state_at(middle, y.data());
    if (!evaluator_.switch_values(middle, y.data(), values_.data(), sizes_.data())) return low;
    (std::abs(values_[argument]) <= noise ? low : high) = middle;
  }
}

bool Kinks::is_rough() const {
  return std::any_of(changing_.begin(), changing_.end(),
                     [&](const Change& change) { return evaluator_.is_rough(change.argument); });
}

MaybeEnd Kinks::pass(double t, const std::vector<double>& y) {
  if (left_zero_) return begin(t, y);
  if (!evaluator_.switch_values(t, y.data(), values_.data(), sizes_.data()))
    return no_way_on(t, y, "an argument of abs, sign, min or max has no value");
  search_.begin(values_, sizes_);
  for (const auto& [k, side] : changing_) {
    if (sides_[k] != 0) sides_[k] = side;
    sure_[k] = true;
    search_.at_zero(k);
  }
  for (std::size_t k = 0; k < sides_.size(); ++k) {  // what did not change and is not on its side is at zero
    if (sides_[k] != search_.side(k)) search_.at_zero(k);
  }
  hold();
  return {};
}

std::vector<double> Kinks::memory() const {
  std::vector<double> result = sides_;
  result.insert(result.end(), sure_.begin(), sure_.end());
  const std::vector<double> search = search_.memory();
  result.insert(result.end(), search.begin(), search.end());
  return result;
}

bool Kinks::recall(std::span<const double> memory) {
  const std::size_t count = sides_.size();
  if (memory.size() != 2 * count + search_.memory().size()) return false;
  for (std::size_t k = 0; k < count; ++k) {
    sides_[k] = memory[k];
    sure_[k] = memory[count + k] != 0;
  }
  search_.recall(memory.subspan(2 * count));
  if (!empty()) hold();
  return true;
}

}  // namespace liaison
