#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "liaison/compile/program.hpp"

namespace liaison {

/// Instructions in the making: each has a slot of its own, and equal ones are made once.
class CodeBuilder {
 public:
  static Operand input(std::uint32_t index) { return {Operand::Kind::input, index}; }
  Operand constant(double value);

  Operand add(Operand a, Operand b);
  Operand sub(Operand a, Operand b);
  Operand mul(Operand a, Operand b);
  Operand div(Operand a, Operand b);
  Operand neg(Operand a);
  Operand unary(Operation operation, Operand a);
  Operand binary(Operation operation, Operand a, Operand b);
  void store(std::uint32_t output, Operand a);

  const std::vector<Instruction>& instructions() const { return instructions_; }
  const std::vector<double>& constants() const { return constants_; }

 private:
  struct Key {
    Operation operation;
    Operand a, b;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  Operand emit(Operation operation, Operand a, Operand b = {});
  std::optional<double> value(Operand a) const;
  bool is_value(Operand a, double value) const;
  /// The instruction that makes the operand, if it is that operation.
  const Instruction* made_by(Operand a, Operation operation) const;

  std::vector<Instruction> instructions_;
  std::vector<double> constants_;
  std::unordered_map<std::uint64_t, std::uint32_t> constant_index_;  ///< by bits
  std::unordered_map<Key, std::uint32_t, Hash> known_;
  std::vector<std::uint32_t> maker_;  ///< slot -> instruction
};

/// The instructions with what no output needs taken away, sine and cosine of one angle joined, put in order
/// and given slots.
Program finish_program(const CodeBuilder& code, std::vector<std::string> inputs,
                       std::vector<std::string> outputs, EvaluationOrder order);

/// Names of the outputs: those of the options, else of symbols, else y0, y1, ...
std::vector<std::string> name_outputs(std::span<const Expr> outputs, const ProgramOptions& options);
std::vector<std::string> name_inputs(std::span<const Expr> inputs);

/// The expressions as instructions without stores, one operand for each output.
std::vector<Operand> emit_expressions(CodeBuilder& code, std::span<const Expr> inputs,
                                      std::span<const Expr> outputs, const ProgramOptions& options);

}  // namespace liaison
