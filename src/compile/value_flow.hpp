#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "liaison/compile/program.hpp"

/// A program whose values have names of their own instead of slots that are used again.
namespace liaison {

/// One step with up to three operands. Values are numbered: inputs, then constants, then results.
struct FlowStep {
  static constexpr std::uint32_t no_value = 0xFFFFFFFF;
  Operation operation = Operation::add;
  std::uint8_t operand_count = 0;
  bool is_fused = false;  ///< operands 0 and 1 are factors, 2 is the summand; rounded once
  bool negates_product = false;
  bool negates_summand = false;
  std::array<std::uint32_t, 3> operands{no_value, no_value, no_value};
  std::uint32_t result = no_value;  ///< of a store: the output
  std::uint32_t second = no_value;  ///< sincos: the cosine
};

struct ValueFlow {
  std::uint32_t input_count = 0;
  std::uint32_t constant_count = 0;
  std::uint32_t value_count = 0;
  std::vector<FlowStep> steps;

  std::uint32_t first_result() const { return input_count + constant_count; }
  bool is_input(std::uint32_t value) const { return value < input_count; }
  bool is_constant(std::uint32_t value) const { return value >= input_count && value < first_result(); }
};

/// Whether a function of the library does it.
bool is_call(Operation operation);

/// What the outputs need, in the order of the program. With `contract` a product that one sum reads, alone or
/// negated, becomes one step with it.
ValueFlow make_value_flow(const Program& program, bool contract);

/// A call loses all registers. If fewer values live across calls in that order, the calls come first, each
/// with what its arguments need, and all other arithmetic follows. The values stay the same.
void put_calls_first(ValueFlow& flow);

}  // namespace liaison
