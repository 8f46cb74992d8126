#pragma once

#include <memory>
#include <random>
#include <string>

#include "modular_points.hpp"

namespace liaison {

/// Points modulo a prime at which given relations vanish: polynomials in the generators of a table. As many
/// generators as there are independent relations are solved for, the others keep the values that they have:
/// roots of what contains one unknown, resultants where several are coupled.
class ModularLevels {
 public:
  /// `constants`: values of what does not change from point to point.
  ModularLevels(const FunctionTable& table, const PointChoices& choices, const PrimeField& field,
                const ExactPoint<Residue>& constants);
  ~ModularLevels();
  ModularLevels(ModularLevels&&) noexcept;
  ModularLevels& operator=(ModularLevels&&) noexcept;

  /// Moves a point onto the relations. False: there is no root for its other values.
  bool move(ExactPoint<Residue>& point, std::mt19937_64& generator);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace liaison
