#include "liaison/unilateral/p_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace liaison {

namespace {

/// A number between two doubles.
struct Range {
  double low = 0, high = 0;
};

constexpr double infinity = std::numeric_limits<double>::infinity();
Range widened(double low, double high) {
  if (std::isnan(low) || std::isnan(high)) return {-infinity, infinity};
  return {std::nextafter(low, -infinity), std::nextafter(high, infinity)};
}
Range enclosure(const Rational& value) {
  const double nearest = value.to_double();
  return widened(nearest, nearest);
}
Range operator*(Range a, Range b) {
  const double p = a.low * b.low, q = a.low * b.high, s = a.high * b.low, t = a.high * b.high;
  if (std::isnan(p + q + s + t)) return {-infinity, infinity};
  return widened(std::min({p, q, s, t}), std::max({p, q, s, t}));
}
Range operator-(Range a, Range b) {
  return widened(a.low - b.high, a.high - b.low);
}
/// b is positive.
Range operator/(Range a, Range b) {
  return widened(a.low / (a.low < 0 ? b.low : b.high), a.high / (a.high < 0 ? b.high : b.low));
}

/// By exact elimination; the matrix is used up.
Rational determinant(RationalMatrix a, const Rational& noise) {
  Rational result(1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t pivot = i;
    while (pivot < a.size() && a[pivot][i].is_zero()) ++pivot;
    if (pivot == a.size()) return Rational(0);
    if (pivot != i) {
      std::swap(a[pivot], a[i]);
      result = -result;
    }
    result *= a[i][i];
    for (std::size_t row = i + 1; row < a.size(); ++row) {
      if (a[row][i].is_zero()) continue;
      const Rational factor = a[row][i] / a[i][i];
      for (std::size_t column = i; column < a.size(); ++column)
        a[row][column] = sum_beside_noise(a[row][column], -(factor * a[i][column]), noise);
    }
  }
  return result;
}

/// The symmetric part is positive definite, which suffices (row G5.II-reduced-cases): all pivots of an
/// elimination are positive.
bool is_definite(const RationalMatrix& r, const Rational& noise) {
  RationalMatrix a = r;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < a.size(); ++k) a[i][k] = sum_beside_noise(r[i][k], r[k][i], noise);
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i][i].sign() <= 0) return false;
    for (std::size_t row = i + 1; row < a.size(); ++row) {
      if (a[row][i].is_zero()) continue;
      const Rational factor = a[row][i] / a[i][i];
      for (std::size_t k = i; k < a.size(); ++k) {
        a[row][k] = sum_beside_noise(a[row][k], -(factor * a[i][k]), noise);
      }
    }
  }
  return true;
}

class PMatrixSearch {
 public:
  /// By chains, each index with the former ones first: one that fails is met soon. Or with the subsets of
  /// every set before it: the first one that fails has none inside it.
  enum class Order { chains_first, subsets_first };

  PMatrixSearch(const RationalMatrix& r, const Rational& noise, Order order)
      : r_(r), noise_(noise), order_(order), work_(r.size() + 1) {}

  std::optional<std::vector<std::size_t>> failing() {
    const std::size_t n = r_.size();
    work_[n].resize(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) work_[n][i * n + k] = enclosure(r_[i][k]);
    }
    for (std::size_t i = 0; i < n; ++i) work_[i].resize(i * i);
    return positive(n) ? std::nullopt : std::optional(failing_);
  }

 private:
  /// The Schur complement in work_[size] of the indices in eliminated_, on the last `size` indices.
  bool positive(std::size_t size) {
    if (size == 0) return true;
    // work_[size - 1] is used up by each of the two.
    return order_ == Order::chains_first ? positive_with_first(size) && positive_without_first(size)
                                         : positive_without_first(size) && positive_with_first(size);
  }

  bool positive_with_first(std::size_t size) {
    const std::size_t first = r_.size() - size;
    Range& corner = work_[size][0];
    if (!(corner.low > 0) && !decide(corner, first)) return false;
    complement(size);
    eliminated_.push_back(first);
    if (!positive(size - 1)) return false;
    eliminated_.pop_back();
    return true;
  }

  bool positive_without_first(std::size_t size) {
    const std::size_t rest = size - 1;
    for (std::size_t i = 0; i < rest; ++i) {
      for (std::size_t k = 0; k < rest; ++k) work_[rest][i * rest + k] = work_[size][(i + 1) * size + k + 1];
    }
    return positive(rest);
  }

  /// corner = det(eliminated + first)/det(eliminated), the denominator positive: the sign of the exact minor.
  bool decide(Range& corner, std::size_t first) {
    std::vector<std::size_t> indices = eliminated_;
    indices.push_back(first);
    const Rational minor = principal_minor(r_, indices, noise_);
    if (minor.sign() <= 0) {
      failing_ = std::move(indices);
      return false;
    }
    corner = enclosure(minor / principal_minor(r_, eliminated_, noise_));
    return true;
  }

  void complement(std::size_t size) {
    const std::size_t rest = size - 1;
    const std::vector<Range>& a = work_[size];
    std::vector<Range>& b = work_[rest];
    for (std::size_t i = 0; i < rest; ++i) {
      const Range factor = a[(i + 1) * size] / a[0];
      for (std::size_t k = 0; k < rest; ++k) b[i * rest + k] = a[(i + 1) * size + k + 1] - factor * a[k + 1];
    }
  }

  const RationalMatrix& r_;
  const Rational& noise_;
  Order order_;
  std::vector<std::vector<Range>> work_;  ///< one matrix of each size
  std::vector<std::size_t> eliminated_, failing_;
};

RationalMatrix principal(const RationalMatrix& r, const std::vector<std::size_t>& indices) {
  RationalMatrix result;
  for (const std::size_t i : indices) {
    std::vector<Rational>& row = result.emplace_back();
    for (const std::size_t k : indices) row.push_back(r[i][k]);
  }
  return result;
}

/// A failing minor inside the given one whose own principal minors are all positive.
std::vector<std::size_t> least_failing(const RationalMatrix& r, const std::vector<std::size_t>& indices,
                                       const Rational& noise) {
  const RationalMatrix part = principal(r, indices);
  const auto inner = PMatrixSearch(part, noise, PMatrixSearch::Order::subsets_first).failing();
  if (!inner) return indices;
  std::vector<std::size_t> result;
  for (const std::size_t k : *inner) result.push_back(indices[k]);
  return result;
}

/// x != 0 with x_i (a^T x)_i <= 0: a zero vector of a^T, or the solution of a^T x = (1, 0, ...), whose first
/// entry is a positive minor over the negative determinant.
std::vector<Rational> reversed_vector(const RationalMatrix& a, bool singular) {
  const std::size_t n = a.size();
  RationalMatrix rows(n, std::vector<Rational>(n + 1));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) rows[i][k] = a[k][i];
  }
  if (!singular) rows[0][n] = Rational(1);
  // All proper principal minors are positive: the first n - 1 pivots are not zero.
  for (std::size_t i = 0; i < n; ++i) {
    if (rows[i][i].is_zero()) break;
    for (std::size_t row = 0; row < n; ++row) {
      if (row == i || rows[row][i].is_zero()) continue;
      const Rational factor = rows[row][i] / rows[i][i];
      for (std::size_t k = i; k <= n; ++k) rows[row][k] += -(factor * rows[i][k]);
    }
  }
  std::vector<Rational> x(n);
  if (singular) x[n - 1] = Rational(1);
  for (std::size_t i = 0; i < n; ++i) {
    if (singular && i + 1 == n) continue;
    x[i] = (rows[i][n] - (singular ? rows[i][n - 1] : Rational(0))) / rows[i][i];
  }
  return x;
}

Rational positive_part(const Rational& x) {
  return x.sign() > 0 ? x : Rational(0);
}

}  // namespace

Rational principal_minor(const RationalMatrix& r, const std::vector<std::size_t>& indices,
                         const Rational& noise) {
  return determinant(principal(r, indices), noise);
}

PMatrixAnswer p_matrix(const RationalMatrix& r, const Rational& noise) {
  PMatrixAnswer answer;
  if (is_definite(r, noise)) return answer;
  auto failing = PMatrixSearch(r, noise, PMatrixSearch::Order::chains_first).failing();
  if (!failing) return answer;
  answer.is_p = false;
  std::sort(failing->begin(), failing->end());
  const std::vector<std::size_t> least = least_failing(r, *failing, noise);
  answer.failing = PrincipalMinor{least, principal_minor(r, least, noise)};
  return answer;
}

SeveralMotions drive_with_several(const RationalMatrix& r, const PrincipalMinor& failing) {
  const std::size_t n = r.size();
  const std::vector<Rational> part = reversed_vector(principal(r, failing.indices), failing.value.is_zero());
  std::vector<Rational> x(n), y(n);
  for (std::size_t i = 0; i < part.size(); ++i) x[failing.indices[i]] = part[i];
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t h = 0; h < n; ++h) y[k] += r[h][k] * x[h];
  }
  SeveralMotions result;
  for (std::size_t k = 0; k < n; ++k) {
    result.first.factors.push_back(positive_part(x[k]));
    result.second.factors.push_back(positive_part(-x[k]));
    result.first.separations.push_back(positive_part(y[k]));
    result.second.separations.push_back(positive_part(-y[k]));
  }
  for (std::size_t k = 0; k < n; ++k) {
    Rational drive = result.first.separations[k];
    for (std::size_t h = 0; h < n; ++h) drive += -(r[h][k] * result.first.factors[h]);
    result.drive.push_back(std::move(drive));
  }
  return result;
}

}  // namespace liaison
