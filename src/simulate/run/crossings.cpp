#include "crossings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "chebyshev.hpp"

namespace liaison {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr std::size_t degrees[] = {8, 16, 32};
/// Where a polynomial is compared with its function, on [-1, 1]: no points of Clenshaw and Curtis.
constexpr double judges[] = {-0.8713, -0.3371, 0.1537, 0.6891, 0.9631};
constexpr double converged = 1e-10;  ///< relative to the largest value on the part
constexpr std::size_t most_parts = 20000;
constexpr double short_step = 1e-9;      ///< of the time
constexpr double narrowest_part = 1e-8;  ///< of a step: there the samples themselves are the points

int sign(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

/// Zero where it is rounding.
double cleaned(double value, double size) {
  return std::abs(value) <= 4 * epsilon * size ? 0 : value;
}

/// Whether a function is so small over several neighbouring samples that a polynomial, which is as good as
/// the largest of them, says little of it there: as a product of many factors between its zeros.
bool hides_a_part(std::span<const double> values, double largest, double rounding) {
  constexpr double small = 1e-4;
  constexpr int fewest = 3;
  int run = 0;
  double in_run = 0;
  for (const double value : values) {
    run = std::abs(value) < small * largest ? run + 1 : 0;
    in_run = run == 0 ? 0 : std::max(in_run, std::abs(value));
    if (run >= fewest && in_run > rounding) return true;
  }
  return false;
}

double place(double low, double high, double x) {
  if (x <= -1) return low;
  if (x >= 1) return high;
  return low + (high - low) * (1 + x) / 2;
}

}  // namespace

CrossingSearch::CrossingSearch(std::size_t functions, double touch)
    : touch_(touch),
      sides_(functions),
      shallow_(functions, false),
      poles_(functions, false),
      exact_(functions, false),
      now_(functions),
      sizes_(functions),
      largest_size_(functions),
      points_(functions) {}

void CrossingSearch::begin(std::span<const double> values, std::span<const double> sizes) {
  for (std::size_t f = 0; f < sides_.size(); ++f) {
    sides_[f].sign = sign(cleaned(values[f], sizes[f]));
    sides_[f].told = sides_[f].stays = sides_[f].carried = false;
    sides_[f].scale = sides_[f].recent = std::abs(values[f]);
    sides_[f].rest = -1;
    sides_[f].came = 0;
    sides_[f].limit = sides_[f].nears = false;
    sides_[f].strays = sides_[f].strayed = 0;
    sides_[f].away = true;
    sides_[f].known_until = -std::numeric_limits<double>::max();
  }
}

void CrossingSearch::passes_zero(std::size_t function, int heading, double value) {
  at_zero(function, heading);
  sides_[function].passes = true;
  sides_[function].rest = std::max(std::abs(value), 8 * epsilon * sides_[function].ever);
}

void CrossingSearch::at_zero(std::size_t function, int heading) {
  sides_[function].sign = 0;
  sides_[function].told = true;
  sides_[function].stays = false;
  sides_[function].heading = heading;
  sides_[function].passes = false;
  sides_[function].rest = -1;
  sides_[function].came = 0;
  sides_[function].limit = sides_[function].turns = sides_[function].nears = false;
  sides_[function].again = false;
  sides_[function].strays = sides_[function].strayed = 0;
  sides_[function].away = false;
  sides_[function].approach = 0;
}

void CrossingSearch::comes_to_limit(std::size_t function, int side, double t) {
  sides_[function].sign = side;
  come_to_zero(function, t);
  sides_[function].limit = true;
}

/// From the side on which it is; where it goes from there the next search tells.
void CrossingSearch::come_to_zero(std::size_t function, double t) {
  const int from = sides_[function].sign;
  at_zero(function);
  sides_[function].told = false;
  sides_[function].came = from;
  sides_[function].since = t;
}

bool CrossingSearch::sample(double t) {
  if (!(*values_)(t, now_.data(), sizes_.data())) return false;
  for (std::size_t f = 0; f < now_.size(); ++f) {
    now_[f] = cleaned(now_[f], sizes_[f]);
    largest_size_[f] = std::max(largest_size_[f], sizes_[f]);
  }
  return true;
}

/// Samples a part, settles the functions that a polynomial follows there and leaves the others to its halves.
bool CrossingSearch::follow(const Part& part, std::vector<Part>& open, Found& found) {
  const std::size_t count = sides_.size();
  const auto at = [&](double x) { return place(part.low, part.high, x); };
  const auto no_value = [&](double t) {
    found.known = false;
    found.unknown_at = t;
    return false;
  };
  std::vector<double> sizes(count), judged(std::size(judges) * count);
  for (std::size_t j = 0; j < std::size(judges); ++j) {
    if (!sample(at(judges[j]))) return no_value(at(judges[j]));
    std::copy(now_.begin(), now_.end(), judged.begin() + static_cast<std::ptrdiff_t>(j * count));
    for (std::size_t f = 0; f < count; ++f) sizes[f] = std::max(sizes[f], sizes_[f]);
  }
  const bool narrow = part.high - part.low <= narrowest_ || ++parts_ > most_parts;
  std::vector<std::size_t> left = part.functions, halved;
  std::vector<std::vector<double>> samples;  // one a point
  for (const std::size_t degree : degrees) {
    const std::vector<double> points = chebyshev_points(degree);
    std::vector<std::vector<double>> refined(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!samples.empty() && i % 2 == 0) {
        refined[i] = std::move(samples[i / 2]);
        continue;
      }
      if (!sample(at(points[i]))) return no_value(at(points[i]));
      refined[i] = now_;
      for (std::size_t f = 0; f < count; ++f) sizes[f] = std::max(sizes[f], sizes_[f]);
    }
    samples = std::move(refined);
    std::vector<std::size_t> unsettled;
    for (const std::size_t f : left) {
      std::vector<double> values(samples.size());
      double largest = 0;
      for (std::size_t i = 0; i < samples.size(); ++i) {
        values[i] = samples[i][f];
        largest = std::max(largest, std::abs(values[i]));
      }
      sides_[f].scale = std::max(sides_[f].scale, largest);
      ChebyshevSeries series = ChebyshevSeries::through(values);
      double error = series.tail();
      for (std::size_t j = 0; j < std::size(judges); ++j)
        error = std::max(error, std::abs(series(judges[j]) - judged[j * count + f]));
      const double rounding = 64 * epsilon * std::max(sizes[f], largest) + sides_[f].strayed +
                              sides_[f].strays * (part.high - points_[f].front().t);
      const bool apart = std::abs(series.mean()) > series.size_of_the_rest() + 8 * error + rounding;
      const bool followed = error <= converged * largest + rounding;
      if (!apart && !followed) {
        unsettled.push_back(f);
        continue;
      }
      if (followed && !apart && !narrow && hides_a_part(values, largest, rounding)) {
        halved.push_back(f);
        continue;
      }
      if (followed && !apart) {
        series.trim(rounding / 16);
        if (!add_extrema(part, f, series, rounding)) return no_value(part.low);
      }
      points_[f].push_back({part.high, samples.front()[f]});
    }
    left = std::move(unsettled);
    if (left.empty()) break;
  }
  left.insert(left.end(), halved.begin(), halved.end());
  if (left.empty()) return true;
  if (!narrow) {
    const double middle = part.low + (part.high - part.low) / 2;
    open.push_back({middle, part.high, left});
    open.push_back({part.low, middle, left});
    return true;
  }
  for (const std::size_t f : left) {
    std::size_t turns = 0;
    for (std::size_t i = samples.size() - 1; i-- > 0;) {
      const double t = at(chebyshev_points(samples.size() - 1)[i]);
      turns += sign(samples[i][f]) * sign(samples[i + 1][f]) < 0 ? 1 : 0;
      points_[f].push_back({t, samples[i][f]});
    }
    // Next to the beginning rounding of the time alone turns what leaves zero slowly.
    const double begin = points_[f].front().t;
    const bool is_told = part.low - begin > 1024 * epsilon * std::abs(begin);
    if ((turns > 2 && is_told) || parts_ > most_parts)
      found.unresolved = Found::Unresolved{part.low, part.high, f};
  }
  return true;
}

bool CrossingSearch::add_extrema(const Part& part, std::size_t function, const ChebyshevSeries& series,
                                 double rounding) {
  constexpr double near_zero = 0.01;
  for (const double x : series.derivative().sign_changes()) {
    const double t = place(part.low, part.high, x);
    if (!(t > part.low && t < part.high)) continue;
    double value = series(x);
    if (std::abs(value) <= std::max(near_zero * series.size(), rounding)) {
      if (!sample(t)) return false;
      value = now_[function];
    }
    points_[function].push_back({t, value});
  }
  return true;
}

CrossingSearch::Found CrossingSearch::between(double from, double to, const Values& values,
                                              std::span<const double> breaks, End end) {
  Found found;
  if (empty() || !(to > from)) return found;
  values_ = &values;
  end_ = end;
  parts_ = 0;
  std::fill(largest_size_.begin(), largest_size_.end(), 0.0);
  narrowest_ = std::max(narrowest_part * (to - from), 16 * epsilon * std::max(std::abs(from), std::abs(to)));
  if (!sample(from)) {
    found.known = false;
    found.unknown_at = from;
    return found;
  }
  std::vector<std::size_t> all;
  for (std::size_t f = 0; f < sides_.size(); ++f) {
    points_[f].assign(1, {from, now_[f]});
    sides_[f].scale = std::abs(now_[f]);
    if (!take_isolated(f, from, to, found)) all.push_back(f);
  }
  std::vector<Part> open;
  std::vector<double> ends;
  for (const double t : breaks) {
    if (t > from && t < to) ends.push_back(t);
  }
  ends.push_back(to);
  for (std::size_t i = ends.size(); i-- > 0;) open.push_back({i == 0 ? from : ends[i - 1], ends[i], all});
  while (!open.empty() && !all.empty()) {
    const Part part = std::move(open.back());
    open.pop_back();
    if (!follow(part, open, found)) return found;
  }
  constexpr double fades = 0.95;
  for (const std::size_t f : all) {
    sides_[f].recent = std::max(sides_[f].scale, fades * sides_[f].recent);
    sides_[f].ever = std::max(sides_[f].ever, sides_[f].scale);
    scan(f, found);
  }
  std::stable_sort(found.crossings.begin(), found.crossings.end(),
                   [](const Crossing& a, const Crossing& b) { return a.t < b.t; });
  return found;
}

/// Whether a value is far above what rounding leaves of a zero, also where the function leaves it with a
/// power of the time up to the tenth. The state was rounded where the function was large, too.
bool CrossingSearch::is_more_than_rounding(std::size_t function, double t) {
  if (!sample(t)) return false;
  const double size = std::max(sizes_[function], sides_[function].recent);
  return std::abs(now_[function]) > 4096 * epsilon * size && now_[function] != 0;
}

/// Whether next to a time up to which it is zero it is far from it within the same length: so it does not
/// leave zero slowly from where it seems to rest. It may be zero at one place again.
bool CrossingSearch::leaves_far(std::size_t function, double from, double length) {
  const double begin = points_[function].front().t, end = points_[function].back().t;
  for (const double part : {1.0, 0.7, 0.4})
    if (is_more_than_rounding(function, std::clamp(from + part * length, begin, end))) return true;
  return false;
}

/// Where a function that is zero at one time and not at another begins or ceases to be zero.
double CrossingSearch::edge(std::size_t function, double zero, double other) {
  while (true) {
    const double middle = zero + (other - zero) / 2;
    if (middle == zero || middle == other || !sample(middle)) return zero;
    (now_[function] == 0 ? zero : other) = middle;
  }
}

/// A function that leaves zero slowly, monotone up to a point that is away from it: the last time at which
/// it cannot be told from zero; the beginning where it leaves at once.
double CrossingSearch::last_at_limit(std::size_t function, const Point& away) {
  constexpr double at_once = 1e-9;  // of the way to that point
  const double first = points_[function].front().t;
  double low = first, high = away.t;
  const auto is_told = [&](double t) {
    return !sample(t) || std::abs(now_[function]) > 64 * epsilon * sizes_[function];
  };
  if (is_told(first)) return first;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (is_told(middle) ? high : low) = middle;
  }
  return low - first > at_once * (away.t - first) ? low : first;
}

/// The last of the points that are zero from a point on.
std::size_t CrossingSearch::end_of_zeros(std::size_t function, std::size_t from) const {
  const std::vector<Point>& points = points_[function];
  while (from + 1 < points.size() && points[from + 1].value == 0) ++from;
  return from;
}

/// The largest value in a step to one side of zero.
double CrossingSearch::farthest_towards(std::size_t function, int side) const {
  double farthest = 0;
  for (const Point& point : points_[function]) farthest = std::max(farthest, side * point.value);
  return farthest;
}

/// From zero: the first point that is away from it tells to which side, for up to there it is monotone.
/// Returns that point's place, or the number of points where there is none.
std::size_t CrossingSearch::leave_zero(std::size_t function, Found& found) {
  Side& side = sides_[function];
  const std::vector<Point>& points = points_[function];
  const double first = points.front().t, length = points.back().t - first;
  if (side.rest < 0) side.rest = std::abs(points[0].value);
  const std::size_t last_zero = points[0].value == 0 ? end_of_zeros(function, 0) : 0;
  if (last_zero + 1 == points.size() && !side.limit) {
    // What came slowly leaves slowly: it stays where it is zero for longer than that.
    if (side.came != 0 && points.back().t - side.since <= side.approach) return points.size();
    // Nor does a step tell that is so short that what leaves zero is zero by rounding.
    if (side.told && length <= short_step * std::abs(first)) return points.size();
    side.stays = true;
    if (side.came != 0) found.crossings.push_back({side.since, function, side.came, 0});
    side.told = side.told || side.came != 0;
    side.came = 0;
  }
  double leaves = first;
  // A point where it leaves is away from zero by rounding: in the middle between the two it tells.
  const bool rests = last_zero > 0 || (points[0].value == 0 && points.size() > 1 &&
                                       sample(first + (points[1].t - first) / 2) && now_[function] == 0);
  if (rests && last_zero + 1 < points.size() && !side.limit) {
    const double end = edge(function, points[last_zero].t, points[last_zero + 1].t);
    const double stay = end - (side.came != 0 ? side.since : first);
    if (side.stays || (stay > side.approach && leaves_far(function, end, stay))) {
      leaves = end;
      side.stays = true;
    }
  }
  for (std::size_t i = 1; i < points.size(); ++i) {
    // Where it left zero is known to rounding of the time.
    if (points[i].t - first <= 64 * epsilon * std::abs(first) && i + 1 < points.size()) continue;
    // What rounding does is of the size of the terms there; what the method does grows from where it begins.
    if (!sample(points[i].t)) continue;
    const double rounding = 64 * epsilon * sizes_[function];
    const double noise = (side.limit && side.rest <= rounding ? 0 : 8 * side.rest) + rounding + side.strayed +
                         side.strays * (points[i].t - first) +
                         1e-15 * side.scale * (points[i].t - first) / length;
    if (std::abs(points[i].value) <= noise) continue;
    // On its way to one side it may begin on the other by what the state at the beginning is uncertain.
    const bool strays = side.heading * sign(points[i].value) < 0 &&
                        std::abs(points[i].value) <= 1e-9 * farthest_towards(function, side.heading);
    if (strays) continue;
    side.sign = sign(points[i].value);
    if (side.came != 0 && side.again && side.sign == side.came && !side.stays) {
      side.told = true;  // it was told when it came next to zero
    } else if (side.came != 0) {
      const double t = side.limit ? last_at_limit(function, points[i]) : side.since;
      found.crossings.push_back({.t = t,
                                 .function = function,
                                 .before = side.came,
                                 .after = side.stays ? 0 : side.sign,
                                 .near = side.again});
      side.told = true;
    }
    if (side.stays || !side.told)
      found.crossings.push_back({leaves, function, side.stays ? 0 : -side.sign, side.sign});
    side.came = 0;
    side.limit = false;
    if (side.heading * side.sign < 0 && !side.passes) found.again = function;
    side.told = side.stays = false;
    side.strays = side.strayed = 0;
    side.heading = 0;
    return i;
  }
  side.strayed += side.strays * length;
  return points.size();
}

/// Whether a function that is zero from a point on stays there for a while, and when it came to zero: that is
/// told, and when it leaves.
bool CrossingSearch::come_to_stay(std::size_t function, std::size_t from, Found& found) {
  Side& side = sides_[function];
  const std::vector<Point>& points = points_[function];
  const std::size_t last = end_of_zeros(function, from);
  if (last == from || from == 0 || points[from - 1].value == 0) return false;
  const double comes = edge(function, points[from].t, points[from - 1].t);
  const double stay = points[last].t - comes;
  if (!leaves_far(function, comes, -stay)) return false;
  const int before = side.sign;
  if (last + 1 == points.size()) {
    found.crossings.push_back({comes, function, before, 0});
    at_zero(function);
    side.stays = true;
    return true;
  }
  const double leaves = edge(function, points[last].t, points[last + 1].t);
  if (!leaves_far(function, leaves, stay)) return false;
  const int after = sign(points[last + 1].value);
  found.crossings.push_back({comes, function, before, 0});
  found.crossings.push_back({leaves, function, 0, after});
  side.sign = after;
  return true;
}

/// Between two steps a function goes on, but for what a method leaves of constraints, unless the equations or
/// the state jumped there.
void CrossingSearch::jump_at_begin(std::size_t function, Found& found) {
  constexpr double of_a_method = 1e-6;
  Side& side = sides_[function];
  const Point first = points_[function].front();
  const bool jumps = side.carried || std::abs(first.value) > of_a_method * side.scale;
  side.carried = false;
  if (side.sign != 0 && first.value == 0 && points_[function][1].value == 0)
    return come_to_zero(function, first.t);  // to stay there for a while
  if (!jumps || side.sign == 0 || sign(first.value) != -side.sign) return;
  found.crossings.push_back({first.t, function, side.sign, -side.sign, true});
  side.sign = -side.sign;
  side.away = false;
}

/// Over points that are zero, where it does not stay: in their middle it crosses or touches. Returns the last
/// of them.
std::size_t CrossingSearch::pass_zeros(std::size_t function, std::size_t from, Found& found) {
  Side& side = sides_[function];
  const std::vector<Point>& points = points_[function];
  const std::size_t last = end_of_zeros(function, from);
  const double begin = edge(function, points[from].t, points[from - 1].t);
  const double end = edge(function, points[last].t, points[last + 1].t);
  const int after = sign(points[last + 1].value);
  if (after != side.sign || side.away)
    found.crossings.push_back({.t = begin + (end - begin) / 2,
                               .function = function,
                               .before = side.sign,
                               .after = after,
                               .near = !side.away});
  side.sign = after;
  side.away = false;
  return last;
}

void CrossingSearch::scan(std::size_t function, Found& found) {
  Side& side = sides_[function];
  const std::vector<Point>& points = points_[function];
  std::size_t i = 1;
  jump_at_begin(function, found);
  touch_at_begin(function, found);
  if (side.sign == 0) i = leave_zero(function, found) + 1;
  if (end_ == End::last && is_left_open(function)) found.crossings.push_back(left_open_at(function));
  for (; i < points.size(); ++i) {
    const int before = side.sign, now = sign(points[i].value);
    const bool last = i + 1 == points.size();
    if (last && before != 0 && is_zero_at_end(function)) {
      end_at_zero(function);
      if (end_ == End::last && is_left_open(function)) found.crossings.push_back(left_open_at(function));
      continue;
    }
    const bool was_away = side.away;
    const int next = last ? 0 : sign(points[i + 1].value);
    if (now == before) {
      const double size = std::abs(points[i].value);
      const bool nears = size < std::abs(points[i - 1].value);
      if (last && nears && end_ == End::last) end_next_to_zero(function, found);
      side.nears = last && size <= std::abs(points[i - 1].value);
      side.away = side.away || !is_near(function, i, Beside::terms);
      const bool told_at_end = i + 2 == points.size() && is_zero_at_end(function);
      if (!last && next == before && is_near(function, i, Beside::terms) && was_away && nears &&
          !told_at_end && size <= std::abs(points[i + 1].value)) {
        add_touch(function, points[i].t, points[i - 1].t, points[i + 1].t, found);
        side.away = false;
      }
      continue;
    }
    side.away = was_away || !is_near(function, i, Beside::terms);
    const bool is_beyond =
        shallow_[function] && std::abs(points[i].value) > 64 * epsilon * largest_term(function);
    const bool is_none =
        is_near(function, i, Beside::values) || (goes_far(function) && is_near(function, i, Beside::terms));
    const bool is_told = exact_[function] && zeros_;  // to more digits than these
    if (!last && next == before && is_none &&
        (!is_beyond || is_told)) {  // two crossings that numbers cannot tell from none
      if (was_away) add_touch(function, points[i].t, points[i - 1].t, points[i + 1].t, found);
      side.away = false;
      continue;
    }
    if (now == 0) {
      const std::size_t end = end_of_zeros(function, i);
      if (next == 0 && come_to_stay(function, i, found)) {
        i = end;
      } else if (end + 1 < points.size()) {
        i = pass_zeros(function, i, found);
      }
      continue;
    }
    // From the last point that was on the other side.
    std::size_t from = i - 1;
    while (from > 0 && sign(points[from].value) != before) --from;
    Point low = points[from];
    if (sign(low.value) != before) low = points[i - 1];
    Crossing crossing{.function = function, .before = before, .after = now};
    crossing.t = refine(low, points[i], crossing);
    crossing.pole = is_pole(crossing);
    crossing.near = !was_away;
    found.crossings.push_back(crossing);
    side.sign = now;
    side.away = !is_near(function, i, Beside::terms);
  }
}

/// Regula falsi after Illinois with halvings, to the resolution of the time. It jumps if next to there it is
/// not small beside what it is in the whole step.
double CrossingSearch::refine(Point low, Point high, Crossing& crossing) {
  constexpr double small = 1e-6;
  const std::size_t function = crossing.function;
  crossing.jumps = sign(low.value) * sign(high.value) > 0;
  if (sign(low.value) * sign(high.value) >= 0) return low.t;
  const double resolution =
      2 * epsilon * std::max({std::abs(low.t), std::abs(high.t), std::numeric_limits<double>::min()});
  const bool may_tell = resolution <= small * small * (points_[function].back().t - points_[function][0].t);
  Point best = std::abs(low.value) < std::abs(high.value) ? low : high;
  for (int round = 0; round < 300 && high.t - low.t > resolution; ++round) {
    double t = high.t - high.value * (high.t - low.t) / (high.value - low.value);
    if (!(t > low.t && t < high.t) || round % 4 == 3) t = low.t + (high.t - low.t) / 2;
    if (t <= low.t || t >= high.t || !sample(t)) break;
    const double value = now_[function];
    if (std::abs(value) < std::abs(best.value)) best = {t, value};
    if (value == 0) break;
    if (sign(value) == sign(low.value)) {
      low = {t, value};
      high.value /= 2;
    } else {
      high = {t, value};
      low.value /= 2;
    }
  }
  crossing.jumps = may_tell && std::abs(best.value) > small * sides_[function].scale;
  return crossing.jumps ? high.t : best.t;
}

/// On both sides it grows towards there, over four scales. What decides how the motion goes on is asked there
/// nevertheless, unless it is known to have poles.
bool CrossingSearch::is_pole(const Crossing& crossing) {
  constexpr double part = 1e-6, further = 4, larger = 1.5;
  constexpr int scales = 4;
  if (shallow_[crossing.function] && !poles_[crossing.function]) return false;
  const double begin = points_[crossing.function][0].t, end = points_[crossing.function].back().t;
  const double whole = 2 * std::pow(further, scales);
  const double nearest =
      std::min({part * (end - begin), (crossing.t - begin) / whole, (end - crossing.t) / whole});
  if (!(nearest > 64 * epsilon * std::max(std::abs(begin), std::abs(end)))) return false;
  for (const double side : {-1.0, 1.0}) {
    double before = INFINITY, distance = nearest;
    for (int scale = 0; scale <= scales; ++scale, distance *= further) {
      if (!sample(crossing.t + side * distance)) return false;
      const double size = std::abs(now_[crossing.function]);
      if (!(before >= larger * size)) return false;
      before = size;
    }
  }
  return true;
}

}  // namespace liaison
