#pragma once

#include <span>
#include <string>
#include <vector>

#include "contact_modes.hpp"
#include "liaison/simulate/quantities.hpp"
#include "liaison/unilateral/impact.hpp"

namespace liaison {

/// Coefficients of contacts that jump with the side of something, as of a rail whose restitution is another
/// one from x = 1 on: where an impact comes at such a place, rounding would choose the side.
class ImpactSides {
 public:
  ImpactSides(Algebra& algebra, const ContactModes& modes, const AssembledEquations& equations,
              const DoublePoint& parameters);

  struct Ways {
    /// One for each set of coefficients that sides give; that of the state alone where nothing jumps.
    std::vector<ImpactProblem> problems;
    std::vector<Expr> arguments;  ///< which are zero there
    bool complete = true;
  };
  /// `problem` is that of those contacts, at this state.
  Ways ways(const ImpactProblem& problem, std::span<const std::size_t> contacts, double t, const double* y);

 private:
  struct Coefficients {
    std::vector<Expr> all;  ///< restitution, then of each resistance that of slipping and that of sticking
    std::vector<Expr> arguments;
    std::size_t first = 0;  ///< place of its arguments among the values
  };
  bool may_be_on_either_side(std::size_t argument) const;
  std::vector<double> on_sides(std::span<const std::size_t> contacts, std::vector<Expr> zero,
                               std::size_t sides, double t, const double* y);

  Algebra& algebra_;
  const AssembledEquations& equations_;
  DoublePoint parameters_;
  std::vector<Coefficients> contacts_;
  Quantities quantities_;
  std::vector<double> values_;  ///< of all arguments, then their sizes, then their rates
  std::vector<bool> has_rate_;
  std::vector<double> none_;
};

}  // namespace liaison
