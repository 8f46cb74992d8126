#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "candidate.hpp"
#include "dense.hpp"

namespace liaison {

/// Proves that an equation holds at a point because others hold there.
class RowProof {
 public:
  RowProof(Algebra& algebra, const Slots& slots, std::size_t own_rows)
      : algebra_(algebra), slots_(slots), own_rows_(own_rows) {}
  void set_follows(PointFinder::Follows follows) { follows_ = std::move(follows); }

  struct Known {
    std::size_t row;
    Expr e;
    std::span<const double> gradient;  ///< in doubles: a hint where to look
    bool is_whole;  ///< it vanishes where the equation of the row does; else one factor of it
  };
  bool holds(const Known& wanted, std::span<const Known> others, const Candidate& candidate);
  /// All its symbols have exact values, and the number is zero.
  bool is_zero_at(Expr e, const Candidate& candidate);

 private:
  bool is_combination(const Known& wanted, std::span<const Known> others, const Candidate& candidate);
  bool is_multiple(const Known& wanted, const Known& other, const Candidate& candidate);
  Expr quotient(Expr wanted, Expr other);
  bool vanishes(Expr e, const Candidate& candidate);
  bool is_on_none(const std::vector<std::vector<Expr>>& sets, const Candidate& candidate) const;
  bool follows_everywhere(const Known& wanted, std::span<const Known> others, const Candidate& candidate);
  bool follows_here(const Known& wanted, std::span<const Known> others, const Candidate& candidate);

  Algebra& algebra_;
  const Slots& slots_;
  std::size_t own_rows_;
  PointFinder::Follows follows_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Expr> quotients_;
  std::map<std::uint32_t, Verdict> verdicts_;
  std::map<std::size_t, int> failed_combinations_, failed_here_;
  std::map<std::vector<std::size_t>, PointFinder::Following> followings_;  ///< of a row and the others
};

}  // namespace liaison
