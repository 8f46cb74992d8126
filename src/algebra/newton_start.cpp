#include "newton_start.hpp"

#include <algorithm>
#include <cmath>

#include "expr/work.hpp"
#include "liaison/expr/differentiate.hpp"

namespace liaison {

namespace {

constexpr int most_steps = 80;
constexpr double small_enough = 1e-9;  // of a row over the size of its gradient, relative to the place
constexpr double as_good_as_it_gets = 1e-15;

/// One linearisation: rows divided by the size of their gradients, columns times the size of the place.
struct Linear {
  DenseMatrix a;
  std::vector<double> f, row_size, column_size;
  double worst = 0;
};

Linear linearise(const NumericRows::Values& values, std::span<const double> x,
                 std::span<const std::size_t> columns) {
  Linear result{DenseMatrix(values.f.size(), columns.size()), values.f, {}, {}, 0};
  for (std::size_t j : columns) result.column_size.push_back(std::max(1.0, std::abs(x[j])));
  for (std::size_t i = 0; i < values.f.size(); ++i) {
    double size = 0;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      result.a(i, k) = values.jacobian(i, columns[k]) * result.column_size[k];
      size = std::max(size, std::abs(result.a(i, k)));
    }
    if (size == 0) size = 1;
    for (std::size_t k = 0; k < columns.size(); ++k) result.a(i, k) /= size;
    result.f[i] /= size;
    result.row_size.push_back(size);
    result.worst = std::max(result.worst, std::abs(result.f[i]));
  }
  return result;
}

double merit(const std::vector<double>& f, const std::vector<double>& row_size) {
  double sum = 0;
  for (std::size_t i = 0; i < f.size(); ++i) sum += (f[i] / row_size[i]) * (f[i] / row_size[i]);
  return sum;
}

std::vector<double> moved(std::span<const double> x, const Linear& linear, std::span<const double> step,
                          std::span<const std::size_t> columns, std::span<const char> positive) {
  std::vector<double> result(x.begin(), x.end());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::size_t j = columns[k];
    result[j] -= step[k] * linear.column_size[k];
    if (positive[j] != 0 && !(result[j] > 0)) result[j] = x[j] / 10;
  }
  return result;
}

}  // namespace

NumericRows::NumericRows(std::span<const Expr> rows, std::span<const Expr> symbols)
    : rows_(rows.size()), symbols_(symbols.size()) {
  std::vector<Expr> es(rows.begin(), rows.end());
  for (const JacobianEntry& entry : jacobian(rows, symbols)) {
    entries_.push_back({entry.row, entry.column});
    es.push_back(entry.value);
  }
  program_ = Prepared(es, symbols);
}

void NumericRows::evaluate(std::span<const double> x, Values& values) const {
  program_.evaluate(x, scratch_);
  values.f.assign(scratch_.begin(), scratch_.begin() + static_cast<std::ptrdiff_t>(rows_));
  values.jacobian = DenseMatrix(rows_, symbols_);
  for (std::size_t k = 0; k < entries_.size(); ++k)
    values.jacobian(entries_[k].row, entries_[k].column) = scratch_[rows_ + k];
}

bool NumericSystem::evaluate(std::span<const double> x, NumericRows::Values& values) const {
  if (WorkLimit::is_reached()) return false;
  values.f.assign(parts_.size(), 0);
  values.jacobian = DenseMatrix(parts_.size(), x.size());
  const NumericRows* evaluated = nullptr;
  NumericRows::Values found;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (part.rows != evaluated) part.rows->evaluate(x, found);
    evaluated = part.rows;
    values.f[i] = found.f[part.row] - part.value;
    if (!std::isfinite(values.f[i])) return false;
    for (std::size_t j = 0; j < x.size(); ++j) {
      values.jacobian(i, j) = found.jacobian(part.row, j);
      if (!std::isfinite(values.jacobian(i, j))) return false;
    }
  }
  return true;
}

bool solve_numerically(const NumericSystem& system, std::vector<double>& x,
                       std::span<const std::size_t> columns, std::span<const char> positive) {
  NumericRows::Values values, next;
  if (!system.evaluate(x, values)) return false;
  double damping = 1e-3;
  for (int step = 0; step < most_steps; ++step) {
    const Linear linear = linearise(values, x, columns);
    if (linear.worst < as_good_as_it_gets) return true;
    const double now = merit(values.f, linear.row_size);
    bool better = false;
    while (!better && damping < 1e8) {
      const auto move = damped_least_norm(linear.a, linear.f, damping);
      if (move) {
        std::vector<double> trial = moved(x, linear, *move, columns, positive);
        better = system.evaluate(trial, next) && merit(next.f, linear.row_size) < 0.999 * now;
        if (better) x = std::move(trial);
      }
      damping = better ? std::max(damping / 10, 1e-15) : std::max(damping * 10, 1e-12);
    }
    if (!better) return linear.worst < small_enough;
    std::swap(values, next);
  }
  return linearise(values, x, columns).worst < small_enough;
}

}  // namespace liaison
