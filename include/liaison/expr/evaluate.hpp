#ifndef LIAISON_EXPR_EVALUATE_HPP
#define LIAISON_EXPR_EVALUATE_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "liaison/expr/expr.hpp"

namespace liaison {

/// A value for each symbol. Unknown functions have none: evaluation says so.
using DoublePoint = std::unordered_map<Expr, double>;
using RationalPoint = std::unordered_map<Expr, Rational>;

enum class EvaluationStatus {
  ok,
  missing_value,     ///< a symbol without a value
  unknown_function,  ///< f(x) with f not given
  outside_domain,    ///< log of a negative number, division by zero, asin(2)
  not_finite,        ///< overflow
  precision_limit,   ///< balls only: not decided within the precision allowed
};

/// Values in double, or why there are none: then `culprit` is the smallest subexpression that has no value.
struct DoubleValues {
  std::vector<double> values;
  EvaluationStatus status = EvaluationStatus::ok;
  Expr culprit;
  std::string reason() const;
};
DoubleValues evaluate(std::span<const Expr> es, const DoublePoint& point);
/// One value; throws Error(missing_value or undefined_constant) where there is none.
double evaluate(Expr e, const DoublePoint& point);

/// An interval [mid - rad, mid + rad] that is certain to hold the value (an Arb ball).
class Ball {
 public:
  Ball();
  explicit Ball(const Rational& exact, long bits = 128);
  Ball(const Ball& other);
  Ball(Ball&& other) noexcept;
  Ball& operator=(Ball other) noexcept;
  ~Ball();

  bool is_finite() const;
  bool contains_zero() const;
  bool is_positive() const;
  bool is_negative() const;
  double mid() const;
  double rad() const;
  /// Correct decimal digits of the midpoint; 0 if none.
  long digits() const;
  /// `digits` significant decimals of the midpoint, as far as they are certain.
  std::string to_string(long digits = 17) const;
  /// What is inside, for sources of the library that include its definition.
  auto raw() const;
  auto raw();

 private:
  alignas(long) std::byte room_[6 * sizeof(long)];  ///< a ball of Arb
};
/// Some number lies in both.
bool overlaps(const Ball& a, const Ball& b);
using BallPoint = std::unordered_map<Expr, Ball>;

struct BallValues {
  std::vector<Ball> values;
  EvaluationStatus status = EvaluationStatus::ok;
  Expr culprit;
  std::string reason() const;
};
/// Certified enclosures with `bits` of working precision.
BallValues evaluate_balls(std::span<const Expr> es, const BallPoint& point, long bits);

struct LongValue {
  std::optional<Ball>
      value;  ///< relative error at most 10^-digits, or absolute where the value is that near zero
  EvaluationStatus status = EvaluationStatus::ok;
  Expr culprit;
  std::string reason() const;
};
/// A value to `digits` certified decimal digits at an exact point: precision is raised until the ball is
/// small enough.
LongValue evaluate_digits(Expr e, const RationalPoint& point, long digits, long max_bits = 100'000);

/// The sign of a constant expression, by balls of growing precision; nothing if it has no real value or
/// cannot be told from zero.
std::optional<int> constant_sign(Expr constant, long max_bits = 4096);

}  // namespace liaison

#endif  // LIAISON_EXPR_EVALUATE_HPP
