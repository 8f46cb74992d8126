#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kinks.hpp"
#include "liaison/simulate/runge_kutta.hpp"
#include "simulate/equations/switches.hpp"

// Where arguments of switches are zero: every choice of their sides is tried, and one that leads to where it
// says is taken.

namespace liaison {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr std::size_t most_choices = 7;    ///< of arguments
constexpr std::size_t most_trials = 2187;  ///< 3^7
constexpr int distances = 20;              ///< at which a trial is looked at, each half of the next one
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

}  // namespace

/// Puts a choice on a side of an argument that is zero.
void Kinks::choose(Choice& choice, std::size_t argument, double side) const {
  choice.sides[argument] = side;
  choice.nudges[argument] = evaluator_.is_rough(argument) ? side * choice.noise[argument] : 0;
}

/// Whether the rates at a state depend on the side of an argument, with what follows from it for the
/// arguments that it is in; those that are zero too are on one side or the other.
bool Kinks::matters(double t, const std::vector<double>& y, const Choice& choice, std::size_t argument,
                    std::span<const std::size_t> zeros) {
  const std::size_t positions = evaluator_.position_count();
  std::vector<double> rates(y.size()), others(y.size());
  const auto found = [&](double side, double base, std::vector<double>& result) {
    Choice tried = choice;
    choose(tried, argument, side);
    for (std::size_t k = argument + 1; k < sides_.size(); ++k) {
      bool is_zero = std::find(zeros.begin(), zeros.end(), k) != zeros.end();
      if (evaluator_.is_nested(k)) {
        evaluator_.hold_sides(tried.sides, tried.nudges);
        tried.sides[k] = side_at(t, y, k);
        is_zero = tried.sides[k] == 0;
      }
      if (is_zero) choose(tried, k, base);
    }
    evaluator_.hold_sides(tried.sides, tried.nudges);
    return evaluator_.rates(t, y.data(), result.data());
  };
  for (const double base : {0.0, 1.0, -1.0}) {
    if (!found(0, base, rates)) return true;
    for (const double side : {-1.0, 1.0}) {
      if (!found(side, base, others) || !agree(rates, others, positions, 16 * epsilon)) return true;
    }
  }
  return false;
}

/// Whether a switch of an argument is within another argument.
bool Kinks::is_within(std::size_t argument, std::size_t other) const {
  const std::vector<Expr>& written = evaluator_.switch_arguments();
  return evaluator_.is_nested(other) && holds_switch_of(written[other], written[argument]);
}

/// Whether an argument that is in others decides on which side those leave zero, where that matters: abs(u)
/// in sign(abs(u) - w), at u = w = 0.
bool Kinks::leads_what_matters(double t, const std::vector<double>& y, const Choice& choice,
                               std::size_t argument, std::span<const std::size_t> zeros) {
  for (std::size_t k = argument + 1; k < sides_.size(); ++k) {
    if (!is_within(argument, k)) continue;
    Choice tried = choice;
    choose(tried, argument, 0);
    evaluator_.hold_sides(tried.sides, tried.nudges);
    if (side_at(t, y, k) != 0) continue;
    tried.noise[k] = noise_at(t, y, k);
    if (matters(t, y, tried, k, zeros)) return true;
  }
  return false;
}

/// All choices of sides where arguments are zero: three for each that matters. Arguments with switches in
/// them follow from the sides of those, and may be zero with some of them. Empty: there are too many.
std::vector<Kinks::Choice> Kinks::choices(double t, const std::vector<double>& y,
                                          std::span<const std::size_t> zeros,
                                          std::vector<std::size_t>& open) {
  std::vector<Choice> result{{sides_, nudges_, std::vector<double>(sides_.size()), {}}};
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    const bool is_nested = evaluator_.is_nested(k);
    if (!is_nested && std::find(zeros.begin(), zeros.end(), k) == zeros.end()) continue;
    bool is_open = false;
    for (Choice& choice : result) {
      evaluator_.hold_sides(choice.sides, choice.nudges);
      const double side = side_at(t, y, k);
      if (is_nested && side != 0) {
        choice.sides[k] = side;
        choice.nudges[k] = 0;
        continue;
      }
      choice.zeros.push_back(k);
      choice.noise[k] = noise_at(t, y, k);
      is_open = is_open || matters(t, y, choice, k, zeros) || leads_what_matters(t, y, choice, k, zeros);
    }
    if (is_open) open.push_back(k);
    std::vector<Choice> next;
    for (Choice& choice : result) {
      const bool is_zero = !choice.zeros.empty() && choice.zeros.back() == k;
      if (is_zero && is_open) {
        for (const double side : {-1.0, 0.0, 1.0}) {
          next.push_back(choice);
          choose(next.back(), k, side);
        }
      } else {
        if (is_zero) choose(choice, k, 0);
        next.push_back(std::move(choice));
      }
    }
    if (next.size() > most_trials) return {};
    result = std::move(next);
  }
  return result;
}

/// A short step with given sides, looked at near its beginning and farther on.
Kinks::Trial Kinks::attempt(double t, const std::vector<double>& y, const Choice& choice,
                            std::span<const std::size_t> zeros) {
  Trial trial;
  trial.choice = choice;
  trial.path.resize(zeros.size());
  trial.rates.resize(y.size());
  evaluator_.hold_sides(choice.sides, choice.nudges);
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
  for (const std::size_t k : zeros) sides_[k] = nudges_[k] = 0;
  std::vector<std::size_t> open;
  const std::vector<Choice> all = choices(t, y, zeros, open);
  if (all.empty()) {
    hold();
    return no_way_on(t, y,
                     fmt::format("more than {} arguments of abs, sign, min or max are zero at once, and so "
                                 "many are not tried on all sides: {}",
                                 most_choices, texts_of(open)));
  }
  zeros.clear();
  for (const Choice& choice : all) zeros.insert(zeros.end(), choice.zeros.begin(), choice.zeros.end());
  std::sort(zeros.begin(), zeros.end());
  zeros.erase(std::unique(zeros.begin(), zeros.end()), zeros.end());
  const auto is_in = [](const std::vector<std::size_t>& list, std::size_t k) {
    return std::find(list.begin(), list.end(), k) != list.end();
  };
  std::vector<Trial> trials;
  for (const Choice& choice : all) trials.push_back(attempt(t, y, choice, zeros));
  std::vector<double> largest(zeros.size());  // what any choice does to an argument, at a like distance
  for (const Trial& trial : trials) {
    for (std::size_t i = 0; trial.known && i < zeros.size(); ++i) {
      if (!is_in(trial.choice.zeros, zeros[i])) continue;
      for (const double value : trial.path[i]) largest[i] = std::max(largest[i], std::abs(value));
    }
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
      const bool is_chosen = is_in(open, zeros[i]) && is_in(trial.choice.zeros, zeros[i]);
      consistent = !is_chosen || direction(trial, i) == trial.choice.sides[zeros[i]];
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
  // The rates do not depend on the others here: how they leave zero tells their sides. An argument with
  // switches in it leaves as those within do, which stand before it: abs(u) does not go below zero with u.
  Trial way = *possible[0];
  Choice chosen = way.choice;
  for (std::size_t round = 0; round <= zeros.size(); ++round) {
    for (std::size_t i = 0; i < zeros.size(); ++i) {
      if (is_in(chosen.zeros, zeros[i]) && !is_in(open, zeros[i]))
        choose(chosen, zeros[i], direction(way, i));
    }
    const bool leads = std::any_of(zeros.begin(), zeros.end(), [&](std::size_t k) {
      return evaluator_.is_nested(k) && is_in(chosen.zeros, k) && !is_in(open, k);
    });
    if (!leads || chosen.sides == way.choice.sides) break;
    Trial next = attempt(t, y, chosen, zeros);
    if (!next.known) break;
    way = std::move(next);
    for (std::size_t i = 0; i < zeros.size(); ++i) {
      for (const double value : way.path[i]) largest[i] = std::max(largest[i], std::abs(value));
    }
  }
  sides_ = chosen.sides;
  nudges_ = chosen.nudges;
  return go_on(t, y, chosen.zeros);
}

}  // namespace liaison
