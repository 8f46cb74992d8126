#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "liaison/simulate/perturbation.hpp"
#include "simulate/equations/switches.hpp"
#include "simulate/perturbation/compiled_matrix.hpp"

namespace liaison {

/// What a motion carries over a change of form, as Evaluator::carried names it, with derivatives. Where one
/// jumps there is an impulse. One that jumps beside this motion and not on it is an impulse of those beside
/// it.
class CarriedOver {
 public:
  /// `arguments`: those of the evaluator, in its order. With derivatives by the state, the parameters
  /// `varied` and the time.
  CarriedOver(const AssembledEquations& equations, const std::vector<Expr>& varied,
              const std::vector<Expr>& arguments);

  /// At a state, with held sides, one an argument of the evaluator; false where something has no value.
  struct Look {
    std::vector<double> values, sizes;
    Eigen::MatrixXd slopes;
  };
  bool look(std::vector<double> in, const std::vector<int>& sides, Look& result);

  std::size_t size() const { return names_.size(); }
  bool is_energy(std::size_t k) const { return names_[k].empty(); }
  /// "the momentum dT/d(x')", and of the energy "the energy".
  std::string in_words(std::size_t k) const { return is_energy(k) ? "the energy" : names_[k]; }

 private:
  void carry(std::string name, Expr e);

  Switches switches_;
  std::vector<std::string> names_;  ///< in words; empty: of the energy
  std::vector<Expr> held_;
  std::vector<std::size_t> places_;  ///< of each own switch among the arguments of the evaluator
  Runner values_;
  CompiledMatrix slopes_;
};

}  // namespace liaison
