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

  /// Throws Error(missing_value) where it has none.
  Rational operator()(Expr e);
  /// Every number so far, and the state itself.
  bool exact() const { return exact_; }
  /// Something that follows was computed to 60 digits.
  void round() { exact_ = false; }
  /// Its sign; a state that was completed in doubles is not taken at its last digits.
  int sign(Expr e);

 private:
  Algebra& algebra_;
  const ContactStateValues& state_;
  bool exact_;
};

}  // namespace liaison
