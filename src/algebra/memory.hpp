#pragma once

#include <optional>
#include <unordered_map>

#include "budget.hpp"
#include "liaison/algebra/algebra.hpp"

namespace liaison {

/// What an Algebra remembers between calls.
struct AlgebraMemory {
  std::unordered_map<Expr, Expr> rewritten;
  std::unordered_map<Expr, Canonical> canonical;
  std::unordered_map<Expr, Expr> readable;
  std::optional<Budget> budget;  ///< of the call that is under way
};

/// One call from outside: the calls that it makes inside share its limits. What was cut short by time is
/// forgotten.
class CallScope {
 public:
  explicit CallScope(Algebra& algebra);
  ~CallScope();
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  AlgebraMemory& memory_;
  bool is_outermost_;
};

}  // namespace liaison
