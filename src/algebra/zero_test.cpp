#include <array>
#include <cmath>

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/traverse.hpp"
#include "memory.hpp"
#include "rewrite.hpp"
#include "sampling.hpp"

namespace liaison {

namespace {

constexpr long first_look_bits = 128;
constexpr long most_bits = 1 << 16;

long bits_of_digits(long digits) {
  return static_cast<long>(std::ceil(static_cast<double>(digits) * 3.33)) + 64;
}

/// Exact: nothing if the field cannot decide; then `reason` says why.
std::optional<bool> vanishes_in_field(Algebra& algebra, Expr rewritten, std::string& reason) {
  try {
    const std::array es{rewritten};
    Field field = make_field(algebra, es);
    if (field.convert(rewritten).is_zero()) return true;
    if (field.is_independent()) return false;
    reason = "the generators may depend on each other";
  } catch (const LimitReached& limit) {
    reason = limit.reason;
  }
  return std::nullopt;
}

/// The point and the values of the two sides there, with as many bits as it takes to tell them apart.
Verdict refuted(const Sampler& sampler, const Sampler::Sample& sample) {
  Verdict verdict;
  verdict.grade = Grade::refuted;
  std::vector<Ball> values = sample.values;
  for (long bits = 2 * first_look_bits; bits <= most_bits && arb_overlaps(values[1].raw(), values[2].raw());
       bits *= 4) {
    auto sharper = sampler.evaluate_at(sample, bits);
    if (!sharper) break;
    values = std::move(*sharper);
  }
  verdict.witness = {sample.point, values[1], values[2]};
  return verdict;
}

/// Is |value| certainly below 10^-digits?
bool is_small(const Ball& value, long digits) {
  Ball bound;
  arb_set_si(bound.raw(), 10);
  arb_pow_ui(bound.raw(), bound.raw(), static_cast<ulong>(digits), 64);
  arb_inv(bound.raw(), bound.raw(), 64);
  Ball size;
  arb_abs(size.raw(), value.raw());
  return arb_lt(size.raw(), bound.raw());
}

/// Signs and absolute values make a function of several pieces: enough points that each piece is met.
int points_needed(Algebra& algebra, Expr e) {
  constexpr int pieces = 12;
  for (Expr node : postorder(e)) {
    const bool branches =
        node.op() == Op::sign || node.op() == Op::abs || node.op() == Op::min || node.op() == Op::max;
    if (branches) return pieces * algebra.options().check_points;
  }
  return algebra.options().check_points;
}

/// No proof: zero at all points to all digits, or a point where it is not.
Verdict check_at_points(Algebra& algebra, Sampler& sampler, int points, std::string reason) {
  const AlgebraOptions& options = algebra.options();
  Verdict verdict;
  verdict.reason = std::move(reason);
  for (int i = 0; i < points; ++i) {
    long bits = bits_of_digits(options.check_digits);
    auto sample = sampler.draw(bits);
    if (!sample) {
      verdict.reason += "; no point of the domain was found (" + sampler.failure() + ")";
      return verdict;
    }
    // Cancellation may cost digits: more bits until it is small or certainly not zero.
    for (int round = 0; round < 5 && sample->values[0].contains_zero(); ++round, bits *= 2) {
      if (is_small(sample->values[0], options.check_digits)) break;
      const auto sharper = sampler.evaluate_at(*sample, bits * 2);
      if (!sharper) break;
      sample->values = *sharper;
    }
    if (!sample->values[0].contains_zero()) return refuted(sampler, *sample);
    if (!is_small(sample->values[0], options.check_digits)) {
      verdict.reason += "; the precision did not decide a point";
      return verdict;
    }
    ++verdict.points;
  }
  verdict.grade = Grade::checked;
  verdict.digits = options.check_digits;
  return verdict;
}

/// Known not to vanish identically: a point that shows it, with as many bits as that takes.
Verdict find_witness(Sampler& sampler, int points) {
  for (int i = 0; i < points; ++i) {
    auto sample = sampler.draw(first_look_bits);
    if (!sample) break;
    for (long bits = 2 * first_look_bits; sample->values[0].contains_zero() && bits <= most_bits; bits *= 4) {
      const auto sharper = sampler.evaluate_at(*sample, bits);
      if (!sharper) break;
      sample->values = *sharper;
    }
    if (!sample->values[0].contains_zero()) return refuted(sampler, *sample);
  }
  Verdict verdict;
  verdict.reason = "it is not identically zero, but no point was found that shows it";
  return verdict;
}

/// A point at which it is certainly not zero, looked for at the first few points.
std::optional<Verdict> find_refutation(Sampler& sampler, int points) {
  for (int i = 0; i < points; ++i) {
    const auto sample = sampler.draw(first_look_bits);
    if (!sample) return std::nullopt;
    if (!sample->values[0].contains_zero()) return refuted(sampler, *sample);
  }
  return std::nullopt;
}

/// left - right, which is `difference`. Points are drawn for the sides as they were given, so that a witness
/// is one of theirs.
Verdict decide(Algebra& algebra, Expr difference, Expr left, Expr right) {
  Verdict proved;
  proved.grade = Grade::proved;
  if (difference.is_zero()) return proved;
  const CallScope scope(algebra);
  const Expr rewritten = rewrite(algebra, difference);
  if (rewritten.is_zero()) return proved;
  const std::array es{rewritten, left, right};
  Sampler sampler(algebra, es);
  if (auto refutation = find_refutation(sampler, 1)) return *refutation;
  std::string reason;
  const auto vanishes = vanishes_in_field(algebra, rewritten, reason);
  if (vanishes == true) return proved;
  const int points = points_needed(algebra, rewritten);
  if (vanishes == false) return find_witness(sampler, points);
  return check_at_points(algebra, sampler, points, reason);
}

}  // namespace

Verdict Algebra::is_zero(Expr e) {
  return decide(*this, e, e, pool_.number(0));
}

Verdict Algebra::are_equal(Expr a, Expr b) {
  return decide(*this, a - b, a, b);
}

}  // namespace liaison
