#include "integrals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "state_between.hpp"

namespace liaison {

namespace {

/// Nodes and weights of Lobatto on (-1, 1), order 12: as exact as the states of a step, and with both ends,
/// so that a jump near one of them is seen; a little inside, for what switches there has another value.
constexpr double end = 1 - 1e-10;
constexpr std::array<std::pair<double, double>, 7> nodes{{{-end, 0.0476190476190476190},
                                                          {-0.8302238962785669, 0.2768260473615659},
                                                          {-0.4688487934707142, 0.4317453812098627},
                                                          {0, 0.4876190476190476},
                                                          {0.4688487934707142, 0.4317453812098627},
                                                          {0.8302238962785669, 0.2768260473615659},
                                                          {end, 0.0476190476190476190}}};
constexpr double finest = 1e-13;  ///< of what was summed so far
constexpr int most_halvings = 48;
constexpr std::size_t most_parts = 20'000;  ///< of one step

}  // namespace

const IntegralHistory::Entry* IntegralHistory::back_to(double t) {
  while (!entries_.empty() && entries_.back().t > t) entries_.pop_back();
  return entries_.empty() ? nullptr : &entries_.back();
}

void IntegralHistory::add(Entry entry) {
  back_to(entry.t);
  if (!entries_.empty() && entries_.back().t == entry.t) {
    entries_.back() = std::move(entry);
    return;
  }
  entries_.push_back(std::move(entry));
  if (entries_.size() > most) entries_.pop_front();
}

std::vector<double> IntegralHistory::Entry::of(const std::vector<std::string>& asked) const {
  std::vector<double> result;
  for (const std::string& name : asked) {
    const auto known = std::find(names.begin(), names.end(), name);
    result.push_back(known == names.end() ? std::numeric_limits<double>::quiet_NaN()
                                          : values[static_cast<std::size_t>(known - names.begin())]);
  }
  return result;
}

Integrals::Integrals(Evaluator& evaluator, Observations& observations, Stepper& stepper)
    : evaluator_(evaluator), outputs_(observations.outputs), stepper_(stepper), moment_(evaluator) {}

void Integrals::begin(double t, const std::vector<double>& y) {
  if (!is_asked()) return;
  history_ = outputs_.history();
  last_ = t;
  values_.assign(outputs_.integrals().size(), 0);
  sizes_ = here_ = values_;
  if (const auto* before = history_ ? history_->back_to(t) : nullptr) {
    values_ = before->t < t ? over(evaluator_, outputs_, *before, t, y) : before->of(outputs_.integrals());
    for (std::size_t i = 0; i < values_.size(); ++i) {
      sizes_[i] = std::abs(values_[i]);
      lost_ = lost_ || !std::isfinite(values_[i]);
    }
  }
  if (history_) history_->add({t, y, outputs_.integrals(), values_});
  tell();
}

Integrals::Values Integrals::over(Evaluator& evaluator, Quantities& outputs,
                                  const IntegralHistory::Entry& first, double t,
                                  const std::vector<double>& y) {
  const StateBetween way(evaluator, first.t, first.y, t, y, evaluator.position_count());
  Moment moment(evaluator);
  Values result = first.of(outputs.integrals()), here(result.size());
  const double half = (t - first.t) / 2;
  for (const auto& [node, weight] : nodes) {
    const double at = first.t + half * (1 + node);
    const std::vector<double> state = way.at(at);
    const bool has_value = moment.take(at, state.data()) &&
                           outputs.integrands().evaluate(at, state.data(), moment.accelerations(),
                                                         moment.factors(), here.data());
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] += has_value ? half * weight * here[i] : std::numeric_limits<double>::quiet_NaN();
  }
  return result;
}

/// The integrals over a part, and behind them those of the sizes; nothing where there is no value.
std::optional<Integrals::Values> Integrals::sum_over(double from, double to) {
  const std::size_t count = values_.size();
  Values sum(2 * count, 0);
  std::vector<double> y(evaluator_.size());
  const double half = (to - from) / 2;
  for (const auto& [node, weight] : nodes) {
    const double at = from + half * (1 + node);
    stepper_.state_at(at, y.data());
    if (!moment_.take(at, y.data()) || !outputs_.integrands().evaluate(at, y.data(), moment_.accelerations(),
                                                                       moment_.factors(), here_.data()))
      return {};
    for (std::size_t i = 0; i < count; ++i) {
      sum[i] += half * weight * here_[i];
      sum[count + i] += half * weight * std::abs(here_[i]);
    }
  }
  return sum;
}

/// In halves until these say no more than the whole.
void Integrals::add(double from, double to, const Values& whole, int depth) {
  const std::size_t count = values_.size();
  const double middle = from + (to - from) / 2;
  const auto first = sum_over(from, middle), second = sum_over(middle, to);
  ++parts_;
  if (!first || !second) {
    lost_ = true;
    return;
  }
  bool is_fine = true;
  for (std::size_t i = 0; i < count; ++i) {
    const double change = std::abs((*first)[i] + (*second)[i] - whole[i]);
    const double size = std::max(sizes_[i], (*first)[count + i] + (*second)[count + i]);
    is_fine = is_fine && change <= finest * size;
  }
  if (is_fine || depth == most_halvings || parts_ > most_parts || !(middle > from) || !(middle < to)) {
    for (std::size_t i = 0; i < count; ++i) {
      values_[i] += (*first)[i] + (*second)[i];
      sizes_[i] += (*first)[count + i] + (*second)[count + i];
    }
    return;
  }
  add(from, middle, *first, depth + 1);
  if (!lost_) add(middle, to, *second, depth + 1);
}

void Integrals::until(double t) {
  if (!is_asked() || !(t > last_)) return;
  const auto whole = lost_ ? std::nullopt : sum_over(last_, t);
  lost_ = !whole;
  parts_ = 0;
  if (whole) add(last_, t, *whole, 0);
  last_ = t;
  tell();
}

void Integrals::keep(double t) {
  if (!is_asked() || !history_ || t != last_) return;
  std::vector<double> y(evaluator_.size());
  stepper_.state_at(t, y.data());
  history_->add({t, std::move(y), outputs_.integrals(), values_});
}

void Integrals::tell() {
  if (lost_) values_.assign(values_.size(), std::numeric_limits<double>::quiet_NaN());
  outputs_.set_integrals(values_);
}

std::vector<double> Integrals::memory() const {
  std::vector<double> result{last_};
  result.insert(result.end(), values_.begin(), values_.end());
  result.insert(result.end(), sizes_.begin(), sizes_.end());
  return result;
}

bool Integrals::recall(std::span<const double> memory) {
  const std::size_t count = outputs_.integrals().size();
  if (memory.size() != 1 + 2 * count) return false;
  last_ = memory[0];
  const auto first = memory.begin() + 1, second = first + static_cast<std::ptrdiff_t>(count);
  values_.assign(first, second);
  sizes_.assign(second, memory.end());
  here_.resize(count);
  lost_ = std::any_of(values_.begin(), values_.end(), [](double value) { return !std::isfinite(value); });
  if (is_asked()) tell();
  return true;
}

}  // namespace liaison
