#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "ball_comparison.hpp"
#include "certified_quantities.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanics/state.hpp"
#include "liaison/model/kinematics.hpp"
#include "lost_places.hpp"
#include "other_states.hpp"

namespace liaison {

namespace {

constexpr const char* no_motion_known =
    "the relations lose rank at this state, and no motion is known to start from it";

Verdict unknown(std::string reason) {
  return Verdict::of(Grade::unknown, std::move(reason));
}

/// Relative, where a claim has no `within`.
Rational tolerance_of(const Claim& claim) {
  return claim.within ? *claim.within : *Rational::parse("1e-12");
}

Verdict checked_here(const Claim& claim, std::string reason = "a statement about one state") {
  Verdict verdict = Verdict::of(Grade::checked, std::move(reason));
  verdict.points = 1;
  verdict.digits = std::max(0L, std::lround(-std::log10(tolerance_of(claim).to_double())));
  return verdict;
}

/// What is added up on a side, as it is written.
void add_summands(Expr side, std::vector<Expr>& out) {
  if (!side.is(Op::add)) return;
  out.insert(out.end(), side.args().begin(), side.args().end());
}

/// What an error in the last digits of all that a difference is made of makes of it.
double lost_to_rounding(Expr difference, const DoublePoint& point) {
  constexpr double last_digits = 1e-13;
  double result = 0;
  for (Expr symbol : symbols_in(difference)) {
    const Expr slope = derivative(difference, symbol);
    const DoubleValues found = evaluate(std::span(&slope, 1), point);
    const auto value = point.find(symbol);
    if (found.status != EvaluationStatus::ok || value == point.end()) continue;
    result += last_digits * std::abs(found.values[0] * value->second);
  }
  return result;
}

Rational value_to_print(const CertifiedState& state, Expr symbol, const BallPoint& balls) {
  const auto exact = state.exact().find(symbol);
  const bool is_fraction = exact != state.exact().end() && exact->second.is_number();
  return is_fraction ? exact->second.number() : printed_value(balls.at(symbol));
}

Witness witness_at(const Motion& motion, const CertifiedState& state, const Ball& left, const Ball& right) {
  Witness witness;
  witness.left = left;
  witness.right = right;
  const auto balls = state.at(least_state_bits);
  if (!balls) return witness;
  const auto add = [&](Expr symbol) {
    if (balls->contains(symbol)) witness.point.emplace_back(symbol, value_to_print(state, symbol, *balls));
  };
  for (const Parameter& parameter : motion.space.system->parameters) add(parameter.symbol);
  for (const ScalarCoordinate& coordinate : motion.space.coframe->scalar_coordinates())
    add(coordinate.symbol);
  return witness;
}

/// No motion changes them.
Substitution parameters_of(const CertifiedState& state) {
  Substitution result;
  for (const auto& [symbol, value] : state.exact()) {
    if (symbol.symbol().kind == SymbolKind::parameter) result.emplace(symbol, value);
  }
  return result;
}

std::string both(const Ball& left, const Ball& right) {
  const auto number = [](const Ball& ball) {
    const bool is_double = std::isfinite(ball.mid()) && (ball.mid() != 0 || ball.contains_zero());
    if (!is_double) return ball.to_string(15);
    return fmt::format("{:.15g}", ball.contains_zero() ? 0 : ball.mid());
  };
  return number(left) + " and " + number(right);
}

/// Both sides in one motion, at growing precision.
struct Decision {
  BallComparison::Outcome outcome = BallComparison::Outcome::undecided;
  Ball left, right;
};
Decision decide_in_balls(CertifiedQuantities& quantities, std::size_t motion, std::span<const Expr> sides,
                         const Rational& tolerance) {
  Decision result;
  BallComparison comparison(tolerance);
  for (long bits = least_state_bits; bits <= most_state_bits; bits *= 2) {
    const auto values = quantities.values(motion, sides, bits);
    if (!quantities.failure().empty()) return result;
    if (!values) continue;
    result.left = (*values)[0];
    result.right = (*values)[1];
    result.outcome = comparison.compare(result.left, result.right, *values, bits);
    const bool is_bare = sides.size() == 2 && (sides[0].is_zero() || sides[1].is_zero());
    if (is_bare && result.outcome == BallComparison::Outcome::differ) {  // no summands are written
      if (const auto sizes = quantities.sizes(motion, sides, bits))
        result.outcome = comparison.compare(result.left, result.right, *sizes, bits);
    }
    if (result.outcome != BallComparison::Outcome::undecided) return result;
  }
  return result;
}

/// Whether a requirement holds in one motion; nothing where that is not decided.
std::optional<bool> holds(Algebra& algebra, CertifiedQuantities& quantities, const CertifiedState& state,
                          std::size_t motion, const Requirement& requirement) {
  for (long bits = least_state_bits; bits <= 512; bits *= 2) {
    const auto values = quantities.values(motion, std::span(&requirement.e, 1), bits);
    if (!values) continue;
    if ((*values)[0].is_positive()) return true;
    if ((*values)[0].is_negative()) return requirement.bound == Bound::nonzero;
  }
  const Expr there = substitute(requirement.e, state.exact());
  if (there.is_zero() || (there.is_constant() && algebra.is_zero(there).is_proved()))
    return requirement.bound == Bound::nonnegative;
  return std::nullopt;
}

/// Why the text of a claim may have no value in one motion; empty: it has one.
std::string outside_domain(Algebra& algebra, CertifiedQuantities& quantities, const CertifiedState& state,
                           std::size_t motion, const Domain& domain) {
  for (const Requirement& requirement : domain) {
    const auto held = holds(algebra, quantities, state, motion, requirement);
    if (held.value_or(false)) continue;
    const std::string text = to_infix(Domain{requirement});
    if (held) return fmt::format("the claim has no value at this state: {} does not hold", text);
    return fmt::format("it is not decided whether the claim has a value at this state: {}", text);
  }
  return {};
}

/// What both sides are at one state.
struct FoundAtState {
  std::string failure = {};    ///< not empty: nothing is certain there, and why
  std::string undecided = {};  ///< not empty: why neither of the two is certain
  bool agree = false;
  std::string values = {};  ///< as they are printed
  Ball left = {}, right = {};
};

/// Of a state with several motions it is enough that one of them is as claimed.
FoundAtState compare_in_motions(Algebra& algebra, CertifiedQuantities& quantities,
                                const CertifiedState& state, std::span<const Expr> sides,
                                const Domain& domain, const Rational& tolerance) {
  FoundAtState result;
  for (std::size_t i = 0; i < quantities.motion_count(); ++i) {
    result.undecided = outside_domain(algebra, quantities, state, i, domain);
    if (!result.undecided.empty()) return result;
    const Decision found = decide_in_balls(quantities, i, sides, tolerance);
    result.undecided = quantities.failure();
    if (result.undecided.empty() && found.outcome == BallComparison::Outcome::undecided)
      result.undecided = fmt::format("not decided with {} bits", most_state_bits);
    if (!result.undecided.empty()) return result;
    result.left = found.left;
    result.right = found.right;
    result.values = both(found.left, found.right);
    if (quantities.motion_count() > 1)
      result.values += fmt::format(", in motion {} of {}", i + 1, quantities.motion_count());
    result.agree = found.outcome == BallComparison::Outcome::agree;
    if (result.agree) return result;
  }
  if (!quantities.has_every_motion())
    result.undecided =
        fmt::format("a factor enters its own direction: there may be other motions than the {} found",
                    quantities.motion_count());
  return result;
}

bool has_pieces(Expr e) {
  const PieceArguments pieces = piece_arguments(std::span(&e, 1));
  return !pieces.jumps.empty() || !pieces.kinks.empty() || !cuts(std::span(&e, 1)).empty();
}

/// "x = 2": what a state in the box has farthest from another state, of what is asked about if it differs.
std::string difference_to(const BallPoint& box, const CertifiedState& state, Expr about) {
  std::tuple<bool, double, std::string> farthest;
  for (const auto& [symbol, value] : box) {
    const double distance = std::abs(value.mid() - state.approximate.at(symbol));
    farthest = std::max(farthest, std::tuple(distance > 0 && depends_on(about, symbol), distance,
                                             fmt::format("{} = {:.6g}", symbol.symbol().name, value.mid())));
  }
  return std::get<std::string>(farthest);
}

}  // namespace

Verdict ClaimChecker::decide_at(const Claim& claim, std::string& detail) {
  switch (claim.kind) {
    case ClaimKind::equality: return equality_at(claim, claim.left, claim.right, detail);
    case ClaimKind::conserved: return conserved_at(claim, detail);
    case ClaimKind::compatible: return compatible_at(claim, detail);
    case ClaimKind::independent: return independent_at(claim, detail);
    case ClaimKind::equations: return equations_at(claim, detail);
    case ClaimKind::motions: return unknown("the system has no unilateral constraint");
    case ClaimKind::holonomic: break;
  }
  return unknown("whether constraints are integrable is not a question about one state");
}

/// What had to be chosen to complete the state, where the given values leave it open, or may do so; empty:
/// nothing. With all others that were found.
StateDoubt ClaimChecker::choice_at(const Claim& claim, const CertifiedState& state) const {
  StateRequest request = state_request(*motion_.space.system, claim);
  request.name_choices = true;
  CompletedState completed = complete_state(motion_, request);
  StateDoubt doubt = doubt_about_state(algebra_, motion_, claim, state);
  doubt.others.insert(doubt.others.end(), completed.others.begin(), completed.others.end());
  if (!state.chosen.empty())
    doubt.reason = fmt::format("the given values do not determine `{}`: one of many values was chosen",
                               state.chosen.front().symbol().name);
  else if (!completed.choices.empty())
    doubt.reason = completed.choices.front();
  return doubt;
}

/// Where the sides differ at another state with the given values that was found; empty: at none of them.
std::string ClaimChecker::fails_elsewhere(const Claim& claim, Expr left, Expr right, const StateDoubt& choice,
                                          const CertifiedState& state) {
  constexpr double rounding = 1e-9;
  const double tolerance = std::max(rounding, tolerance_of(claim).to_double());
  std::vector<Expr> sides{left, right};
  add_summands(left, sides);
  add_summands(right, sides);
  const auto agree = [&](const DoublePoint& point) -> std::optional<bool> {
    const DoubleValues found = evaluate(sides, point);
    if (found.status != EvaluationStatus::ok) return std::nullopt;
    double scale = 0;
    for (double value : found.values) scale = std::max(scale, std::abs(value));
    const double difference = std::abs(found.values[0] - found.values[1]);
    return difference <= tolerance * scale || difference <= lost_to_rounding(left - right, point);
  };
  for (const StateElsewhere& other : states_elsewhere(motion_, claim, state, choice, left - right)) {
    bool is_known = false, holds = false;
    try {
      for (const auto& motion : quantities_.at_state(left + right, other.values)) {
        const auto found = agree(motion.front());
        is_known = is_known || found.has_value();
        holds = holds || found.value_or(false);
      }
    } catch (const Error&) {  // it has no value there
    }
    if (is_known && !holds) return other.where;
  }
  return {};
}

/// A state that was chosen among several, or may be one of several, shows that something is so at one of
/// them, and refutes nothing.
Verdict ClaimChecker::unless_chosen(const Claim& claim, const CertifiedState& state, Verdict verdict) const {
  if (!verdict.is_proved() && !verdict.is_refuted()) return verdict;
  std::string choice = choice_at(claim, state).reason;
  if (choice.empty()) return verdict;
  return verdict.is_proved() ? checked_here(claim, std::move(choice)) : unknown(std::move(choice));
}

/// The rate vanishes at the state; on a switching surface of the quantity it says nothing about a jump.
Verdict ClaimChecker::conserved_at(const Claim& claim, std::string& detail) {
  const Expr kept = with_energies(*motion_.space.system, claim.conserved), one[] = {kept};
  PieceArguments pieces = piece_arguments(one);
  for (const Cut& cut : cuts(one)) pieces.jumps.push_back(cut.y);
  pieces.jumps.insert(pieces.jumps.end(), pieces.kinks.begin(), pieces.kinks.end());
  if (!pieces.jumps.empty()) {
    const CertifiedState state = certify_state(algebra_, motion_, claim);
    if (!state.problem.empty()) return unknown(state.problem);
    if (!state.is_certified()) return unknown(state.uncertain);
    CertifiedQuantities quantities(algebra_, quantities_, state, pieces.jumps);
    if (!quantities.failure().empty()) return unknown(quantities.failure());
    for (Expr u : pieces.jumps) {
      for (std::size_t i = 0; i < quantities.motion_count(); ++i) {
        if (!holds(algebra_, quantities, state, i, {u, Bound::nonzero}).value_or(false))
          return unknown(fmt::format(
              "the quantity has one form on each side of {} = 0, where the state lies or may lie: "
              "its rate does not tell whether it jumps",
              to_infix(u)));
      }
    }
  }
  return equality_at(claim, time_derivative(*motion_.space.system, kept), algebra_.pool().number(0), detail);
}

Verdict ClaimChecker::equality_at(const Claim& claim, Expr left, Expr right, std::string& detail) {
  const CertifiedState state = certify_state(algebra_, motion_, claim);
  if (!state.problem.empty()) return unknown(state.problem);
  if (!state.is_certified()) return equality_in_doubles(claim, left, right, state, state.uncertain, detail);
  std::vector<Expr> sides{left, right};
  add_summands(left, sides);
  add_summands(right, sides);
  std::vector<Expr> asked = sides;  // and what 0*lambda(c) has lost
  asked.insert(asked.end(), claim.written.begin(), claim.written.end());
  Domain domain = claim.domain;
  for (Expr corner : corners_of_text(algebra_, claim.corners))
    add_requirement(domain, corner, Bound::nonzero);
  add_requirements(domain, motion_.space.system->domain);
  add_requirements(domain, mentions_motion(claim) || claim.kind == ClaimKind::conserved
                               ? motion_.lost_to_motions
                               : motion_.lost_to_states);
  for (const Requirement& requirement : domain) asked.push_back(requirement.e);
  const auto look_at = [&](const CertifiedState& at) -> FoundAtState {
    CertifiedQuantities quantities(algebra_, quantities_, at, asked);
    if (!quantities.failure().empty()) return {.failure = quantities.failure()};
    if (quantities.leaves_open() &&
        !starts_motion_at(witness_at(motion_, at, Ball(), Ball()), parameters_of(at)))
      return {.undecided = no_motion_known};
    if (!quantities.is_determined(left - right)) return {.undecided = "the relations do not determine it"};
    return compare_in_motions(algebra_, quantities, at, sides, domain, tolerance_of(claim));
  };
  const FoundAtState found = look_at(state);
  if (!found.failure.empty()) return equality_in_doubles(claim, left, right, state, found.failure, detail);
  detail = found.values;
  if (!found.undecided.empty()) return unknown(found.undecided);
  const StateDoubt choice = choice_at(claim, state);
  Verdict refuted = Verdict::of(Grade::refuted);
  refuted.witness = witness_at(motion_, state, found.left, found.right);
  if (choice.reason.empty()) return found.agree ? checked_here(claim) : refuted;
  const auto otherwise = [&](const std::string& where) {
    return unknown(fmt::format("{}; it {} at the state chosen, and {} where {}: give more values",
                               choice.reason, found.agree ? "holds" : "fails", found.agree ? "not" : "holds",
                               where));
  };
  // the rate of what has pieces says nothing where another state lies on a switching surface
  const bool has_rate = claim.kind != ClaimKind::conserved || !has_pieces(claim.conserved);
  bool is_known = choice.all && state.chosen.empty() && has_rate;
  for (std::size_t i = 0; is_known && i < choice.all->size(); ++i) {
    const CertifiedState other = certify_state_in(algebra_, motion_, claim, *choice.all, i);
    is_known = other.is_certified() && other.chosen.empty();
    if (!is_known) break;
    const FoundAtState there = look_at(other);
    is_known = there.failure.empty() && there.undecided.empty();
    if (is_known && there.agree != found.agree)
      return otherwise(difference_to((*choice.all)[i], state, left - right));
  }
  if (is_known) {
    const std::string each =
        fmt::format("each of the {} states with the given values", choice.all->size() + 1);
    if (found.agree) return checked_here(claim, "at " + each);
    detail += "; they differ at " + each;
    return refuted;
  }
  if (!found.agree) return unknown(choice.reason);
  const std::string elsewhere = fails_elsewhere(claim, left, right, choice, state);
  return elsewhere.empty() ? checked_here(claim, choice.reason) : otherwise(elsewhere);
}

/// Factors are determined at the state, or relations that depend on each other do so all around it.
bool ClaimChecker::moves_in_doubles(const CertifiedState& state) {
  if (motion_.constraints.empty() || is_implicit(motion_)) return true;
  const StateValues values = evaluate_state(algebra_, motion_, state.approximate);
  if (values.compatible || values.open.empty()) return true;
  Witness near;
  Substitution parameters;
  for (const auto& [symbol, value] : state.approximate) {
    near.point.emplace_back(symbol, Rational::from_double(value));
    if (symbol.symbol().kind == SymbolKind::parameter)
      parameters.emplace(symbol, algebra_.pool().number(near.point.back().second));
  }
  return starts_motion_at(near, parameters);
}

/// Where nothing is certain about the state or its motion: agreement in double is a check; a difference may
/// be rounding, and decides nothing.
Verdict ClaimChecker::equality_in_doubles(const Claim& claim, Expr left, Expr right,
                                          const CertifiedState& state, const std::string& why,
                                          std::string& detail) {
  std::vector<Expr> sides{left, right};
  add_summands(left, sides);
  add_summands(right, sides);
  const Expr asked = claim.written.empty() ? left + right : algebra_.pool().add(claim.written);
  const auto motions = quantities_.at_state(asked, state.approximate);
  if (motions.empty()) return unknown(quantities_.reason());
  const auto in_motion = quantities_.in_motion_variables(left - right);
  const bool needs_motion = !in_motion || quantities_.mentions_motion(*in_motion) || mentions_motion(claim);
  if (needs_motion && !moves_in_doubles(state)) return unknown(why.empty() ? no_motion_known : why);
  const double tolerance = tolerance_of(claim).to_double();
  Verdict verdict = unknown(why);
  for (std::size_t i = 0; i < motions.size(); ++i) {
    if (const DoubleValues text = evaluate(claim.written, motions[i].front());
        text.status != EvaluationStatus::ok) {  // 0*lambda(c) where there is no motion
      verdict.reason = quantities_.reason().empty() ? text.reason() : quantities_.reason();
      continue;
    }
    const DoubleValues found = evaluate(sides, motions[i].front());
    if (found.status != EvaluationStatus::ok) {
      verdict.reason = quantities_.reason().empty() ? found.reason() : quantities_.reason();
      continue;
    }
    double scale = 0;
    for (double value : found.values) scale = std::max(scale, std::abs(value));
    const double l = found.values[0], r = found.values[1], difference = l - r;
    const bool open = std::any_of(motions[i].begin(), motions[i].end(), [&](const DoublePoint& point) {
      const DoubleValues moved = evaluate(std::span(sides).first(2), point);
      return moved.status != EvaluationStatus::ok ||
             std::abs(moved.values[0] - moved.values[1] - difference) > 1e-9 * scale;
    });
    if (open) {
      verdict.reason = "the relations do not determine it";
      continue;
    }
    detail = fmt::format("{:.15g} and {:.15g}", l, r);
    if (motions.size() > 1) detail += fmt::format(", in motion {} of {}", i + 1, motions.size());
    if (l != 0 && r != 0) scale = std::max(std::abs(l), std::abs(r));
    if (std::abs(difference) > tolerance * scale) continue;
    const StateDoubt choice = choice_at(claim, state);
    const std::string elsewhere = fails_elsewhere(claim, left, right, choice, state);
    if (elsewhere.empty()) return checked_here(claim, why.empty() ? choice.reason : why);
    return unknown(fmt::format("{}; it holds at the state chosen, and not where {}: give more values",
                               choice.reason, elsewhere));
  }
  return verdict;
}

}  // namespace liaison
