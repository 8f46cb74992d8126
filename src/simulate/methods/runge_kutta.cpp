#include "liaison/simulate/runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dop853_table.hpp"
#include "simulate/equations/program_values.hpp"

namespace liaison {

namespace {

constexpr double safety = 0.9, least_factor = 0.2, greatest_factor = 6;
/// What is left of the size of a component after a step: a value that passes through zero is as large as it
/// was some steps before.
constexpr double memory_of_size = 0.9;

/// Weighted sums of stages, component by component in the order of the entries. Some components at once:
/// their sums stay in registers.
template <std::size_t width>
void add_components(const double* weights, std::span<const dop853::Entry> entries, const double* stages,
                    std::size_t n, const double* from, double* to) {
  double sum[width];
  for (std::size_t j = 0; j < width; ++j) sum[j] = from[j];
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const double* stage = stages + entries[e].stage * n;
    for (std::size_t j = 0; j < width; ++j) sum[j] += weights[e] * stage[j];
  }
  for (std::size_t j = 0; j < width; ++j) to[j] = sum[j];
}

/// to = from + h * sum of coefficient * stage.
void add_stages(double h, std::span<const dop853::Entry> entries, const double* stages, std::size_t n,
                const double* from, double* to) {
  double weights[dop853::extended_stages];
  for (std::size_t e = 0; e < entries.size(); ++e) weights[e] = h * entries[e].coefficient;
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) add_components<4>(weights, entries, stages + i, n, from + i, to + i);
  if (i + 2 <= n) {
    add_components<2>(weights, entries, stages + i, n, from + i, to + i);
    i += 2;
  }
  if (i < n) add_components<1>(weights, entries, stages + i, n, from + i, to + i);
}

/// What the stage before that number of the method adds up.
std::span<const dop853::Entry> row_of(std::size_t stage) {
  const std::size_t begin = dop853::weights_of_stages_starts[stage];
  return std::span(dop853::weights_of_stages)
      .subspan(begin, dop853::weights_of_stages_starts[stage + 1] - begin);
}

}  // namespace

void DenseStep::evaluate(double t, double* y) const {
  const double length = end - begin;
  const double x = length == 0 ? 0 : (t - begin) / length;
  const std::size_t n = start_.size();
  for (std::size_t i = 0; i < n; ++i) {  // y0 + x (F0 + (1 - x) (F1 + x (F2 + ...)))
    double sum = 0;
    for (std::size_t j = 7; j-- > 0;) sum = (sum + coefficients_[j * n + i]) * (j % 2 == 0 ? x : 1 - x);
    y[i] = start_[i] + sum;
  }
}

DormandPrince::DormandPrince(Rates rates, std::size_t size, Tolerance tolerance, double step_length)
    : rates_(std::move(rates)),
      n_(size),
      tolerance_(tolerance),
      step_length_(step_length),
      y_(size),
      size_(size),
      old_(size),
      next_(size),
      k_(dop853::extended_stages * size) {}

bool DormandPrince::evaluate(double t, const double* y, double* dy) {
  ++evaluations_;
  return rates_(t, y, dy) && are_finite(dy, n_);
}

bool DormandPrince::begin(double t, std::span<const double> y, double end) {
  t_ = previous_ = t;
  clock_.begin(t);
  last_is_first_ = dense_is_made_ = rejected_last_ = false;
  std::copy(y.begin(), y.end(), y_.begin());
  for (std::size_t i = 0; i < n_; ++i) size_[i] = std::abs(y_[i]);
  if (!evaluate(t_, y_.data(), k_.data())) return false;
  h_ = step_length_;
  if (h_ > 0) return true;
  // Hairer, Norsett and Wanner, II.4: from the sizes of y, y' and y''.
  const double direction = end >= t ? 1 : -1;
  double d0 = 0, d1 = 0, d2 = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    const double scale = allowed(i, std::abs(y_[i]));
    d0 = std::max(d0, std::abs(y_[i]) / scale);
    d1 = std::max(d1, std::abs(k_[i]) / scale);
  }
  double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  const double least = 16 * shortest_step(t);  // a first step that the time can tell
  h0 = std::min(std::max(h0, least), std::abs(end - t));
  for (std::size_t i = 0; i < n_; ++i) next_[i] = y_[i] + direction * h0 * k_[i];
  double* trial = k_.data() + n_;
  if (!evaluate(t_ + direction * h0, next_.data(), trial)) {
    h_ = std::max(1e-3 * h0, least);
    return true;
  }
  for (std::size_t i = 0; i < n_; ++i) {
    const double scale = allowed(i, std::abs(y_[i]));
    d2 = std::max(d2, std::abs(trial[i] - k_[i]) / scale / h0);
  }
  const double largest = std::max(d1, d2);
  const double h1 = largest <= 1e-15 ? std::max(1e-6, h0 * 1e-3) : std::pow(0.01 / largest, 1.0 / 8);
  h_ = std::min(std::max(std::min(100 * h0, h1), least), std::abs(end - t));
  return true;
}

bool DormandPrince::restart(std::span<const double> y) {
  last_is_first_ = false;
  std::copy(y.begin(), y.end(), y_.begin());
  return evaluate(t_, y_.data(), k_.data());
}

bool DormandPrince::compute_stages(double h) {
  using namespace dop853;
  for (std::size_t s = 1; s <= stages; ++s) {
    add_stages(h, row_of(s), k_.data(), n_, y_.data(), next_.data());
    if (!evaluate(t_ + nodes[s] * h, next_.data(), k_.data() + s * n_)) return false;
  }
  return true;
}

double DormandPrince::error_norm(double h) const {
  using namespace dop853;
  double sum5 = 0, sum3 = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    double e5 = 0, e3 = 0;
    for (const Entry& entry : error_5) e5 += entry.coefficient * k_[entry.stage * n_ + i];
    for (const Entry& entry : error_3) e3 += entry.coefficient * k_[entry.stage * n_ + i];
    const double scale = allowed(i, std::max(size_[i], std::abs(next_[i])));
    sum5 += e5 / scale * (e5 / scale);
    sum3 += e3 / scale * (e3 / scale);
  }
  if (sum5 == 0) return 0;
  return std::abs(h) * sum5 / std::sqrt((sum5 + 0.01 * sum3) * static_cast<double>(n_));
}

void DormandPrince::remember_sizes() {
  for (std::size_t i = 0; i < n_; ++i) size_[i] = std::max(std::abs(y_[i]), memory_of_size * size_[i]);
}

/// The last stage of a step is the first one of the next, where nobody changed the state in between.
void DormandPrince::take_over() {
  dense_is_made_ = false;
  if (last_is_first_) std::copy_n(k_.data() + dop853::stages * n_, n_, k_.data());
  last_is_first_ = false;
}

StepOutcome DormandPrince::step(double end) {
  take_over();
  return step_length_ > 0 ? fixed_step(end) : adaptive_step(end);
}

StepOutcome DormandPrince::adaptive_step(double end) {
  const double direction = end >= t_ ? 1 : -1;
  while (true) {
    const double least = shortest_step(t_);
    const double left = std::abs(end - t_);
    double length = std::min(h_, left);
    if (length > 0.5 * left && length < left) length = 0.5 * left;  // no tiny last step
    if (length < least && left > least) return StepOutcome::too_small;
    // The length that the time can tell: what is integrated is what the clock says.
    const double t1 = length == left ? end : t_ + direction * length, h = t1 - t_;
    length = std::abs(h);
    const bool known = compute_stages(h);
    error_ = known ? error_norm(h) : INFINITY;
    if (!(error_ <= 1)) {
      ++rejected_;
      rejected_last_ = true;
      h_ = length *
           (std::isfinite(error_) ? std::max(least_factor, safety * std::pow(error_, -1.0 / 8)) : 0.25);
      continue;
    }
    const double factor =
        error_ == 0 ? greatest_factor
                    : std::clamp(safety * std::pow(error_, -1.0 / 8), least_factor, greatest_factor);
    // A step that was cut to meet the end says little about the next one.
    const double proposed = length * (rejected_last_ ? std::min(1.0, factor) : factor);
    h_ = length < h_ ? std::max(h_, proposed) : proposed;
    rejected_last_ = false;
    previous_ = t_;
    std::swap(old_, y_);
    y_ = next_;
    t_ = t1;
    remember_sizes();
    last_is_first_ = true;
    return StepOutcome::stepped;
  }
}

StepOutcome DormandPrince::fixed_step(double end) {
  if (step_length_ < shortest_step(t_)) return StepOutcome::too_small;
  const double t1 = clock_.next(t_, step_length_, end), length = t1 - t_;
  if (!compute_stages(length)) return StepOutcome::no_value;
  error_ = error_norm(length);
  previous_ = t_;
  std::swap(old_, y_);
  y_ = next_;
  clock_.advance(t_, step_length_, end);
  t_ = t1;
  last_is_first_ = true;
  return StepOutcome::stepped;
}

std::vector<double> DormandPrince::memory() const {
  std::vector<double> result{h_, rejected_last_ ? 1.0 : 0.0, last_is_first_ ? 1.0 : 0.0, clock_.origin(),
                             clock_.count()};
  const double* first = k_.data() + (last_is_first_ ? dop853::stages * n_ : 0);
  result.insert(result.end(), first, first + n_);
  result.insert(result.end(), size_.begin(), size_.end());
  return result;
}

void DormandPrince::recall(std::span<const double> memory) {
  if (memory.size() != 2 * n_ + 5) return;
  h_ = memory[0];
  rejected_last_ = memory[1] != 0;
  clock_.recall(memory[3], memory[4]);
  std::copy_n(memory.begin() + 5, n_, k_.begin());
  std::copy_n(memory.end() - static_cast<std::ptrdiff_t>(n_), n_, size_.begin());
}

const DenseStep& DormandPrince::dense() {
  using namespace dop853;
  if (dense_is_made_) return dense_;
  const double h = t_ - previous_;
  std::vector<double> at(n_);
  for (std::size_t s = stages + 1; s < extended_stages; ++s) {
    add_stages(h, row_of(s), k_.data(), n_, old_.data(), at.data());
    // Inside of an accepted step the rates have values; where they do not, the polynomial has a lower order
    // there.
    if (!evaluate(previous_ + nodes[s] * h, at.data(), k_.data() + s * n_)) {
      std::copy_n(k_.data() + stages * n_, n_, k_.data() + s * n_);
    }
  }
  dense_.begin = previous_;
  dense_.end = t_;
  dense_.start_ = old_;
  dense_.coefficients_.assign(7 * n_, 0);
  for (std::size_t i = 0; i < n_; ++i) {
    const double change = next_[i] - old_[i];
    const double first = h * k_[i], last = h * k_[stages * n_ + i];
    dense_.coefficients_[i] = change;
    dense_.coefficients_[n_ + i] = first - change;
    dense_.coefficients_[2 * n_ + i] = 2 * change - last - first;
    for (std::size_t row = 0; row < 4; ++row) {
      double sum = 0;
      for (std::size_t e = dop853::dense_starts[row]; e < dop853::dense_starts[row + 1]; ++e) {
        sum += dop853::dense[e].coefficient * k_[dop853::dense[e].stage * n_ + i];
      }
      dense_.coefficients_[(3 + row) * n_ + i] = h * sum;
    }
  }
  dense_is_made_ = true;
  return dense_;
}

}  // namespace liaison
