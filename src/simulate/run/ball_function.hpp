#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "liaison/expr/evaluate.hpp"

namespace liaison {

/// The range of an expression over balls of one variable, again and again: what is fixed is computed once for
/// each precision.
class BallFunction {
 public:
  /// Other symbols have these values.
  BallFunction(Expr e, Expr variable, const RationalPoint& values);

  /// Null: it has no value somewhere on the ball, may jump there, or no bound is found. Until the next call.
  const Ball* operator()(const Ball& at, long bits);
  std::size_t size() const { return steps_.size(); }

 private:
  struct Step {
    Op op;
    std::vector<std::size_t> args;  ///< places of values
    Rational exponent;              ///< of a power
  };
  const std::vector<Ball>* fixed(long bits);

  std::vector<Expr> leaves_;  ///< without the variable
  RationalPoint values_;
  std::vector<Step> steps_;
  std::size_t result_ = 0;                          ///< its place
  std::map<long, std::vector<Ball>> by_precision_;  ///< of the leaves; empty: they have no values
  std::vector<Ball> room_;                          ///< the variable, the leaves, then the steps
  long bits_ = 0;                                   ///< of the leaves that are there
  std::vector<const Ball*> arguments_;
};

}  // namespace liaison
