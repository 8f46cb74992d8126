#include "liaison/mechanics/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "liaison/algebra/own_budget.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/initial_state.hpp"
#include "liaison/mechanics/open_conditions.hpp"
#include "liaison/mechanics/states.hpp"
#include "liaison/model/kinematics.hpp"
#include "lost_places.hpp"
#include "witness_state.hpp"

namespace liaison {

namespace {

Verdict unknown(std::string reason) {
  return Verdict::of(Grade::unknown, std::move(reason));
}

/// What must vanish for a claim to hold: the difference of both sides, the rate of what is kept, if that is
/// smooth. Nothing for others.
std::optional<Expr> vanishing_part(const System& system, const Claim& claim) {
  if (claim.kind == ClaimKind::equality && !claim.within) return claim.left - claim.right;
  if (claim.kind != ClaimKind::conserved) return std::nullopt;
  const PieceArguments pieces = piece_arguments(std::span(&claim.conserved, 1));
  const bool is_smooth =
      pieces.jumps.empty() && pieces.kinks.empty() && natural_domain(std::span(&claim.conserved, 1)).empty();
  return is_smooth ? std::optional(time_derivative(system, claim.conserved)) : std::nullopt;
}

/// Relations between coordinates are their own integrals, whatever derivatives they have.
bool are_levels(const std::vector<const ConstraintField*>& fields) {
  return std::all_of(fields.begin(), fields.end(),
                     [](const ConstraintField* field) { return !field->level.empty(); });
}

}  // namespace

ClaimChecker::ClaimChecker(Algebra& algebra, const Motion& motion)
    : algebra_(algebra), motion_(motion), quantities_(algebra, motion) {}

ClaimResult ClaimChecker::check(const Claim& claim) {
  ClaimResult result;
  result.claim = &claim;
  try {
    result.verdict = decide(claim, result.detail);
  } catch (const Error& error) {
    result.verdict = unknown(error.what());
  }
  if (result.verdict.holds() && claim.at.empty()) drop_what_never_vanishes(result.verdict.conditions);
  complete_witness(motion_, result.verdict.witness);
  in_declared_units(*motion_.space.system, result.verdict.witness);
  if (claim.at.empty()) result.verdict = beside_lost_places(claim, std::move(result.verdict));
  // A claim about the motion is one about open contacts; one about states may hold for closed ones too.
  if (result.verdict.holds() && claim.at.empty()) {
    const bool is_of_motion = is_about_motion(claim);
    for (const Unilateral& contact : motion_.space.system->unilaterals) {
      if (is_of_motion || (claim.kind == ClaimKind::equality && !holds_where_lost(claim, contact.gap())))
        result.verdict.conditions.push_back(contact.gap());
    }
  }
  result.verdict.conditions = factors_that_may_vanish(result.verdict.conditions);
  const bool predicate = claim.kind != ClaimKind::equality && claim.kind != ClaimKind::equations;
  const bool claimed_false = claim.expected == claim.misprint;  // "== false", or a misprint of one
  // the statement as written is that it does not hold
  if (predicate && claimed_false) result.verdict = negation(std::move(result.verdict));
  result.passed = claim.misprint ? result.verdict.is_refuted() : result.verdict.holds();
  return result;
}

Verdict ClaimChecker::decide(const Claim& claim, std::string& detail) {
  if (!claim.after.empty()) return unknown("a statement about a motion in time, not about a state");
  if (!claim.at.empty()) return decide_at(claim, detail);
  if (std::string open = open_part_of(claim); !open.empty()) return unknown(std::move(open));
  Verdict verdict = decide_everywhere(claim, detail);
  return is_about_motion(claim) ? unless_nothing_moves(std::move(verdict)) : verdict;
}

/// A condition that every state satisfies is none: x^2 + y^2 != 0 on a circle around the origin. Only what is
/// shown soon is dropped.
void ClaimChecker::drop_what_never_vanishes(Conditions& conditions) {
  constexpr std::uint64_t operations = 300'000;
  constexpr std::size_t longest = 40, most_relations = 12;
  conditions = factors_that_may_vanish(conditions);
  if (motion_.relation_count == 0 || motion_.relation_count > most_relations) return;
  const auto never_vanishes = [&](Expr condition) {
    if (count_written_operations(condition) > longest) return false;
    const auto [known, is_new] = never_vanishes_.emplace(condition, false);
    if (is_new) {
      const OwnBudget budget(algebra_, operations);
      Region zeros{.equations = states_of(motion_).equations, .domain = {}, .assumed = {}};
      zeros.equations.push_back(condition);
      known->second = algebra_.follows(algebra_.pool().number(1), zeros);
    }
    return known->second;
  };
  std::erase_if(conditions, never_vanishes);
}

/// Where something has no derivative that a claim needs, nothing is known: it says so, and where such a place
/// may be a component of the states it is not decided.
Verdict ClaimChecker::beside_lost_places(const Claim& claim, Verdict verdict) {
  if (!verdict.holds() && verdict.grade != Grade::empty) return verdict;
  if (verdict.holds() && claim.kind == ClaimKind::holonomic && are_levels(named(claim.constraints)))
    return verdict;
  const Domain& lost = is_about_motion(claim) ? motion_.lost_to_motions : motion_.lost_to_states;
  std::vector<Expr> places = corners_of_text(algebra_, claim.corners);
  for (const Requirement& requirement : lost) places.push_back(requirement.e);
  std::erase_if(places, [&](Expr e) { return !is_on_written_states(algebra_, motion_, e); });
  const auto holds_at_rest = [&](Expr place) {  // without a velocity a system may stay on a jump
    if (claim.kind != ClaimKind::equality || is_about_motion(claim)) return true;
    const auto zero = quantities_.in_motion_variables(claim.left - claim.right);
    Region there = written_states(motion_);
    there.equations.push_back(place);
    for (Expr velocity : motion_.space.parameters) there.equations.push_back(velocity);
    return zero && algebra_.follows(*zero, there);
  };
  for (Expr e : places) {
    const std::string where = to_infix(e) + " = 0";
    if (verdict.grade == Grade::empty)
      return unknown("no state has the derivatives that it needs: there are none where " + where);
    if (is_thin_place(algebra_, motion_, e)) {
      verdict.conditions.push_back(e);
    } else if (holds_where_lost(claim, e)) {
      continue;
    } else if (is_small_jump(algebra_, motion_, e) && holds_at_rest(e)) {
      verdict.conditions.push_back(e);
    } else {
      return unknown("it is not known where " + where +
                     ", which may be a component of the states: a derivative has no value there");
    }
  }
  return verdict;
}

/// An equality on a part of the states where a relation has no derivatives, or where contacts are closed
/// (proved), by the other relations and theirs.
bool ClaimChecker::holds_where_lost(const Claim& claim, Expr place) {
  if (!claim.corners.empty()) return false;
  const auto written = vanishing_part(*motion_.space.system, claim);
  const auto zero = written ? quantities_.in_motion_variables(*written) : std::nullopt;
  if (!zero) return false;
  Region there = with_text(written_states(motion_), claim);
  there.equations.push_back(place);
  const std::vector<Unilateral>& contacts = motion_.space.system->unilaterals;
  for (Requirement& requirement : there.domain) {
    const bool is_gap = std::any_of(contacts.begin(), contacts.end(),
                                    [&](const Unilateral& one) { return one.gap() == requirement.e; });
    if (is_gap && requirement.bound == Bound::positive) requirement.bound = Bound::nonnegative;
  }
  // The places at which two relations are lost may meet.
  const Region at_place = there;
  const auto meets = [&](Expr other) {
    Region both = at_place;
    both.equations.push_back(other);
    const Expr nothing = algebra_.pool().number(0);
    return algebra_.are_equal(nothing, nothing, both).grade != Grade::empty;
  };
  for (std::size_t h = 0; h < motion_.relation_count; ++h) {
    const ConstraintField& field = motion_.constraints[h];
    const auto has_derivatives = [&](bool of_motions) {
      const Domain lost = lost_to_constraint(algebra_, field, of_motions);
      return std::none_of(lost.begin(), lost.end(),
                          [&](const Requirement& one) { return one.e == place || meets(one.e); });
    };
    if (!field.level.empty() && has_derivatives(false)) there.equations.push_back(field.relation);
    if (!is_about_motion(claim) || !has_derivatives(true)) continue;
    std::vector<Expr> terms{field.bias};
    for (std::size_t a = 0; a < motion_.space.size(); ++a)
      terms.push_back(field.gradient[a] * acceleration_symbol(motion_.space.parameters[a]));
    there.equations.push_back(algebra_.pool().add(terms));
  }
  return algebra_.follows(*zero, there);
}

bool ClaimChecker::is_about_motion(const Claim& claim) {
  if (claim.kind == ClaimKind::conserved || claim.kind == ClaimKind::equations) return true;
  return claim.kind == ClaimKind::equality && mentions_motion(claim);
}

/// Why something in the text of a claim has no expression on states and motions, so that it is not known
/// where it has a value, also if its value does not matter: 0*dir(c, x''). Empty: everything has one.
std::string ClaimChecker::open_part_of(const Claim& claim) {
  std::vector<Expr> text = claim.written;
  for (const Requirement& requirement : claim.domain) text.push_back(requirement.e);
  for (Expr e : text) {
    if (!quantities_.in_motion_variables(e) && !quantities_.in_state_variables(e))
      return quantities_.reason();
  }
  return {};
}

Verdict ClaimChecker::decide_everywhere(const Claim& claim, std::string& detail) {
  switch (claim.kind) {
    case ClaimKind::equality:
      return claim.within ? equality_within(claim) : equality(claim.left, claim.right, claim);
    case ClaimKind::conserved: return conserved(claim, detail);
    case ClaimKind::compatible: return compatible(detail);
    case ClaimKind::holonomic: return holonomic(claim, detail);
    case ClaimKind::independent: return independent(claim, detail);
    case ClaimKind::equations: return equations(claim, detail);
    case ClaimKind::motions: break;
  }
  return unknown("how many motions there are is a question about a state: give one with `at (...)`");
}

StateRequest state_request(const System& system, const Claim& claim) {
  StateRequest request;
  request.use_start = claim.at.empty();
  DoublePoint known;
  for (const Parameter& parameter : system.parameters) {
    if (parameter.value) known.emplace(parameter.symbol, parameter.value->to_double());
  }
  for (const InitialValue& given : claim.at) {  // parameters may be set too; later values may use them
    const double value = evaluate(given.value, known);
    const bool is_parameter = std::any_of(system.parameters.begin(), system.parameters.end(),
                                          [&](const Parameter& p) { return p.symbol == given.symbol; });
    (is_parameter ? request.parameters : request.given).emplace_back(given.symbol, value);
    known[given.symbol] = value;
  }
  return request;
}

}  // namespace liaison
