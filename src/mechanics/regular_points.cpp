#include "regular_points.hpp"

#include <algorithm>

#include "ball_elimination.hpp"
#include "certified_motion.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/mechanics/states.hpp"
#include "repeated_relations.hpp"

namespace liaison {

namespace {

constexpr int most_points = 4;
constexpr int tries_at_rest = 20;
constexpr long first_bits = 128, most_bits = 2048;

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

/// Those entries of a square matrix, row by row, that are not zero as they are written.
struct Entries {
  std::size_t size = 0;
  std::vector<std::size_t> places;
  std::vector<Expr> values;
};

Entries written_entries(std::size_t size, const std::vector<Expr>& all) {
  Entries result{size, {}, {}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].is_zero()) continue;
    result.places.push_back(i);
    result.values.push_back(all[i]);
  }
  return result;
}

bool has_nonzero_determinant(const PointFinder& finder, const RegionPoint& point, const Entries& entries) {
  for (long bits = first_bits; bits <= most_bits; bits *= 4) {
    const auto values = finder.values(point, entries.values, bits);
    if (!values) continue;
    std::vector<BallEntry> balls;
    for (std::size_t k = 0; k < values->size(); ++k)
      balls.push_back({entries.places[k] / entries.size, entries.places[k] % entries.size, (*values)[k]});
    if (is_certainly_regular(entries.size, balls, bits)) return true;
  }
  return false;
}

}  // namespace

Verdict is_regular_at_points(Algebra& algebra, const Motion& motion) {
  const Entries entries =
      written_entries(motion.space.size() + motion.relation_count, slopes_of_motion(motion));
  // factors belong to the point where the directions depend on them
  const Region region = is_implicit(motion) ? motions_of(algebra, motion) : states_of(motion);
  PointFinder finder(algebra, region, entries.values, {.seed = algebra.options().seed});
  Verdict verdict = Verdict::of(Grade::checked, "det r has no closed form");
  for (int i = 0; i < most_points; ++i) {
    const auto point = finder.next();
    if (!point) break;
    if (!has_nonzero_determinant(finder, *point, entries))
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

namespace {

std::optional<Witness> find_at_rest(Algebra& algebra, const Motion& motion) {
  if (motion.constraints.size() != motion.relation_count || is_implicit(motion)) return std::nullopt;
  Substitution rest;
  for (Expr parameter : motion.space.parameters) rest.emplace(parameter, algebra.pool().number(0));
  const Region states = states_with_rates(motion);
  Region places = states;
  places.equations = substitute(states.equations, rest);
  std::erase_if(places.equations, [](Expr e) { return e.is_zero(); });
  if (places.equations.size() == states.equations.size()) return std::nullopt;
  for (Requirement& requirement : places.domain) requirement.e = substitute(requirement.e, rest);
  const Entries entries = written_entries(motion.space.size() + motion.relation_count,
                                          substitute(slopes_of_motion(motion), rest));
  std::vector<Expr> asked = entries.values;
  const std::vector<Expr> load = substitute(motion.free.load, rest);
  asked.insert(asked.end(), load.begin(), load.end());
  PointFinder finder(algebra, places, asked, {.seed = algebra.options().seed, .tries = tries_at_rest});
  for (int i = 0; i < most_points; ++i) {
    const auto point = finder.next();
    if (!point) break;
    if (!has_nonzero_determinant(finder, *point, entries)) continue;
    Witness witness;
    witness.point = point->printed();
    for (const auto& [parameter, zero] : rest) witness.point.emplace_back(parameter, Rational(0));
    return witness;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Witness> regular_state_at_rest(Algebra& algebra, const Motion& motion) {
  try {
    if (auto regular = find_at_rest(algebra, motion)) return regular;
    return rest_on_repeated_relations(algebra, motion);
  } catch (const Error& error) {
    switch (error.code()) {
      case ErrorCode::division_by_zero:  // friction has no direction where everything rests
      case ErrorCode::undefined_constant:
      case ErrorCode::limit_reached: return std::nullopt;
      default: throw;
    }
  }
}

}  // namespace liaison
