#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "liaison/unilateral/impact.hpp"

/// Random impacts of bodies, and what their laws promise.
namespace liaison {

/// What collides.
struct ImpactKind {
  std::string name;
  std::size_t fewest, most;  ///< contacts
  std::size_t components;    ///< of the slip of each; 0: no friction
  bool redundant = false;    ///< more contacts than freedoms
};
const std::vector<ImpactKind>& impact_kinds();

/// The worst of many impacts; residuals are relative.
struct ImpactLaws {
  std::size_t impacts = 0, solutions = 0;
  std::size_t without = 0;          ///< the law has no solution there
  std::size_t incomplete = 0;       ///< not every solution was looked for
  double momentum = 0;              ///< |v+ - v- - p r|, beside the sizes of its terms
  double approach = 0;              ///< -v_n+ beside the largest velocity before
  double cone = 0;                  ///< |p_t| beyond mu p_n, beside p_n
  std::size_t promised = 0;         ///< impacts that may gain no energy
  double gained = 0;                ///< by these, beside the energy before; broken counts beside its terms
  std::size_t creating = 0;         ///< others that gain some
  double created = 0;               ///< the most of these
  std::vector<std::string> broken;  ///< what a promise was broken by, the first few
};

/// Whether no energy may be gained. The energetic law promises it always; the others without friction and
/// with one coefficient of restitution for all contacts, Newton's where no closed contact is separating: it
/// would be kept from closing again by v_n+ >= 0, not by v_n+ >= -e v_n-.
bool promises_energy(const ImpactProblem& problem);

/// Each impact has a seed of its own: seed, seed + 1, ...
ImpactLaws random_impacts(ImpactLaw law, const ImpactKind& kind, std::uint64_t seed, std::size_t count);

}  // namespace liaison
