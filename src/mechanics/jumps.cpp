#include "jumps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/mechanics/states.hpp"
#include "liaison/model/kinematics.hpp"
#include "lost_places.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_meeting = 3;  // surfaces that meet another one in a point

Verdict may_jump(Expr u) {
  return Verdict::of(Grade::unknown, fmt::format("it may jump where a motion touches {} = 0", to_infix(u)));
}

/// On one surface, with the sides of the others as they are; above it where there is no value on it.
Expr value_on(const Switching& switching, Expr u) {
  try {
    return switching.value({{u, 0}});
  } catch (const Error&) {
    return switching.value({{u, 1}});
  }
}

/// symbol = value, by an equation that is linear in the symbol with a number in front: exact at every state.
void solve_outright(Expr equation, const std::vector<Expr>& symbols, Substitution& solved) {
  equation = substitute(equation, solved);
  for (Expr symbol : symbols) {
    const auto linear = linear_coefficients(equation, std::span(&symbol, 1));
    if (!linear || !linear->coefficients[0].is_number() || linear->coefficients[0].is_zero()) continue;
    const Expr value = linear->rest / -linear->coefficients[0].number();
    if (!natural_domain(std::span(&value, 1)).empty()) continue;
    for (auto& [known, its] : solved) its = substitute(its, {{symbol, value}});
    solved.emplace(symbol, value);
    return;
  }
}

}  // namespace

Expr on_solved_relations(const Motion& motion, Expr e) {
  const Expr one[] = {e};
  if (piece_arguments(one).jumps.empty() && cuts(one).empty()) return e;
  std::vector<Expr> coordinates;
  for (const Direction& direction : motion.space.system->directions) {
    if (!direction.coordinate.empty()) coordinates.push_back(direction.coordinate);
  }
  Substitution solved;
  for (std::size_t h = 0; h < motion.relation_count; ++h) {
    const ConstraintField& constraint = motion.constraints[h];
    if (!constraint.level.empty()) solve_outright(constraint.level, coordinates, solved);
    solve_outright(constraint.relation, motion.space.parameters, solved);
  }
  try {
    return substitute(e, solved);
  } catch (const Error&) {  // it has no value at any state
    return e;
  }
}

JumpSearch::JumpSearch(Algebra& algebra, const Motion& motion, DerivedQuantities& quantities, Region motions,
                       Compare compare)
    : algebra_(algebra),
      motion_(motion),
      quantities_(quantities),
      motions_(std::move(motions)),
      compare_(std::move(compare)) {}

Verdict JumpSearch::search(Expr kept, std::string& detail) {
  const Switching switching(algebra_, kept);
  Verdict whole = Verdict::of(Grade::proved);
  for (Expr surface : switching.surfaces()) {
    whole = conjunction(std::move(whole), across(switching, surface, detail));
    if (!whole.holds()) return whole;
  }
  const Expr jumping = switching.jumping_surface();
  return jumping.empty() ? whole : may_jump(jumping);
}

/// On both sides of a surface and on it the value is one, wherever a motion comes to it.
Verdict JumpSearch::across(const Switching& switching, Expr u, std::string& detail) {
  const Expr rate = in_motion(time_derivative(*motion_.space.system, u)), surface = in_motion(u);
  const Expr above = in_motion(switching.value({{u, 1}})), below = in_motion(switching.value({{u, -1}}));
  const Expr on_it = with_surfaces_ ? in_motion(value_on(switching, u)) : above;
  if (rate.empty() || surface.empty() || above.empty() || below.empty() || on_it.empty())
    return Verdict::of(Grade::unknown, quantities_.reason());
  if (above == below && above == on_it) return Verdict::of(Grade::proved);
  if (algebra_.follows(rate, motions_of(algebra_, motion_))) return Verdict::of(Grade::proved);  // u is kept
  Region at_surface = written_states(motion_);
  at_surface.equations.push_back(surface);
  if (algebra_.follows(above - below, at_surface) && algebra_.follows(above - on_it, at_surface))
    return Verdict::of(Grade::proved);  // it is continuous, motion or not
  Region there = motions_;
  there.equations.push_back(surface);
  // States without an acceleration are no proof that nothing passes through them.
  if (algebra_.follows(algebra_.pool().number(1), there) && may_have_states_on(algebra_, motion_, surface))
    return may_jump(u);
  const std::vector<Expr> others = meeting(switching, u, there);
  Region crossing = there;
  crossing.domain.push_back({rate, Bound::nonzero});
  for (Expr other : others) {
    const Expr e = in_motion(other);
    if (e.empty()) return Verdict::of(Grade::unknown, quantities_.reason());
    crossing.domain.push_back({e, Bound::nonzero});
  }
  // A motion may cross with the rate 0, too, or where u has a kink (max(x, 0) does not change its sign), or
  // it comes to the border of where the quantity has a value, and there is no other side.
  std::vector<Expr> special{rate};
  for (Requirement& requirement : crossing.domain) {
    if (requirement.bound != Bound::nonnegative) continue;
    requirement.bound = Bound::positive;
    special.push_back(requirement.e);
  }
  for (Expr kink : piece_arguments(std::span(&u, 1)).kinks) {
    special.push_back(in_motion(kink));
    if (special.back().empty()) return Verdict::of(Grade::unknown, quantities_.reason());
    crossing.domain.push_back({special.back(), Bound::nonzero});
  }
  Verdict whole = Verdict::of(Grade::proved);
  for (Expr value : {below, on_it}) {  // sign(x)^2 is 1 on both sides, and 0 between
    if (value == above) continue;
    Verdict verdict = compare_(above, value, crossing);
    if (verdict.is_refuted()) detail = fmt::format("it jumps where a motion crosses {} = 0", to_infix(u));
    if (!verdict.holds() && verdict.grade != Grade::empty) return verdict;
    if (verdict.holds()) whole = conjunction(std::move(whole), std::move(verdict));
    const auto is_one_at = [&](Expr e) {
      Region touching = there;
      touching.equations.push_back(e);
      return algebra_.follows(above - value, touching);
    };
    if (!std::all_of(special.begin(), special.end(), is_one_at)) return may_jump(u);
  }
  return is_one_where_they_meet(switching, u, others, there) ? whole : may_jump(u);
}

/// Other surfaces that may have points with u = 0 in common.
std::vector<Expr> JumpSearch::meeting(const Switching& switching, Expr u, const Region& on_u) {
  std::vector<Expr> result;
  for (Expr other : switching.surfaces()) {
    if (other == u) continue;
    Region both = on_u;
    if (const Expr e = in_motion(other); !e.empty()) both.equations.push_back(e);
    if (!algebra_.follows(algebra_.pool().number(1), both)) result.push_back(other);
  }
  return result;
}

/// Where further surfaces meet u = 0, a motion may come from any side and leave to any other: the value is
/// the same on all of them (proved).
bool JumpSearch::is_one_where_they_meet(const Switching& switching, Expr u, const std::vector<Expr>& others,
                                        const Region& on_u) {
  if (others.size() > most_meeting) return false;
  for (unsigned subset = 1; subset < 1U << others.size(); ++subset) {
    Region there = on_u;
    Switching::Sides sides{{u, 0}};
    for (std::size_t k = 0; k < others.size(); ++k) {
      if ((subset >> k & 1U) == 0) continue;
      const Expr surface = in_motion(others[k]);
      if (surface.empty()) return false;
      there.equations.push_back(surface);
      sides.emplace_back(others[k], 0);
    }
    if (algebra_.follows(algebra_.pool().number(1), there)) continue;
    if (!is_one_on_all_sides(switching, std::move(sides), there)) return false;
  }
  return true;
}

bool JumpSearch::is_one_on_all_sides(const Switching& switching, Switching::Sides sides,
                                     const Region& meeting) {
  const Expr one = in_motion(switching.value(sides));
  if (one.empty()) return false;
  for (bool is_last = false; !is_last;) {  // counts through 0, 1, -1 of each
    is_last = true;
    for (auto& [surface, side] : sides) {
      side = side == 1 ? -1 : side + 1;
      if (side == 0) continue;
      is_last = false;
      break;
    }
    const Expr value = in_motion(switching.value(sides));
    if (value.empty() || (value != one && !algebra_.follows(value - one, meeting))) return false;
  }
  return true;
}

}  // namespace liaison
