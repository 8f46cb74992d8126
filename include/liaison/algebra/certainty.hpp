#ifndef LIAISON_ALGEBRA_CERTAINTY_HPP
#define LIAISON_ALGEBRA_CERTAINTY_HPP

#include <string>
#include <utility>
#include <vector>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/expr.hpp"

namespace liaison {

/// How a statement about all points of a region is known.
enum class Grade {
  proved,   ///< by exact algebra, at every real point at which the conditions hold; and there is such a point
  checked,  ///< holds at a number of random points to a number of digits; no proof
  refuted,  ///< a point certified to lie in the region is known at which it fails, certified by intervals; of
            ///< a claim after a time: two methods that follow the motion agree that it fails
  unknown,  ///< no proof, and no point could be decided (domain, limits)
  empty,    ///< there is no real point to speak of (proved): nothing passes about it
};

/// A point and the two values there, as certified intervals; at the end of a motion in time both are doubles.
struct Witness {
  std::vector<std::pair<Expr, Rational>> point;  ///< symbols, or unknown functions at their arguments; what
                                                 ///< equations determine is rounded to 17 digits
  Ball left;
  Ball right;
};

/// The answer to "are these equal?" or "is this zero?", with how it is known: the one currency of certainty,
/// from `algebra` to the page.
struct Verdict {
  Grade grade = Grade::unknown;
  int points = 0;                ///< checked: at how many points
  long digits = 0;               ///< checked: to how many digits
  Witness witness;               ///< refuted
  std::string reason;            ///< checked, unknown, empty: why there is no proof
  std::vector<Expr> conditions;  ///< what must not vanish for the statement to be about something
  std::string region;            ///< checked: over which values
  bool divided = false;          ///< a condition may vanish on a whole component: nothing is known there

  bool holds() const { return grade == Grade::proved || grade == Grade::checked; }
  bool is_proved() const { return grade == Grade::proved; }
  bool is_refuted() const { return grade == Grade::refuted; }

  static Verdict of(Grade grade, std::string reason = {});
};

/// "proved", "checked", "refuted", "unknown", "empty"
std::string word_for(Grade grade);

/// The order in which a conjunction takes its grade: one refuted part refutes all, else the weakest part.
///   proved < checked < unknown < empty < refuted
int weakness(Grade grade);
Grade weaker(Grade a, Grade b);
/// Both statements together: the weaker verdict, with the conditions of both.
Verdict conjunction(Verdict a, Verdict b);
/// The opposite statement ("== false"). It is proved by a certified refutation alone; the opposite of what
/// was only checked is unknown.
Verdict negation(Verdict verdict);

/// "proved", "proved where det != 0", "checked at 8 points to 30 digits", "refuted at x = 1/2: 0.25 is not
/// 0.5", "unknown: ...", "empty: ..."
std::string describe(const Verdict& verdict);

}  // namespace liaison

#endif  // LIAISON_ALGEBRA_CERTAINTY_HPP
