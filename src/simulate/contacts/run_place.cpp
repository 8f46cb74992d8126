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

}  // namespace liaison
