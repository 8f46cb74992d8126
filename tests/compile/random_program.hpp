#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "liaison/compile/program.hpp"

namespace liaison::test {

/// What a program of random instructions looks like.
struct RandomProgramOptions {
  std::size_t inputs = 5, outputs = 4, constants = 6, instructions = 60;
  std::uint32_t slots = 24;  ///< the more, the more values live at a time
  bool calls = true;         ///< functions of the library
  double far = 0.3;          ///< how often an operand is any slot, else it is a recent one
  /// Values of moderate size only, so that none is lost in infinities and NaN; states are moderate too.
  bool tame = false;
  std::vector<Operation> only{};  ///< if not empty: no others
};

/// Instructions whose operands are any of inputs, constants and slots, and whose results go to any slot: also
/// to those of their operands.
Program random_program(std::mt19937_64& engine, const RandomProgramOptions& options);

/// Numbers of all sizes and signs: also zeros, numbers below the normal ones, infinities and NaN.
std::vector<double> random_numbers(std::mt19937_64& engine, std::size_t count, bool with_special = true);

}  // namespace liaison::test
