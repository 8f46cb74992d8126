#pragma once

#include <vector>

#include "liaison/mechanism/parts.hpp"
#include "liaison/simulate/perturbation.hpp"
#include "liaison/simulate/quantities.hpp"

namespace liaison {

/// The outputs of a model along a motion with its deviations, by the equations that hold there:
///   dO = O_y dy + O_p dp + O_z dz,  z = (u', lambda) with the deviations that those of y and p give it.
class OutputDeviations {
 public:
  /// `equations` and `algebra` outlive it; `motion` where outputs ask for its closed form. Throws Error as
  /// Quantities does.
  OutputDeviations(Algebra& algebra, const AssembledEquations& equations, const DoublePoint& values,
                   const std::vector<Expr>& varied, const Motion* motion);

  struct Values {
    std::vector<double> values;
    std::vector<std::vector<double>> deviations;  ///< one a deviation of the state
  };
  /// Where the motion passes a change of side they are those before it; not a number where there are none.
  Values at(const PerturbedState& state);

 private:
  bool is_on_change(double t, const std::vector<double>& y, bool& of_output);
  bool take(double t, const std::vector<double>& y);

  std::size_t count_;
  std::vector<Expr> varied_;
  std::size_t n_, positions_;
  Evaluator evaluator_;
  PerturbationEquations perturbation_;
  Quantities values_;     ///< the outputs, then the entries of their derivatives
  Quantities arguments_;  ///< of the switches in the outputs, then their sizes
  std::vector<double> found_;
  struct Entry {
    std::size_t output, by;  ///< by y, varied parameters, u' and factors
  };
  std::vector<Entry> entries_;
};

}  // namespace liaison
