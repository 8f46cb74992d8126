#include "reference_extrapolation.hpp"
#include "compile/raw.hpp"

#include <algorithm>
#include <cmath>

namespace liaison {

namespace {

constexpr std::size_t most_columns = 30;
constexpr std::size_t least_columns = 3;
constexpr double smallest_part = 1e-15;  ///< of the whole interval: a step below it is nothing
constexpr double safety = 0.9;
constexpr double least_change = 0.05, most_change = 5;
constexpr double smaller_error = 1e-60;  ///< an error that is zero counts as this
constexpr double no_value_change = 0.3;

unsigned long parts(std::size_t column) {
  return 2 * (static_cast<unsigned long>(column) + 1);
}

double size_of(const LongReal& x) {
  return std::abs(x.to_double());
}

}  // namespace

Extrapolation::Extrapolation(LongRates rates, const ExtrapolationOptions& options)
    : rates_(std::move(rates)), options_(options) {
  double cost = 1;
  for (std::size_t j = 0; j < std::max(most_columns + 1, options_.columns); ++j) {
    cost += static_cast<double>(parts(j));  // the first is shared, the last is one more
    cost_.push_back(cost);
    factor_.emplace_back();
    for (std::size_t l = 0; l < j; ++l) {
      const long fine = static_cast<long>(parts(j) * parts(j)),
                 coarse = static_cast<long>(parts(l) * parts(l));
      factor_[j].emplace_back(Rational(coarse, fine - coarse), options_.bits);
    }
  }
  next_step_.resize(cost_.size());
}

bool Extrapolation::evaluate(const LongReal& t, const std::vector<LongReal>& y, std::vector<LongReal>& dy) {
  ++evaluations_;
  return rates_(t, y, dy);
}

/// A first step from the size of the rates, and the column where convergence is expected for it.
void Extrapolation::prepare(const LongReal& end) {
  LongReal whole;
  arf_sub(whole.raw(), end.raw(), t_.raw(), options_.bits, ARF_RND_DOWN);
  const double length = whole.to_double();
  double fastest = 0;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    size_[i] = std::max(options_.floor, size_of(y_[i]));
    fastest = std::max(fastest, size_of(rate_[i]) / std::max(size_[i], 1.0));
  }
  step_ = std::abs(length);
  if (fastest > 0) step_ = std::min(step_, 0.5 / fastest);
  if (options_.step > 0) step_ = options_.step;
  const double digits = -std::log10(options_.tolerance);
  target_ = std::clamp(static_cast<std::size_t>(digits * 0.4), least_columns, most_columns - 2);
}

ExtrapolationOutcome Extrapolation::run(LongReal t, std::vector<LongReal> y, const LongReal& end) {
  t_ = std::move(t);
  y_ = std::move(y);
  for (std::vector<LongReal>* vector : {&rate_, &before_, &now_, &derivative_}) vector->resize(y_.size());
  size_.assign(y_.size(), 0);
  if (!evaluate(t_, y_, rate_)) return ExtrapolationOutcome::no_value;
  prepare(end);
  LongReal rest, step;
  arf_sub(rest.raw(), end.raw(), t_.raw(), options_.bits, ARF_RND_DOWN);
  const double whole = size_of(rest);
  const double direction = rest.to_double() < 0 ? -1 : 1;
  while (!rest.is_zero()) {
    if (steps_ + rejected_ >= options_.max_steps) return ExtrapolationOutcome::step_limit;
    const bool last = step_ * 1.0001 >= size_of(rest);
    step = last ? rest : LongReal(direction * step_);
    const double taken = size_of(step);
    const Attempt outcome = attempt(step);
    if (outcome == Attempt::accepted) {
      ++steps_;
      if (last) {
        t_ = end;
      } else {
        arf_add(t_.raw(), t_.raw(), step.raw(), options_.bits, ARF_RND_DOWN);
      }
      y_.swap(table_[0]);
      for (std::size_t i = 0; i < y_.size(); ++i) size_[i] = std::max(size_[i], size_of(y_[i]));
      if (!evaluate(t_, y_, rate_)) return ExtrapolationOutcome::no_value;
      arf_sub(rest.raw(), end.raw(), t_.raw(), options_.bits, ARF_RND_DOWN);
    } else {
      ++rejected_;
      if (options_.step > 0) return ExtrapolationOutcome::no_value;
    }
    if (options_.step > 0) continue;
    if (outcome == Attempt::no_value) {
      step_ = taken * no_value_change;
      refused_last_ = true;
    } else {
      choose_next(taken, outcome == Attempt::accepted);
    }
    if (step_ < smallest_part * whole && !rest.is_zero()) return ExtrapolationOutcome::too_small;
  }
  return ExtrapolationOutcome::finished;
}

/// The midpoint rule over one step in parts(row) parts, into the table's row; the step ends at end_time_.
bool Extrapolation::midpoint_row(std::size_t row, const LongReal& step) {
  const long bits = options_.bits;
  const unsigned long n = parts(row);
  arf_div_ui(part_.raw(), step.raw(), n, bits, ARF_RND_DOWN);
  LongReal twice;
  arf_mul_2exp_si(twice.raw(), part_.raw(), 1);
  work_time_ = t_;
  before_ = y_;
  now_ = y_;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    arf_addmul(now_[i].raw(), part_.raw(), rate_[i].raw(), bits, ARF_RND_DOWN);
  }
  for (unsigned long m = 1; m < n; ++m) {
    arf_add(work_time_.raw(), work_time_.raw(), part_.raw(), bits, ARF_RND_DOWN);
    if (!evaluate(work_time_, now_, derivative_)) return false;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      arf_addmul(before_[i].raw(), twice.raw(), derivative_[i].raw(), bits, ARF_RND_DOWN);
    }
    before_.swap(now_);
  }
  // Gragg's mean at the end: (z_{n-1} + z_n + h f(z_n))/2. It sees a jump of the equations in the last part.
  if (!evaluate(end_time_, now_, derivative_)) return false;
  if (table_.size() <= row) table_.emplace_back(y_.size());
  for (std::size_t i = 0; i < y_.size(); ++i) {
    LongReal& mean = table_[row][i];
    arf_add(mean.raw(), before_[i].raw(), now_[i].raw(), bits, ARF_RND_DOWN);
    arf_addmul(mean.raw(), part_.raw(), derivative_[i].raw(), bits, ARF_RND_DOWN);
    arf_mul_2exp_si(mean.raw(), mean.raw(), -1);
  }
  return true;
}

/// T(j, l) = T(j, l-1) + (T(j, l-1) - T(j-1, l-1)) n_{j-l}^2/(n_j^2 - n_{j-l}^2), in place.
void Extrapolation::extrapolate(std::size_t row) {
  const long bits = options_.bits;
  LongReal difference;
  for (std::size_t l = row; l-- > 0;) {
    for (std::size_t i = 0; i < y_.size(); ++i) {
      const LongReal& finer = table_[l + 1][i];
      LongReal& entry = table_[l][i];
      arf_sub(difference.raw(), finer.raw(), entry.raw(), bits, ARF_RND_DOWN);
      arf_set(entry.raw(), finer.raw());
      arf_addmul(entry.raw(), difference.raw(), factor_[row][l].raw(), bits, ARF_RND_DOWN);
    }
  }
}

/// The difference of the two highest orders, relative to what is allowed.
double Extrapolation::error_of_row() const {
  LongReal difference;
  double largest = 0;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    arf_sub(difference.raw(), table_[0][i].raw(), table_[1][i].raw(), 64, ARF_RND_DOWN);
    const double size = std::max(size_[i], size_of(table_[0][i]));
    largest = std::max(largest, size_of(difference) / (options_.tolerance * size));
  }
  return std::max(largest, smaller_error);
}

/// The columns up to target + 1 will not bring the error down to 1.
bool Extrapolation::is_hopeless(std::size_t column, double error) const {
  double gain = 1;  // an error falls by about (n_0/n_j)^2 from one column to the next
  for (std::size_t j = column + 1; j <= target_ + 1; ++j) {
    gain *= static_cast<double>(parts(j)) / static_cast<double>(parts(0));
  }
  return error > gain * gain;
}

Extrapolation::Attempt Extrapolation::attempt(const LongReal& step) {
  const double length = size_of(step);
  arf_add(end_time_.raw(), t_.raw(), step.raw(), options_.bits, ARF_RND_DOWN);
  const std::size_t last = options_.columns > 0 ? options_.columns - 1 : target_ + 1;
  for (std::size_t row = 0; row <= last; ++row) {
    reached_ = row;
    if (!midpoint_row(row, step)) return Attempt::no_value;
    extrapolate(row);
    if (row == 0) continue;
    const double error = error_of_row();
    if (!std::isfinite(error)) return Attempt::no_value;
    const double change = safety * std::pow(error, -1.0 / static_cast<double>(2 * row + 1));
    next_step_[row] = length * std::clamp(change, least_change, most_change);
    if (options_.step > 0) continue;
    if (row < last && (options_.columns > 0 || row + 1 < target_)) continue;
    if (error <= 1) return Attempt::accepted;
    if (row < last && is_hopeless(row, error)) return Attempt::refused;
  }
  return options_.step > 0 ? Attempt::accepted : Attempt::refused;
}

/// The column with the least work for a unit of time, among the last one, the one before and the next.
void Extrapolation::choose_next(double taken, bool accepted) {
  std::size_t best = accepted ? reached_ : std::min(reached_, target_);
  if (options_.columns > 0) best = reached_;
  const bool free_order = options_.columns == 0;
  if (free_order && best > least_columns && work(best - 1) < 0.85 * work(best)) --best;
  double step = next_step_[best];
  const bool may_grow = accepted && !refused_last_;
  if (free_order && may_grow && best == reached_ && work(best) < 0.9 * work(best - 1)) {
    ++best;
    step *= cost_[best] / cost_[best - 1];
  }
  step_ = may_grow ? step : std::min(step, taken);
  target_ = std::clamp(best, least_columns, most_columns - 2);
  refused_last_ = !accepted;
}

}  // namespace liaison
