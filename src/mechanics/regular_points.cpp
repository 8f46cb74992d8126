#include "regular_points.hpp"

#include <algorithm>

#include "certified_motion.hpp"
#include "expr/ball_matrix.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/mechanics/states.hpp"

namespace liaison {

namespace {

constexpr int most_points = 4;
constexpr long first_bits = 128, most_bits = 512;

/// The slopes of mass*u' - load - sum lambda_h l^h and of the differentiated relations, by accelerations and
/// factors.
std::vector<Expr> slopes_of_motion(const Motion& motion) {
  const std::size_t n = motion.space.size(), m = motion.relation_count;
  Pool& pool = motion.space.pool();
  std::vector<Expr> factors, entries;
  for (const ConstraintField& constraint : motion.constraints) factors.push_back(constraint.factor);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Expr> forces;
    for (const ConstraintField& constraint : motion.constraints)
      forces.push_back(constraint.factor * constraint.direction[i]);
    for (std::size_t a = 0; a < n; ++a) entries.push_back(motion.free.mass(i, a));
    const std::vector<Expr> by_factors = gradient(-pool.add(forces), factors);
    entries.insert(entries.end(), by_factors.begin(), by_factors.end());
  }
  for (std::size_t h = 0; h < m; ++h) {
    const std::vector<Expr>& row = motion.constraints[h].gradient;
    entries.insert(entries.end(), row.begin(), row.end());
    entries.insert(entries.end(), m, pool.number(0));
  }
  return entries;
}

bool has_nonzero_determinant(const PointFinder& finder, const RegionPoint& point,
                             std::span<const Expr> entries, std::size_t size) {
  for (long bits = first_bits; bits <= most_bits; bits *= 2) {
    const auto values = finder.values(point, entries, bits);
    if (!values) continue;
    const BallMatrix matrix(size, size, *values);
    Ball determinant;
    arb_mat_det(determinant.raw(), matrix.raw(), bits);
    if (!determinant.contains_zero()) return true;
  }
  return false;
}

}  // namespace

Verdict is_regular_at_points(Algebra& algebra, const Motion& motion) {
  const std::vector<Expr> entries = slopes_of_motion(motion);
  const std::size_t size = motion.space.size() + motion.relation_count;
  // factors belong to the point where the directions depend on them
  const Region region = is_implicit(motion) ? motions_of(algebra, motion) : states_of(motion);
  PointFinder finder(algebra, region, entries, {.seed = algebra.options().seed});
  Verdict verdict = Verdict::of(Grade::checked, "det r has no closed form");
  for (int i = 0; i < most_points; ++i) {
    const auto point = finder.next();
    if (!point) break;
    if (!has_nonzero_determinant(finder, *point, entries, size))
      return Verdict::of(Grade::unknown,
                         "det r has no closed form, and is not known to differ from 0 at a state");
    ++verdict.points;
  }
  if (verdict.points == 0)
    return Verdict::of(Grade::unknown, "no state could be certified: " + finder.failure());
  verdict.digits = static_cast<long>(static_cast<double>(first_bits) * 0.30103);
  verdict.region = finder.covered();
  return verdict;
}

}  // namespace liaison
