#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "krawczyk.hpp"
#include "liaison/algebra/region.hpp"
#include "prepared.hpp"
#include "slots.hpp"

namespace liaison {

/// A point that is to be certified: for each slot an exact value, or a box in which a square system has one
/// solution, or nothing yet.
struct Candidate {
  std::vector<std::optional<Rational>> exact;
  std::map<std::size_t, Ball> boxes;  ///< by slot
  std::vector<std::size_t> rows;      ///< of the equations that determine the boxes, in their order
  SquareSystem system;                ///< over the slots with boxes, in their order
  std::vector<Expr> equations;        ///< that hold here, if they have values
  std::vector<Expr> zeros;            ///< these, and the factor of each that vanishes

  /// A value for every symbol that has one, with about `bits`; nothing if the boxes cannot be sharpened. The
  /// last answer is kept.
  const BallPoint* balls(const Slots& slots, long bits) const;
  /// After a value has been changed.
  void forget_balls() { last_bits_ = 0; }

 private:
  std::optional<BallPoint> sharp_balls(const Slots& slots, long bits) const;
  mutable std::optional<BallPoint> last_;
  mutable long last_bits_ = 0;
};

/// What is put into expressions that balls alone do not decide: a root at its branch point, the sign of zero.
enum class Insert {
  numbers,            ///< the exact values
  numbers_and_zeros,  ///< and 0 for the equations that hold at the candidate; they must have values there
};
/// Enclosures at a candidate.
BallValues evaluate_at(const Candidate& candidate, const Slots& slots, std::span<const Expr> es, long bits,
                       Insert insert = Insert::numbers_and_zeros);

/// Decides whether a candidate lies in a domain and whether the expressions asked about have values there.
class DomainCheck {
 public:
  DomainCheck(Algebra& algebra, const Slots& slots, const Region& region, std::span<const Expr> asked);
  /// Certainly inside; otherwise `failure` says what failed.
  bool contains(const Candidate& candidate, std::string& failure) const;
  /// The sign of e at the candidate, certain; nothing where balls do not tell it from zero.
  std::optional<int> sign(const Candidate& candidate, Expr e) const;

 private:
  enum class Answer { yes, no, open };
  Answer holds(const Requirement& requirement, const Ball& value, const Candidate& candidate,
               long bits) const;
  Answer all_hold(const Domain& domain, const BallValues& values, const Candidate& candidate, long bits,
                  std::string& failure) const;
  bool all_hold_at(const Candidate& candidate, const Domain& domain, std::span<const Expr> needed,
                   std::string& failure) const;
  /// Seen at once from exact values; proved by the algebra only where the last precision has not decided.
  bool is_exactly_zero(Expr e, const Candidate& candidate, long bits) const;
  bool has_values(const Candidate& candidate, std::string& failure) const;
  bool has_values_unreplaced(const Candidate& candidate, std::string& failure) const;

  Algebra& algebra_;
  const Slots& slots_;
  Domain domain_;             ///< with hidden symbols, signs of solved symbols included
  std::vector<Expr> needed_;  ///< the expressions of the domain, then what must have values
  Domain of_asked_;           ///< what those need as they are built, and its expressions
  std::vector<Expr> needed_by_asked_;
  mutable int undecided_ = 0;
};

}  // namespace liaison
