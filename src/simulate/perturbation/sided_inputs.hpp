#pragma once

#include <unordered_map>
#include <vector>

#include "simulate/equations/switches.hpp"

namespace liaison {

/// Sides that are chosen, by arguments as they are written.
using ChosenSides = std::unordered_map<Expr, int>;

/// Inputs of what is compiled for an event, with sides for its switches behind them: what an event does is
/// asked for on either side of an argument that is zero there.
class SidedInputs {
 public:
  Expr hold(Expr e);
  void hold(std::vector<Expr>& es);
  /// When all is held: the inputs with those of the sides.
  const std::vector<Expr>& compile(std::vector<Expr> inputs);

  std::size_t size() const { return switches_.size(); }
  const Switches& switches() const { return switches_; }
  /// The inputs with sides: those that are chosen, the others as the values of their arguments have them.
  std::vector<double> with_sides(std::vector<double> in, const ChosenSides& chosen);
  /// Their values, with the sides of those within, and the sizes of their terms.
  struct Values {
    std::vector<double> values, sizes;
  };
  Values arguments(const std::vector<double>& with_sides);
  /// A switch that is not written with its side, and has a kink where its argument is zero: all but atan2
  /// beside a positive second argument.
  bool is_rough_at(std::size_t argument, const std::vector<double>& with_sides);

 private:
  Switches switches_;
  std::vector<Expr> held_, inputs_;  ///< held_: as they were written
  Runner arguments_;
  struct Cuts {
    std::size_t count = 0;
    bool has_other = false;
    Runner seconds;  ///< of atan2
  };
  std::vector<Cuts> cuts_;
};

}  // namespace liaison
