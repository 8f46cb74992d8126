#include "impulses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison {

namespace {

constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
constexpr const char* remedy =
    "an impulse, which the equations of motion do not have; write the jump as a steep slope, or as an event "
    "with a reset";

}  // namespace

Impulses::Impulses(Evaluator& evaluator) : evaluator_(evaluator) {}

Impulses::Values Impulses::look(double t, const std::vector<double>& y) {
  Values result;
  result.values.resize(evaluator_.carried().size());
  result.sizes.resize(evaluator_.carried().size());
  result.known = evaluator_.carried_values(t, y.data(), result.values.data(), result.sizes.data());
  return result;
}

void Impulses::see_before(double t, const std::vector<double>& y, double h) {
  if (evaluator_.carried().empty()) return;
  std::vector<double> rates(y.size());
  t_ = t;
  h_ = h;
  here_ = farther_ = y;
  if (evaluator_.rates(t, y.data(), rates.data()))  // else the time alone goes on
    for (std::size_t i = 0; i < y.size(); ++i) farther_[i] += h_ * rates[i];
  before_here_ = look(t_, here_);
  before_farther_ = look(t_ + h_, farther_);
}

/// Both forms at one state differ by the jump. What has a kink there differs by rounding, and by more a
/// little farther on.
std::string Impulses::found_behind(const std::string& where, bool of_time) {
  rates_.clear();
  if (evaluator_.carried().empty()) return {};
  const Values here = look(t_, here_), farther = look(t_ + h_, farther_);
  if (!before_here_.known || !before_farther_.known || !here.known || !farther.known) return {};
  std::string first;
  bool only_velocities = true;
  using Kind = Evaluator::Carried::Kind;
  for (std::size_t k = 0; k < here.values.size(); ++k) {
    const auto& [kind, name] = evaluator_.carried()[k];
    if (of_time && kind == Kind::energy) continue;
    const double jump = here.values[k] - before_here_.values[k];
    const double on = farther.values[k] - before_farther_.values[k];
    const double size =
        std::max({here.sizes[k], before_here_.sizes[k], farther.sizes[k], before_farther_.sizes[k]});
    if (!(std::abs(jump) > rounding * size && std::abs(jump) > std::abs(on) / 2)) continue;
    if (is_small(k, jump, t_, here_)) continue;
    if (first.empty()) first = in_words(k, jump, where);
    only_velocities = only_velocities && (kind == Kind::rate_of_level || kind == Kind::relation);
    rates_.push_back({name, jump});
  }
  if (!only_velocities) rates_.clear();
  return first;
}

/// What vanishes with the argument of a side, as max(0, u)^2 does, is what it is at a time that is known to
/// rounding: measured beside what the largest number of its kind would do to it, whatever stands in front of
/// it.
bool Impulses::is_small(std::size_t k, double jump, double t, const std::vector<double>& y) {
  constexpr double inexact = 1e-10, part = 1e-3;
  using Kind = Evaluator::Carried::Kind;
  const Kind kind = evaluator_.carried()[k].kind;
  if (kind == Kind::energy || kind == Kind::momentum) return false;
  const std::size_t positions = evaluator_.position_count();
  const std::size_t begin = kind == Kind::level ? 0 : positions,
                    end = kind == Kind::level ? positions : y.size();
  double largest = 0, done = 0;
  for (std::size_t i = begin; i < end; ++i) largest = std::max(largest, std::abs(y[i]));
  const Values here = look(t, y);
  for (std::size_t i = begin; i < end && here.known; ++i) {
    std::vector<double> beside = y;
    beside[i] += part * largest;
    const Values there = look(t, beside);
    if (there.known) done = std::max(done, std::abs(there.values[k] - here.values[k]) / part);
  }
  return std::abs(jump) <= inexact * done;
}

std::vector<double> Impulses::values_at(double t, const std::vector<double>& y) {
  return look(t, y).values;
}

std::string Impulses::of_start(double t, const std::vector<double>& y, const std::vector<double>& following) {
  constexpr double least = 1e-6, nothing = 1e-200;
  if (evaluator_.carried().empty()) return {};
  const Values held = look(t, y);
  for (std::size_t k = 0; held.known && k < held.values.size(); ++k) {
    using Kind = Evaluator::Carried::Kind;
    const Kind kind = evaluator_.carried()[k].kind;
    if (kind == Kind::energy || kind == Kind::momentum || kind == Kind::position_rate) continue;
    const double off = held.values[k];
    if (std::abs(off) <= nothing || is_small(k, off, t, y)) continue;
    if (std::abs(off) > least * held.sizes[k] && std::abs(off - following[k]) > least * held.sizes[k])
      return in_words(k, off, "the motion begins, on the side to which it goes");
  }
  return {};
}

std::string Impulses::in_words(std::size_t k, double jump, const std::string& where) const {
  using Kind = Evaluator::Carried::Kind;
  const auto& [kind, name] = evaluator_.carried()[k];
  if (kind == Kind::energy) return fmt::format("the energy jumps by {:.4g}: {}", jump, remedy);
  const std::string what = kind == Kind::momentum        ? fmt::format("the momentum dT/d({})", name)
                           : kind == Kind::position_rate ? fmt::format("the rate of `{}`", name)
                           : kind == Kind::rate_of_level ? fmt::format("the rate of the relation `{}`", name)
                                                         : fmt::format("the relation `{}`", name);
  const char* instead = kind == Kind::momentum        ? "at the same velocities"
                        : kind == Kind::position_rate ? "at the same velocity parameters"
                        : kind == Kind::level         ? "and the positions would have to jump"
                                                      : "and the velocities would have to jump";
  return fmt::format("{} jumps by {:.4g} where {}, {}: {}", what, jump, where, instead, remedy);
}

}  // namespace liaison
