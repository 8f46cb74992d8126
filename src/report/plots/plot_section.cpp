#include <algorithm>
#include <cmath>

#include "liaison/report/plane_plot.hpp"

/// Times at which a sampled quantity is zero.
namespace liaison {

namespace {

/// Samples around the interval [i, i + 1] that one polynomial goes through: four, or its two ends.
struct Window {
  std::size_t begin, end;
};

Window window_at(std::span<const double> t, std::span<const double> values, std::size_t i) {
  if (i == 0 || i + 2 >= t.size()) return {i, i + 2};
  for (std::size_t k = i - 1; k <= i + 2; ++k) {
    if (!std::isfinite(values[k]) || (k > i - 1 && !(t[k - 1] < t[k]))) return {i, i + 2};
  }
  return {i - 1, i + 3};
}

double lagrange(std::span<const double> t, std::span<const double> values, Window window, double at) {
  double sum = 0;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    double weight = 1;
    for (std::size_t j = window.begin; j < window.end; ++j)
      if (j != i) weight *= (at - t[j]) / (t[i] - t[j]);
    sum += weight * values[i];
  }
  return sum;
}

/// The zero between two samples of different signs, by bisection to the last bit.
double zero_between(std::span<const double> t, std::span<const double> values, std::size_t i) {
  const Window window = window_at(t, values, i);
  double low = t[i], high = t[i + 1];
  const bool rises = values[i] < 0;
  while (true) {
    const double middle = low / 2 + high / 2;
    if (!(middle > low && middle < high)) return middle;
    const double value = lagrange(t, values, window, middle);
    if (value == 0) return middle;
    ((value > 0) == rises ? high : low) = middle;
  }
}

bool wanted(Passage kind, bool rises) {
  return kind == Passage::either || (kind == Passage::rising) == rises;
}

}  // namespace

std::vector<double> crossings(std::span<const double> t, std::span<const double> values, Passage kind) {
  std::vector<double> times;
  double sign = 0;       // of the last sample that is not zero
  double touched = NAN;  // a sample that is zero, since then
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (!std::isfinite(values[i])) {
      sign = 0;
      touched = NAN;
      continue;
    }
    if (values[i] == 0) {
      if (std::isnan(touched)) touched = t[i];
      continue;
    }
    const double now = values[i] > 0 ? 1 : -1;
    if (sign * now < 0 && wanted(kind, now > 0))
      times.push_back(!std::isnan(touched) ? touched
                      : t[i - 1] < t[i]    ? zero_between(t, values, i - 1)
                                           : t[i]);
    sign = now;
    touched = NAN;
  }
  return times;
}

std::vector<double> sampled_at(std::span<const double> t, std::span<const double> values,
                               std::span<const double> times) {
  std::vector<double> result;
  for (const double at : times) {
    const auto after = std::lower_bound(t.begin(), t.end(), at);
    if (after == t.end()) {
      result.push_back(NAN);
      continue;
    }
    const auto i = static_cast<std::size_t>(after - t.begin());
    if (*after == at || i == 0) {
      result.push_back(values[i]);
    } else {
      result.push_back(lagrange(t, values, window_at(t, values, i - 1), at));
    }
  }
  return result;
}

}  // namespace liaison
