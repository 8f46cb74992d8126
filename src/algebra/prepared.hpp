#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "liaison/expr/expr.hpp"

namespace liaison {

/// Expressions prepared for many evaluations: every node once, arguments before their users. The inputs are
/// symbols; the expressions hold no unknown function.
class Prepared {
 public:
  Prepared() = default;
  Prepared(std::span<const Expr> es, std::span<const Expr> inputs);

  std::size_t size() const { return outputs_.size(); }
  /// In doubles: not finite where an expression has no value, or none in this range.
  void evaluate(std::span<const double> inputs, std::vector<double>& outputs) const;
  /// Exact values as far as they are rational: arithmetic, roots of squares, functions at 0 and 1. Nothing
  /// where a value is not seen to be rational, or an input is not given.
  std::vector<std::optional<Rational>> evaluate_exact(std::span<const std::optional<Rational>> inputs) const;

 private:
  enum class Power : unsigned char { integer, square, inverse, square_root, other };
  struct Step {
    Expr e;
    std::uint32_t first_argument;
    std::uint32_t arguments;
    double number;  ///< of a number, or the exponent of a power
    std::int32_t input;
    Op op;  ///< of e, beside what else is read: nodes lie far apart
    Power power;
  };
  static Power kind_of(const Rational& exponent);
  static double power_value(double base, const Step& step);
  double value(const Step& step, std::span<const double> inputs) const;
  std::optional<Rational> exact_value(const Step& step, const std::vector<std::optional<Rational>>& values,
                                      std::span<const std::optional<Rational>> inputs) const;

  std::vector<Step> steps_;
  std::vector<std::uint32_t> arguments_;  ///< positions of arguments, step after step
  std::vector<std::uint32_t> outputs_;
  mutable std::vector<double> values_;
  std::uint64_t parts_ = 0;  ///< of work, in one evaluation
};

}  // namespace liaison
