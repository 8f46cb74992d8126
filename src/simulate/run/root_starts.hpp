#pragma once

#include <string>
#include <vector>

#include "liaison/simulate/evaluator.hpp"
#include "liaison/simulate/simulation.hpp"
#include "simulate/equations/runner.hpp"

namespace liaison {

/// A root whose derivative has no value at zero.
bool is_steep_root(Expr node);

/// Roots of what is zero where a motion begins: there is no Lipschitz condition, and beside the motion that a
/// method follows others may begin (Peano's x'' = sqrt(max(x, 0)) from rest: 0, and t^4/144).
class RootStarts {
 public:
  RootStarts(Evaluator& evaluator, const SimulationOptions& options);

  /// Why several motions begin at a state; empty where one does. The sides of switches are to follow.
  std::string several_from(double t, const std::vector<double>& y);

 private:
  struct Root {
    Expr root = {};
    std::vector<std::size_t> components = {};  ///< of the state, that the base has
  };
  bool leave_one_another(double t, const std::vector<double>& y, std::size_t component, double side);
  bool nudge(double t, std::vector<double>& y, std::size_t component, double length);

  Evaluator& evaluator_;
  const SimulationOptions& options_;
  std::vector<Root> roots_;
  std::vector<double> inputs_;
  Runner program_;
};

}  // namespace liaison
