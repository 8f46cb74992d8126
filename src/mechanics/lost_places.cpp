#include "lost_places.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "liaison/algebra/corners.hpp"
#include "liaison/algebra/matrix.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/states.hpp"
#include "state_relations.hpp"

namespace liaison {

Region written_states(const Motion& motion) {
  const System& system = *motion.space.system;
  Region region;
  region.domain = system.domain;
  for (std::size_t h = 0; h < motion.relation_count; ++h) {
    const ConstraintField& constraint = motion.constraints[h];
    region.equations.push_back(constraint.level.empty() ? constraint.relation : constraint.level);
  }
  for (const Rotation& rotation : system.rotations) region.equations.push_back(length_relation(rotation));
  return region;
}

namespace {

bool is_empty_on(Algebra& algebra, Region region, std::initializer_list<Expr> zeros) {
  region.equations.insert(region.equations.end(), zeros.begin(), zeros.end());
  return algebra.follows(algebra.pool().number(1), region);
}

}  // namespace

std::vector<Expr> corners_of_text(Algebra& algebra, const std::vector<Corner>& written) {
  std::vector<Expr> result;
  std::unordered_set<Expr> known;
  Expr of;
  std::optional<SmoothnessTest> test;
  for (const Corner& corner : written) {
    if (known.contains(corner.at)) continue;
    if (corner.of != of) {
      of = corner.of;
      test.reset();
      if (!of.empty()) test.emplace(algebra, of);
    }
    if (test && test->is_smooth_across(corner.at, 1)) continue;
    known.insert(corner.at);
    result.push_back(corner.at);
  }
  return result;
}

Domain lost_to_derivatives(Algebra& algebra, const Motion& motion, bool of_motions) {
  const System& system = *motion.space.system;
  Domain found;  // joined at the end: a table has thousands of corners
  const auto add_corners = [&](Expr e, int order) {
    for (Expr corner : corners(algebra, e, order)) found.push_back({corner, Bound::nonzero});
  };
  for (Expr corner : corners_of_text(algebra, system.corners)) found.push_back({corner, Bound::nonzero});
  if (of_motions) {
    add_corners(system.kinetic, 2);
    // a step of a potential has the derivative zero on both sides, and its jump is that of what is claimed
    const std::vector<Expr> steps = piece_arguments(std::span(&system.potential, 1)).jumps;
    const std::unordered_set<Expr> is_step(steps.begin(), steps.end());
    for (Expr corner : corners(algebra, system.potential, 1)) {
      if (!is_step.contains(corner)) found.push_back({corner, Bound::nonzero});
    }
    for (Expr velocity : system.chart.velocities) add_corners(velocity, 1);
  }
  for (std::size_t h = 0; h < motion.relation_count; ++h) {
    const Domain of_relation = lost_to_constraint(algebra, motion.constraints[h], of_motions);
    found.insert(found.end(), of_relation.begin(), of_relation.end());
  }
  Domain lost;
  add_requirements(lost, found);
  return lost;
}

Domain lost_to_constraint(Algebra& algebra, const ConstraintField& constraint, bool of_motions) {
  Domain lost;
  const bool is_level = !constraint.level.empty();
  if (!is_level && !of_motions) return lost;
  const Expr written = is_level ? constraint.level : constraint.relation;
  std::vector<Expr> derived;
  if (is_level) derived.push_back(constraint.relation);
  if (of_motions) {
    derived.insert(derived.end(), constraint.gradient.begin(), constraint.gradient.end());
    derived.push_back(constraint.bias);
  }
  const Domain known = natural_domain(std::span(&written, 1));
  std::unordered_set<Expr> has_value, has_slope;  // where it is written; where its derivative has one too
  for (const Requirement& one : known) {
    has_value.insert(one.e);
    if (one.bound != Bound::nonnegative) has_slope.insert(one.e);
  }
  Domain found;
  for (const Requirement& requirement : natural_domain(derived)) {
    const bool is_root = requirement.bound == Bound::nonnegative;
    const std::unordered_set<Expr>& is_known = is_root ? has_value : has_slope;
    if (!is_known.contains(requirement.e)) found.push_back({requirement.e, Bound::nonzero});
  }
  for (Expr corner : corners(algebra, written, is_level && of_motions ? 2 : 1))
    found.push_back({corner, Bound::nonzero});
  add_requirements(lost, found);
  return lost;
}

bool is_on_written_states(Algebra& algebra, const Motion& motion, Expr e) {
  return !is_empty_on(algebra, written_states(motion), {e});
}

namespace {

/// The equations of a region have independent gradients on each of its components (proved): none of these is
/// larger than it has to be.
bool is_nowhere_too_large(Algebra& algebra, const Region& region) {
  constexpr std::size_t most_equations = 4;
  std::vector<Expr> symbols = symbols_in(region.equations);
  std::erase_if(symbols, [](Expr symbol) {
    return symbol.symbol().kind != SymbolKind::coordinate && symbol.symbol().kind != SymbolKind::velocity;
  });
  if (region.equations.size() > most_equations || symbols.empty()) return false;
  Matrix gradients(algebra.pool(), region.equations.size(), symbols.size());
  for (std::size_t h = 0; h < region.equations.size(); ++h) {
    for (std::size_t i = 0; i < symbols.size(); ++i)
      gradients(h, i) = derivative(region.equations[h], symbols[i]);
  }
  try {
    const Expr squares = determinant(algebra, gradients * transpose(gradients)).value;
    return algebra.vanishes_on_no_component(squares, region).is_proved();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit_reached) throw;
    return false;
  }
}

/// e = 0 is no component of the states on either of its sides (proved).
bool is_thin_beside(Algebra& algebra, const Region& states, Expr e) {
  for (int side : {1, -1}) {
    Region beside = states;
    beside.equations = on_side(states.equations, e, side);
    if (!algebra.vanishes_on_no_component(e, beside).is_proved()) return false;
  }
  return true;
}

}  // namespace

bool is_thin_place(Algebra& algebra, const Motion& motion, Expr e) {
  const Region states = written_states(motion);
  if (algebra.vanishes_on_no_component(e, states).is_proved()) return true;
  const std::vector<Corner>& text = motion.space.system->corners;
  if (std::none_of(text.begin(), text.end(), [&](const Corner& corner) { return corner.at == e; }))
    return false;
  // a derivative in a relation, sign(t) of abs(t), has no piece of its own on its corner
  return is_thin_beside(algebra, states, e);
}

bool is_small_jump(Algebra& algebra, const Motion& motion, Expr e) {
  const Region states = written_states(motion);
  const std::vector<Expr> jumps = piece_arguments(states.equations).jumps;
  if (std::find(jumps.begin(), jumps.end(), e) == jumps.end() || !is_thin_beside(algebra, states, e))
    return false;
  Region on_it = states;
  on_it.equations = on_side(states.equations, e, 0);
  return algebra.vanishes_on_no_component(e, on_it).is_proved() && is_nowhere_too_large(algebra, on_it);
}

bool may_have_states_on(Algebra& algebra, const Motion& motion, Expr e) {
  if (!is_empty_on(algebra, states_of(motion), {e})) return true;
  const Domain& lost = motion.lost_to_motions;
  return std::any_of(lost.begin(), lost.end(), [&](const Requirement& requirement) {
    return !is_empty_on(algebra, written_states(motion), {e, requirement.e});
  });
}

}  // namespace liaison
