#include "chebyshev.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace liaison {

namespace {

/// cos(j pi / n) for j = 0 .. 2n - 1.
std::vector<double> cosines(std::size_t n) {
  std::vector<double> result(2 * n);
  for (std::size_t j = 0; j < 2 * n; ++j) {
    // By sines of small arguments: exact symmetry and exact zeros.
    const auto k = static_cast<double>(n) - 2 * static_cast<double>(j <= n ? j : 2 * n - j);
    result[j] = std::sin(std::numbers::pi * k / (2 * static_cast<double>(n)));
  }
  return result;
}

const std::vector<double>& known_cosines(std::size_t n) {
  static thread_local std::vector<std::vector<double>> tables;
  if (tables.size() <= n) tables.resize(n + 1);
  if (tables[n].empty()) tables[n] = cosines(n);
  return tables[n];
}

/// Bisection of a change of sign.
double bisect(const ChebyshevSeries& series, double low, double high) {
  const bool rises = series(low) < 0;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return middle;
    const double value = series(middle);
    if (value == 0) return middle;
    (rises == (value < 0) ? low : high) = middle;
    if (high - low <= 2 * std::numeric_limits<double>::epsilon()) return low + (high - low) / 2;
  }
}

struct Part {
  double low, high;
  ChebyshevSeries series;
};

}  // namespace

std::vector<double> chebyshev_points(std::size_t degree) {
  const std::vector<double>& table = known_cosines(degree);
  return {table.begin(), table.begin() + static_cast<std::ptrdiff_t>(degree) + 1};
}

ChebyshevSeries ChebyshevSeries::through(std::span<const double> values) {
  const std::size_t n = values.size() - 1;
  const std::vector<double>& table = known_cosines(n);
  std::vector<double> c(n + 1);
  for (std::size_t k = 0; k <= n; ++k) {
    double sum = (values[0] + (k % 2 == 0 ? values[n] : -values[n])) / 2;
    for (std::size_t j = 1; j < n; ++j) sum += values[j] * table[(j * k) % (2 * n)];
    c[k] = sum * (k == 0 || k == n ? 1 : 2) / static_cast<double>(n);
  }
  return ChebyshevSeries(std::move(c));
}

double ChebyshevSeries::operator()(double x) const {  // Clenshaw
  if (c_.empty()) return 0;
  double b1 = 0, b2 = 0;
  for (std::size_t k = c_.size(); k-- > 1;) {
    const double b = c_[k] + 2 * x * b1 - b2;
    b2 = b1;
    b1 = b;
  }
  return c_[0] + x * b1 - b2;
}

ChebyshevSeries ChebyshevSeries::derivative() const {
  if (c_.size() < 2) return ChebyshevSeries({0.0});
  const std::size_t n = c_.size() - 1;
  std::vector<double> d(n + 2, 0.0);
  for (std::size_t k = n; k-- > 0;) d[k] = d[k + 2] + 2 * static_cast<double>(k + 1) * c_[k + 1];
  d[0] /= 2;
  d.resize(n);
  return ChebyshevSeries(std::move(d));
}

ChebyshevSeries ChebyshevSeries::on(double low, double high) const {
  const std::size_t n = std::max<std::size_t>(degree(), 1);
  std::vector<double> values = chebyshev_points(n);
  for (double& x : values) x = (*this)(low + (high - low) * (1 + x) / 2);
  return through(values);
}

void ChebyshevSeries::trim(double size) {
  double dropped = 0;
  while (c_.size() > 1 && dropped + std::abs(c_.back()) <= size) {
    dropped += std::abs(c_.back());
    c_.pop_back();
  }
}

double ChebyshevSeries::size_of_the_rest() const {
  double sum = 0;
  for (std::size_t k = 1; k < c_.size(); ++k) sum += std::abs(c_[k]);
  return sum;
}

double ChebyshevSeries::size() const {
  return std::abs(mean()) + size_of_the_rest();
}

double ChebyshevSeries::tail() const {
  double largest = 0;
  for (std::size_t k = c_.size() - std::min<std::size_t>(c_.size(), 2); k < c_.size(); ++k)
    largest = std::max(largest, std::abs(c_[k]));
  return largest;
}

/// Halves until a part has no root, or is monotone: |T_k| <= 1 bounds the polynomial and its derivative.
/// Where it is zero to rounding for a while, as at a root of high order, it changes its sign in the middle or
/// not.
std::vector<double> ChebyshevSeries::sign_changes() const {
  constexpr double narrowest = 1e-9;
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * size();
  std::vector<double> places;
  double zero_from = 0, zero_to = -2;  // parts from the left to the right on which it is zero
  bool negative = (*this)(-1) < 0;     // before them
  const auto pass_zeros = [&](bool negative_behind) {
    if (zero_to >= -1 && negative != negative_behind) places.push_back((zero_from + zero_to) / 2);
    zero_to = -2;
    negative = negative_behind;
  };
  std::vector<Part> open{{-1, 1, *this}};
  while (!open.empty()) {
    const Part part = std::move(open.back());
    open.pop_back();
    if (part.series.size() <= rounding) {  // zero, as far as numbers tell
      if (zero_to < -1) zero_from = part.low;
      zero_to = part.high;
      continue;
    }
    if (std::abs(part.series.mean()) > part.series.size_of_the_rest() + rounding) {
      pass_zeros(part.series.mean() < 0);
      continue;
    }
    const ChebyshevSeries slope = part.series.derivative();
    const bool monotone = std::abs(slope.mean()) > slope.size_of_the_rest();
    if (monotone || part.high - part.low < narrowest) {
      const bool low = (*this)(part.low) < 0, high = (*this)(part.high) < 0;
      // Behind zeros the sign at its beginning may be rounding: there is one change at most, in it or before.
      if (low != high && (zero_to < -1 || negative != high)) {
        places.push_back(bisect(*this, part.low, part.high));
        zero_to = -2;
      }
      pass_zeros(high);
      continue;
    }
    const double middle = part.low + (part.high - part.low) / 2;
    open.push_back({middle, part.high, on(middle, part.high)});
    open.push_back({part.low, middle, on(part.low, middle)});
  }
  pass_zeros((*this)(1) < 0);
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace liaison
