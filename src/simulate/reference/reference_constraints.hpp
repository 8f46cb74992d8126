#pragma once

#include <memory>
#include <string>
#include <vector>

#include "reference_equations.hpp"

namespace liaison {

/// Relations and energies of a state y = (positions, velocity parameters) in long numbers.
class ReferenceConstraints {
 public:
  ReferenceConstraints(const AssembledEquations& equations, const ExactPoint& fixed,
                       const ReferencePrecision& precision);

  /// Moves a state that is off the constraints by rounding onto them, positions first, each by the least
  /// change. Throws undefined_constant where it is farther away, limit_reached where Newton's method does not
  /// end.
  void settle(const LongReal& t, std::vector<LongReal>& y);

  struct Residuals {
    double level = 0, relation = 0;  ///< the largest
  };
  Residuals residuals(const LongReal& t, const std::vector<LongReal>& y);
  struct Energies {
    LongReal kinetic, potential;
  };
  Energies energies(const LongReal& t, const std::vector<LongReal>& y);

 private:
  /// Relations with their Jacobian by some components of y.
  struct Block {
    std::unique_ptr<MultiprecisionProgram> program;
    std::vector<std::string> names;
    std::vector<std::pair<std::size_t, std::size_t>> pattern;  ///< row, component of y
    std::vector<LongReal> values;                              ///< of the relations, then of the pattern
    std::size_t size() const { return names.size(); }
  };
  void evaluate(MultiprecisionProgram& program, const LongReal& t, const std::vector<LongReal>& y,
                std::vector<LongReal>& values);
  double largest(const Block& block) const;
  void settle(Block& block, const LongReal& t, std::vector<LongReal>& y);
  double newton_step(const Block& block, std::vector<LongReal>& y) const;

  ReferencePrecision precision_;
  Block levels_, relations_;
  std::unique_ptr<MultiprecisionProgram> energy_program_;
  std::vector<LongReal> inputs_, energy_values_;
};

}  // namespace liaison
