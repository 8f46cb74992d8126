#include "run_place.hpp"

#include <limits>

namespace liaison {

double time_of_motion(Evaluator& open, const RunPlace& at, double step) {
  constexpr double most_steps = 10;
  const std::size_t positions = open.position_count();
  std::vector<double> rates(at.y.size());
  if (!open.rates(at.t, at.y.data(), rates.data())) return 1;
  const std::span<const double> state(at.y), change(rates);
  const double place = largest_of(state.first(positions)),
               acceleration = largest_of(change.subspan(positions));
  double speed = largest_of(state.subspan(positions));
  if (speed <= rest_beside * std::sqrt(place * acceleration)) speed = 0;  // rounding, of what came to rest
  double scale = step > 0 ? most_steps * step : std::numeric_limits<double>::infinity();
  if (speed > 0 && acceleration > 0) scale = std::min(scale, speed / acceleration);
  if (speed > 0 && place > 0) scale = std::min(scale, place / speed);
  if (place > 0 && acceleration > 0) scale = std::min(scale, std::sqrt(place / acceleration));
  return std::isfinite(scale) ? scale : 1.0;
}

double time_of_opening(ContactFrame& frame, const RunPlace& at, const std::set<std::size_t>& opening,
                       const Tolerance& tolerance) {
  constexpr double clear_of_error = 100, whole_flight = 1.2;
  double longest = 0;
  if (opening.empty() || !frame.take(at.t, at.y.data())) return 0;
  for (const std::size_t c : opening) {
    const auto drive = frame.drives({c});
    const double speed = frame.rate(c).value;
    if (!drive || !(speed > 0)) continue;
    const double wide = clear_of_error * (tolerance.absolute + tolerance.relative * frame.gap(c).size);
    const double back = std::max(0.0, -(*drive)[0]), square = speed * speed - 2 * back * wide;
    // On the way up, by a root that loses no digits.
    longest = std::max(longest,
                       square > 0 ? 2 * wide / (speed + std::sqrt(square)) : whole_flight * 2 * speed / back);
  }
  return longest;
}

}  // namespace liaison
