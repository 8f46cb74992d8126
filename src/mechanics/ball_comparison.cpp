#include "ball_comparison.hpp"
#include "expr/raw.hpp"

namespace liaison {

BallComparison::Outcome BallComparison::compare(const Ball& left, const Ball& right,
                                                std::span<const Ball> summands, long bits) {
  // |l - r| <= max(|l|, |r|) for numbers without opposite signs, and <= 2*max(|l|, |r|) for all: on these
  // bounds no precision decides
  const bool has_one_sign = (arb_is_nonnegative(left.raw()) && arb_is_nonnegative(right.raw())) ||
                            (arb_is_nonpositive(left.raw()) && arb_is_nonpositive(right.raw()));
  if (tolerance_ >= Rational(has_one_sign ? 1 : 2)) return Outcome::agree;
  Ball difference, size, bound;
  arb_sub(difference.raw(), left.raw(), right.raw(), bits);
  arb_abs(size.raw(), left.raw());
  arb_abs(bound.raw(), right.raw());
  arb_max(bound.raw(), bound.raw(), size.raw(), bits);
  if (arb_is_zero(left.raw()) || arb_is_zero(right.raw())) {
    for (const Ball& summand : summands) {
      arb_abs(size.raw(), summand.raw());
      arb_max(bound.raw(), bound.raw(), size.raw(), bits);
    }
  }
  arb_mul_fmpz(bound.raw(), bound.raw(), fmpq_numref(tolerance_.raw()), bits);
  arb_div_fmpz(bound.raw(), bound.raw(), fmpq_denref(tolerance_.raw()), bits);
  Ball distance;
  arb_abs(distance.raw(), difference.raw());
  if (arb_le(distance.raw(), bound.raw())) return Outcome::agree;
  if (arb_gt(distance.raw(), bound.raw())) return Outcome::differ;
  const bool against_zero = arb_is_zero(left.raw()) || arb_is_zero(right.raw());
  return has_vanished(difference, against_zero ? 100 : 800) ? Outcome::agree : Outcome::undecided;
}

/// The radius of a ball is what rounding does to the numbers that it is computed from. A difference that
/// does not exclude zero when its radius is 2^-100 of what it was is smaller than 10^-30 of those numbers.
/// Two sides that both come out as zero by cancelling may still differ: that is looked at more closely.
bool BallComparison::has_vanished(const Ball& difference, long fewer_bits) {
  if (!difference.contains_zero()) return false;
  if (!has_first_) {
    first_ = difference;
    has_first_ = true;
    return false;
  }
  mag_t before;
  mag_init(before);
  mag_mul_2exp_si(before, arb_radref(first_.raw()), -fewer_bits);
  const bool vanished = mag_cmp(arb_radref(difference.raw()), before) <= 0;
  mag_clear(before);
  return vanished;
}

}  // namespace liaison
