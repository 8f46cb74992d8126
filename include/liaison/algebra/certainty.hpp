#pragma once

#include <string>
#include <utility>
#include <vector>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/expr.hpp"

namespace liaison {

/// How a statement is known.
enum class Grade {
  proved,   ///< by exact algebra
  checked,  ///< holds at a number of random points to a number of digits; no proof
  refuted,  ///< a point is known at which it fails, certified by interval arithmetic
  unknown,  ///< no proof, and no point could be decided (domain, limits)
};

/// A point and the two values there, as certified intervals.
struct Witness {
  std::vector<std::pair<Expr, Rational>> point;  ///< symbols, or unknown functions at their arguments
  Ball left;
  Ball right;
};

/// The answer to "are these equal?" or "is this zero?", with how it is known.
struct Verdict {
  Grade grade = Grade::unknown;
  int points = 0;      ///< checked: at how many points
  long digits = 0;     ///< checked: to how many digits
  Witness witness;     ///< refuted
  std::string reason;  ///< checked, unknown: why there is no proof

  bool holds() const { return grade == Grade::proved || grade == Grade::checked; }
  bool is_proved() const { return grade == Grade::proved; }
  bool is_refuted() const { return grade == Grade::refuted; }
};

/// "proved", "checked at 8 points to 30 digits", "refuted at x = 1/2: 0.25 is not 0.5", "unknown: ..."
std::string describe(const Verdict& verdict);

}  // namespace liaison
