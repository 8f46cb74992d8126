#ifndef LIAISON_MODEL_UNIT_HPP
#define LIAISON_MODEL_UNIT_HPP

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "liaison/expr/rational.hpp"

namespace liaison {

/// A physical dimension: rational exponents of m, kg, s, A, K, mol, cd. An angle has none.
struct Dimension {
  std::array<Rational, 7> exponents;
  friend bool operator==(const Dimension& a, const Dimension& b) { return a.exponents == b.exponents; }
  bool is_none() const;
};
Dimension operator*(const Dimension& a, const Dimension& b);
Dimension operator/(const Dimension& a, const Dimension& b);
Dimension power(const Dimension& a, const Rational& exponent);

/// A unit as written: its dimension and its size in SI units.
struct Unit {
  std::string text;
  Dimension dimension;
  Rational scale;  ///< 1 km is 1000 m; of angles in degrees and speeds in rpm rounded to 40 digits
  long pi = 0;     ///< the power of pi in it
};
/// The power of pi, as it stands in scales: rounded to 40 digits.
Rational rounded_power_of_pi(long exponent);
/// Reads "m/s^2", "kg*m^2", "N", "rad", "deg"; nothing if it is not a unit.
std::optional<Unit> parse_unit(std::string_view text);
/// "N·m (kg·m²/s²)": the usual name if there is one, and the base units.
std::string describe(const Dimension& dimension);

}  // namespace liaison

#endif  // LIAISON_MODEL_UNIT_HPP
