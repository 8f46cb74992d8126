#include "box_search.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "expr/raw.hpp"

namespace liaison {

namespace {

constexpr long bits = 64;
constexpr int most_boxes = 2'500;
constexpr std::size_t most_places = 64;
constexpr double farthest = 1e6;  // beside the largest size of the values
constexpr double smallest = 1e-5;

struct Box {
  std::vector<double> middle, radius;

  /// Beside the place: far boxes may be wide.
  double width(std::size_t i, double size) const { return radius[i] / std::max(size, std::abs(middle[i])); }
  std::size_t widest(double size) const {
    std::size_t result = 0;
    for (std::size_t i = 1; i < radius.size(); ++i) {
      if (width(i, size) > width(result, size)) result = i;
    }
    return result;
  }
};

}  // namespace

BoxSearch places_of_zeros(std::span<const Expr> equations, std::span<const Expr> unknowns,
                          const BallPoint& given, SizeRange sizes) {
  BoxSearch result;
  const double size = sizes.smallest;
  result.reach = farthest * sizes.largest;
  BallPoint point = given;
  const auto may_vanish = [&](const Box& box) {
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      Ball ball(Rational::from_double(box.middle[i]), bits);
      mag_set_d(arb_radref(ball.raw()), box.radius[i]);
      point.insert_or_assign(unknowns[i], std::move(ball));
    }
    for (Expr equation : equations) {
      const BallValues found = evaluate_balls(std::span(&equation, 1), point, bits);
      if (found.status == EvaluationStatus::outside_domain)
        return false;                                      // it has no value in all of the box
      if (found.status != EvaluationStatus::ok) continue;  // it may have none in a part of it
      if (!found.values[0].contains_zero()) return false;
    }
    return true;
  };
  const auto width = [&](const Box& box) { return box.width(box.widest(size), size); };
  const auto is_smaller = [&](const Box& a, const Box& b) { return width(a) < width(b); };
  std::priority_queue<Box, std::vector<Box>, decltype(is_smaller)> boxes(is_smaller);
  // not symmetric: a zero in the middle would lie in all halves
  boxes.push({std::vector<double>(unknowns.size(), 0.01 * size),
              std::vector<double>(unknowns.size(), result.reach)});
  int looked_at = 0;
  for (; !boxes.empty() && looked_at < most_boxes && result.places.size() < most_places; ++looked_at) {
    Box box = boxes.top();
    boxes.pop();
    if (!may_vanish(box)) continue;
    const std::size_t i = box.widest(size);
    if (box.width(i, size) < smallest) {
      result.places.push_back(box.middle);
      continue;
    }
    // halves overlap by rounding, so that nothing is left out between them
    const double half = box.radius[i] / 2;
    box.radius[i] = half * (1 + 1e-12);
    Box other = box;
    box.middle[i] -= half;
    other.middle[i] += half;
    boxes.push(std::move(box));
    boxes.push(std::move(other));
  }
  result.is_complete = boxes.empty();
  for (; !boxes.empty() && result.places.size() < most_places; boxes.pop())
    result.places.push_back(boxes.top().middle);
  return result;
}

}  // namespace liaison
