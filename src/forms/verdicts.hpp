#pragma once

#include <algorithm>
#include <utility>

#include "liaison/algebra/certainty.hpp"
#include "liaison/algebra/matrix.hpp"

namespace liaison {

/// Many statements taken together: proved if all are; else the first refutation, or the weakest grade met.
class WeakestVerdict {
 public:
  /// Returns whether the whole is refuted, so that no more need be asked.
  bool add(Verdict verdict) {
    verdict_ = conjunction(std::move(verdict_), std::move(verdict));
    return verdict_.is_refuted();
  }
  const Verdict& verdict() const { return verdict_; }

 private:
  Verdict verdict_ = Verdict::of(Grade::proved);
};

/// Each condition once.
inline void add_conditions(Conditions& all, const Conditions& more) {
  for (Expr condition : more)
    if (std::find(all.begin(), all.end(), condition) == all.end()) all.push_back(condition);
}

}  // namespace liaison
