#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ball_function.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/model/system.hpp"

namespace liaison {

/// A function with the values of parameters as the model declares them, 1/3 or sqrt(2), where these are what
/// the doubles are; the others are left.
Expr with_declared_values(Expr function, std::span<const std::pair<Expr, double>> parameters,
                          std::span<const Parameter> declared);
/// The shortest decimals that are read as these doubles.
RationalPoint shortest_decimals(std::span<const std::pair<Expr, double>> parameters);

/// The zeros of a function of the time alone, isolated by balls. An interval is halved until the function or
/// one of its first derivatives has no zero there; then each lower one is monotone between the zeros of the
/// one above (Rolle), and its signs there tell its own zeros. What is zero to seventy digits at a zero of its
/// derivative is a zero of even or odd order; zeros nearer to each other than doubles are one.
class TimeRoots {
 public:
  /// Other symbols have these values.
  TimeRoots(Expr function, Expr time, const RationalPoint& values);

  struct Root {
    double t = 0;               ///< the double next to it
    int before = 0, after = 0;  ///< signs around it
    bool is_several = false;    ///< zeros that this double does not tell apart
  };
  struct Roots {
    std::vector<Root> roots;  ///< in order
    int sign = 0;             ///< of the function up to the first of them
    double until = 0;         ///< what lies beyond has too many
  };
  /// Those whose doubles lie in [from, to]. Nothing: at some place balls do not tell, as where it has no
  /// value, jumps, or stays at zero. Where it is asked for one step after another some steps are looked at
  /// together, up to `end`.
  std::optional<Roots> in(double from, double to, double end);

 private:
  /// A point, or where the derivative of an order changes its sign.
  struct Place {
    Ball low, high;  ///< exact
    int order = -1;  ///< -1: a point
    int below = 0;   ///< the sign of that derivative at the lower end
  };
  struct Zero {
    Place place;
    int before, after;
  };
  struct Search;

  const Ball* value(int order, const Ball& at, long bits);
  std::optional<int> sign_at(int order, Place& place);
  bool narrow(Place& place, long bits);
  std::optional<std::vector<Zero>> zeros_between(int order, std::vector<Place>& places);
  std::optional<std::vector<Zero>> zeros_below(int order, Place low, Place high);
  std::optional<int> lowest_without_zero(const Ball& cell);
  bool take(Search& search, std::vector<Zero> zeros) const;
  bool take_small(Search& search, const Ball& low, const Ball& high);
  int trend(const Ball& low, const Ball& high);
  std::optional<Roots> find(double from, double to);

  std::vector<BallFunction> derivatives_;  ///< the function, then what is not too long of its derivatives
  double length_ = 1;                      ///< what the width of a place is measured by
  struct Known {
    double from, to;
    Roots roots;
  };
  std::optional<Known> known_;
  double ahead_ = 1;  ///< steps that are looked at together
};

}  // namespace liaison
