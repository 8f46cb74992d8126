#include "liaison/compile/derivative_program.hpp"

#include <fmt/format.h>

#include <optional>
#include <unordered_map>

#include "code_builder.hpp"
#include "liaison/expr/differentiate.hpp"

namespace liaison {
namespace {

using Tangent = std::optional<Operand>;  ///< nothing: zero

/// Forward differentiation: after each instruction the instructions of its tangent.
class TangentWriter {
 public:
  explicit TangentWriter(CodeBuilder& code) : code_(code) {}

  void set_input(std::uint32_t input, Operand tangent) { inputs_[input] = tangent; }

  /// Tangents of all that was emitted so far.
  void write() {
    const std::vector<Instruction> values = code_.instructions();
    slots_.resize(values.size());
    for (const Instruction& instruction : values) slots_[instruction.destination] = tangent_of(instruction);
  }

  Operand value(Operand operand) { return of(operand).value_or(code_.constant(0)); }

 private:
  Tangent of(Operand operand) const {
    switch (operand.kind) {
      case Operand::Kind::slot: return slots_[operand.index];
      case Operand::Kind::input: {
        const auto found = inputs_.find(operand.index);
        return found == inputs_.end() ? Tangent() : Tangent(found->second);
      }
      case Operand::Kind::constant: break;
    }
    return std::nullopt;
  }

  Tangent times(Tangent x, Operand factor) { return x ? Tangent(code_.mul(*x, factor)) : std::nullopt; }
  Tangent plus(Tangent x, Tangent y) {
    if (!x) return y;
    return y ? Tangent(code_.add(*x, *y)) : x;
  }
  Tangent minus(Tangent x, Tangent y) {
    if (!y) return x;
    return x ? code_.sub(*x, *y) : code_.neg(*y);
  }
  Tangent divided(Tangent x, Operand divisor) { return x ? Tangent(code_.div(*x, divisor)) : std::nullopt; }
  Operand one_minus(Operand x) { return code_.sub(code_.constant(1), x); }
  Operand one_plus(Operand x) { return code_.add(code_.constant(1), x); }
  Operand square(Operand x) { return code_.mul(x, x); }

  Tangent tangent_of(const Instruction& instruction) {
    const Operand y{Operand::Kind::slot, instruction.destination};
    const Operand a = instruction.a, b = instruction.b;
    const bool two = operand_count(instruction.operation) == 2;
    const Tangent da = of(a), db = two ? of(b) : std::nullopt;
    if (!da && !db) return std::nullopt;
    switch (instruction.operation) {
      case Operation::add: return plus(da, db);
      case Operation::sub: return minus(da, db);
      case Operation::mul: return plus(times(da, b), times(db, a));
      case Operation::div: return divided(minus(da, times(db, y)), b);
      case Operation::neg: return code_.neg(*da);
      case Operation::sqrt: return divided(da, code_.mul(code_.constant(2), y));
      case Operation::abs: return times(da, code_.unary(Operation::sign, a));
      case Operation::sign: return std::nullopt;
      case Operation::min: return branch(code_.sub(b, a), da, db);
      case Operation::max: return branch(code_.sub(a, b), da, db);
      case Operation::sin: return times(da, code_.unary(Operation::cos, a));
      case Operation::cos: return minus(std::nullopt, times(da, code_.unary(Operation::sin, a)));
      case Operation::tan: return times(da, one_plus(square(y)));
      case Operation::asin: return divided(da, code_.unary(Operation::sqrt, one_minus(square(a))));
      case Operation::acos:
        return minus(std::nullopt, divided(da, code_.unary(Operation::sqrt, one_minus(square(a)))));
      case Operation::atan: return divided(da, one_plus(square(a)));
      case Operation::atan2:
        return divided(minus(times(da, b), times(db, a)), code_.add(square(a), square(b)));
      case Operation::sinh: return times(da, code_.unary(Operation::cosh, a));
      case Operation::cosh: return times(da, code_.unary(Operation::sinh, a));
      case Operation::tanh: return times(da, one_minus(square(y)));
      case Operation::exp: return times(da, y);
      case Operation::log: return divided(da, a);
      case Operation::pow: return times(da, power_slope(a, b));
      case Operation::sincos:  // made only after this
      case Operation::store: break;
    }
    return std::nullopt;
  }

  /// da where `decides` > 0, db where it is < 0, their mean where it is 0.
  Tangent branch(Operand decides, Tangent da, Tangent db) {
    const Operand half = code_.constant(0.5);
    const Operand weight = code_.mul(half, code_.unary(Operation::sign, decides));
    return plus(times(da, code_.add(half, weight)), times(db, code_.sub(half, weight)));
  }

  Operand power_slope(Operand base, Operand exponent) {
    const double n = code_.constants()[exponent.index];
    return code_.mul(exponent, code_.binary(Operation::pow, base, code_.constant(n - 1)));
  }

  CodeBuilder& code_;
  std::unordered_map<std::uint32_t, Operand> inputs_;
  std::vector<Tangent> slots_;
};

std::string derivative_name(const std::string& of, Expr by) {
  return fmt::format("d({})/d({})", of, by.symbol().name);
}

}  // namespace

JacobianProgram make_jacobian_program(std::span<const Expr> inputs, std::span<const Expr> outputs,
                                      std::span<const Expr> wrt, const ProgramOptions& options) {
  JacobianProgram result;
  result.value_count = outputs.size();
  std::vector<Expr> all(outputs.begin(), outputs.end());
  ProgramOptions named = options;
  named.output_names = name_outputs(outputs, options);
  const std::vector<JacobianEntry> entries = jacobian(outputs, wrt);
  for (const JacobianEntry& entry : entries) {
    result.pattern.push_back({entry.row, entry.column});
    all.push_back(entry.value);
    named.output_names.push_back(derivative_name(named.output_names[entry.row], wrt[entry.column]));
  }
  result.program = make_program(inputs, all, named);
  return result;
}

Program make_jvp_program(std::span<const Expr> inputs, std::span<const Expr> outputs,
                         std::span<const Expr> wrt, const ProgramOptions& options) {
  std::vector<std::string> input_names, output_names = name_outputs(outputs, options);
  CodeBuilder code;
  const std::vector<Operand> values = emit_expressions(code, inputs, outputs, options);
  input_names = name_inputs(inputs);
  TangentWriter tangents(code);
  for (Expr symbol : wrt) {
    const auto tangent = static_cast<std::uint32_t>(input_names.size());
    bool found = false;
    for (std::uint32_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i] != symbol) continue;
      tangents.set_input(i, CodeBuilder::input(tangent));
      found = true;
    }
    if (!found)
      throw Error(ErrorCode::not_a_symbol,
                  "a tangent was asked for something that is not an input of the program");
    input_names.push_back(fmt::format("d({})", symbol.symbol().name));
  }
  tangents.write();
  const auto n = static_cast<std::uint32_t>(values.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    code.store(i, values[i]);
    output_names.push_back(fmt::format("d({})", output_names[i]));
  }
  for (std::uint32_t i = 0; i < n; ++i) code.store(n + i, tangents.value(values[i]));
  return finish_program(code, std::move(input_names), std::move(output_names), options.order);
}

}  // namespace liaison
