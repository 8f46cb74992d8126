#ifndef LIAISON_MECHANISM_CHECKED_CLAIMS_HPP
#define LIAISON_MECHANISM_CHECKED_CLAIMS_HPP

#include <cstdint>
#include <functional>

#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanism/parts.hpp"

namespace liaison {

/// Decides every claim of a model in order, each with its own budget of operations, and hands it on as soon
/// as it is decided. Throws Refused; with Status::interrupted, what it cut short was not handed on.
void check_claims(MechanismParts& parts, std::uint64_t budget,
                  const std::function<void(const ClaimResult&)>& receive);

}  // namespace liaison

#endif  // LIAISON_MECHANISM_CHECKED_CLAIMS_HPP
