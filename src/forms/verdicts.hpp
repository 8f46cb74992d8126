#pragma once

#include <algorithm>
#include <utility>

#include "liaison/algebra/certainty.hpp"
#include "liaison/algebra/matrix.hpp"

namespace liaison {

/// Many statements taken together: proved if all are; else the first refutation, or the weakest grade met.
class WeakestVerdict {
 public:
  WeakestVerdict() { verdict_.grade = Grade::proved; }

  /// Returns whether the whole is refuted, so that no more need be asked.
  bool add(Verdict verdict) {
    if (rank(verdict.grade) > rank(verdict_.grade)) verdict_ = std::move(verdict);
    return verdict_.is_refuted();
  }
  const Verdict& verdict() const { return verdict_; }

 private:
  static int rank(Grade grade) {
    switch (grade) {
      case Grade::proved: return 0;
      case Grade::checked: return 1;
      case Grade::unknown: return 2;
      case Grade::refuted: return 3;
    }
    return 3;
  }
  Verdict verdict_;
};

/// The weaker of two grades of one statement that holds.
inline Grade weaker(Grade a, Grade b) {
  if (a == Grade::unknown || b == Grade::unknown) return Grade::unknown;
  if (a == Grade::refuted || b == Grade::refuted) return Grade::refuted;
  return a == Grade::checked || b == Grade::checked ? Grade::checked : Grade::proved;
}

/// Each condition once.
inline void add_conditions(Conditions& all, const Conditions& more) {
  for (Expr condition : more)
    if (std::find(all.begin(), all.end(), condition) == all.end()) all.push_back(condition);
}

}  // namespace liaison
