#include "integrals.hpp"

#include <fmt/format.h>

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
constexpr double finest = 1e-13;                  ///< of what was summed so far
constexpr double coarse = 1e-9, coarsest = 1e-6;  ///< the same, of parts that cannot be cut any more
constexpr const char* at_samples =
    "an integral was summed at samples: a short part between them may be missed";
constexpr int most_halvings = 48;
constexpr std::size_t most_parts = 4000;  ///< of one step, and some for each piece of it

/// The integrals over a part, and behind them those of the sizes; nothing where there is no value.
template <class StateAt>
std::optional<std::vector<double>> quadrature(Quantities& outputs, Moment& moment, double from, double to,
                                              const StateAt& state_at) {
  const std::size_t count = outputs.integrals().size();
  std::vector<double> sum(2 * count, 0), here(2 * count);
  const double half = (to - from) / 2;
  for (const auto& [node, weight] : nodes) {
    const double at = from + half * (1 + node);
    const std::vector<double> y = state_at(at);
    if (!moment.take(at, y.data()) ||
        !outputs.integrands().evaluate(at, y.data(), moment.accelerations(), moment.factors(), here.data()))
      return {};
    for (std::size_t i = 0; i < count; ++i) {
      sum[i] += half * weight * here[i];
      sum[count + i] += half * weight * std::max(std::abs(here[i]), here[count + i]);
    }
  }
  return sum;
}

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
  if (entries_.size() <= most) return;
  entries_.pop_front();
  has_forgotten_ = true;
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
    : evaluator_(evaluator), outputs_(observations.outputs), stepper_(stepper), moment_(evaluator) {
  if (!is_asked()) return;
  std::vector<Expr> integrands = outputs_.integrands().expressions();
  integrands.resize(outputs_.integrals().size());  // without the sizes behind them
  features_ = TimeFeatures(integrands, evaluator.time_symbol(), evaluator.parameter_values(),
                           evaluator.equations().system->parameters);
  breaks_ = StepBreaks::of_values(evaluator, integrands);
  for (std::size_t k = 0; k < integrands.size(); ++k)
    if (!breaks_.has(k)) doubt_ = at_samples;
}

void Integrals::begin(double t, const std::vector<double>& y) {
  if (!is_asked()) return;
  history_ = outputs_.history();
  last_ = t;
  values_.assign(outputs_.integrals().size(), 0);
  sizes_ = values_;
  if (const auto* before = history_ ? history_->back_to(t) : nullptr) {
    values_ = before->t < t ? over(evaluator_, outputs_, *before, t, y) : before->of(outputs_.integrals());
    for (std::size_t i = 0; i < values_.size(); ++i) {
      sizes_[i] = std::abs(values_[i]);
      if (!std::isfinite(values_[i])) lose(t);
    }
  } else if (history_ && history_->has_forgotten()) {
    lose(t);
  }
  if (history_) history_->add({t, y, outputs_.integrals(), values_});
  tell();
}

/// In halves, as often as it takes; what is not known then is no number.
Integrals::Values Integrals::over(Evaluator& evaluator, Quantities& outputs,
                                  const IntegralHistory::Entry& first, double t,
                                  const std::vector<double>& y) {
  const StateBetween way(evaluator, first.t, first.y, t, y, evaluator.position_count());
  Moment moment(evaluator);
  const std::size_t count = outputs.integrals().size();
  const auto sum = [&](double from, double to) {
    return quadrature(outputs, moment, from, to, [&](double at) { return way.at(at); });
  };
  constexpr int most_times = 12;
  auto all = sum(first.t, t);
  for (int times = 1; all && times <= most_times; ++times) {
    const double length = std::ldexp(t - first.t, -times);
    std::optional<Values> finer = Values(2 * count, 0);
    for (int k = 0; finer && k < 1 << times; ++k) {
      const auto part = sum(first.t + k * length, first.t + (k + 1) * length);
      for (std::size_t i = 0; part && i < 2 * count; ++i) (*finer)[i] += (*part)[i];
      if (!part) finer.reset();
    }
    bool is_known = finer.has_value();
    for (std::size_t i = 0; is_known && i < count; ++i)
      is_known = std::abs((*finer)[i] - (*all)[i]) <= coarse * (*finer)[count + i];
    all = std::move(finer);
    if (is_known) break;
    if (times == most_times) all.reset();
  }
  Values result = first.of(outputs.integrals());
  for (std::size_t i = 0; i < count; ++i)
    result[i] += all ? (*all)[i] : std::numeric_limits<double>::quiet_NaN();
  return result;
}

std::optional<Integrals::Values> Integrals::sum_over(double from, double to) {
  return quadrature(outputs_, moment_, from, to, [&](double at) {
    std::vector<double> y(evaluator_.size());
    stepper_.state_at(at, y.data());
    return y;
  });
}

/// With its halves; nothing where there is no value.
std::optional<Integrals::Part> Integrals::part(double from, double to, Values whole, int depth) {
  const double middle = from + (to - from) / 2;
  auto first = sum_over(from, middle), second = sum_over(middle, to);
  if (!first || !second) return {};
  return Part{from, to, std::move(whole), std::move(*first), std::move(*second), depth};
}

/// Parts are halved until halves say no more than the whole, beside all that is summed.
void Integrals::until(double t) {
  if (!is_asked() || !(t > last_)) return;
  if (!lost_) {
    std::vector<double> ends = features_.between(last_, t);
    add_breaks(ends, breaks_.in_step(last_, t, [&](double at, double* y) { stepper_.state_at(at, y); }));
    if (!breaks_.overlooked().empty() && doubt_.empty()) doubt_ = at_samples;
    ends.push_back(t);
    add(ends);
  }
  last_ = t;
  tell();
}

void Integrals::add(std::span<const double> ends) {
  const std::size_t count = values_.size();
  std::vector<Part> open, done;
  double from = last_;
  for (const double to : ends) {
    if (!(to > from)) continue;
    auto whole = sum_over(from, to);
    auto one = whole ? part(from, to, std::move(*whole), 0) : std::nullopt;
    if (!one) return lose(from);
    open.push_back(std::move(*one));
    from = to;
  }
  const std::size_t most = most_parts + 4 * open.size();
  while (!open.empty()) {
    Values sizes = sizes_;
    for (const auto* parts : {&open, &done})
      for (const Part& one : *parts)
        for (std::size_t i = 0; i < count; ++i) sizes[i] += one.size(i, count);
    std::vector<Part> halves;
    for (Part& one : open) {
      bool is_fine = true;
      for (std::size_t i = 0; i < count; ++i) is_fine = is_fine && one.change(i) <= finest * sizes[i];
      const double middle = one.from + (one.to - one.from) / 2;
      const bool may_cut = one.depth < most_halvings && middle > one.from && middle < one.to &&
                           open.size() + halves.size() + done.size() < most;
      auto low = !is_fine && may_cut ? part(one.from, middle, one.first, one.depth + 1) : std::nullopt;
      auto high = low ? part(middle, one.to, one.second, one.depth + 1) : std::nullopt;
      one.is_left = !is_fine;
      if (!high) {
        done.push_back(std::move(one));
        continue;
      }
      halves.push_back(std::move(*low));
      halves.push_back(std::move(*high));
    }
    open = std::move(halves);
  }
  for (std::size_t i = 0; i < count; ++i) {
    double left = 0, largest = 0, at = 0;
    for (const Part& one : done) {
      values_[i] += one.first[i] + one.second[i];
      sizes_[i] += one.size(i, count);
      if (!one.is_left) continue;
      left += one.change(i);
      if (!(one.change(i) <= largest)) {
        largest = one.change(i);
        at = one.from;
      }
    }
    if (!(left <= coarsest * sizes_[i])) return lose(at);
    if (left > coarse * sizes_[i] && doubt_.empty())
      doubt_ = fmt::format("an integral is known to about {:.0f} digits next to t = {:.9g}",
                           -std::log10(left / sizes_[i]), at);
  }
}

void Integrals::lose(double t) {
  lost_ = true;
  doubt_ = fmt::format(
      "an integral could not be summed next to t = {:.9g}: it grows without bound there, or changes too fast",
      t);
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
  lost_ = std::any_of(values_.begin(), values_.end(), [](double value) { return !std::isfinite(value); });
  if (is_asked()) tell();
  return true;
}

}  // namespace liaison
