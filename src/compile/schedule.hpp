#pragma once

#include <cstdint>
#include <vector>

#include "liaison/compile/program.hpp"

/// The order of instructions whose slots are written once each.
namespace liaison {

struct LiveCount {
  std::size_t most = 0;   ///< at any time
  std::size_t total = 0;  ///< summed over all instructions
  friend auto operator<=>(const LiveCount&, const LiveCount&) = default;
};
LiveCount count_live(const std::vector<Instruction>& instructions, std::size_t slot_count);

/// The order with the fewest live values among several: as given, depth first with the more demanding operand
/// first, and backwards from the outputs by what each instruction adds to the live values.
std::vector<Instruction> schedule(const std::vector<Instruction>& instructions, std::size_t slot_count);

/// Gives each value the slot that was free last; returns how many slots there are.
std::uint32_t assign_slots(std::vector<Instruction>& instructions, std::size_t slot_count);

/// Calls `f` for each operand in a slot, once each.
template <class F>
void for_each_slot_read(const Instruction& instruction, F&& f) {
  const bool a = instruction.a.kind == Operand::Kind::slot;
  if (a) f(instruction.a.index);
  if (operand_count(instruction.operation) < 2 || instruction.b.kind != Operand::Kind::slot) return;
  if (!a || instruction.b.index != instruction.a.index) f(instruction.b.index);
}
/// Calls `f` for each slot that the instruction writes.
template <class F>
void for_each_slot_written(const Instruction& instruction, F&& f) {
  if (instruction.operation == Operation::store) return;
  f(instruction.destination);
  if (instruction.second != Instruction::no_slot) f(instruction.second);
}

}  // namespace liaison
