#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "budget.hpp"
#include "liaison/algebra/algebra.hpp"

namespace liaison {

/// What an Algebra remembers between calls.
struct AlgebraMemory {
  std::unordered_map<Expr, Expr> rewritten;
  std::unordered_map<Expr, Canonical> canonical;
  std::unordered_map<Expr, Expr> readable;
  std::optional<Budget> budget;             ///< of the call that is under way
  std::optional<std::uint64_t> claim_left;  ///< what a BudgetScope has left for the calls inside it
  /// What exact work leaves to points in each BudgetScope, the innermost last: what it does not decide is
  /// still looked at.
  std::vector<std::uint64_t> reserves;
  /// For exact work.
  std::uint64_t exact_left() const {
    const std::uint64_t reserve = reserves.empty() ? 0 : reserves.back();
    return claim_left ? *claim_left - std::min(*claim_left, reserve) : 0;
  }
};

/// Before that many operations at points; false where the scope has no more of them, or after an interrupt.
bool charge_points(Algebra& algebra, std::uint64_t operations);

/// Operations that the scope has left for points; without one, what a call may take.
std::uint64_t left_for_points(Algebra& algebra);

/// One call from outside: the calls that it makes inside share its limits. What was cut short is
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
  std::shared_ptr<OperationCount> count_;  ///< of the outermost call
};

/// At most that many operations for a part of a call; the rest of the call goes on after it.
class PartOfCall {
 public:
  PartOfCall(Algebra& algebra, std::uint64_t operations);
  ~PartOfCall();
  PartOfCall(const PartOfCall&) = delete;
  PartOfCall& operator=(const PartOfCall&) = delete;

 private:
  CallScope call_;
  std::shared_ptr<OperationCount> count_;
  std::uint64_t limit_;  ///< of the whole call
};

}  // namespace liaison
