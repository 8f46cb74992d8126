#include "liaison/unilateral/lemke.hpp"

#include <algorithm>
#include <cmath>

namespace liaison {

namespace {

int sign(const Rational& value, double) {
  return value.sign();
}
int sign(double value, double scale) {
  return std::abs(value) <= scale ? 0 : value < 0 ? -1 : 1;
}

/// a - r^T lambda - z = drive: columns a (p), lambda (p), z, the right side last. The columns a of the basis
/// are its inverse, which the lexicographic order uses.
template <typename Number>
class LemkePath {
 public:
  LemkePath(std::vector<std::vector<Number>> rows, double tiny)
      : rows_(std::move(rows)), tiny_(tiny), count_(rows_.size()) {
    for (std::size_t i = 0; i < count_; ++i) basis_.push_back(i);
  }

  /// The basic variables at the end of the path; false: a ray.
  bool follow() {
    std::size_t row = count_;
    for (std::size_t i = 0; i < count_; ++i) {
      if (row == count_ || is_less(i, row, 2 * count_)) row = i;
    }
    if (row == count_ || sign(rows_[row].back(), tiny_) >= 0) return true;
    std::size_t entering = 2 * count_;
    // A lexicographic path visits no basis twice; in doubles it is cut off where it should long have ended.
    const std::size_t most = 50 * (count_ + 10);
    for (std::size_t step = 0;; ++step) {
      if constexpr (std::is_same_v<Number, double>) {
        if (step > most) return false;
      }
      const std::size_t left = basis_[row];
      pivot(row, entering);
      if (left == 2 * count_) return true;
      entering = left < count_ ? left + count_ : left - count_;
      row = leaving(entering);
      if (row == count_) return false;
    }
  }

  const std::vector<std::size_t>& basis() const { return basis_; }
  const Number& value(std::size_t row) const { return rows_[row].back(); }

 private:
  /// Row i before row k in the lexicographic order of (right side, inverse of the basis) over the column's
  /// entry.
  bool is_less(std::size_t i, std::size_t k, std::size_t column) const {
    // The first step: z enters with -1 in every row, and the most negative row leaves.
    const Number scale_i = abs_of(rows_[i][column]), scale_k = abs_of(rows_[k][column]);
    const auto compare = [&](std::size_t j) {
      return sign(rows_[i][j] * scale_k - rows_[k][j] * scale_i, tiny_);
    };
    if (const int order = compare(rows_[i].size() - 1); order != 0) return order < 0;
    for (std::size_t j = 0; j < count_; ++j) {
      if (const int order = compare(j); order != 0) return order < 0;
    }
    return false;
  }
  static Number abs_of(const Number& value) { return value < Number(0) ? -value : value; }

  std::size_t leaving(std::size_t column) const {
    std::size_t best = count_;
    for (std::size_t i = 0; i < count_; ++i) {
      if (sign(rows_[i][column], tiny_) <= 0) continue;
      if (best == count_ || is_less(i, best, column)) best = i;
    }
    if (best == count_) return best;
    // z leaves as soon as it can: the end of the path.
    for (std::size_t i = 0; i < count_; ++i) {
      if (basis_[i] == 2 * count_ && sign(rows_[i][column], tiny_) > 0 &&
          sign(rows_[i].back() * rows_[best][column] - rows_[best].back() * rows_[i][column], tiny_) == 0) {
        return i;
      }
    }
    return best;
  }

  void pivot(std::size_t row, std::size_t column) {
    const Number inverse = Number(1) / rows_[row][column];
    for (Number& entry : rows_[row]) entry = entry * inverse;
    for (std::size_t i = 0; i < count_; ++i) {
      if (i == row || rows_[i][column] == Number(0)) continue;
      const Number factor = rows_[i][column];
      for (std::size_t j = 0; j < rows_[i].size(); ++j) rows_[i][j] = rows_[i][j] - factor * rows_[row][j];
      rows_[i][column] = Number(0);
    }
    basis_[row] = column;
  }

  std::vector<std::vector<Number>> rows_;
  double tiny_;
  std::size_t count_;
  std::vector<std::size_t> basis_;
};

template <typename Number, typename Entry>
std::vector<std::vector<Number>> initial_rows(std::size_t count, const Entry& entry,
                                              const std::vector<Number>& drive) {
  std::vector<std::vector<Number>> rows;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<Number>& row = rows.emplace_back(2 * count + 2, Number(0));
    row[k] = Number(1);
    for (std::size_t h = 0; h < count; ++h) row[count + h] = -entry(h, k);
    row[2 * count] = Number(-1);
    row.back() = drive[k];
  }
  return rows;
}

}  // namespace

std::optional<ComplementaryPoint> lemke(const Complementarity& problem) {
  const std::size_t count = problem.drive.size();
  LemkePath<Rational> path(
      initial_rows<Rational>(
          count, [&](std::size_t h, std::size_t k) { return problem.r[h][k]; }, problem.drive),
      0);
  if (!path.follow()) return std::nullopt;
  ComplementaryPoint point{std::vector<Rational>(count), std::vector<Rational>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t variable = path.basis()[i];
    (variable < count ? point.separations[variable] : point.factors[variable - count]) = path.value(i);
  }
  return point;
}

std::optional<DoubleComplementaryPoint> lemke(const DoubleComplementarity& problem) {
  const std::size_t count = problem.drive.size();
  double scale = 0, largest = 0;
  for (const double entry : problem.r) scale = std::max(scale, std::abs(entry));
  for (const double entry : problem.drive) largest = std::max(largest, std::abs(entry));
  if (largest == 0) largest = 1;
  if (scale == 0) scale = 1;
  std::vector<double> drive;
  for (const double entry : problem.drive) drive.push_back(entry / largest);
  LemkePath<double> path(
      initial_rows<double>(
          count, [&](std::size_t h, std::size_t k) { return problem.r[h * count + k] / scale; }, drive),
      1e-13);
  if (!path.follow()) return std::nullopt;
  DoubleComplementaryPoint point{std::vector<double>(count), std::vector<double>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t variable = path.basis()[i];
    if (variable >= count) point.factors[variable - count] = std::max(0.0, path.value(i)) * largest / scale;
  }
  for (std::size_t k = 0; k < count; ++k) {
    double sum = problem.drive[k];
    for (std::size_t h = 0; h < count; ++h) sum += problem.r[h * count + k] * point.factors[h];
    const double violation = point.factors[k] > 0 ? std::abs(sum) : std::max(0.0, -sum);
    point.residual = std::max(point.residual, violation / largest);
    point.separations[k] = point.factors[k] > 0 ? 0 : std::max(0.0, sum);
  }
  if (!(point.residual < 1e-6)) return std::nullopt;
  return point;
}

}  // namespace liaison
