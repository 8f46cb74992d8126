#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "exact_point.hpp"

namespace liaison {

/// A number of a field of p elements, p a prime of 61 bits.
using Residue = std::uint64_t;

/// Which symbols of a table are more than free numbers.
struct PointChoices {
  std::vector<std::array<Expr, 4>> quaternions;  ///< each of length one
  std::unordered_map<Expr, Rational> values;     ///< of parameters; the others are random
  std::vector<Expr> relations = {};  ///< that vanish at each point: among what the table was asked for
};

class ModularLevels;

/// Arithmetic modulo a prime with the 240th roots of unity.
class PrimeField {
 public:
  static constexpr bool keeps_constants = false;
  explicit PrimeField(Residue prime);
  Residue prime() const { return prime_; }
  Residue number(const Rational& value) const;  ///< throws limit_reached where p divides the denominator
  Residue add(Residue a, Residue b) const;
  Residue mul(Residue a, Residue b) const;
  std::optional<Residue> inverse(Residue a) const;
  std::optional<Residue> sqrt(Residue a) const;
  std::optional<Residue> cos_pi(const Rational& part) const;
  std::optional<Residue> sin_pi(const Rational& part) const;

 private:
  std::optional<Residue> root_of_unity(const Rational& part) const;  ///< exp(i*pi*part)
  Residue prime_, inverse_of_prime_;                                 ///< scaled, as division by it wants it
  Residue unity_ = 0, i_ = 0;  ///< a primitive 240th root of one, a root of -1
};

/// Random points of a table modulo a prime. Constants keep their value from point to point. Where no root is
/// taken each point is the image of a rational one: what differs there differs.
class ModularPoints {
 public:
  ModularPoints(const FunctionTable& table, PointChoices choices, std::uint64_t seed);
  ~ModularPoints();
  const PrimeField& field() const { return field_; }
  /// The values of what the table was asked for at a new point; nothing after many tries.
  std::optional<std::vector<Residue>> next();

 private:
  Residue random();
  std::pair<Residue, Residue> random_on_circle();
  void draw(bool constants);

  const FunctionTable& table_;
  PointChoices choices_;
  std::mt19937_64 generator_;
  PrimeField field_;
  ExactPoint<Residue> point_;
  std::vector<bool> free_depends_;
  std::unique_ptr<ModularLevels> levels_;  ///< null: no relations
};

}  // namespace liaison
