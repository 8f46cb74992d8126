#include "varied_parameters.hpp"

#include <algorithm>

namespace liaison {

Substitution values_beside(Algebra& algebra, const StateFlow& flow, std::span<const Expr> varied) {
  Substitution values;
  for (const Parameter& other : flow.motion->space.system->parameters) {
    if (std::find(varied.begin(), varied.end(), other.symbol) != varied.end() || !other.value) continue;
    values.emplace(other.symbol, algebra.pool().number(*other.value));
  }
  return values;
}

std::string why_not_whole(const StateFlow& flow) {
  return flow.standing.reason.empty() ? "functions that may depend on each other are left out"
                                      : flow.standing.reason;
}

}  // namespace liaison
