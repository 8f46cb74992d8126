#pragma once

#include <optional>
#include <string>
#include <vector>

#include "liaison/expr/evaluate.hpp"
#include "liaison/structure/state_flow.hpp"

namespace liaison {

/// What is asked of a place of rest before anything is said of it.
class PlaceChecks {
 public:
  PlaceChecks(Algebra& algebra, const StateFlow& flow, const Substitution& values);

  /// Something in the model certainly has no value there, or a gap is certainly negative.
  bool is_outside(const BallPoint& at) const;
  /// What the closed forms divide by, where that may be zero: nothing is said there. Empty: it is not.
  std::string not_covered(const BallPoint& at) const;
  /// What else than the equations of motion, as they are around it, acts near there; empty: nothing.
  std::string what_acts(const BallPoint& at) const;

 private:
  int sign_of_gap(const Unilateral& wall, const BallPoint& at) const;
  bool has_all(Expr e, const BallPoint& at) const;
  Expr at_rest(Expr e) const;

  Algebra& algebra_;
  const StateFlow& flow_;
  const Substitution& values_;
  Substitution rest_;
  Domain domain_;
};

/// Only under sines and cosines of whole multiples: 2 pi further is the same place.
bool is_angle_of(Algebra& algebra, const std::vector<Expr>& functions, const std::vector<Expr>& state,
                 Expr position);

/// A short number, the root of one, or a part of pi that is as near as doubles tell: a guess.
std::optional<Expr> short_number(Pool& pool, double value);

}  // namespace liaison
