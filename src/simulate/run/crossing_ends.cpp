#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "crossings.hpp"

/// Zeros of followed functions where a search begins and ends.
namespace liaison {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

int sign(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

}  // namespace

/// Whether the value at the end is what the rounding of the time leaves of a zero there.
bool CrossingSearch::is_zero_at_end(std::size_t function) {
  constexpr double part = 1e-4, of_kink = 4e-12;
  const Point last = points_[function].back();
  if (last.value == 0) return true;
  const double length = last.t - points_[function].front().t;
  if (!sample(last.t - part * length)) return false;
  const double slope = std::abs(now_[function] - last.value) / (part * length);
  const double resolution = end_ == End::kink ? of_kink : 256 * epsilon;
  return std::abs(last.value) <= resolution * std::max(std::abs(last.t), length) * slope;
}

/// The power of the time with which it comes to what it is at the end: from values at two distances, at
/// which the difference is neither rounding nor what is left there of a zero. 0: not known.
int CrossingSearch::power_at_end(std::size_t function) {
  constexpr double clear = 1 << 20, beside_rest = 100;
  const Point last = points_[function].back();
  const double length = last.t - points_[function].front().t;
  for (double distance = 1e-5 * length; distance < length; distance *= 2) {
    if (!sample(last.t - distance)) return 0;
    const double far = std::abs(now_[function] - last.value);
    if (far <= clear * epsilon * sizes_[function] || far <= beside_rest * std::abs(last.value)) continue;
    if (!sample(last.t - distance / 2)) return 0;
    const double close = std::abs(now_[function] - last.value);
    return close > 0 ? static_cast<int>(std::lround(std::log2(far / close))) : 0;
  }
  return 0;
}

/// At the end it is zero: that is told now, or left to where it goes from there.
void CrossingSearch::end_at_zero(std::size_t function) {
  const Point last = points_[function].back();
  const double length = last.t - points_[function].front().t;
  double approach = 1e-9 * length;
  while (approach < length && !is_more_than_rounding(function, last.t - approach)) approach *= 2;
  const int power = power_at_end(function);
  const bool again = !sides_[function].away;
  come_to_zero(function, last.t);
  sides_[function].again = again;
  sides_[function].approach = std::min(approach, length);
  sides_[function].turns = power > 0 && power % 2 == 0;
  sides_[function].limit = shallow_[function] && power > 1;
}

/// What came to zero and does not go on.
Crossing CrossingSearch::left_open_at(std::size_t function) {
  Side& side = sides_[function];
  const Crossing result{side.since, function, side.came, side.turns ? side.came : -side.came};
  side.came = 0;
  side.told = true;
  return result;
}

bool CrossingSearch::is_left_open(std::size_t function) const {
  const Side& side = sides_[function];
  return side.came != 0 && !side.limit && !(side.again && side.turns);
}

std::vector<Crossing> CrossingSearch::left_open() {
  std::vector<Crossing> result;
  for (std::size_t f = 0; f < sides_.size(); ++f)
    if (is_left_open(f)) result.push_back(left_open_at(f));
  return result;
}

double CrossingSearch::largest_term(std::size_t function) const {
  return std::max(sides_[function].recent, largest_size_[function]);
}

/// Beside the largest value in the step; or beside the terms, which the errors of the state are a part of.
bool CrossingSearch::is_near(std::size_t function, std::size_t point, Beside beside) const {
  const double touch = exact_[function] ? 64 * epsilon : touch_;
  const double scale = sides_[function].scale;
  const double size = beside == Beside::terms ? largest_term(function) : scale;
  const Point& at = points_[function][point];
  if (!(std::abs(at.value) <= touch * size)) return false;
  return exact_[function] || !errors_ || std::abs(at.value) <= errors_(function, at.t);
}

bool CrossingSearch::was_never_away(std::size_t function) const {
  return !exact_[function] && sides_[function].ever <= touch_ * largest_term(function);
}

/// It was seen far from zero: one that never is crosses within what counts as a touch.
bool CrossingSearch::goes_far(std::size_t function) const {
  constexpr double far = 100;
  const Side& side = sides_[function];
  return std::max(side.ever, side.scale) > far * touch_ * largest_term(function);
}

/// At an extremum next to zero, between two times: what is known to more than doubles tells there may cross
/// zero twice, or not come to it.
void CrossingSearch::add_touch(std::size_t function, double t, double low, double high, Found& found) const {
  const int side = sides_[function].sign;
  if (exact_[function] && zeros_) {
    if (const auto zeros = zeros_(function, t, low, high, side)) {
      for (std::size_t i = 0; i < zeros->size(); ++i) {
        const int before = i % 2 == 0 ? side : -side;
        found.crossings.push_back({(*zeros)[i], function, before, -before});
      }
      return;
    }
  }
  found.crossings.push_back({t, function, side, side});
}

void CrossingSearch::is_told_up_to(std::size_t function, double t) {
  double& until = sides_[function].known_until;
  until = std::max(until, t);
}

/// What is zero where the run begins crosses there, in the direction in which it leaves.
bool CrossingSearch::take_isolated(std::size_t function, double from, double to, Found& found) {
  Side& side = sides_[function];
  if (!exact_[function] || !all_zeros_ || side.came != 0) return false;
  const std::optional<TimeRoots::Roots> zeros = all_zeros_(function, from, to);
  if (!zeros) return false;
  const double told = side.known_until;
  int sign = zeros->sign;
  for (const TimeRoots::Root& root : zeros->roots) {
    sign = root.after;
    if (root.t <= told) continue;
    const int before = root.t > from ? root.before : -root.after;
    found.crossings.push_back({.t = root.t,
                               .function = function,
                               .before = before,
                               .after = root.after,
                               .several = root.is_several,
                               .isolated = true});
  }
  if (zeros->until < to) found.unresolved = Found::Unresolved{zeros->until, to, function};
  const double scale = side.scale, ever = std::max(side.ever, scale);
  side = {.sign = sign, .scale = scale, .recent = scale, .ever = ever, .known_until = std::max(told, to)};
  return true;
}

/// An extremum next to zero may lie where one search ends and the next begins.
void CrossingSearch::touch_at_begin(std::size_t function, Found& found) {
  Side& side = sides_[function];
  const std::vector<Point>& points = points_[function];
  const bool came_nearer = std::exchange(side.nears, false);
  if (!came_nearer || side.sign == 0 || !side.away || !is_near(function, 0, Beside::terms)) return;
  if (sign(points[0].value) != side.sign || sign(points[1].value) != side.sign) return;
  if (std::abs(points[1].value) <= std::abs(points[0].value)) return;
  const double after = points[1].t - points[0].t;
  add_touch(function, points[0].t, points[0].t - after, points[1].t, found);
  side.away = false;
}

/// At the end of all searches an extremum that numbers cannot tell from zero is a touch.
void CrossingSearch::end_next_to_zero(std::size_t function, Found& found) {
  Side& side = sides_[function];
  const std::size_t last = points_[function].size() - 1;
  if (!side.away || !is_near(function, last, Beside::terms)) return;
  const int power = power_at_end(function);
  if (power < 2 || power % 2 != 0) return;
  found.crossings.push_back({points_[function][last].t, function, side.sign, side.sign});
  side.away = false;
}

std::vector<double> CrossingSearch::memory() const {
  std::vector<double> result;
  for (const Side& side : sides_)
    result.insert(result.end(), {static_cast<double>(side.sign),
                                 side.told ? 1.0 : 0.0,
                                 side.stays ? 1.0 : 0.0,
                                 static_cast<double>(side.heading),
                                 side.scale,
                                 side.rest,
                                 side.carried ? 1.0 : 0.0,
                                 static_cast<double>(side.came),
                                 side.since,
                                 side.away ? 1.0 : 0.0,
                                 side.limit ? 1.0 : 0.0,
                                 side.approach,
                                 side.turns ? 1.0 : 0.0,
                                 side.nears ? 1.0 : 0.0,
                                 side.again ? 1.0 : 0.0,
                                 side.recent,
                                 side.strays,
                                 side.strayed,
                                 side.passes ? 1.0 : 0.0,
                                 side.ever,
                                 side.known_until});
  return result;
}

void CrossingSearch::recall(std::span<const double> memory) {
  constexpr std::size_t numbers = 21;
  if (memory.size() != numbers * sides_.size()) return;
  for (std::size_t f = 0; f < sides_.size(); ++f) {
    const double* of = memory.data() + numbers * f;
    sides_[f] = {.sign = static_cast<int>(of[0]),
                 .told = of[1] != 0,
                 .stays = of[2] != 0,
                 .heading = static_cast<int>(of[3]),
                 .passes = of[18] != 0,
                 .scale = of[4],
                 .recent = of[15],
                 .ever = of[19],
                 .rest = of[5],
                 .carried = of[6] != 0,
                 .came = static_cast<int>(of[7]),
                 .since = of[8],
                 .approach = of[11],
                 .turns = of[12] != 0,
                 .nears = of[13] != 0,
                 .again = of[14] != 0,
                 .limit = of[10] != 0,
                 .strays = of[16],
                 .strayed = of[17],
                 .away = of[9] != 0,
                 .known_until = of[20]};
  }
}

}  // namespace liaison
