#include "monitors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison {

double Monitor::digits() const {
  if (!(largest > 0)) return 16;
  return largest < 1 ? std::min(-std::log10(largest), 16.0) : 0;  // no digit of a negative zero
}

Monitors::Monitors(Evaluator& evaluator, Observations& observations, bool constraints_are_kept)
    : evaluator_(evaluator),
      observations_(observations),
      constraints_are_kept_(constraints_are_kept),
      values_(2 * observations.kept.size()),
      first_(observations.kept.size()),
      size_(observations.kept.size()),
      before_(observations.kept.size()),
      lowest_(observations.kept.size()),
      highest_(observations.kept.size()),
      last_(observations.kept.size()),
      by_resets_(observations.kept.size()),
      resets_(observations.kept.size()),
      power_values_(2 * observations.powers.size()),
      power_(observations.powers.size()),
      power_size_(observations.powers.size()) {}

void Monitors::begin(double t, const double* y, const double* accelerations) {
  if (observations_.kept_values.evaluate(t, y, accelerations, evaluator_.factors(), values_.data()))
    std::copy_n(values_.begin(), first_.size(), first_.begin());
  watch(t, y, accelerations);
}

void Monitors::before_jump(double t, const double* y, const double* accelerations) {
  watch(t, y, accelerations);
  std::copy_n(values_.begin(), before_.size(), before_.begin());
}

double Monitors::after_jump(double t, const double* y, const double* accelerations) {
  if (!observations_.kept_values.evaluate(t, y, accelerations, evaluator_.factors(), values_.data()))
    return 0;
  for (std::size_t i = 0; i < first_.size(); ++i) {
    const double change = values_[i] - before_[i];
    first_[i] += change;
    by_resets_[i] += change;
    // What projections leave is rounding.
    if (std::abs(change) > 1e-14 * size_[i]) resets_[i] += 1;
  }
  return values_.empty() ? 0 : values_[0] - before_[0];
}

void Monitors::watch(double t, double beside, const double* y, const double* accelerations) {
  if (!first_.empty() &&
      observations_.kept_values.evaluate(beside, y, accelerations, evaluator_.factors(), values_.data())) {
    const Evaluator::Energies energies = evaluator_.energies(beside, y);
    for (std::size_t i = 0; i < first_.size(); ++i) {
      size_[i] = std::max({size_[i], std::abs(values_[i]), values_[first_.size() + i]});
      if (i == 0) {
        size_[0] = std::max({size_[0], std::abs(energies.kinetic), std::abs(energies.potential)});
        if (std::isnan(rest_)) rest_ = energies.potential;
        moved_ = std::max({moved_, std::abs(energies.kinetic), std::abs(energies.potential - rest_)});
      }
      last_[i] = values_[i] - first_[i];
      lowest_[i] = std::min(lowest_[i], last_[i]);
      highest_[i] = std::max(highest_[i], last_[i]);
    }
  }
  if (!size_.empty() && size_[0] == 0)
    moves_without_energy_ = moves_without_energy_ || has_lost_products(t, y);
  if (observations_.power_values.evaluate(beside, y, accelerations, evaluator_.factors(),
                                          power_values_.data())) {
    for (std::size_t h = 0; h < power_.size(); ++h) {
      power_[h] = std::max(power_[h], std::abs(power_values_[2 * h]));
      power_size_[h] = std::max(power_size_[h], power_values_[2 * h + 1]);
    }
  }
  if (!evaluator_.has_relations()) return;
  const Evaluator::Residuals residuals = evaluator_.residuals(t, y);
  level_ = std::max(level_, residuals.level);
  relation_ = std::max(relation_, residuals.relation);
}

void Monitors::watch_between(double t, const double* y, const double* accelerations) {
  const bool has_changing = std::any_of(observations_.kept.begin(), observations_.kept.end(),
                                        [](const Observations::Kept& kept) { return !kept.expected; });
  if (has_changing &&
      observations_.kept_values.evaluate(t, y, accelerations, evaluator_.factors(), values_.data())) {
    for (std::size_t i = 0; i < first_.size(); ++i) {
      if (observations_.kept[i].expected) continue;
      lowest_[i] = std::min(lowest_[i], values_[i] - first_[i]);
      highest_[i] = std::max(highest_[i], values_[i] - first_[i]);
    }
  }
  const bool has_working = std::any_of(observations_.powers.begin(), observations_.powers.end(),
                                       [](const Observations::Power& power) { return !power.expected_zero; });
  if (!has_working ||
      !observations_.power_values.evaluate(t, y, accelerations, evaluator_.factors(), power_values_.data()))
    return;
  for (std::size_t h = 0; h < power_.size(); ++h) {
    if (observations_.powers[h].expected_zero) continue;
    power_[h] = std::max(power_[h], std::abs(power_values_[2 * h]));
    power_size_[h] = std::max(power_size_[h], power_values_[2 * h + 1]);
  }
}

bool Monitors::has_lost_products(double t, const double* y) {
  const std::size_t n = evaluator_.direction_count(), first = evaluator_.position_count();
  if (std::all_of(y + first, y + first + n, [](double v) { return v == 0; })) return false;
  std::vector<double> mass;
  if (!evaluator_.mass(t, y, mass)) return false;
  for (std::size_t i = 0; i < n; ++i)
    if (y[first + i] != 0 && mass[i * n + i] != 0 && mass[i * n + i] * y[first + i] * y[first + i] == 0)
      return true;
  return false;
}

bool Monitors::loses_energy() const {
  constexpr double least = std::numeric_limits<double>::min() / std::numeric_limits<double>::epsilon();
  return !size_.empty() && (size_[0] == 0 ? moves_without_energy_ : size_[0] < least);
}

double size_beside(double size, double moved, double change) {
  constexpr double large = 10, rounding = 4 * std::numeric_limits<double>::epsilon();
  // Of a system at rest nothing moves but the last digits.
  const bool hides = moved > 16 * rounding * size && size > large * moved && change > rounding * size;
  return hides ? moved : size;
}

std::vector<Monitor> Monitors::verdicts() const {
  std::vector<Monitor> result;
  for (std::size_t i = loses_energy() ? 1 : 0; i < first_.size(); ++i) {
    const Observations::Kept& kept = observations_.kept[i];
    const double change = std::max(-lowest_[i], highest_[i]);
    const double size = i == 0 ? size_beside(size_[0], moved_, change) : size_[i];
    result.push_back({kept.name, MonitorKind::conserved, size > 0 ? change / size : 0, change, kept.expected,
                      by_resets_[i], static_cast<std::size_t>(resets_[i]), lowest_[i], highest_[i], last_[i],
                      size});
  }
  for (std::size_t h = 0; h < power_.size(); ++h) {
    const Observations::Power& power = observations_.powers[h];
    result.push_back({power.name, MonitorKind::power, power_size_[h] > 0 ? power_[h] / power_size_[h] : 0,
                      power_[h], power.expected_zero});
  }
  if (!evaluator_.has_relations()) return result;
  if (evaluator_.level_count() > 0) {
    result.push_back({"holonomic levels", MonitorKind::residual, level_, level_, constraints_are_kept_});
  }
  result.push_back(
      {"velocity relations", MonitorKind::residual, relation_, relation_, constraints_are_kept_});
  return result;
}

std::vector<double> Monitors::memory() const {
  std::vector<double> result{level_, relation_, rest_, moved_};
  for (const auto* part :
       {&first_, &size_, &lowest_, &highest_, &last_, &by_resets_, &resets_, &power_, &power_size_})
    result.insert(result.end(), part->begin(), part->end());
  return result;
}

void Monitors::recall(std::span<const double> memory) {
  const std::size_t size = 4 + 7 * first_.size() + 2 * power_.size();
  if (memory.size() != size) return;
  level_ = memory[0];
  relation_ = memory[1];
  rest_ = memory[2];
  moved_ = memory[3];
  std::size_t at = 4;
  for (auto* part :
       {&first_, &size_, &lowest_, &highest_, &last_, &by_resets_, &resets_, &power_, &power_size_}) {
    std::copy_n(memory.begin() + static_cast<std::ptrdiff_t>(at), part->size(), part->begin());
    at += part->size();
  }
}

}  // namespace liaison
