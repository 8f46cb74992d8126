#include "kinks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/motion_kind.hpp"
#include "liaison/simulate/runge_kutta.hpp"

namespace liaison {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// Less than this part of what another choice does to an argument is rounding.
constexpr double nothing = 1e-11;

double sign(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
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

std::string no_factors() {
  return in_words(MotionKind::contradictory) +
         ": no factors that enter their own directions keep the relations from here on";
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
      breaks_(StepBreaks::without_switches(evaluator, evaluator.switch_arguments())),
      sides_(evaluator.switch_arguments().size()),
      nudges_(sides_.size()),
      of_time_(sides_.size()),
      of_factors_(switches_of_factors(evaluator)),
      values_(sides_.size()),
      sizes_(sides_.size()) {
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    time_zeros_.emplace_back();
    of_time_[k] = has_time_alone(evaluator, k);
    if (!of_time_[k]) continue;
    search_.is_exact(k);
    time_zeros_.back().emplace(evaluator.switch_arguments()[k], evaluator.time_symbol(),
                               evaluator.parameter_values(), evaluator.equations().system->parameters);
  }
}

Kinks::~Kinks() {
  evaluator_.let_sides_follow();
}

void Kinks::hold() {
  evaluator_.hold_sides(sides_, nudges_);
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
  bool has_none = false;
  if (!of_factors_.empty()) {  // the search for them begins on their sides
    const FoundFactors found = find_factors(evaluator_, t, y.data());
    if (!found.roots.empty()) evaluator_.set_factor_guess(found.roots[0]);
    has_none = found.all && found.roots.empty();
  }
  if (!evaluator_.switch_values(t, y.data(), values_.data(), sizes_.data()))
    return no_way_on(t, y, has_none ? no_factors() : "an argument of abs, sign, min or max has no value");
  search_.begin(values_, sizes_);
  told_until_ = t;
  for (std::size_t k = 0; k < sides_.size(); ++k)
    if (of_time_[k]) search_.is_told_up_to(k, t);
  look_around(t, y);
  std::vector<std::size_t> zeros;
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    sides_[k] = reach_ > 0 ? side_at(t, y, k) : search_.side(k);
    nudges_[k] = 0;
    if (sides_[k] == 0) zeros.push_back(k);
  }
  hold();
  if (!zeros.empty()) {
    if (auto end = decide(t, y, std::move(zeros))) return end;
  }
  std::vector<std::size_t> none;
  const std::vector<double> sides = sides_;
  if (auto end = take_factors(t, y, {}, none)) return end;
  return sides_ != sides ? go_on(t, y, none) : MaybeEnd{};
}

/// The factors that enter their own directions, looked for on all sides of the switches that they are in:
/// several are several motions; one is followed on its sides. `noise`: of arguments that change their sides
/// here. `zeros`: without those that are away from zero with these factors.
MaybeEnd Kinks::take_factors(double t, const std::vector<double>& y, std::span<const double> noise,
                             std::vector<std::size_t>& zeros) {
  if (of_factors_.empty()) return {};
  hold();
  const FoundFactors found = find_factors(evaluator_, t, y.data(), {sides_, nudges_, noise});
  if (found.roots.size() > 1) return no_way_on(t, y, several_in_words(evaluator_, found));
  if (found.roots.empty()) {
    if (!found.all) return {};
    return no_way_on(t, y, no_factors());
  }
  evaluator_.set_factor_guess(found.roots[0]);
  for (const std::size_t k : of_factors_) {
    if (found.sides[0][k] == 0) continue;
    sides_[k] = found.sides[0][k];
    nudges_[k] = 0;
    std::erase(zeros, k);
  }
  hold();
  return {};
}

/// What is more than the value of an argument that is zero but for rounding, as far as the state is
/// uncertain.
double Kinks::noise_at(double t, const std::vector<double>& y, std::size_t argument) {
  double result = std::numeric_limits<double>::min();
  for (const double part : {0.0, -2.0, 2.0}) {
    if (part != 0 && (!(reach_ > 0) || evaluator_.is_nested(argument))) break;
    std::vector<double> at = y;
    for (std::size_t i = 0; part != 0 && i < y.size(); ++i) at[i] += part * reach_ * direction_[i];
    if (!evaluator_.switch_values(t + part * reach_, at.data(), values_.data(), sizes_.data())) continue;
    result = std::max(result, 2 * std::abs(values_[argument]) + 64 * epsilon * sizes_[argument]);
  }
  return result;
}

/// How far along the motion the state is uncertain: by the time of a change or an event, which ended a step.
/// A start is what it is.
void Kinks::look_around(double t, const std::vector<double>& y) {
  direction_.resize(y.size());
  const bool moves = evaluator_.rates(t, y.data(), direction_.data());
  reach_ = moves && step_length_ > 0 ? 256 * epsilon * std::max(std::abs(t), step_length_) : 0;
}

/// The side of an argument with sides that are held; 0 where it is zero, or on both sides within what the
/// state is uncertain by, along the motion.
double Kinks::side_at(double t, const std::vector<double>& y, std::size_t argument) {
  const auto value_at = [&](double moved, double& value, double& size) {
    std::vector<double> at = y;
    for (std::size_t i = 0; moved != 0 && i < y.size(); ++i) at[i] += moved * direction_[i];
    const bool known = evaluator_.switch_values(t + moved, at.data(), values_.data(), sizes_.data());
    value = values_[argument];
    size = sizes_[argument];
    return known;
  };
  double value = 0, size = 0, other = 0, unused = 0;
  if (reach_ > 0) {
    if (!value_at(-reach_, value, unused) || !value_at(reach_, other, unused) || sign(value) != sign(other)) {
      value_at(0, value, size);
      return 0;
    }
  }
  return value_at(0, value, size) && std::abs(value) > 4 * epsilon * size ? sign(value) : 0;
}

/// The search begins with the sides that are held now; what is not on its side is at zero.
MaybeEnd Kinks::go_on(double t, const std::vector<double>& y, std::span<const std::size_t> zeros) {
  hold();
  if (!evaluator_.switch_values(t, y.data(), values_.data(), sizes_.data()))
    return no_way_on(t, y, "an argument of abs, sign, min or max has no value");
  search_.begin(values_, sizes_);
  for (std::size_t k = 0; k < sides_.size(); ++k)
    if (of_time_[k]) search_.is_told_up_to(k, told_until_);
  for (const std::size_t k : zeros) search_.at_zero(k);
  std::vector<std::size_t> rough;
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    if (sides_[k] == search_.side(k)) continue;
    search_.at_zero(k);
    if (evaluator_.is_rough(k)) rough.push_back(k);
  }
  for (const std::size_t k : rough) nudges_[k] = sides_[k] * noise_at(t, y, k);
  hold();
  return {};
}

/// The side on which an argument left the zero at which the step began; where it changed afterwards, the
/// first change tells. 0: it is there still.
double Kinks::side_left_to(std::size_t argument, const CrossingSearch::Found& found) const {
  for (const Crossing& crossing : found.crossings) {
    if (crossing.function == argument && !crossing.touches())
      return crossing.before != 0 ? crossing.before : crossing.after;
  }
  return search_.side(argument);
}

/// All changes in a step. What a long step does far away may hide that an argument leaves zero to its side
/// and comes back soon: where it seems to leave to another one, the beginning is looked at more closely.
CrossingSearch::Found Kinks::look(double before, double time, const StateAt& state_at,
                                  const CrossingSearch::Values& values) {
  std::vector<double> breaks;
  breaks_.begin_step();
  CrossingSearch::Found found = search_.between(before, time, values);
  if (!breaks_.empty() && (!found.known || breaks_.are_needed(before, time))) {
    breaks = breaks_.in_step(before, time, state_at);
    if (!breaks_.overlooked().empty())
      sampled_ = fmt::format("changes of `{}` were looked for at samples: one between them may be missed",
                             text_of(*breaks_.overlooked().begin()));
    search_ = before_step_;
    found = search_.between(before, time, values, breaks);
  }
  if (!found.known) return found;
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    if (before_step_.side(k) != 0 || sides_[k] == 0 || search_.side(k) == 0) continue;
    if (side_left_to(k, found) == sides_[k]) continue;
    search_ = before_step_;
    add_breaks(breaks, times_near(before, time));
    return search_.between(before, time, values, breaks);
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
  search_.isolates([this](std::size_t argument, double from, double to) {
    return time_zeros_[argument]->in(from, to, options_.until);
  });
  before_step_ = search_;
  step_length_ = time - before;
  std::vector<double> y(first.size());
  const CrossingSearch::Values values = [&](double t, double* found, double* sizes) {
    state_at(t, y.data());
    breaks_.see(y.data());
    return evaluator_.switch_values(t, y.data(), found, sizes);
  };
  const CrossingSearch::Found found = look(before, time, state_at, values);
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
    if (leaves - before <= one_time) {  // it did not stay: the side to which it leaves is its side
      change = before;
      changing_.assign(1, {k, left});
      left_zero_ = false;
      sides_[k] = left;
      return {};
    }
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

bool Kinks::is_of_time() const {
  return std::all_of(changing_.begin(), changing_.end(),
                     [&](const Change& change) { return of_time_[change.argument]; });
}

std::string Kinks::where() const {
  const std::vector<Expr>& written = evaluator_.switch_arguments();
  std::vector<std::size_t> arguments;
  for (const Change& change : changing_) {
    const bool is_said = std::any_of(arguments.begin(), arguments.end(), [&](std::size_t other) {
      return written[other] == -written[change.argument];
    });
    if (!is_said) arguments.push_back(change.argument);
  }
  return texts_of(arguments) + (arguments.size() == 1 ? " changes its sign" : " change their signs");
}

bool Kinks::is_rough() const {
  return std::any_of(changing_.begin(), changing_.end(),
                     [&](const Change& change) { return evaluator_.is_rough(change.argument); });
}

MaybeEnd Kinks::pass(double t, const std::vector<double>& y) {
  if (left_zero_) return begin(t, y);
  std::vector<double> before(sides_.size());
  if (!evaluator_.switch_values(t, y.data(), before.data(), sizes_.data()))
    return no_way_on(t, y, "an argument of abs, sign, min or max has no value");
  look_around(t, y);
  std::fill(nudges_.begin(), nudges_.end(), 0.0);
  std::vector<std::size_t> zeros;
  std::vector<double> noise(sides_.size());
  // What changes within the rounding of this time has changed.
  told_until_ = t + 64 * epsilon * std::max(std::abs(t), step_length_);
  for (const auto& [k, side] : changing_)
    if (!of_factors_.empty()) noise[k] = noise_at(t, y, k);
  for (const auto& [k, side] : changing_) {
    zeros.push_back(k);
    if (sides_[k] == 0) continue;
    sides_[k] = side;
    if (evaluator_.is_rough(k)) nudges_[k] = side * noise_at(t, y, k);
  }
  for (std::size_t k = 0; k < sides_.size(); ++k) {  // what jumps with the sides that changed
    if (!evaluator_.is_nested(k)) continue;
    hold();
    if (!evaluator_.switch_values(t, y.data(), values_.data(), sizes_.data()))
      return no_way_on(t, y, "an argument of abs, sign, min or max has no value");
    const bool jumps = std::abs(values_[k] - before[k]) > 4 * epsilon * sizes_[k];
    const double side = side_at(t, y, k);
    const auto is_in_it = [&](const Change& change) { return is_within(change.argument, k); };
    if (side == 0 && (jumps || std::any_of(changing_.begin(), changing_.end(), is_in_it))) {
      if (auto end = decide(t, y, std::move(zeros))) return end;
      const std::vector<double> sides = sides_;
      zeros.clear();
      if (auto end = take_factors(t, y, {}, zeros)) return end;
      return sides_ != sides ? go_on(t, y, zeros) : MaybeEnd{};
    }
    if (side == 0) continue;
    sides_[k] = side;
    nudges_[k] = 0;
    std::erase(zeros, k);
  }
  if (auto end = take_factors(t, y, noise, zeros)) return end;
  return go_on(t, y, zeros);
}

std::vector<double> Kinks::memory() const {
  std::vector<double> result = sides_;
  result.insert(result.end(), nudges_.begin(), nudges_.end());
  const std::vector<double> search = search_.memory();
  result.insert(result.end(), search.begin(), search.end());
  return result;
}

bool Kinks::recall(std::span<const double> memory) {
  const std::size_t count = sides_.size();
  if (memory.size() != 2 * count + search_.memory().size()) return false;
  for (std::size_t k = 0; k < count; ++k) {
    sides_[k] = memory[k];
    nudges_[k] = memory[count + k];
  }
  search_.recall(memory.subspan(2 * count));
  if (!empty()) hold();
  return true;
}

}  // namespace liaison
