#include "dense.hpp"

#include <algorithm>
#include <cmath>

namespace liaison {

namespace {

/// Cholesky's decomposition in place, and the solution.
bool solve_positive(DenseMatrix& a, std::vector<double>& x) {
  const std::size_t n = a.rows();
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double sum = a(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= a(i, k) * a(j, k);
      if (i == j && !(sum > 0)) return false;
      a(i, j) = i == j ? std::sqrt(sum) : sum / a(j, j);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= a(i, k) * x[k];
    x[i] /= a(i, i);
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= a(k, i) * x[k];
    x[i] /= a(i, i);
  }
  return true;
}

void scale_rows(DenseMatrix& a) {
  for (std::size_t i = 0; i < a.rows(); ++i) {
    double largest = 0;
    for (double entry : a.row(i)) largest = std::max(largest, std::abs(entry));
    for (std::size_t j = 0; largest > 0 && j < a.columns(); ++j) a(i, j) /= largest;
  }
}

void eliminate(DenseMatrix& a, std::size_t row, std::size_t column) {
  for (std::size_t i = 0; i < a.rows(); ++i) {
    const double factor = a(i, column) / a(row, column);
    if (i == row || factor == 0) continue;
    for (std::size_t j = 0; j < a.columns(); ++j) a(i, j) -= factor * a(row, j);
    a(i, column) = 0;
  }
}

}  // namespace

std::optional<std::vector<double>> damped_least_norm(const DenseMatrix& a, std::span<const double> b,
                                                     double damping) {
  DenseMatrix normal(a.rows(), a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      double sum = i == k ? damping : 0;
      for (std::size_t j = 0; j < a.columns(); ++j) sum += a(i, j) * a(k, j);
      normal(i, k) = sum;
    }
  }
  std::vector<double> y(b.begin(), b.end());
  if (!solve_positive(normal, y)) return std::nullopt;
  std::vector<double> result(a.columns());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j) result[j] += a(i, j) * y[i];
  }
  return result;
}

std::vector<std::pair<std::size_t, std::size_t>> pivots(DenseMatrix a, std::span<const double> weights,
                                                        double threshold) {
  scale_rows(a);
  std::vector<std::pair<std::size_t, std::size_t>> result;
  std::vector<char> row_used(a.rows(), 0), column_used(a.columns(), 0);
  for (;;) {
    double best = threshold;
    std::pair<std::size_t, std::size_t> place{a.rows(), 0};
    for (std::size_t i = 0; i < a.rows(); ++i) {
      for (std::size_t j = 0; row_used[i] == 0 && j < a.columns(); ++j) {
        if (column_used[j] != 0 || !(std::abs(a(i, j)) > threshold)) continue;
        const double size = std::abs(a(i, j)) * weights[j];
        if (place.first != a.rows() && !(size > best)) continue;
        best = size;
        place = {i, j};
      }
    }
    if (place.first == a.rows()) return result;
    result.push_back(place);
    row_used[place.first] = column_used[place.second] = 1;
    eliminate(a, place.first, place.second);
  }
}

}  // namespace liaison
