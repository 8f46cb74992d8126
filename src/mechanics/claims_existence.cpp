#include <algorithm>

#include "certified_motion.hpp"
#include "liaison/algebra/own_budget.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanics/states.hpp"
#include "liaison/model/kinematics.hpp"
#include "motion_at_witness.hpp"
#include "regular_points.hpp"
#include "witness_state.hpp"

/// Whether there is a motion at all: what the equations of motion say of it is worth nothing where there is
/// none. Where relations lose rank at every state (y = 0 and y = x^2, x'^2 + y'^2 = 0) these equations may
/// have solutions that no motion has.
namespace liaison {

namespace {

constexpr int most_rounds = 3;
constexpr std::uint64_t operations_for_a_motion = 500'000'000;  // once for a model

bool follow_by_themselves(Algebra& algebra, const Motion& motion, const Substitution& at_rest) {
  const auto vanishes = [&](Expr e) { return e.empty() || algebra.follows(substitute(e, at_rest), {}); };
  return std::all_of(motion.constraints.begin(), motion.constraints.end(), [&](const ConstraintField& field) {
    return vanishes(field.level) && vanishes(field.relation);
  });
}

/// Some accelerations and factors, with zero for the accelerations of what rests, satisfy the equations of
/// motion at all states around a point.
bool can_rest(Algebra& algebra, const Motion& motion, const Substitution& at_rest,
              const std::vector<bool>& rests, const Witness& witness) {
  const std::size_t n = motion.space.size(), forces = motion.constraints.size();
  std::vector<std::size_t> moving;
  for (std::size_t a = 0; a < n; ++a) {
    if (!rests[a]) moving.push_back(a);
  }
  Matrix matrix(algebra.pool(), n, moving.size() + forces);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < moving.size(); ++j)
      matrix(i, j) = substitute(motion.free.mass(i, moving[j]), at_rest);
    for (std::size_t h = 0; h < forces; ++h)
      matrix(i, moving.size() + h) = -substitute(motion.constraints[h].direction[i], at_rest);
  }
  const SolveResult solution = solve(algebra, matrix, substitute(motion.free.load, at_rest));
  return solution.status != SolveStatus::inconsistent && solution.grade == Grade::proved &&
         do_not_vanish_at(solution.conditions, witness);
}

}  // namespace

/// A certified point of a region, completed to a state; nothing where none was found.
std::optional<Witness> ClaimChecker::point_of(const Region& region) {
  Verdict verdict = algebra_.are_equal(algebra_.pool().number(0), algebra_.pool().number(1), region);
  if (!verdict.is_refuted()) return std::nullopt;
  complete_witness(motion_, verdict.witness);
  return std::move(verdict.witness);
}

/// What has one value at all points keeps it along a motion: its rate is zero, too.
ClaimChecker::Kept ClaimChecker::with_rates_of_constants(Region region) {
  const StateSpace& space = motion_.space;
  Kept result{std::move(region), {}};
  std::vector<Expr> symbols;
  for (const ScalarCoordinate& coordinate : space.coframe->scalar_coordinates()) {
    if (coordinate.symbol != space.system->time) symbols.push_back(coordinate.symbol);
  }
  symbols.insert(symbols.end(), space.parameters.begin(), space.parameters.end());
  for (int round = 0; round < most_rounds; ++round) {
    const auto witness = point_of(result.region);
    if (!witness) return result;
    bool is_new = false;
    for (const auto& [symbol, value] : witness->point) {
      const bool is_asked = std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
      const Expr constant = algebra_.pool().number(value);
      if (!is_asked || result.values.contains(symbol)) continue;
      if (!algebra_.follows(symbol - constant, result.region)) continue;
      const auto rate = quantities_.in_motion_variables(time_derivative(*space.system, symbol));
      if (!rate) continue;
      result.values.emplace(symbol, constant);
      result.region.equations.push_back(*rate);
      is_new = true;
    }
    if (!is_new) break;
  }
  return result;
}

/// States are those at which some coordinates and velocities have certain values, and nothing else is asked
/// of the others: then a motion exists if the forces allow what rests to rest.
bool ClaimChecker::moves_beside_what_rests() {
  const System& system = *motion_.space.system;
  if (!system.rotations.empty() || !system.chart.parameters.empty()) return false;
  const Kept kept = with_rates_of_constants(motions_of(algebra_, motion_));
  const auto witness = point_of(kept.region);
  if (!witness) return false;
  std::vector<bool> rests;
  for (Expr parameter : motion_.space.parameters) {
    const auto value = kept.values.find(parameter);
    rests.push_back(value != kept.values.end() && value->second.is_zero());
  }
  return follow_by_themselves(algebra_, motion_, kept.values) &&
         can_rest(algebra_, motion_, kept.values, rests, *witness);
}

/// A state from which a motion certainly starts: the closed forms have a value around it, the relations are
/// independent there, or they have the same rank all around.
bool ClaimChecker::has_certain_motion() {
  if (!has_certain_motion_) {
    const OwnBudget budget(algebra_, operations_for_a_motion);
    has_certain_motion_ = finds_motion();
  }
  return *has_certain_motion_;
}

/// Looked for once; a witness without a point: there was none.
bool ClaimChecker::has_regular_rest() {
  if (!regular_rest_) {
    const OwnBudget budget(algebra_, operations_for_a_motion);
    regular_rest_ = regular_state_at_rest(algebra_, motion_).value_or(Witness{});
  }
  return !regular_rest_->point.empty();
}

bool ClaimChecker::finds_motion() {
  if (motion_.constraints.empty() || is_implicit(motion_)) return true;
  const Region states = states_of(motion_);
  if (has_regular_rest()) return true;
  const auto off_zeros = [&](const std::vector<Expr>& es) {
    Region region = states;
    for (Expr e : es) region.domain.push_back({e, Bound::nonzero});
    return point_of(region);
  };
  const bool is_solved = !motion_.acceleration.empty() && motion_.grade == Grade::proved;
  if (is_solved && off_zeros(motion_.conditions)) return true;
  if (const auto regular = regularity()) {
    const auto witness = off_zeros({*regular});
    if (witness && is_regular_at(motion_, *witness)) return true;
  }
  const auto witness = point_of(states);
  return (witness && starts_motion_at(*witness)) || moves_beside_what_rests();
}

bool ClaimChecker::starts_motion_at(const Witness& witness, const Substitution& parameters) {
  const bool is_solved = !motion_.acceleration.empty() && motion_.grade == Grade::proved;
  if (is_solved && do_not_vanish_at(motion_.conditions, witness)) return true;
  if (is_regular_at(motion_, witness)) return true;
  return is_ideal(*motion_.space.system) && has_definite_mass_at(motion_, witness) &&
         has_constant_rank_at(algebra_, motion_, witness, parameters);
}

/// A verdict that holds of every motion passes only where there is one.
Verdict ClaimChecker::unless_nothing_moves(Verdict verdict) {
  if (verdict.is_refuted() || verdict.grade == Grade::empty || has_certain_motion()) return verdict;
  const Expr zero = algebra_.pool().number(0);
  const Kept kept = with_rates_of_constants(motions_of(algebra_, motion_));
  for (const Region& region : {kept.region, with_second_rates(kept.region)}) {
    if (algebra_.are_equal(zero, zero, region).grade == Grade::empty) return no_motion();
  }
  if (!verdict.holds()) return verdict;
  const std::string open = verdict.reason.empty() ? "" : verdict.reason + "; ";
  return Verdict::of(Grade::unknown,
                     open + "no motion is known to start: the relations may lose rank at every state");
}

}  // namespace liaison
