#include "stability_claims.hpp"

#include "contact_claims.hpp"
#include "liaison/mechanism/stability.hpp"

namespace liaison {

namespace {

/// What is known for certain: a root on the right, all on the left (Lyapunov), or an energy with a strict
/// minimum (Lagrange, Dirichlet), which is kept, so that nothing comes to rest there.
struct Known {
  bool stable = false, unstable = false, attracts = false, keeps_away = false;
};
Known known_of(const StabilityAnswer& answer) {
  Known known;
  if (!answer.sides) return known;
  known.unstable = answer.sides->right > 0;
  known.attracts = answer.motion.ignored.empty() && answer.sides->right == 0 && answer.sides->axis == 0;
  known.stable = known.attracts || answer.has_energy_minimum;
  known.keeps_away = known.unstable || answer.has_energy_minimum;
  return known;
}

Verdict decide(const std::string& claimed, const StabilityAnswer& answer) {
  const Known known = known_of(answer);
  const bool is_instability = claimed == "unstable", is_attraction = claimed == "asymptotically stable";
  const bool holds = is_instability ? known.unstable : is_attraction ? known.attracts : known.stable;
  const bool fails = is_instability ? known.stable : is_attraction ? known.keeps_away : known.unstable;
  if (!holds && !fails && !answer.motion.ignored.empty())
    return Verdict::of(Grade::unknown,
                       "positions that the equations do not contain may drift: `stability` speaks of "
                       "the others");
  if (!holds && !fails)
    return Verdict::of(Grade::unknown, answer.sides
                                           ? "roots lie on the imaginary axis, and the energy does not "
                                             "decide"
                                           : "the sides of the roots are not decided");
  if (answer.motion.grade != Grade::proved)
    return Verdict::of(holds ? Grade::checked : Grade::unknown,
                       "on the way to the linear equations zeros were taken that are not proved");
  return Verdict::of(holds ? Grade::proved : Grade::refuted);
}

}  // namespace

bool is_about_stability(const Claim& claim) {
  return claim.kind == ClaimKind::motions && (claim.motions == "stable" || claim.motions == "unstable" ||
                                              claim.motions == "asymptotically stable");
}

ClaimResult check_stability(MechanismParts& parts, const Claim& claim) {
  ClaimResult result;
  result.claim = &claim;
  try {
    const GivenState given = given_by(parts.system(), claim);
    if (claim.at.empty() || !claim.after.empty()) {
      result.verdict = Verdict::of(Grade::unknown,
                                   "stability is a question about a state: give one with "
                                   "`at (...)`, and no time");
    } else {
      const StabilityAnswer answer = judge_stability(parts, given, {}, {});
      result.verdict = decide(claim.motions, answer);
      result.detail = answer.has_energy_minimum && result.verdict.grade != Grade::unknown
                          ? "stable: the energy has a strict minimum"
                          : text_of(answer.sides);
      if (result.verdict.is_refuted()) {
        for (const auto* list : {&given.state, &given.parameters}) {
          for (const Assignment& one : *list) {
            if (one.exact.is_number())
              result.verdict.witness.point.emplace_back(one.symbol, one.exact.number());
          }
        }
      }
    }
  } catch (const Refused& refused) {
    parts.require_not_interrupted();
    result.verdict = Verdict::of(Grade::unknown, refused.messages.front().text);
  }
  result.passed = claim.misprint ? result.verdict.is_refuted() : result.verdict.holds();
  return result;
}

}  // namespace liaison
