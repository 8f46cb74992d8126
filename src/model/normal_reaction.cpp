#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "expr/raw.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/model/contact.hpp"

namespace liaison {

namespace {

constexpr long bits = 128;
constexpr std::size_t max_intervals = 20'000;
constexpr double smallest_part = 0x1p-46;  // of the limit: shorter intervals are not divided any more

struct Interval {
  double low, high;
  double middle() const { return low + (high - low) / 2; }
};

/// All zeros of a function of one symbol in [0, limit]: an interval is dropped where the function is certain
/// not to vanish, and holds one zero at most where its derivative is certain not to vanish.
class Zeros {
 public:
  Zeros(Expr function, Expr symbol, double limit)
      : symbol_(symbol), limit_(limit), function_{function}, slope_{derivative(function, symbol)} {}

  void find() {
    if (zero_at(limit_)) values.push_back(limit_);
    std::deque<Interval> open{{0, limit_}};
    for (std::size_t n = 0; !open.empty(); ++n) {
      const Interval interval = open.front();
      open.pop_front();
      if (is_settled(interval)) continue;
      const bool last = n >= max_intervals || interval.high - interval.low <= smallest_part * limit_;
      if (last) {
        undecided.push_back({interval.low, interval.high});
      } else {
        open.push_back({interval.low, interval.middle()});
        open.push_back({interval.middle(), interval.high});
      }
    }
  }

  std::vector<double> values;
  std::vector<std::pair<double, double>> undecided;

 private:
  /// Zeros in [low, high) have been found, or there are none.
  bool is_settled(const Interval& interval) {
    const std::optional<Ball> range = value(function_, interval.low, interval.high);
    if (range && !range->contains_zero()) return true;
    const std::optional<Ball> slope = value(slope_, interval.low, interval.high);
    if (!range || !slope || slope->contains_zero()) return false;
    if (zero_at(interval.low)) {
      values.push_back(interval.low);
    } else if (sign_at(interval.low) * sign_at(interval.high) < 0) {
      values.push_back(bisect(interval));
    }
    return true;
  }

  double bisect(Interval interval) const {
    const int low_sign = sign_at(interval.low);
    while (std::nextafter(interval.low, interval.high) < interval.high) {
      const double middle = interval.middle();
      if (middle <= interval.low || middle >= interval.high) break;
      const int sign = sign_at(middle);
      if (sign == 0) return middle;
      (sign == low_sign ? interval.low : interval.high) = middle;
    }
    return interval.middle();
  }

  bool zero_at(double x) const {
    const std::optional<Ball> at = value(function_, x, x);
    return at && at->contains_zero();
  }
  int sign_at(double x) const {
    const std::optional<Ball> at = value(function_, x, x);
    return !at ? 0 : at->is_positive() ? 1 : at->is_negative() ? -1 : 0;
  }

  /// An enclosure of the values on [low, high]; nothing where it cannot be told.
  std::optional<Ball> value(const std::vector<Expr>& e, double low, double high) const {
    Ball box(Rational::from_double(low), bits);
    const Ball end(Rational::from_double(high), bits);
    arb_union(box.raw(), box.raw(), end.raw(), bits);
    BallValues result = evaluate_balls(e, BallPoint{{symbol_, std::move(box)}}, bits);
    if (result.status == EvaluationStatus::missing_value ||
        result.status == EvaluationStatus::unknown_function) {
      throw Error(ErrorCode::missing_value, "a normal reaction needs numbers: " + result.reason(),
                  "put in the values of everything but the reaction");
    }
    if (result.status != EvaluationStatus::ok) return std::nullopt;
    return std::move(result.values.front());
  }

  Expr symbol_;
  double limit_;
  std::vector<Expr> function_, slope_;
};

/// Intervals that touch become one.
std::vector<std::pair<double, double>> joined(std::vector<std::pair<double, double>> intervals) {
  std::sort(intervals.begin(), intervals.end());
  std::vector<std::pair<double, double>> result;
  for (const auto& interval : intervals) {
    if (!result.empty() && interval.first <= result.back().second) {
      result.back().second = std::max(result.back().second, interval.second);
    } else {
      result.push_back(interval);
    }
  }
  return result;
}

}  // namespace

NormalReactions normal_reactions(const ContactResponse& response, Expr drive, Expr reaction, double limit,
                                 ContactSide side) {
  NormalReactions result;
  Zeros pushing(reaction * response.total() + drive, reaction, limit);
  pushing.find();
  result.values = pushing.values;
  result.undecided = pushing.undecided;
  if (side == ContactSide::bilateral) {
    // N = -|N|: the power is N u3 - |N| (f |V_g| + ...), so that the loss changes its sign.
    Zeros pulling(drive - reaction * (response.ideal - response.loss), reaction, limit);
    pulling.find();
    for (double size : pulling.values) {
      if (size > 0) result.values.push_back(-size);
    }
    for (const auto& [low, high] : pulling.undecided) result.undecided.emplace_back(-high, -low);
  }
  std::sort(result.values.begin(), result.values.end());
  result.undecided = joined(std::move(result.undecided));
  return result;
}

}  // namespace liaison
