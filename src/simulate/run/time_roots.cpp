#include "time_roots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "expr/raw.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int most_derivatives = 6;
constexpr std::size_t longest = 400;  ///< nodes of the function, or of a derivative
constexpr long of_cells = 64;         ///< bits
constexpr long of_signs[] = {128, 320};
constexpr long most_digits = 2048;
constexpr long slack = 48;  ///< bits by which a place is wider than what is computed with

Ball hull(const Ball& low, const Ball& high, long bits) {
  Ball result;
  arb_set_interval_arf(result.raw(), arb_midref(low.raw()), arb_midref(high.raw()), bits);
  return result;
}

Ball exact(double x) {
  Ball result;
  arb_set_d(result.raw(), x);
  return result;
}

int sign_of(const Ball& ball) {
  return ball.is_positive() ? 1 : ball.is_negative() ? -1 : 0;
}

/// low + part*(high - low), rounded to a point.
Ball point_between(const Ball& low, const Ball& high, double part, long bits) {
  Ball result, way;
  arb_sub(way.raw(), high.raw(), low.raw(), bits);
  arb_mul(way.raw(), way.raw(), exact(part).raw(), bits);
  arb_add(result.raw(), low.raw(), way.raw(), bits);
  mag_zero(arb_radref(result.raw()));
  return result;
}

double width_of(const Ball& low, const Ball& high) {
  Ball way;
  arb_sub(way.raw(), high.raw(), low.raw(), 64);
  return way.mid();
}

bool is_before(const Ball& a, const Ball& b) {
  return arf_cmp(arb_midref(a.raw()), arb_midref(b.raw())) < 0;
}

}  // namespace

Expr with_declared_values(Expr function, std::span<const std::pair<Expr, double>> parameters,
                          std::span<const Parameter> declared) {
  Substitution exact;
  for (const auto& [symbol, value] : parameters) {
    const auto own = std::find_if(declared.begin(), declared.end(),
                                  [&](const Parameter& parameter) { return parameter.symbol == symbol; });
    const Expr written = own == declared.end() ? Expr() : own->exact();
    if (written.empty() || !written.is_constant()) continue;
    const DoubleValues rounded = evaluate(std::span(&written, 1), {});
    if (rounded.status == EvaluationStatus::ok && rounded.values[0] == value) exact.emplace(symbol, written);
  }
  return exact.empty() ? function : substitute(function, exact);
}

RationalPoint shortest_decimals(std::span<const std::pair<Expr, double>> parameters) {
  RationalPoint result;
  for (const auto& [symbol, value] : parameters)
    result.emplace(symbol, Rational::parse(fmt::format("{}", value)).value_or(Rational::from_double(value)));
  return result;
}

struct TimeRoots::Search {
  double from, to;
  Roots result;
  int side = 0;           ///< where it has come to
  std::size_t small = 0;  ///< cells that are no longer halved
};

TimeRoots::TimeRoots(Expr function, Expr time, const RationalPoint& values) {
  if (postorder(function).size() > longest) return;
  derivatives_.emplace_back(function, time, values);
  for (int k = 0; k < most_derivatives; ++k) {
    function = derivative(function, time);
    if (function.is_zero() || postorder(function).size() > longest) break;
    derivatives_.emplace_back(function, time, values);
  }
}

const Ball* TimeRoots::value(int order, const Ball& at, long bits) {
  if (order >= static_cast<int>(derivatives_.size())) return nullptr;
  return derivatives_[static_cast<std::size_t>(order)](at, bits);
}

/// To 2^-bits of the length, by Newton's method for intervals, and by halves where that does not help.
bool TimeRoots::narrow(Place& place, long bits) {
  constexpr int most_rounds = 600;
  if (place.order < 0) return true;
  const double wanted = std::ldexp(length_, -static_cast<int>(bits));
  long digits = bits + slack;
  for (int round = 0; round < most_rounds; ++round) {
    const double width = width_of(place.low, place.high);
    if (width <= wanted) return true;
    const double part = round % 2 == 0 ? 0.5 : 0.37;  // a zero is not hit twice
    const Ball middle = point_between(place.low, place.high, part, digits);
    const Ball* there = value(place.order, middle, digits);
    if (!there) return false;
    const Ball* slope = value(place.order + 1, hull(place.low, place.high, digits), digits);
    if (slope && !slope->contains_zero()) {
      Ball zero, low, high;
      arb_div(zero.raw(), there->raw(), slope->raw(), digits);
      arb_sub(zero.raw(), middle.raw(), zero.raw(), digits);
      arb_get_interval_arf(arb_midref(low.raw()), arb_midref(high.raw()), zero.raw(), digits);
      if (is_before(place.low, low)) place.low = low;
      if (is_before(high, place.high)) place.high = high;
      if (is_before(place.high, place.low)) return false;
      if (width_of(place.low, place.high) <= width / 4) continue;
    }
    const int side = sign_of(*there);
    if (side == 0 && width_of(place.low, place.high) > 0.9 * width && round % 2 == 1) digits *= 2;
    if (digits > most_digits) return false;
    if (side == 0 || !is_before(place.low, middle) || !is_before(middle, place.high)) continue;
    (side == place.below ? place.low : place.high) = middle;
  }
  return false;
}

/// The sign of a derivative at a place; 0: zero to many digits. Over a small place it leaves the value in the
/// middle by what the next one allows, which is next to nothing where that one is zero.
std::optional<int> TimeRoots::sign_at(int order, Place& place) {
  for (const long bits : of_signs) {
    if (!narrow(place, bits - slack)) return {};
    const Ball middle = place.order < 0 ? place.low : point_between(place.low, place.high, 0.5, bits);
    const Ball* there = value(order, middle, bits);
    if (!there) return {};
    Ball range = *there;
    if (place.order >= 0) {
      const Ball all = hull(place.low, place.high, bits);
      if (const Ball* slope = value(order + 1, all, bits)) {
        Ball away;
        arb_sub(away.raw(), all.raw(), middle.raw(), bits);
        arb_addmul(range.raw(), slope->raw(), away.raw(), bits);
      } else {
        there = value(order, all, bits);
        if (!there) return {};
        range = *there;
      }
    }
    if (const int side = sign_of(range)) return side;
  }
  return 0;
}

/// Of a derivative that is monotone between places that follow each other.
std::optional<std::vector<TimeRoots::Zero>> TimeRoots::zeros_between(int order, std::vector<Place>& places) {
  std::vector<int> signs;
  for (Place& place : places) {
    const std::optional<int> side = sign_at(order, place);
    if (!side) return {};
    signs.push_back(*side);
  }
  if (signs.front() == 0 || signs.back() == 0) return {};
  std::vector<Zero> result;
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (signs[i] == 0) {
      if (signs[i - 1] == 0 || signs[i + 1] == 0) return {};
      result.push_back({places[i], signs[i - 1], signs[i + 1]});
    } else if (signs[i - 1] * signs[i] < 0) {
      result.push_back({{places[i - 1].high, places[i].low, order, signs[i - 1]}, signs[i - 1], signs[i]});
    }
  }
  return result;
}

/// Of the function, where its derivative of an order has none.
std::optional<std::vector<TimeRoots::Zero>> TimeRoots::zeros_below(int order, Place low, Place high) {
  std::vector<Zero> zeros;
  while (order-- > 0) {
    std::vector<Place> places{low};
    for (Zero& zero : zeros) places.push_back(std::move(zero.place));
    places.push_back(high);
    auto next = zeros_between(order, places);
    if (!next) return {};
    zeros = std::move(*next);
  }
  return zeros;
}

/// The order of the first derivative that has no zero in a cell, where all lower ones are continuous; the
/// function itself is of order 0. A range is bounded by the value in the middle and the rate, too.
std::optional<int> TimeRoots::lowest_without_zero(const Ball& cell) {
  std::vector<Ball> ranges;
  for (int order = 0; order < static_cast<int>(derivatives_.size()); ++order) {
    const Ball* range = value(order, cell, of_cells);
    if (!range) break;
    if (!range->contains_zero()) return order;
    ranges.push_back(*range);
  }
  Ball middle = cell, away;
  mag_zero(arb_radref(middle.raw()));
  arb_sub(away.raw(), cell.raw(), middle.raw(), of_cells);
  std::optional<int> result;
  for (std::size_t order = ranges.empty() ? 0 : ranges.size() - 1; order-- > 0;) {
    const Ball* there = value(static_cast<int>(order), middle, of_cells);
    if (!there) return {};
    Ball range = *there;
    arb_addmul(range.raw(), ranges[order + 1].raw(), away.raw(), of_cells);
    if (!range.contains_zero()) result = static_cast<int>(order);
    if (mag_cmp(arb_radref(range.raw()), arb_radref(ranges[order].raw())) < 0) ranges[order] = range;
  }
  return result;
}

/// Zeros as doubles: what two steps have in common is at one double, the same for both.
bool TimeRoots::take(Search& search, std::vector<Zero> zeros) const {
  for (Zero& zero : zeros) {
    const Ball all = hull(zero.place.low, zero.place.high, of_signs[0]);
    double t = point_between(zero.place.low, zero.place.high, 0.5, of_signs[0]).mid();
    for (const double known : {0.0, search.from, search.to})
      if (arb_contains(all.raw(), exact(known).raw())) t = known;
    std::vector<Root>& roots = search.result.roots;
    if (search.side != zero.before) return false;
    search.side = zero.after;
    if (!roots.empty() && roots.back().t == t) {
      roots.back().after = zero.after;
      roots.back().is_several = true;
    } else {
      roots.push_back({.t = t, .before = zero.before, .after = zero.after});
    }
  }
  return true;
}

/// Towards a cell, from both sides: 1 where it grows, -1 where it falls, 0 neither, or not known.
int TimeRoots::trend(const Ball& low, const Ball& high) {
  constexpr double nearer[] = {1e6, 1e3, 0};  // times the width of the cell
  const double width = width_of(low, high);
  double before[2] = {0, 0};
  int result = 0;
  for (const double away : nearer) {
    for (const bool is_above : {false, true}) {
      Ball at = is_above ? high : low;
      const Ball way = exact((is_above ? away : -away) * width);
      arb_add(at.raw(), at.raw(), way.raw(), of_signs[1]);
      const Ball* there = value(0, at, of_signs[1]);
      if (!there) return 0;
      const double size = std::abs(there->mid()), last = before[is_above];
      before[is_above] = size;
      if (away == nearer[0]) continue;
      const int now = size > 2 * last ? 1 : 2 * size < last ? -1 : 0;
      if (now == 0 || (result != 0 && now != result)) return 0;
      result = now;
    }
  }
  return result;
}

/// A cell as small as doubles are apart: a zero of high order, a corner at zero, a pole, or where it has no
/// value; it jumps over zero at none of these.
bool TimeRoots::take_small(Search& search, const Ball& low, const Ball& high) {
  constexpr std::size_t most = 4096;
  Place below{.low = low, .high = low}, above{.low = high, .high = high};
  const auto before = sign_at(0, below), after = sign_at(0, above);
  if (!before || !after || *before * *after == 0 || ++search.small > most) return false;
  const int way = trend(low, high);
  if (way < 0 && value(0, hull(low, high, of_cells), of_cells))
    return take(search, {{{low, high}, *before, *after}});
  search.side = *after;
  return *before == *after || way > 0;
}

std::optional<TimeRoots::Roots> TimeRoots::find(double from, double to) {
  constexpr std::size_t most_work = 5'000'000, most_for_a_zero = 100;
  constexpr double part = 0.48713;  // a cell ends at no zero, if it can be helped
  const double size = std::max({std::abs(from), std::abs(to), std::numeric_limits<double>::min()});
  const double beyond = 16 * epsilon * size, smallest = epsilon / 4 * size;
  length_ = size;
  Search search{from, to, {.roots = {}, .sign = 0, .until = to}};
  // A little beyond, so that zeros at the ends are within; where there is no value, not.
  const auto end_of = [&](double inner, double outer) -> std::optional<Ball> {
    for (const double t : {outer, inner}) {
      Place place{.low = exact(t), .high = exact(t)};
      const auto side = sign_at(0, place);
      if (!side || *side == 0) continue;
      if (inner == from) search.side = search.result.sign = *side;
      return place.low;
    }
    return {};
  };
  const auto last = end_of(to, to + 1.37 * beyond), first = end_of(from, from - 1.37 * beyond);
  if (!first || !last) return {};
  struct Cell {
    Ball low, high;
  };
  std::vector<Cell> open{{*first, *last}};
  std::size_t work = 1;  // of a cell
  for (const BallFunction& one : derivatives_) work += one.size();
  const std::size_t most_cells = most_work / work;
  for (std::size_t count = 1; !open.empty(); ++count) {
    const Cell cell = std::move(open.back());
    open.pop_back();
    if (count > most_cells) {
      if (count > most_for_a_zero * search.result.roots.size()) return {};
      search.result.until = cell.low.mid();
      break;
    }
    if (const std::optional<int> order = lowest_without_zero(hull(cell.low, cell.high, of_cells))) {
      auto zeros =
          zeros_below(*order, {.low = cell.low, .high = cell.low}, {.low = cell.high, .high = cell.high});
      if (!zeros) return {};
      for (Zero& zero : *zeros)
        if (!narrow(zero.place, of_signs[0] - slack)) return {};
      if (!take(search, std::move(*zeros))) return {};
    } else if (width_of(cell.low, cell.high) > smallest) {
      const Ball middle = point_between(cell.low, cell.high, part, of_cells);
      open.push_back({middle, cell.high});
      open.push_back({cell.low, middle});
    } else if (!take_small(search, cell.low, cell.high)) {
      return {};
    }
  }
  return search.result;
}

std::optional<TimeRoots::Roots> TimeRoots::in(double from, double to, double end) {
  const bool goes_on = known_ && from >= known_->from && from <= known_->to;
  if (derivatives_.empty()) return {};
  if (!goes_on) ahead_ = 1;
  if (!goes_on || to > known_->to) {
    constexpr double most_ahead = 64;
    const double far = std::min(end, from + ahead_ * (to - from));
    std::optional<Roots> found = far > to ? find(from, far) : std::nullopt;
    double up_to = far;
    if (found && found->until >= far) {
      ahead_ = std::min(2 * ahead_, most_ahead);
    } else {
      ahead_ = far > to ? 1 : 2;
      found = find(from, to);
      up_to = to;
    }
    known_.reset();
    if (!found) return {};
    known_ = {from, up_to, std::move(*found)};
  }
  const auto inside = [&](const Root& root) { return root.t >= from && root.t <= to; };
  Roots result{.roots = {}, .sign = known_->roots.sign, .until = std::min(to, known_->roots.until)};
  for (const Root& root : known_->roots.roots) {
    if (root.t < from) result.sign = root.after;
    if (inside(root)) result.roots.push_back(root);
  }
  return result;
}

}  // namespace liaison
