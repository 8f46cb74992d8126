#include "liaison/mechanism/checked_claims.hpp"

#include <algorithm>
#include <optional>

#include "contact_claims.hpp"
#include "diagnostics.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/simulate/claims_in_time.hpp"
#include "stability_claims.hpp"
#include "structure_claims.hpp"

namespace liaison {

namespace {

/// It asks for no acceleration, no factor and nothing else that is derived: closed forms of the motion do not
/// matter to it.
bool is_about_states(const System& system, const Claim& claim) {
  if (claim.kind != ClaimKind::equality || !claim.after.empty() || !claim.at.empty()) return false;
  std::vector<Expr> text = claim.written;
  text.insert(text.end(), {claim.left, claim.right});
  for (const Requirement& requirement : claim.domain) text.push_back(requirement.e);
  const std::vector<Expr> symbols = symbols_in(text);
  return claim.corners.empty() && system.intrinsic.parameters.empty() &&
         std::none_of(symbols.begin(), symbols.end(), [](Expr symbol) {
           const SymbolKind kind = symbol.symbol().kind;
           return kind == SymbolKind::multiplier || kind == SymbolKind::auxiliary;
         });
}

/// Decides claims by the motion of a model, and those about states before that is known.
class Checkers {
 public:
  explicit Checkers(MechanismParts& parts) : parts_(parts) {}

  ClaimResult check(const Claim& claim, std::uint64_t budget) {
    ClaimChecker& checker = needs_motion(claim) ? of_motion() : *of_states_;
    const BudgetScope scope(parts_.algebra(), budget);
    return checker.check(claim);
  }

 private:
  bool needs_motion(const Claim& claim) {
    if (of_motion_ || parts_.motion_if_made() != nullptr || !is_about_states(parts_.system(), claim))
      return true;
    if (of_states_) return false;
    try {
      constexpr MotionOptions no_closed_forms{.max_directions = 0};
      states_ = derive_motion(parts_.algebra(), parts_.system(), no_closed_forms);
      of_states_.emplace(parts_.algebra(), *states_);
    } catch (const Error&) {  // the motion will say why
      return true;
    }
    return false;
  }

  ClaimChecker& of_motion() {
    if (!of_motion_) of_motion_.emplace(parts_.algebra(), parts_.motion());
    return *of_motion_;
  }

  MechanismParts& parts_;
  std::optional<Motion> states_;  ///< the relations, without closed forms
  std::optional<ClaimChecker> of_states_, of_motion_;
};

}  // namespace

void check_claims(MechanismParts& parts, std::uint64_t budget,
                  const std::function<void(const ClaimResult&)>& receive) {
  parts.require_written_out({}, "claims are not decided about so many");
  try {
    Checkers checkers(parts);
    const auto decide = [&](const Claim& claim) {
      if (is_about_stability(claim) || is_about_structure(claim)) {
        const BudgetScope scope(parts.algebra(), budget);
        return is_about_structure(claim) ? check_structure(parts, claim) : check_stability(parts, claim);
      }
      const bool is_of_contacts = is_about_contacts(parts.system(), claim);
      if (!is_of_contacts && claim.after.empty()) return checkers.check(claim, budget);
      parts.motion();
      const BudgetScope scope(parts.algebra(), budget);
      return is_of_contacts ? check_with_contacts(parts, claim)
                            : check_after(parts.algebra(), parts.system(), claim);
    };
    for (const Claim& claim : parts.system().claims) {
      const ClaimResult result = decide(claim);
      parts.require_not_interrupted();
      receive(result);
    }
    if (parts.system().claims.empty()) parts.motion();
  } catch (const Error& error) {
    parts.require_not_interrupted();
    throw Refused{Status::bad_input, {message_of(parts.name(), error)}};
  }
}

}  // namespace liaison
