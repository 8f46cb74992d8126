#pragma once

#include <span>
#include <vector>

#include "newton_start.hpp"
#include "slots.hpp"

namespace liaison {

/// Equations, prepared: what can vanish in each, and what is solved for.
struct EquationParts {
  EquationParts(const Slots& slots, std::vector<Expr> equations);

  using Slot = std::size_t;
  std::vector<Expr> equations;
  std::vector<std::vector<std::size_t>> of_row;  ///< a product vanishes where one of its factors does
  std::vector<Expr> parts;
  std::vector<std::vector<Slot>> slots_of_part;
  std::vector<Prepared> exact;  ///< one a part
  NumericRows numeric;          ///< of all parts
  /// Slots whose values are drawn, not solved for: unknown functions in the equations and what they depend
  /// on.
  std::vector<char> fixed;
  std::vector<char> positive;
  std::vector<double> weights;  ///< of columns: parameters are solved for last
  /// Parameters and the time are solved for where nothing else is in an equation, or where the rest does not
  /// do.
  std::vector<Slot> first_columns, all_columns;

 private:
  void find_fixed(const Slots& slots);
  void find_columns(const Slots& slots);
};

}  // namespace liaison
