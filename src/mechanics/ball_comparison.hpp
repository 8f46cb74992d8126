#pragma once

#include <span>

#include "liaison/expr/evaluate.hpp"

namespace liaison {

/// Compares two numbers that are known as balls of growing precision: |l - r| <= tolerance*scale, with
/// scale = max(|l|, |r|). Where one of them is exactly zero the scale is that of the largest summand, if one
/// is larger: a sum that cancels is small against its summands.
class BallComparison {
 public:
  enum class Outcome { agree, differ, undecided };
  explicit BallComparison(const Rational& tolerance) : tolerance_(tolerance) {}

  /// Each call has more bits than the one before.
  Outcome compare(const Ball& left, const Ball& right, std::span<const Ball> summands, long bits);

 private:
  bool has_vanished(const Ball& difference, long fewer_bits);

  Rational tolerance_;
  Ball first_;  ///< the first difference that did not exclude zero
  bool has_first_ = false;
};

}  // namespace liaison
