#include "rounded_dictionary.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace liaison {

namespace {

constexpr double negligible = 1e-9;  ///< a coefficient that is not pivoted on
constexpr double negative = -1e-10;  ///< a value that is taken for negative
constexpr double unit = 0x1p-53;

/// The power of two that brings a positive number near one.
double to_one(double value) {
  return value > 0 && std::isfinite(value) ? std::ldexp(1.0, -std::ilogb(value)) : 1.0;
}

}  // namespace

RoundedProblem::RoundedProblem(const Complementarity& problem) : exact(problem), count(problem.drive.size()) {
  r.resize(count * count);
  bool lost = false;
  const auto rounded = [&](const Rational& value) {
    const double nearest = value.to_double();
    // Denormal numbers have no relative error to speak of.
    lost = lost || !std::isfinite(nearest) || (std::abs(nearest) < 1e-200 && !value.is_zero()) ||
           std::abs(nearest) > 1e200;
    return nearest;
  };
  for (std::size_t h = 0; h < count; ++h) {
    for (std::size_t k = 0; k < count; ++k) r[h * count + k] = rounded(problem.r[h][k]);
    drive.push_back(rounded(problem.drive[h]));
  }
  error = 2 * unit + 4 * problem.noise.to_double();
  is_usable = !lost && error < 1e-9;
  if (!is_usable) return;
  for (std::size_t k = 0; k < count; ++k) {  // relations
    double largest = 0;
    for (std::size_t h = 0; h < count; ++h) largest = std::max(largest, std::abs(r[h * count + k]));
    const double scale = to_one(largest);
    for (std::size_t h = 0; h < count; ++h) r[h * count + k] *= scale;
    drive[k] *= scale;
  }
  for (std::size_t h = 0; h < count; ++h) {  // factors
    double largest = 0;
    for (std::size_t k = 0; k < count; ++k) largest = std::max(largest, std::abs(r[h * count + k]));
    const double scale = to_one(largest);
    for (std::size_t k = 0; k < count; ++k) r[h * count + k] *= scale;
  }
  double largest = 0;
  for (const double value : drive) largest = std::max(largest, std::abs(value));
  const double scale = to_one(largest);
  for (double& value : drive) value *= scale;
}

RoundedDictionary::RoundedDictionary(const RoundedProblem& problem)
    : problem_(&problem), count_(problem.count), fixed_(2 * count_), entries_(count_ * (count_ + 1)) {
  for (std::size_t k = 0; k < count_; ++k) {
    columns_.push_back(k);
    basis_.push_back(count_ + k);
    for (std::size_t h = 0; h < count_; ++h) entry(k, h) = problem.r[h * count_ + k];
    entry(k, count_) = problem.drive[k];
  }
  for (std::size_t k = 0; k < count_; ++k) place_.push_back(count_ + k);
  for (std::size_t k = 0; k < count_; ++k) place_.push_back(k);
}

void RoundedDictionary::pivot(std::size_t row, std::size_t column) {
  double* source = &entry(row, 0);
  const double inverse = 1 / source[column];
  for (std::size_t j = 0; j <= count_; ++j) source[j] *= -inverse;
  source[column] = inverse;
  for (std::size_t i = 0; i < count_; ++i) {
    double* target = &entry(i, 0);
    const double factor = target[column];
    if (i == row || factor == 0) continue;
    target[column] = 0;
    for (std::size_t j = 0; j <= count_; ++j) target[j] += factor * source[j];
  }
  std::swap(basis_[row], columns_[column]);
  place_[basis_[row]] = row;
  place_[columns_[column]] = count_ + column;
}

/// Zero is the sum of y_k (a_k - drive_k - sum_h r[h][k] lambda_h): with any y whose coefficients of what is
/// not held at zero are none of them negative, and with y . drive < 0, nothing is left. Here y is the row of
/// a basic variable, times `sign`.
bool RoundedDictionary::contradicts(std::size_t row, int sign) const {
  return contradicts_by_bounds(row, sign) ||
         (problem_->exact.noise.is_zero() && contradicts_exactly(row, sign));
}

/// y has a little of the rows of other factors too, so that their coefficients are positive and not zero.
/// Where the entries have noise a coefficient within it is zero.
bool RoundedDictionary::contradicts_by_bounds(std::size_t row, int sign) const {
  const bool noisy = !problem_->exact.noise.is_zero();
  const double little = noisy ? 0 : 1e-8;
  std::vector<double> y(count_);
  for (std::size_t j = 0; j < count_; ++j) {
    if (columns_[j] < count_) continue;
    double sum = -sign * entry(row, j);
    for (std::size_t b = 0; b < count_; ++b) {
      if (!noisy && b != row && basis_[b] < count_ && !fixed_[basis_[b]]) sum -= little * entry(b, j);
    }
    y[columns_[j] - count_] = sum;
  }
  if (basis_[row] >= count_) y[basis_[row] - count_] = sign;
  double largest = 0;
  for (const double value : y) largest = std::max(largest, std::abs(value));
  if (!std::isfinite(largest)) return false;
  for (std::size_t k = 0; k < count_; ++k) {
    if (std::abs(y[k]) < 1e-13 * largest || (!fixed_[count_ + k] && y[k] < 0)) y[k] = 0;
  }
  // Each product has the error of its entry and one rounding, the sum one more a term.
  const double relative = problem_->error + 2 * static_cast<double>(count_ + 2) * unit;
  double sum = 0, size = 0;
  for (std::size_t k = 0; k < count_; ++k) {
    sum += y[k] * problem_->drive[k];
    size += std::abs(y[k] * problem_->drive[k]);
  }
  if (!(sum + relative * size < 0)) return false;
  for (std::size_t h = 0; h < count_; ++h) {
    if (fixed_[h]) continue;
    sum = size = 0;
    for (std::size_t k = 0; k < count_; ++k) {
      const double entry = problem_->r[h * count_ + k], product = y[k] * entry;
      if (std::abs(product) < 1e-290 && y[k] != 0 && entry != 0) return false;  // its error is not relative
      sum -= product;
      size += std::abs(product);
    }
    if (!(sum >= (noisy ? -relative : relative) * size)) return false;
  }
  return true;
}

bool RoundedDictionary::contradicts_exactly(std::size_t row, int sign) const {
  const Complementarity& problem = problem_->exact;
  std::vector<std::size_t> factors, relations;  // basic, not basic: what y is determined by
  for (std::size_t i = 0; i < count_; ++i) {
    if (basis_[i] < count_) factors.push_back(basis_[i]);
    if (columns_[i] >= count_) relations.push_back(columns_[i] - count_);
  }
  const std::size_t own = basis_[row], size = factors.size();
  std::vector<Rational> y(count_);
  if (own >= count_) y[own - count_] = Rational(sign);
  RationalMatrix rows;
  for (const std::size_t h : factors) {
    std::vector<Rational>& line = rows.emplace_back();
    for (const std::size_t k : relations) line.push_back(problem.r[h][k]);
    line.push_back(own == h        ? Rational(-sign)
                   : own >= count_ ? Rational(-sign) * problem.r[h][own - count_]
                                   : Rational(0));
  }
  for (std::size_t i = 0; i < size; ++i) {
    std::size_t pivot = i;
    while (pivot < size && rows[pivot][i].is_zero()) ++pivot;
    if (pivot == size) return false;
    std::swap(rows[pivot], rows[i]);
    for (std::size_t below = i + 1; below < size; ++below) {
      if (rows[below][i].is_zero()) continue;
      const Rational factor = rows[below][i] / rows[i][i];
      for (std::size_t j = i + 1; j <= size; ++j) {
        if (!rows[i][j].is_zero()) rows[below][j] = rows[below][j] - factor * rows[i][j];
      }
    }
  }
  for (std::size_t i = size; i-- > 0;) {
    Rational sum = rows[i][size];
    for (std::size_t j = i + 1; j < size; ++j) {
      if (!rows[i][j].is_zero()) sum = sum - rows[i][j] * y[relations[j]];
    }
    y[relations[i]] = sum / rows[i][i];
  }
  Rational sum;
  for (std::size_t k = 0; k < count_; ++k) {
    if (!fixed_[count_ + k] && y[k].sign() < 0) return false;
    if (!y[k].is_zero()) sum += y[k] * problem.drive[k];
  }
  if (sum.sign() >= 0) return false;
  for (std::size_t h = 0; h < count_; ++h) {
    if (fixed_[h] || place_[h] < count_) continue;  // of the basic ones 0, and 1 of its own
    Rational against;
    for (std::size_t k = 0; k < count_; ++k) {
      if (!y[k].is_zero()) against += y[k] * problem.r[h][k];
    }
    if (against.sign() > 0) return false;
  }
  return true;
}

RoundedDictionary::Verdict RoundedDictionary::find_point() {
  const std::size_t most = 20 * (count_ + 5);
  for (std::size_t step = 0; step < most; ++step) {
    // The most negative value leaves; after many steps the first variable, so that no circle is gone.
    const bool first = step > 4 * count_;
    std::size_t row = none;
    for (std::size_t i = 0; i < count_; ++i) {
      if (!(constant(i) < negative) || fixed_[basis_[i]]) continue;
      if (row == none || (first ? basis_[i] < basis_[row] : constant(i) < constant(row))) row = i;
    }
    if (row == none) return Verdict::possible;
    std::size_t column = none;
    for (std::size_t j = 0; j < count_; ++j) {
      if (fixed_[columns_[j]] || !(entry(row, j) > negligible)) continue;
      if (column == none || (first ? columns_[j] < columns_[column] : entry(row, j) > entry(row, column)))
        column = j;
    }
    if (column == none) return contradicts(row, 1) ? Verdict::impossible : Verdict::doubtful;
    pivot(row, column);
  }
  return Verdict::doubtful;
}

RoundedDictionary::Verdict RoundedDictionary::fix(std::size_t variable) {
  if (fixed_[variable]) return Verdict::possible;
  fixed_[variable] = 1;
  const std::size_t row = place_[variable];
  if (row >= count_) return Verdict::possible;
  std::size_t column = none;
  for (std::size_t j = 0; j < count_; ++j) {
    if (fixed_[columns_[j]]) continue;
    if (column == none || std::abs(entry(row, j)) > std::abs(entry(row, column))) column = j;
  }
  if (column == none || !(std::abs(entry(row, column)) > negligible)) {
    if (std::abs(constant(row)) <= -negative) return Verdict::possible;  // zero wherever we are
    return contradicts(row, constant(row) < 0 ? 1 : -1) ? Verdict::impossible : Verdict::doubtful;
  }
  pivot(row, column);
  return find_point();
}

double RoundedDictionary::value(std::size_t variable) const {
  return place_[variable] < count_ ? constant(place_[variable]) : 0;
}

bool RoundedDictionary::seems_positive_everywhere(std::size_t variable) const {
  const std::size_t row = place_[variable];
  if (row >= count_ || !(constant(row) > -negative)) return false;
  for (std::size_t j = 0; j < count_; ++j) {
    if (!fixed_[columns_[j]] && entry(row, j) < 0) return false;
  }
  return true;
}

}  // namespace liaison
