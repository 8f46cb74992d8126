#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "certified_motion.hpp"
#include "exact_motion.hpp"
#include "liaison/mechanics/certified_state.hpp"
#include "liaison/mechanics/derived_quantities.hpp"

namespace liaison {

constexpr long least_state_bits = 128, most_state_bits = 4096;

/// What DerivedQuantities::at_state gives in double, as balls of any precision at a certified state:
/// accelerations, factors, r, drive, components of E and e^h, powers, energies, coefficients of forms.
class CertifiedQuantities {
 public:
  /// `state` is certified and stays where it is. Only what `asked` needs is solved for.
  CertifiedQuantities(Algebra& algebra, DerivedQuantities& quantities, const CertifiedState& state,
                      std::span<const Expr> asked);

  /// Not empty: there are no certain values, and why.
  const std::string& failure() const { return failure_; }
  /// The possible motions of the state. Where a factor enters its own direction they are the roots of a
  /// non-linear system that were found: there may be others.
  std::size_t motion_count() const { return std::max({std::size_t{1}, roots_.size(), exact_.size()}); }
  /// The equations of motion leave accelerations or factors open: det r = 0 at the state.
  bool leaves_open() const { return !exact_.empty() && !exact_[0].open.empty(); }
  /// No other motions than those counted exist (proved): where a factor enters its own direction, as many
  /// roots are known as its equation, a polynomial, has degrees.
  bool has_every_motion() const { return roots_.empty() || has_every_root_; }
  /// Whether e is the same for every value of what the relations leave open (proved).
  bool is_determined(Expr e);
  /// Values in one motion; nothing at too few bits, or with a failure where there is no value at any.
  std::optional<std::vector<Ball>> values(std::size_t motion, std::span<const Expr> es, long bits);
  /// How large the expressions are, with accelerations and factors as large as what they are computed from
  /// (MotionSizes).
  std::optional<std::vector<Ball>> sizes(std::size_t motion, std::span<const Expr> es, long bits);
  /// det r at the state: a ball, or exactly zero where that is proved; nothing: not decided at these bits.
  std::optional<Ball> determinant(long bits);

  /// Accelerations and factors are determined at the state, by the relations where the masses are singular.
  bool find_regular(long bits);

 private:
  Expr rewritten(Expr e);
  void find_motions();
  void find_roots();
  bool count_roots() const;
  void solve_exactly();
  std::optional<Ball> query_ball(const Query& query, const MotionBalls& balls) const;
  std::optional<BallPoint> point(std::size_t motion, long bits) const;
  std::optional<BallPoint> motion_point(std::size_t motion, long bits);
  std::optional<std::vector<Ball>> evaluated(std::size_t motion, std::span<const Expr> es,
                                             const BallPoint& at, long bits);
  MotionBalls motion_at(const BallPoint& at, long bits);
  Expr put_in(Expr e, long bits);

  Algebra& algebra_;
  DerivedQuantities& quantities_;
  const Motion& motion_;
  const CertifiedState& state_;
  bool needs_fields_ = false;  ///< E, e^h, r or drive
  bool needs_motion_ = false;  ///< accelerations or factors
  std::vector<const Query*> queries_;
  std::vector<std::shared_ptr<Enclosure>> roots_;  ///< the state together with one set of factors
  bool has_every_root_ = false;
  Substitution exact_state_;        ///< where det r may be zero
  std::vector<ExactMotion> exact_;  ///< what det r = 0 leaves
  std::optional<Motion> folded_;    ///< the motion with the exact values put in
  std::string failure_;
};

}  // namespace liaison
