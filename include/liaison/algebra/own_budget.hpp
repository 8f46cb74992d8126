#ifndef LIAISON_ALGEBRA_OWN_BUDGET_HPP
#define LIAISON_ALGEBRA_OWN_BUDGET_HPP

#include <cstdint>
#include <optional>

#include "liaison/algebra/algebra.hpp"

namespace liaison {

/// A budget for what is found once and kept for many claims: it neither depends on what the claim that
/// happens to ask first has left, nor takes from it. Not inside of a call to the algebra.
class OwnBudget {
 public:
  OwnBudget(Algebra& algebra, std::uint64_t operations);
  ~OwnBudget();
  OwnBudget(const OwnBudget&) = delete;
  OwnBudget& operator=(const OwnBudget&) = delete;

 private:
  AlgebraMemory& memory_;
  std::optional<std::uint64_t> outer_left_;
};

}  // namespace liaison

#endif  // LIAISON_ALGEBRA_OWN_BUDGET_HPP
