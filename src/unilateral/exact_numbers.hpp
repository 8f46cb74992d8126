#pragma once

#include <string_view>
#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/unilateral/possible_motions.hpp"

namespace liaison {

/// Numbers of expressions at a state: exact where they are rational or provably zero, else to 60 digits.
class ExactNumbers {
 public:
  ExactNumbers(Algebra& algebra, const ContactStateValues& state)
      : algebra_(algebra), state_(state), exact_(state.exact) {}

  /// Throws Error(missing_value) where it has none. A state that was completed in doubles is not taken at its
  /// last digits: a sum that vanishes beside its terms is zero.
  Rational operator()(Expr e);
  /// The sum of the sizes of the terms of a sum, also where it is a factor: beside it a sum is told from
  /// zero.
  Rational size_of_terms(Expr e);
  /// Every number so far, and the state itself.
  bool exact() const { return exact_; }
  /// Relative error of the numbers so far.
  Rational noise() const { return exact_ ? Rational(0) : power(Rational(10), state_.exact ? -45 : -11); }
  /// Something that follows was computed to 60 digits.
  void round() { exact_ = false; }
  /// Relations depend on each other, which numbers that are not exact tell.
  void lose_rank() { lost_rank_ = true; }
  bool lost_rank() const { return lost_rank_; }

 private:
  Rational exactly(Expr e);

  Algebra& algebra_;
  const ContactStateValues& state_;
  bool exact_, lost_rank_ = false;
};

}  // namespace liaison
