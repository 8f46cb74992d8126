#include <algorithm>
#include <cmath>

#include "poles.hpp"

// Roots of positions that the motion itself brings to zero with their rate.

namespace liaison {

/// How near to zero the errors of a motion let the base of a root come. Of velocities, these errors
/// themselves. Of positions, b'' = c b^p keeps b'^2/2 - c b^(1 + p)/(1 + p), and the error of that decides.
double PoleWatch::errors_of_root(const Divisor& divisor) const {
  constexpr double tolerances = 30, tolerances_of_energy = 300;
  const double tolerance = options_.tolerance.relative;
  if (divisor.power == 0) return tolerances * tolerance * divisor.farthest;
  return std::pow(tolerances_of_energy * tolerance, 1 / (1 + divisor.power)) * divisor.farthest;
}

/// Where a divisor that falls until `end` was last as large as that; nothing where it never was.
std::optional<PoleWatch::Zero> PoleWatch::last_as_large(std::size_t k, double value, double end,
                                                        const Step& step) {
  if (std::abs(value_at(k, step.before, step.state_at)) >= value) {
    double low = step.before, high = end;
    for (double middle = low + (high - low) / 2; middle > low && middle < high;
         middle = low + (high - low) / 2)
      (std::abs(value_at(k, middle, step.state_at)) >= value ? low : high) = middle;
    return Zero{low, std::abs(value_at(k, low, step.state_at)), false};
  }
  const std::vector<Past>& past = divisors_[k].past;
  const auto place =
      std::find_if(past.rbegin(), past.rend(), [&](const Past& one) { return std::abs(one.value) >= value; });
  if (place == past.rend()) return {};
  return Zero{place->t, std::abs(place->value), false};
}

/// A root of positions is known by how its base fell, however long the steps are.
void PoleWatch::remember_within(std::size_t k, const Step& step, double end) {
  constexpr int parts = 8;
  Divisor& divisor = divisors_[k];
  if (std::isfinite(end)) divisor.farthest = std::max(divisor.farthest, std::abs(end));
  if (!(std::abs(end) < std::abs(divisor.last))) return;
  for (int i = 1; i < parts; ++i) {
    const double t = step.before + (step.time - step.before) * i / parts;
    const double value = value_at(k, t, step.state_at);
    if (std::isfinite(value)) remember(divisor, t, value, state_);
  }
}

/// Whether the base of a root of positions accelerates by its own size, at the last state, beside what brings
/// it to zero in the time that is left: what others bring there is no end.
bool PoleWatch::acts_on_its_base(std::size_t place, double t, double left) {
  constexpr double part = 1e-3, least = 0.02;
  const std::vector<double> y = state_;
  const std::size_t positions = evaluator_.position_count();
  const auto base_at = [&](const std::vector<double>& state) {
    values(t, state.data());
    return values_[place];
  };
  const double base = base_at(y);
  std::vector<double> rates(y.size()), gradient(positions);
  if (!evaluator_.rates(t, y.data(), rates.data())) return true;
  double square = 0;
  for (std::size_t i = 0; i < positions; ++i) {
    std::vector<double> moved = y;
    const double length = part * left * std::abs(rates[i]);
    if (length == 0) continue;
    moved[i] += length;
    gradient[i] = (base_at(moved) - base) / length;
    square += gradient[i] * gradient[i];
  }
  if (!(square > 0)) return false;
  const auto acceleration = [&](double share) {  // of the base, where that share is added to it
    std::vector<double> moved = y, first(y.size()), second(y.size());
    for (std::size_t i = 0; i < positions; ++i) moved[i] += share * base * gradient[i] / square;
    if (!evaluator_.rates(t, moved.data(), first.data())) return std::nan("");
    const double h = part * left;
    for (std::size_t i = positions; i < y.size(); ++i) moved[i] += h * first[i];
    if (!evaluator_.rates(t, moved.data(), second.data())) return std::nan("");
    double sum = 0;
    for (std::size_t i = 0; i < positions; ++i) sum += gradient[i] * (second[i] - first[i]) / h;
    return sum;
  };
  const double change = (acceleration(part) - acceleration(-part)) / (2 * part * base);
  return !(std::abs(change) * left * left < least);
}

}  // namespace liaison
