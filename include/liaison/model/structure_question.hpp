#ifndef LIAISON_MODEL_STRUCTURE_QUESTION_HPP
#define LIAISON_MODEL_STRUCTURE_QUESTION_HPP

#include <optional>

#include "liaison/model/system.hpp"

namespace liaison {

/// What a claim says of all motions together: `growth == (2, 3, 4)` and `flag == (2, 3, 4)`, dimensions that
/// the admissible directions span with their brackets; `measure` and `measure(DENSITY)`. Such a claim is one
/// of kind `motions`: what is claimed stands in `Claim::motions`, a density in `Claim::conserved`.
enum class StructureQuestion { growth, flag, measure };

inline std::optional<StructureQuestion> structure_question(const Claim& claim) {
  if (claim.kind != ClaimKind::motions) return std::nullopt;
  if (claim.motions.starts_with("growth ")) return StructureQuestion::growth;
  if (claim.motions.starts_with("flag ")) return StructureQuestion::flag;
  if (claim.motions == "measure") return StructureQuestion::measure;
  return std::nullopt;
}

}  // namespace liaison

#endif  // LIAISON_MODEL_STRUCTURE_QUESTION_HPP
