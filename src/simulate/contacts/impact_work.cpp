#include <algorithm>
#include <cmath>
#include <limits>

#include "contact_frame.hpp"

namespace liaison {

/// An impulse I along a row l works I l(v- + v+)/2, for the velocities change by it in proportion. Of that
/// the part with the rate of the row, which is what bodies and walls have beside each other, is the law's.
ContactFrame::ImpulseWork ContactFrame::work_of(const std::vector<std::size_t>& contacts,
                                                const std::vector<double>& impulses) {
  ImpulseWork work;
  const std::vector<std::size_t> rows = rows_of(contacts);
  const std::size_t n = evaluator_->direction_count(), bilateral = modes_.bilateral_count();
  const double* before = y_.data() + evaluator_->position_count();
  std::vector<double> change(n), of_bilateral(bilateral);
  for (std::size_t h = 0; h < rows.size(); ++h) {
    const Response& unit = response(rows[h]);
    for (std::size_t a = 0; a < n; ++a) change[a] += impulses[h] * unit.fields[a];
    for (std::size_t b = 0; b < bilateral; ++b) of_bilateral[b] += impulses[h] * unit.factors[b];
  }
  const bool is_plain = equations_.system->chart.parameters.empty();
  const auto along = [&](std::size_t place, double impulse) {
    const double* direction = pieces_.directions.data() + place * n;
    for (std::size_t a = 0; a < n; ++a) {
      const double part = impulse * direction[a];
      work.of_all += part * (before[a] + change[a] / 2);
      work.size += std::abs(part) * (std::abs(before[a]) + std::abs(change[a]));
    }
  };
  for (std::size_t h = 0; h < rows.size(); ++h) {
    const std::size_t place = bilateral + rows[h];
    double rate = pieces_.relations[place];
    for (std::size_t a = 0; a < n; ++a) rate += pieces_.gradients[place * n + a] * change[a] / 2;
    work.by_law += impulses[h] * rate;
    work.size += std::abs(impulses[h] * rate);
    if (is_plain) along(place, impulses[h]);
  }
  for (std::size_t b = 0; is_plain && b < bilateral; ++b) along(b, of_bilateral[b]);
  if (!is_plain) work.of_all = NAN;
  return work;
}

void ContactFrame::drop_rounding(double* y) {
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
  const std::size_t n = evaluator_->direction_count(), positions = evaluator_->position_count();
  const auto size = [&](std::size_t a, double velocity) {
    return std::sqrt(std::max(0.0, pieces_.mass[a * n + a])) * std::abs(velocity);
  };
  const auto is_changed = [&](std::size_t a) { return y[positions + a] != y_[positions + a]; };
  double before = 0, after = 0;
  for (std::size_t a = 0; a < n; ++a) {
    if (!is_changed(a)) continue;
    before = std::max(before, size(a, y_[positions + a]));
    after = std::max(after, size(a, y[positions + a]));
  }
  if (after > rounding * before) return;
  for (std::size_t a = 0; a < n; ++a)
    if (is_changed(a)) y[positions + a] = 0;
}

}  // namespace liaison
