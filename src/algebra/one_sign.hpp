#pragma once

#include <optional>
#include <vector>

#include "field.hpp"

namespace liaison {

/// A polynomial that has no two signs at real points: `sign` times a sum of terms that are not negative.
struct OneSign {
  int sign = 1;
  std::vector<Poly> parts;  ///< it vanishes exactly where all of them do
  bool positive = false;    ///< it vanishes nowhere
};

/// Seen from the signs of its terms, even powers and generators that are not negative; else by squares that
/// are completed, 4a(av^2 + bv + c) = (2av + b)^2 + (4ac - b^2) with a > 0, variable by variable, and by
/// factors of even power: x^2 + xy + y^2, (x - z)^2 + (y - 1)^2. Nothing where no such sum is found.
std::optional<OneSign> one_sign(const Field& field, const Poly& p);
/// The same from the signs of the terms alone.
std::optional<OneSign> one_sign_of_terms(const Field& field, const Poly& p);

/// p <= 0 at every real point.
bool is_never_positive(const Field& field, const Poly& p);
/// p cannot vanish at a real point.
bool is_never_zero(const Field& field, const Poly& p);

}  // namespace liaison
