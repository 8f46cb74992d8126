#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "impact_phases.hpp"

namespace liaison {

bool ImpactPath::turns(const PathState& state, const std::vector<double>& dv) const {
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    if (state.places[c] == Place::open) continue;
    for (std::size_t i = 0; i < contact(c).resisted.size(); ++i) {
      const auto& rows = contact(c).resisted[i].rows;
      if (rows.size() == 1 || state.resting[c][i]) continue;
      const double across = state.v[rows[0]] * dv[rows[1]] - state.v[rows[1]] * dv[rows[0]];
      const double size =
          std::hypot(state.v[rows[0]], state.v[rows[1]]) * std::hypot(dv[rows[0]], dv[rows[1]]);
      if (std::abs(across) > 1e-14 * size) return true;
    }
  }
  return false;
}

std::vector<double> ImpactPath::derivative(const PathState& state, const std::vector<double>& y,
                                           const Rates& near) const {
  const std::vector<double> v = velocities_at(state, y);
  Rates rates;
  if (everything_slips(state)) {
    rates = slip_rates(state, v);
  } else {
    // What sticks does so for the whole step; whether it can is asked at its end.
    FrictionProblem problem = rate_problem(state, v);
    for (auto& contact : problem.contacts) {
      for (auto& resisted : contact.resisted) {
        if (!resisted.moving) resisted.sticking *= 1e6;
      }
    }
    double best = INFINITY;
    rates = near;
    if (problem.contacts.size() > 1) ++problems_;
    for (const Rates& candidate : all_forces(problem).all) {
      double distance = 0;
      for (std::size_t k = 0; k < size(); ++k) distance += std::abs(candidate[k] - near[k]);
      if (distance < best) rates = candidate;
      best = std::min(best, distance);
    }
  }
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    const std::size_t n = contact(c).normal;
    rates.push_back(rates[n] * v[n]);
  }
  return rates;
}

std::vector<double> ImpactPath::velocities_at(const PathState& state, const std::vector<double>& y) const {
  std::vector<double> v = state.v;
  for (std::size_t h = 0; h < size(); ++h) {
    for (std::size_t k = 0; k < size(); ++k) v[k] += y[h] * problem_.r[h * size() + k];
  }
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    for (std::size_t i = 0; i < contact(c).resisted.size(); ++i) {
      if (!state.resting[c][i]) continue;
      for (const std::size_t row : contact(c).resisted[i].rows) v[row] = 0;
    }
  }
  return v;
}

/// Dormand and Prince's pair of orders 5 and 4.
std::pair<std::vector<double>, double> ImpactPath::try_step(const PathState& state,
                                                            const std::vector<double>& first,
                                                            double h) const {
  static constexpr double a[6][6] = {
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  static constexpr double error[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                      -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  const Rates near(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(size()));
  std::vector<std::vector<double>> k = {first};
  std::vector<double> y;
  for (const auto& row : a) {
    y.assign(first.size(), 0);
    for (std::size_t j = 0; j < k.size(); ++j) {
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += h * row[j] * k[j][i];
    }
    k.push_back(derivative(state, y, near));
  }
  double worst = 0;
  std::vector<double> difference(size());
  for (std::size_t row = 0; row < size(); ++row) {
    double sum = 0;
    for (std::size_t j = 0; j < k.size(); ++j) sum += error[j] * k[j][row];
    for (std::size_t i = 0; i < size(); ++i) difference[i] += h * sum * problem_.r[row * size() + i];
  }
  for (std::size_t i = 0; i < size(); ++i) worst = std::max(worst, std::abs(difference[i]) / noise_[i]);
  return {std::move(y), worst};
}

/// No slip changes by more than a third of itself: directions turn fast where it is small.
double ImpactPath::longest_step(const PathState& state, const std::vector<double>& first) const {
  double longest = INFINITY;
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    if (state.places[c] == Place::open) continue;
    for (std::size_t i = 0; i < contact(c).resisted.size(); ++i) {
      if (state.resting[c][i]) continue;
      double square = 0, change = 0;
      for (const std::size_t row : contact(c).resisted[i].rows) {
        double rate = 0;
        for (std::size_t h = 0; h < size(); ++h) rate += first[h] * problem_.r[h * size() + row];
        square += state.v[row] * state.v[row];
        change += rate * rate;
      }
      if (square > 0 && change > 0) longest = std::min(longest, std::sqrt(square / change) / 3);
    }
  }
  return longest;
}

/// Something that sticks would need more than its limit.
bool ImpactPath::is_torn(const PathState& state, const std::vector<double>& y, const Rates& near) const {
  if (everything_slips(state)) return false;
  const std::vector<double> rates = derivative(state, y, near);
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    if (state.places[c] == Place::open) continue;
    for (std::size_t i = 0; i < contact(c).resisted.size(); ++i) {
      const ImpactResistance& resisted = contact(c).resisted[i];
      if (!state.resting[c][i]) continue;
      double square = 0;
      for (const std::size_t row : resisted.rows) square += rates[row] * rates[row];
      if (std::sqrt(square) > resisted.sticking * rates[contact(c).normal] * (1 + 1e-9) + 1e-12) return true;
    }
  }
  return false;
}

/// A normal velocity changes its sign, or an account is paid, before the end of the step.
bool ImpactPath::has_passed(const PathState& state, const std::vector<double>& y, double h) const {
  const std::vector<double> v = velocities_at(state, y);
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    const double normal = v[contact(c).normal];
    if (state.places[c] == Place::in && normal > 0) return true;
    if ((state.places[c] == Place::out || state.places[c] == Place::open) && normal < 0) return true;
    if (state.places[c] != Place::out) continue;
    if (owed(state, c) < (problem_.law == ImpactLaw::energetic ? y[size() + c] : h)) return true;
  }
  return false;
}

bool ImpactPath::step_in_space(PathState& state, const Rates& rates) {
  std::vector<double> first = rates;
  double scale = 0;
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    const std::size_t n = contact(c).normal;
    first.push_back(rates[n] * state.v[n]);
    if (problem_.r[n * size() + n] > 0)
      scale = std::max(scale, noise_[n] * 1e13 / problem_.r[n * size() + n]);
  }
  if (state.step == 0) state.step = 0.01 * scale;
  double h = std::min(state.step, longest_step(state, first));
  std::vector<double> y;
  while (true) {
    auto [next, error] = try_step(state, first, h);
    const double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.2, 4.0);
    if (error <= 1 || h <= 1e-15 * scale) {
      y = std::move(next);
      state.step = h * factor;
      break;
    }
    if (!std::isfinite(error)) {
      note(fmt::format("the path of the impulse could not be followed at {}", place_on(state)));
      return false;
    }
    h *= factor;
  }
  if (h > 1e6 * scale) {
    note(fmt::format("the impulse grows without end after {}", place_on(state)));
    return false;
  }
  const auto ends = [&](const std::vector<double>& after, double length) {
    return has_passed(state, after, length) || is_torn(state, after, rates);
  };
  if (ends(y, h)) {
    double low = 0, high = h;
    while (true) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high || high - low <= 1e-15 * scale) break;
      (ends(try_step(state, first, middle).first, middle) ? high : low) = middle;
    }
    h = high;
    y = try_step(state, first, h).first;
  }
  std::vector<double> works(y.begin() + static_cast<std::ptrdiff_t>(size()), y.end());
  state.v = velocities_at(state, y);
  for (std::size_t k = 0; k < size(); ++k) state.impulses[k] += y[k];
  book(state, works, h);
  change_places(state);
  return true;
}

}  // namespace liaison
