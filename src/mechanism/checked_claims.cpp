#include "liaison/mechanism/checked_claims.hpp"

#include "contact_claims.hpp"
#include "diagnostics.hpp"
#include "liaison/simulate/claims_in_time.hpp"

namespace liaison {

void check_claims(MechanismParts& parts, std::uint64_t budget,
                  const std::function<void(const ClaimResult&)>& receive) {
  parts.require_written_out({}, "claims are not decided about so many");
  try {
    ClaimChecker checker(parts.algebra(), parts.motion());
    for (const Claim& claim : parts.system().claims) {
      const BudgetScope scope(parts.algebra(), budget);
      const ClaimResult result = is_about_contacts(parts.system(), claim) ? check_with_contacts(parts, claim)
                                 : claim.after.empty()                    ? checker.check(claim)
                                                       : check_after(parts.algebra(), parts.system(), claim);
      parts.require_not_interrupted();
      receive(result);
    }
  } catch (const Error& error) {
    parts.require_not_interrupted();
    throw Refused{Status::bad_input, {message_of(parts.name(), error)}};
  }
}

}  // namespace liaison
