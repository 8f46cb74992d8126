#include "liaison/compile/program.hpp"

#include <algorithm>
#include <map>

#include "code_builder.hpp"
#include "schedule.hpp"

namespace liaison {
namespace {

/// What the stores need, in the order given.
std::vector<Instruction> without_dead_code(const std::vector<Instruction>& instructions,
                                           std::size_t slot_count) {
  std::vector<bool> needed(slot_count, false);
  std::vector<Instruction> result;
  for (std::size_t i = instructions.size(); i-- > 0;) {
    const Instruction& instruction = instructions[i];
    if (instruction.operation != Operation::store && !needed[instruction.destination]) continue;
    for_each_slot_read(instruction, [&](std::uint32_t slot) { needed[slot] = true; });
    result.push_back(instruction);
  }
  std::reverse(result.begin(), result.end());
  return result;
}

/// sin(x) and cos(x) of the same x become one instruction at the place of the first of them.
void join_sines_and_cosines(std::vector<Instruction>& instructions) {
  std::map<Operand, std::size_t> angles;
  std::vector<bool> joined(instructions.size(), false);
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const Instruction& here = instructions[i];
    if (here.operation != Operation::sin && here.operation != Operation::cos) continue;
    const auto [place, is_first] = angles.try_emplace(here.a, i);
    if (is_first) continue;
    Instruction& first = instructions[place->second];
    const bool sine_first = first.operation == Operation::sin;
    first.second = sine_first ? here.destination : first.destination;
    if (!sine_first) first.destination = here.destination;
    first.operation = Operation::sincos;
    joined[i] = true;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < instructions.size(); ++i)
    if (!joined[i]) instructions[kept++] = instructions[i];
  instructions.resize(kept);
}

/// Only the constants in use, in the order of their use.
void renumber_constants(Program& program, const std::vector<double>& constants) {
  constexpr std::uint32_t unused = 0xFFFFFFFF;
  std::vector<std::uint32_t> place(constants.size(), unused);
  for (Instruction& instruction : program.instructions) {
    for (Operand* operand : {&instruction.a, &instruction.b}) {
      if (operand->kind != Operand::Kind::constant) continue;
      std::uint32_t& index = place[operand->index];
      if (index == unused) {
        index = static_cast<std::uint32_t>(program.constants.size());
        program.constants.push_back(constants[operand->index]);
      }
      operand->index = index;
    }
  }
}

}  // namespace

Program finish_program(const CodeBuilder& code, std::vector<std::string> inputs,
                       std::vector<std::string> outputs, EvaluationOrder order) {
  Program program{.inputs = std::move(inputs),
                  .outputs = std::move(outputs),
                  .constants = {},
                  .instructions = {},
                  .slot_count = 0};
  const std::size_t value_count = code.instructions().size();
  program.instructions = without_dead_code(code.instructions(), value_count);
  join_sines_and_cosines(program.instructions);
  if (order == EvaluationOrder::least_live)
    program.instructions = schedule(program.instructions, value_count);
  program.slot_count = assign_slots(program.instructions, value_count);
  renumber_constants(program, code.constants());
  return program;
}

Program make_program(std::span<const Expr> inputs, std::span<const Expr> outputs,
                     const ProgramOptions& options) {
  CodeBuilder code;
  const std::vector<Operand> values = emit_expressions(code, inputs, outputs, options);
  for (std::uint32_t i = 0; i < values.size(); ++i) code.store(i, values[i]);
  return finish_program(code, name_inputs(inputs), name_outputs(outputs, options), options.order);
}

std::size_t max_live(const Program& program) {
  return count_live(program.instructions, program.slot_count).most;
}

std::size_t arithmetic_count(const Program& program) {
  return static_cast<std::size_t>(std::count_if(
      program.instructions.begin(), program.instructions.end(),
      [](const Instruction& instruction) { return instruction.operation != Operation::store; }));
}

}  // namespace liaison
