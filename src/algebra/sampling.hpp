#pragma once

#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "liaison/algebra/algebra.hpp"

namespace liaison {

/// Random exact points of the domain of some expressions. The values of an unknown function and its
/// derivatives at one point are free; where its arguments cannot be told apart by their values, it takes the
/// same value.
class Sampler {
 public:
  Sampler(Algebra& algebra, std::span<const Expr> rewritten);

  struct Sample {
    std::vector<std::pair<Expr, Rational>> point;  ///< symbols and unknown functions at arguments
    std::vector<Ball> values;                      ///< of the expressions, in order
  };
  /// A point at which all expressions have values, with enclosures of `bits`; nothing after some failed
  /// tries.
  std::optional<Sample> draw(long bits);
  /// The values at a drawn point again, with more bits.
  std::optional<std::vector<Ball>> evaluate_at(const Sample& sample, long bits) const;
  const std::string& failure() const { return failure_; }

 private:
  Rational random_value(Expr original, int attempt);
  std::optional<Rational> value_at_equal_arguments(std::size_t index,
                                                   const std::vector<std::pair<Expr, Rational>>& point,
                                                   long bits) const;

  std::vector<Expr> originals_;  ///< what a value is drawn for
  std::vector<Expr> stand_ins_;  ///< the symbols that stand for them
  std::vector<Expr> es_;
  std::vector<std::vector<Expr>> arguments_;  ///< of unknown functions, over the stand-ins; empty for symbols
  std::mt19937_64 random_;
  int tries_ = 0;
  std::string failure_;
};

}  // namespace liaison
