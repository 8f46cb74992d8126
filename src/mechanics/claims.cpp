#include "liaison/mechanics/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/initial_state.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

Verdict unknown(std::string reason) {
  return Verdict::of(Grade::unknown, std::move(reason));
}

/// The values of the symbols that a claim depends on, as a witness.
Witness witness_at(const Motion& motion, const DoublePoint& point, double left, double right) {
  Witness witness;
  const auto add = [&](Expr symbol) {
    const auto found = point.find(symbol);
    if (found != point.end()) witness.point.emplace_back(symbol, Rational::from_double(found->second));
  };
  for (const Parameter& parameter : motion.space.system->parameters) add(parameter.symbol);
  for (const ScalarCoordinate& coordinate : motion.space.coframe->scalar_coordinates())
    add(coordinate.symbol);
  witness.left = Ball(Rational::from_double(left));
  witness.right = Ball(Rational::from_double(right));
  return witness;
}

bool are_near(double left, double right, double tolerance) {
  if (left == right) return true;
  return std::abs(left - right) <= tolerance * std::max(std::abs(left), std::abs(right)) ||
         std::max(std::abs(left), std::abs(right)) <= tolerance;  // zero was computed with rounding
}

/// Both sides in one motion of a state; where factors are open, at several points of it.
struct Comparison {
  enum class Outcome { agree, differ, open, no_value };
  Outcome outcome = Outcome::agree;
  double left = 0, right = 0;
  std::string reason;
};

Comparison compare(const std::vector<DoublePoint>& motion, Expr left, Expr right, double tolerance) {
  Comparison result;
  const Expr both[] = {left, right};
  for (const DoublePoint& point : motion) {
    const DoubleValues values = evaluate(both, point);
    if (values.status != EvaluationStatus::ok) return {Comparison::Outcome::no_value, 0, 0, values.reason()};
    const double l = values.values[0], r = values.values[1];
    if (&point == &motion.front()) {
      result = {
          are_near(l, r, tolerance) ? Comparison::Outcome::agree : Comparison::Outcome::differ, l, r, {}};
    } else if (const double size =
                   std::max({std::abs(l), std::abs(r), std::abs(result.left), std::abs(result.right)});
               std::abs((l - r) - (result.left - result.right)) > 1e-9 * size) {
      return {Comparison::Outcome::open, l, r, "the relations do not determine it"};
    }
  }
  return result;
}

}  // namespace

std::string status_name(const Verdict& verdict) {
  switch (verdict.grade) {
    case Grade::proved: return "proved";
    case Grade::checked: return "checked";
    case Grade::refuted: return "refuted";
    case Grade::empty: return "empty";
    case Grade::unknown: break;
  }
  return "unknown";
}

ClaimChecker::ClaimChecker(Algebra& algebra, const Motion& motion)
    : algebra_(algebra),
      motion_(motion),
      manifold_(solve_manifold(algebra, motion)),
      quantities_(algebra, motion) {}

ClaimResult ClaimChecker::check(const Claim& claim) {
  ClaimResult result;
  result.claim = &claim;
  try {
    result.verdict = decide(claim, result.detail);
  } catch (const Error& error) {
    result.verdict = unknown(error.what());
  }
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
  switch (claim.kind) {
    case ClaimKind::equality: return equality(claim.left, claim.right);
    case ClaimKind::conserved: return conserved(claim);
    case ClaimKind::compatible: return compatible(detail);
    case ClaimKind::holonomic: return holonomic(claim, detail);
    case ClaimKind::independent: return independent(claim, detail);
    case ClaimKind::equations: return equations(claim, detail);
  }
  return unknown("a kind of claim without a rule");
}

Verdict ClaimChecker::equality(Expr left, Expr right) {
  const auto a = quantities_.in_state_variables(left);
  const auto b = a ? quantities_.in_state_variables(right) : std::nullopt;
  if (a && b) return are_equal_on(algebra_, motion_, manifold_, *a, *b);
  return equality_at_random_states(left, right);
}

/// Where there is no closed form: by factorisation at random states of the constraint manifold.
Verdict ClaimChecker::equality_at_random_states(Expr left, Expr right) {
  constexpr int wanted = 8;
  constexpr double tolerance = 1e-9;
  Verdict verdict = unknown(quantities_.reason());
  const std::string why = quantities_.reason();
  for (unsigned seed = 1; seed <= 3 * wanted && verdict.points < wanted; ++seed) {
    const auto state = random_state(motion_, seed);
    if (!state) continue;
    for (const std::vector<DoublePoint>& motion : quantities_.at_state(left + right, *state)) {
      const Comparison found = compare(motion, left, right, tolerance);
      if (found.outcome == Comparison::Outcome::no_value || found.outcome == Comparison::Outcome::open) {
        verdict.reason = found.reason;
      } else if (found.outcome == Comparison::Outcome::differ &&
                 std::abs(found.left - found.right) > tolerance) {
        verdict.grade = Grade::refuted;
        verdict.witness = witness_at(motion_, *state, found.left, found.right);
        return verdict;
      } else {
        ++verdict.points;
      }
    }
  }
  if (verdict.points > 0) {
    verdict.grade = Grade::checked;
    verdict.digits = 9;
    verdict.reason = why;
  }
  return verdict;
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

Verdict ClaimChecker::conserved(const Claim& claim) {
  const System& system = *motion_.space.system;
  Substitution energies;  // T and V first: their derivatives are asked for
  for (const Query& query : system.queries) {
    if (query.kind == QueryKind::kinetic) energies.emplace(query.symbol, system.kinetic);
    if (query.kind == QueryKind::potential) energies.emplace(query.symbol, system.potential);
  }
  return equality(time_derivative(system, substitute(claim.conserved, energies)), algebra_.pool().number(0));
}

}  // namespace liaison
