#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "liaison/expr/evaluate.hpp"
#include "liaison/model/system.hpp"
#include "time_roots.hpp"

namespace liaison {

/// Zeros of a function of the time alone next to an extremum where a double cannot tell it from zero: the
/// extremum and the value there are computed to forty certified digits, with the values of parameters as the
/// model declares them, or as the shortest decimals that are read as them.
class TimeZeros {
 public:
  TimeZeros(Expr function, Expr time, std::span<const std::pair<Expr, double>> parameters,
            std::span<const Parameter> declared);

  /// All between two times, isolated; nothing, then and later, where that is not possible.
  std::optional<TimeRoots::Roots> in(double from, double to, double end) {
    if (!is_isolated_) return {};
    std::optional<TimeRoots::Roots> result = roots_.in(from, to, end);
    is_isolated_ = result.has_value();
    return result;
  }
  bool is_isolated() const { return is_isolated_; }

  /// For an extremum at about `t`, that lies in (low, high), of a function that has the sign `side` around
  /// it: its zeros there, none or two, in order; nothing where it touches zero, or where its zeros are
  /// nearer to each other than the time can tell, or where its digits do not tell.
  std::optional<std::vector<double>> next_to(double t, double low, double high, int side) const;

  /// A zero at about `t` of terms of a size, computed anew where their rounding moves it in a double.
  double refined(double t, double size) const;

 private:
  std::optional<Rational> value(Expr e, const Rational& t) const;
  std::optional<Rational> newton(Expr quotient, Rational t, const Rational& low, const Rational& high) const;

  Expr function_, time_;
  Expr slope_, curvature_;
  Expr to_extremum_, to_zero_;  ///< steps of Newton's method
  RationalPoint point_;
  TimeRoots roots_;
  bool is_isolated_ = true;
};

}  // namespace liaison
