#include "contact_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanism/motions_at_state.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

GivenState given_by(const System& system, const Claim& claim) {
  GivenState given;
  given.option = "at";
  given.use_start = claim.at.empty();
  Substitution known;
  for (const Parameter& parameter : system.parameters) {
    if (parameter.value) known[parameter.symbol] = parameter.exact();
  }
  for (const InitialValue& value : claim.at) {
    const bool is_parameter =
        std::any_of(system.parameters.begin(), system.parameters.end(),
                    [&](const Parameter& parameter) { return parameter.symbol == value.symbol; });
    const Expr exact = substitute(value.value, known);
    const Assignment assignment{value.symbol, exact, evaluate(exact, DoublePoint{})};
    (is_parameter ? given.parameters : given.state).push_back(assignment);
    if (is_parameter) known[value.symbol] = exact;
  }
  return given;
}

namespace {

/// A state that was rounded, or completed in doubles, refutes nothing.
Verdict refuted_at(const PossibleMotions& motions) {
  return motions.state_is_exact
             ? Verdict::of(Grade::refuted)
             : Verdict::of(Grade::unknown,
                           "the state is known in doubles, or lies next to a contact and not on it");
}

Verdict number_of_motions(const Claim& claim, const PossibleMotions& motions, std::string& detail) {
  const std::string found(word_for(motions.verdict));
  detail = fmt::format("{}: {} possible", found, motions.motions.size());
  if (found != claim.motions) return refuted_at(motions);
  if (motions.exact) return Verdict::of(Grade::proved);
  Verdict verdict = Verdict::of(Grade::checked, "numbers of the state are not rational");
  verdict.points = 1;
  verdict.digits = motions.state_is_exact ? 60 : 12;
  return verdict;
}

/// |left - right| <= tolerance*max(|left|, |right|), in balls; where one side is 0 as it is written, against
/// the largest of what the motion is made of. Nothing where that is not decided.
std::optional<bool> agree_within(const Rational& tolerance, Expr left, Expr right, bool is_with_zero,
                                 const MotionNumbers& numbers) {
  std::vector<Expr> sizes{left, right};
  if (is_with_zero) {
    for (const auto* values : {&numbers.accelerations, &numbers.factors, &numbers.bilateral_factors}) {
      for (const Rational& value : *values) sizes.push_back(left.pool().number(value));
    }
  }
  bool is_decided = true;
  for (Expr size : sizes) {
    const auto sign = constant_sign(pow(tolerance * size, 2) - pow(left - right, 2));
    if (sign && *sign >= 0) return true;
    is_decided = is_decided && sign;
  }
  return is_decided ? std::optional(false) : std::nullopt;
}

/// Both sides in one motion, as constants.
Verdict equality_in(MechanismParts& parts, const Claim& claim, const MotionsAtState& at,
                    const MotionNumbers& numbers, std::string& detail) {
  Substitution values = at.values;
  for (const auto& [symbol, value] : values_in_motion(parts.system(), at.motions, numbers))
    values[symbol] = value;
  const Expr left = substitute(claim.left, values), right = substitute(claim.right, values);
  if (!left.is_constant() || !right.is_constant()) {
    return Verdict::of(Grade::unknown, "something in it is not computed beside unilateral constraints");
  }
  const double a = evaluate(left, DoublePoint{}), b = evaluate(right, DoublePoint{});
  detail = fmt::format("{:.15g} and {:.15g}", a, b);
  if (claim.within || !at.motions.exact) {
    const Rational tolerance = claim.within ? *claim.within : *Rational::parse("1e-12");
    const bool is_with_zero = claim.left.is_zero() || claim.right.is_zero();
    const auto agree = agree_within(tolerance, left, right, is_with_zero, numbers);
    if (!agree) return Verdict::of(Grade::unknown, "both sides are equal as far as can be computed");
    if (!*agree) return refuted_at(at.motions);
    Verdict verdict = Verdict::of(Grade::checked, "numbers at one state");
    verdict.points = 1;
    verdict.digits = std::lround(-std::log10(tolerance.to_double()));
    return verdict;
  }
  return parts.algebra().are_equal(left, right);
}

/// Whether the difference of the sides is affine in what a family of motions leaves open.
bool is_affine_in_motion(MechanismParts& parts, const Claim& claim, const MotionsAtState& at,
                         const MotionNumbers& numbers) {
  const Expr difference = substitute(claim.left - claim.right, at.values);
  for (const auto& [symbol, value] : values_in_motion(parts.system(), at.motions, numbers)) {
    if (!depends_on(difference, symbol)) continue;
    if (!derivative(difference, symbol).is_constant()) return false;
  }
  return true;
}

MotionNumbers moved_along(MotionNumbers vertex, const MotionNumbers& ray) {
  for (std::size_t i = 0; i < ray.factors.size(); ++i) vertex.factors[i] += ray.factors[i];
  for (std::size_t i = 0; i < ray.accelerations.size(); ++i) vertex.accelerations[i] += ray.accelerations[i];
  for (std::size_t i = 0; i < ray.bilateral_factors.size(); ++i)
    vertex.bilateral_factors[i] += ray.bilateral_factors[i];
  return vertex;
}

/// The side of zero on which left - right lies in every motion of a family, where it is affine in them; 0: on
/// no one.
int side_in_family(MechanismParts& parts, const Claim& claim, const MotionsAtState& at,
                   const PossibleMotion& motion) {
  const auto difference_in = [&](const MotionNumbers& numbers) {
    Substitution values = at.values;
    for (const auto& [symbol, value] : values_in_motion(parts.system(), at.motions, numbers))
      values[symbol] = value;
    return substitute(claim.left - claim.right, values);
  };
  const auto sign_of = [](Expr e) { return e.is_constant() ? constant_sign(e) : std::nullopt; };
  int side = 0;
  for (const MotionNumbers& vertex : motion.vertices) {
    const auto sign = sign_of(difference_in(vertex));
    if (!sign || *sign == 0 || *sign == -side) return 0;
    side = *sign;
  }
  const Expr first = difference_in(motion.vertices[0]);
  for (const MotionNumbers& ray : motion.rays) {
    const auto sign = sign_of(difference_in(moved_along(motion.vertices[0], ray)) - first);
    if (!sign || *sign == -side) return 0;
  }
  return side;
}

/// What holds at the vertices of a family and along its rays holds in all its motions, where both sides are
/// affine in them (CONTACT: a family is the hull of its vertices plus the cone of its rays).
Verdict equality_in_family(MechanismParts& parts, const Claim& claim, const MotionsAtState& at,
                           const PossibleMotion& motion, std::string& detail) {
  if (motion.vertices.empty() || !is_affine_in_motion(parts, claim, at, motion.vertices[0]))
    return Verdict::of(Grade::unknown, "a family of motions is possible at this state");
  std::vector<MotionNumbers> members = motion.vertices;
  for (const MotionNumbers& ray : motion.rays) members.push_back(moved_along(motion.vertices[0], ray));
  std::optional<Verdict> all;
  for (const MotionNumbers& member : members) {
    const Verdict verdict = equality_in(parts, claim, at, member, detail);
    if (!verdict.holds()) {
      const bool is_exact = at.motions.exact && !claim.within;
      if (is_exact && side_in_family(parts, claim, at, motion) != 0) return refuted_at(at.motions);
      return Verdict::of(Grade::unknown, fmt::format("a family of motions is possible at this state, and in "
                                                     "one of them the sides are {}",
                                                     detail));
    }
    all = all ? conjunction(*all, verdict) : verdict;
  }
  detail += fmt::format(", in every motion of a family of {} vertices and {} rays", motion.vertices.size(),
                        motion.rays.size());
  return *all;
}

/// r and drives are those of the state, whatever motions it has.
bool is_about_motion(const System& system, const Claim& claim) {
  std::vector<Expr> asked;
  for (const Unilateral& unilateral : system.unilaterals) asked.push_back(unilateral.factor);
  for (const Constraint& constraint : system.constraints) asked.push_back(constraint.factor);
  for (const Direction& direction : system.directions)
    asked.push_back(acceleration_symbol(direction.velocity));
  for (const Query& query : system.queries)
    if (query.kind != QueryKind::r && query.kind != QueryKind::drive) asked.push_back(query.symbol);
  return std::any_of(asked.begin(), asked.end(), [&](Expr symbol) {
    return depends_on(claim.left, symbol) || depends_on(claim.right, symbol);
  });
}

/// Where a state has several motions it is enough that one of them is as claimed.
Verdict equality_in_one(MechanismParts& parts, const Claim& claim, const MotionsAtState& at,
                        std::string& detail) {
  const bool is_undecided = !at.motions.undecided.empty();
  if (at.motions.motions.empty() && !is_about_motion(parts.system(), claim))
    return equality_in(parts, claim, at, MotionNumbers{}, detail);
  if (at.motions.motions.empty() && !is_undecided)
    return Verdict::of(Grade::empty, "no motion is possible at this state");
  std::optional<Verdict> result;
  for (const PossibleMotion& motion : at.motions.motions) {
    if (is_undecided && !motion.equilibrium) continue;  // rest is a motion, whatever else may be one
    const Verdict verdict = motion.is_family() ? equality_in_family(parts, claim, at, motion, detail)
                                               : equality_in(parts, claim, at, motion.vertices[0], detail);
    if (verdict.holds()) return verdict;
    result = result ? conjunction(*result, verdict) : verdict;
  }
  if (is_undecided) return Verdict::of(Grade::unknown, at.motions.undecided);
  return *result;  // not as claimed in any motion, or not known of one of them
}

/// The state, by name.
std::vector<std::pair<Expr, Rational>> point_of(const MotionsAtState& at) {
  std::vector<std::pair<Expr, Rational>> point;
  for (const auto& [symbol, value] : at.state.values) {
    const auto exact = at.values.find(symbol);
    const bool short_one = exact != at.values.end() && exact->second.is_number();
    point.emplace_back(symbol, short_one ? exact->second.number() : Rational::from_double(value));
  }
  std::sort(point.begin(), point.end(),
            [](const auto& a, const auto& b) { return a.first.symbol().name < b.first.symbol().name; });
  return point;
}

}  // namespace

bool is_about_contacts(const System& system, const Claim& claim) {
  if (claim.kind == ClaimKind::motions) return !system.unilaterals.empty();
  if (claim.kind != ClaimKind::equality || claim.at.empty() || !claim.after.empty()) return false;
  std::vector<Expr> asked;
  for (const Unilateral& unilateral : system.unilaterals) asked.push_back(unilateral.factor);
  if (!system.unilaterals.empty())
    for (const Constraint& constraint : system.constraints) asked.push_back(constraint.factor);
  for (const Query& query : system.queries) {
    for (const Unilateral& unilateral : system.unilaterals) {
      if (std::find(query.names.begin(), query.names.end(), unilateral.name) != query.names.end()) {
        asked.push_back(query.symbol);
      }
    }
  }
  for (const Direction& direction : system.directions) {
    if (!system.unilaterals.empty()) asked.push_back(acceleration_symbol(direction.velocity));
  }
  return std::any_of(asked.begin(), asked.end(), [&](Expr symbol) {
    return depends_on(claim.left, symbol) || depends_on(claim.right, symbol);
  });
}

ClaimResult check_with_contacts(MechanismParts& parts, const Claim& claim) {
  ClaimResult result;
  result.claim = &claim;
  try {
    const MotionsAtState at = motions_at(parts, given_by(parts.system(), claim));
    result.verdict = claim.kind != ClaimKind::motions ? equality_in_one(parts, claim, at, result.detail)
                     : at.motions.undecided.empty()   ? number_of_motions(claim, at.motions, result.detail)
                                                      : Verdict::of(Grade::unknown, at.motions.undecided);
    if (claim.kind == ClaimKind::motions && claim.at.empty() && result.verdict.holds()) {
      result.verdict = Verdict::of(Grade::unknown,
                                   "it holds at the start; how many motions there are is a question about a "
                                   "state: give one with `at (...)`");
    }
    if (result.verdict.is_refuted()) {
      result.verdict.witness.point = point_of(at);
    }
  } catch (const Refused& refused) {
    parts.require_not_interrupted();
    result.verdict = Verdict::of(Grade::unknown, refused.messages.front().text);
  }
  result.passed = claim.misprint ? result.verdict.is_refuted() : result.verdict.holds();
  return result;
}

}  // namespace liaison
