#pragma once

#include <vector>

#include "contact_modes.hpp"
#include "liaison/simulate/quantities.hpp"
#include "liaison/unilateral/shared_load.hpp"

namespace liaison {

/// The forces of a mode where its contacts share what they carry in many ways: while some way is within all
/// limits, the mode goes on.
class LoadSharing {
 public:
  LoadSharing(Algebra& algebra, const ContactModes& modes, const ContactModes::Mode& mode,
              const AssembledEquations& equations, const DoublePoint& parameters, Engine engine);

  /// From one of the ways, and the directions in which they differ, one within the limits where there is one.
  void choose(Evaluator& evaluator, double t, const double* y,
              const std::vector<std::vector<double>>& directions, std::vector<double>& factors);
  /// Of the last choice.
  double margin() const { return shared_.margin; }
  std::vector<std::size_t> contacts() const;  ///< whose forces are open
  /// Whether what a guard looks at is open: then not its value, but the margin decides.
  bool decides(const Guard& guard) const;

 private:
  bool weigh(Evaluator& evaluator, double t, const double* y);

  const ContactModes::Mode& mode_;
  Quantities coefficients_;
  std::vector<double> values_, none_;
  std::vector<double> units_;  ///< of the cones; empty while they are not known
  SharedLoad shared_;
};

}  // namespace liaison
