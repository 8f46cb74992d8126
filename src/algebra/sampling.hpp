#pragma once

#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "liaison/algebra/algebra.hpp"

namespace liaison {

/// Random exact points of the domain of some expressions. Unknown functions at distinct arguments take independent
/// values: at one point the values of a function and its derivatives are free.
class Sampler {
 public:
  Sampler(Algebra& algebra, std::span<const Expr> rewritten);

  struct Sample {
    std::vector<std::pair<Expr, Rational>> point;  ///< symbols and unknown functions at arguments
    std::vector<Ball> values;                      ///< of the expressions, in order
  };
  /// A point at which all expressions have values, with enclosures of `bits`; nothing after some failed tries.
  std::optional<Sample> draw(long bits);
  /// The values at a drawn point again, with more bits.
  std::optional<std::vector<Ball>> evaluate_at(const Sample& sample, long bits) const;
  const std::string& failure() const { return failure_; }

 private:
  std::vector<Expr> originals_;  ///< what a value is drawn for
  std::vector<Expr> stand_ins_;  ///< the symbols that stand for them
  std::vector<Expr> es_;
  std::mt19937_64 random_;
  int tries_ = 0;
  std::string failure_;
};

}  // namespace liaison
