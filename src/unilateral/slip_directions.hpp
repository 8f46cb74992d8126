#pragma once

#include <array>
#include <optional>
#include <vector>

#include "liaison/unilateral/mode_problem.hpp"

namespace liaison {

/// A hypothesis as equations in the factors of what presses and the forces of what sticks; the directions of
/// `slips` are open.
struct SlipEquations {
  std::vector<std::vector<Rational>> effects;  ///< of a unit of each unknown on every row, without `slips`
  std::vector<std::size_t> zero;               ///< rows whose rates vanish, one an unknown
  std::vector<std::optional<std::size_t>> factor_of;  ///< by contact: its unknown
  struct Slip {
    std::size_t unknown, first, second;
    Rational slipping;
    /// Along which its rates are, forth or back, where one is known.
    std::optional<std::array<Rational, 2>> line;
  };
  std::vector<Slip> slips;
  /// Sums of the rates of the slips' first and second rows that vanish, whatever the forces are.
  std::vector<std::vector<Rational>> relations;
};

/// Cosine and sine of each of the slips.
using SlipDirections = std::vector<std::array<Rational, 2>>;

/// All directions of the slips at which the equations hold, what presses is not negative and every slip grows
/// along its direction. Boxes of directions are left where balls show that one of these fails, and Krawczyk's
/// test isolates what is left.
struct FoundDirections {
  std::vector<SlipDirections> all;
  bool complete = true;
};
/// `boxes` counts those that were looked at, over several calls.
FoundDirections slip_directions(const ContactNumbers& numbers, const SlipEquations& equations,
                                std::size_t& boxes);

}  // namespace liaison
