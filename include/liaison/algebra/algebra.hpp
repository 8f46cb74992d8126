#ifndef LIAISON_ALGEBRA_ALGEBRA_HPP
#define LIAISON_ALGEBRA_ALGEBRA_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "liaison/algebra/certainty.hpp"
#include "liaison/algebra/region.hpp"
#include "liaison/expr/expr.hpp"

namespace liaison {

/// Exact work ends at these limits with an outcome that says so, never with a killed process.
struct AlgebraOptions {
  std::size_t max_terms = 400'000;  ///< terms of one polynomial
  /// Of one call, counted and never timed: the same input ends at the same place on every machine. An
  /// operation is about one product of two terms, some 30 ns.
  std::uint64_t max_operations = 1'000'000'000;
  int check_points = 8;             ///< random points of a check
  long check_digits = 30;           ///< digits of a check
  std::uint64_t seed = 20'260'101;  ///< of the random points: the same input gives the same answer
  const std::atomic<bool>* interrupt = nullptr;  ///< true: exact work ends soon, as at a limit

  bool is_interrupted() const { return interrupt != nullptr && interrupt->load(std::memory_order_relaxed); }
};

/// An expression in canonical form: N/D over Z, where
///   - the generators are the symbols, pi, cos and sin of each angle, exp of each exponent, roots, abs, log
///   and
///     the other functions at canonical arguments, unknown functions and their derivatives;
///   - an angle or exponent is a monomial, divided by the least common denominator that the expression needs;
///     sums of angles are expanded by the addition theorems;
///   - N has degree at most 1 in each sine (sin^2 = 1 - cos^2) and each square root, D has none of them;
///   - N and D have no common factor, and the leading coefficient of D is positive.
/// For rational functions of symbols, of sin and cos of rational linear combinations of monomials, of exp of
/// those and of unknown functions this is complete: two equal functions have the same canonical form, handle
/// for handle.
struct Canonical {
  Expr value;
  bool complete = true;  ///< false: a limit was reached, or the generators may depend on each other
  std::string reason;    ///< why it is not complete
};

class Field;
struct AlgebraMemory;

/// Decides what is zero, and says how it knows. Holds memo tables for one pool; not thread safe.
class Algebra {
 public:
  explicit Algebra(Pool& pool, AlgebraOptions options = {});
  ~Algebra();
  Algebra(const Algebra&) = delete;
  Algebra& operator=(const Algebra&) = delete;

  /// At every real point where it has a value.
  Verdict is_zero(Expr e);
  Verdict are_equal(Expr a, Expr b);
  /// a == b at every point of the region, on all its components; `empty` where it has none.
  Verdict are_equal(Expr a, Expr b, const Region& region);
  /// e = 0 on the region follows by exact algebra; no point is looked for, on which it would be about
  /// something.
  bool follows(Expr e, const Region& region);
  /// The same for the points of the region around a given one: parts of it that certainly lie elsewhere do
  /// not count.
  bool follows_near(Expr e, const Region& region, const BallPoint& point);
  /// e is not identically zero on any component of the region. Refuted where it vanishes on all of it; where
  /// it vanishes on a part that may be a component: unknown.
  Verdict vanishes_on_no_component(Expr e, const Region& region);
  /// Zero off the switching surfaces of its pieces (sign, abs, min, max): what a pivot is asked for.
  Verdict vanishes_generically(Expr e);
  Canonical canonical(Expr e);
  /// The candidate with the fewest written operations among equal forms: as given, canonical, factored, with
  /// either of sin and cos eliminated, with sums of angles gathered. It has the value of e wherever e has
  /// one, and neither overflows nor cancels in doubles where e does not.
  Expr readable(Expr e);

  /// An expression with the same zeros where e has a value, without repeated factors: theta' of theta'^2.
  Expr without_repeated_factors(Expr e);

  Pool& pool() { return pool_; }
  const AlgebraOptions& options() const { return options_; }
  AlgebraMemory& memory() { return *memory_; }

 private:
  Pool& pool_;
  AlgebraOptions options_;
  std::unique_ptr<AlgebraMemory> memory_;
};

/// One budget for all calls to an algebra while it lives: a claim's. Each call keeps its own limit too; once
/// a call was cut short by this budget, exact work in later ones ends at once. Scopes nest.
class BudgetScope {
 public:
  BudgetScope(Algebra& algebra, std::uint64_t operations);
  ~BudgetScope();
  BudgetScope(const BudgetScope&) = delete;
  BudgetScope& operator=(const BudgetScope&) = delete;

  std::uint64_t spent() const;
  bool is_exhausted() const { return spent() == operations_; }

 private:
  AlgebraMemory& memory_;
  std::optional<std::uint64_t> outer_left_;
  std::uint64_t operations_;
};

}  // namespace liaison

#endif  // LIAISON_ALGEBRA_ALGEBRA_HPP
