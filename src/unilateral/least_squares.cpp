#include "least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace liaison {

namespace {

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Least length among sums of the members of a set whose weights of vertices add up to one: the set grows by
/// what shortens the sum, and loses what would have a negative weight (Wolfe's method).
class LeastOfHull {
 public:
  LeastOfHull(const std::vector<std::vector<double>>& vertices, const std::vector<std::vector<double>>& rays)
      : vertices_(vertices.size()), points_(vertices) {
    for (std::vector<double> ray : rays) {
      const double length = std::sqrt(product(ray, ray));
      for (double& entry : ray) entry /= length;
      points_.push_back(std::move(ray));
    }
  }

  std::vector<double> find() {
    std::size_t first = 0;
    double largest = 0;
    for (std::size_t i = 0; i < vertices_; ++i) {
      if (product(points_[i], points_[i]) < product(points_[first], points_[first])) first = i;
      largest = std::max(largest, product(points_[i], points_[i]));
    }
    members_ = {first};
    weights_ = {1};
    for (std::size_t round = 0; round < 20 * points_.size() + 20; ++round) {
      const std::vector<double> x = sum();
      std::size_t best = points_.size();
      double gain = -1e-14 * largest;
      for (std::size_t i = 0; i < points_.size(); ++i) {
        if (std::find(members_.begin(), members_.end(), i) != members_.end()) continue;
        const double change = product(x, points_[i]) - (i < vertices_ ? product(x, x) : 0);
        if (change < gain) {
          gain = change;
          best = i;
        }
      }
      if (best == points_.size()) break;
      members_.push_back(best);
      weights_.push_back(0);
      if (!settle()) break;
    }
    return sum();
  }

 private:
  std::vector<double> sum() const {
    std::vector<double> x(points_[0].size());
    for (std::size_t i = 0; i < members_.size(); ++i) {
      for (std::size_t k = 0; k < x.size(); ++k) x[k] += weights_[i] * points_[members_[i]][k];
    }
    return x;
  }

  /// Weights of the least sum of the members; members that would be negative go first.
  bool settle() {
    while (true) {
      std::vector<double> next = free_weights();
      if (next.empty()) return false;
      double part = 1;
      for (std::size_t i = 0; i < next.size(); ++i) {
        if (next[i] <= 0) part = std::min(part, weights_[i] / (weights_[i] - next[i]));
      }
      std::vector<std::size_t> members;
      std::vector<double> weights;
      for (std::size_t i = 0; i < next.size(); ++i) {
        const double weight = weights_[i] + part * (next[i] - weights_[i]);
        if (part < 1 && next[i] <= 0 && weight <= 1e-14) continue;
        members.push_back(members_[i]);
        weights.push_back(weight);
      }
      const bool done = part == 1 || members.size() == members_.size();
      members_ = std::move(members);
      weights_ = std::move(weights);
      if (done) return true;
    }
  }

  /// Of the equations x_i . x = s for vertices, 0 for rays, and sum of the weights of vertices = 1.
  std::vector<double> free_weights() const {
    const std::size_t n = members_.size() + 1;
    std::vector<double> a(n * n), b(n);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      for (std::size_t j = 0; j + 1 < n; ++j)
        a[i * n + j] = product(points_[members_[i]], points_[members_[j]]);
      const double weight = members_[i] < vertices_ ? 1 : 0;
      a[i * n + n - 1] = -weight;
      a[(n - 1) * n + i] = weight;
    }
    b[n - 1] = 1;
    for (std::size_t column = 0; column < n; ++column) {
      std::size_t pivot = column;
      for (std::size_t i = column; i < n; ++i) {
        if (std::abs(a[i * n + column]) > std::abs(a[pivot * n + column])) pivot = i;
      }
      if (std::abs(a[pivot * n + column]) < 1e-13 * (1 + std::abs(a[0]))) return {};
      for (std::size_t j = 0; j < n; ++j) std::swap(a[pivot * n + j], a[column * n + j]);
      std::swap(b[pivot], b[column]);
      for (std::size_t i = 0; i < n; ++i) {
        if (i == column) continue;
        const double factor = a[i * n + column] / a[column * n + column];
        for (std::size_t j = column; j < n; ++j) a[i * n + j] -= factor * a[column * n + j];
        b[i] -= factor * b[column];
      }
    }
    std::vector<double> weights;
    for (std::size_t i = 0; i + 1 < n; ++i) weights.push_back(b[i] / a[i * n + i]);
    return weights;
  }

  std::size_t vertices_;
  std::vector<std::vector<double>> points_;
  std::vector<std::size_t> members_;
  std::vector<double> weights_;
};

}  // namespace

std::vector<double> least_of_hull(const std::vector<std::vector<double>>& vertices,
                                  const std::vector<std::vector<double>>& rays) {
  return LeastOfHull(vertices, rays).find();
}

}  // namespace liaison
