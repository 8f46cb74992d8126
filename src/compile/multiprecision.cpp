#include "liaison/compile/multiprecision.hpp"

#include <fmt/format.h>

#include <cmath>

#include "expr/raw.hpp"
#include "liaison/expr/operator_table.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "raw.hpp"

namespace liaison {

namespace {

constexpr long word = 64;
constexpr long constant_guard = 64;   ///< bits more for what is computed once
constexpr long longest_power = 4096;  ///< integer exponents up to this are products

[[noreturn]] void throw_without_value(EvaluationStatus status, const std::string& reason) {
  const bool missing =
      status == EvaluationStatus::missing_value || status == EvaluationStatus::unknown_function;
  throw Error(missing ? ErrorCode::missing_value : ErrorCode::undefined_constant, reason);
}

/// Exact values as balls with the given bits.
BallPoint balls_of(const ExactPoint& point, long bits) {
  std::vector<Expr> symbols, values;
  for (const auto& [symbol, value] : point) {
    symbols.push_back(symbol);
    values.push_back(value);
  }
  BallValues found = evaluate_balls(values, {}, bits);
  if (found.status != EvaluationStatus::ok) throw_without_value(found.status, found.reason());
  BallPoint result;
  for (std::size_t i = 0; i < symbols.size(); ++i) result.emplace(symbols[i], std::move(found.values[i]));
  return result;
}

}  // namespace

ExactPoint exact_point(const DoublePoint& point) {
  ExactPoint result;
  for (const auto& [symbol, value] : point) {
    if (!std::isfinite(value)) {
      throw Error(ErrorCode::undefined_constant, "the value of `" + symbol.symbol().name + "` is not finite");
    }
    result.emplace(symbol, symbol.pool().number(Rational::from_double(value)));
  }
  return result;
}

long bits_for_digits(long digits) {
  const long bits = static_cast<long>(std::ceil(static_cast<double>(digits) * std::log2(10.0)));
  return (bits + word - 1) / word * word;
}

MultiprecisionProgram::MultiprecisionProgram(std::span<const Expr> inputs, std::span<const Expr> outputs,
                                             long bits, const ExactPoint& fixed)
    : bits_(bits), input_count_(inputs.size()) {
  for (Expr input : inputs) {
    if (input.empty() || !input.is(Op::symbol)) {
      throw Error(ErrorCode::not_a_symbol, "an input of a program is not a symbol");
    }
    new_slot(input);
  }
  // What depends on no input is computed here, all of it at once; the rest becomes instructions.
  const std::vector<Expr> nodes = postorder(outputs);
  std::unordered_map<Expr, bool> varies;
  std::vector<Expr> constants;
  for (Expr e : nodes) {
    bool& result = varies[e];
    result = slot_.contains(e);
    for (Expr arg : e.args()) result = result || varies.at(arg);
    if (!result) constants.push_back(e);
    if (result && e.is(Op::sin)) angles_[e.arg(0)].sine = e;
    if (result && e.is(Op::cos)) angles_[e.arg(0)].cosine = e;
  }
  const long constant_bits = bits + constant_guard;
  const BallValues values = evaluate_balls(constants, balls_of(fixed, constant_bits), constant_bits);
  if (values.status != EvaluationStatus::ok) throw_without_value(values.status, values.reason());
  for (std::size_t i = 0; i < constants.size(); ++i) {
    LongReal& slot = slots_[new_slot(constants[i])];
    arf_set_round(slot.raw(), arb_midref(values.values[i].raw()), bits, ARF_RND_NEAR);
  }
  for (Expr e : nodes) {
    if (!slot_.contains(e)) lower(e);
  }
  for (Expr e : outputs) outputs_.push_back(slot_of(e));
  balls_.resize(3);
}

std::uint32_t MultiprecisionProgram::new_slot(Expr e) {
  const auto slot = static_cast<std::uint32_t>(slots_.size());
  slots_.emplace_back();
  if (!e.empty()) slot_.emplace(e, slot);
  return slot;
}

void MultiprecisionProgram::lower(Expr e) {
  if (e.is(Op::apply)) {
    throw Error(ErrorCode::missing_value, fmt::format("`{}` is an unknown function", to_infix(e)));
  }
  if (e.is(Op::pow)) return lower_power(e);
  Instruction instruction{.kind = Kind::other, .expr = e};
  instruction.first = static_cast<std::uint32_t>(operands_.size());
  instruction.count = static_cast<std::uint32_t>(e.args().size());
  for (Expr arg : e.args()) operands_.push_back(slot_of(arg));
  switch (e.op()) {
    case Op::add: instruction.kind = Kind::sum; break;
    case Op::mul: instruction.kind = Kind::product; break;
    case Op::sin:
    case Op::cos: {  // both at once: they cost little more than one
      instruction.kind = Kind::sin_cos;
      const auto [sine, cosine] = angles_.at(e.arg(0));
      instruction.destination = new_slot(sine);
      instruction.second = new_slot(cosine);
      instructions_.push_back(instruction);
      return;
    }
    default: break;
  }
  instruction.destination = new_slot(e);
  instructions_.push_back(instruction);
}

void MultiprecisionProgram::lower_power(Expr e) {
  const Rational& exponent = e.arg(1).number();
  Instruction instruction{.kind = Kind::rational_power, .count = 1, .expr = e};
  instruction.first = static_cast<std::uint32_t>(operands_.size());
  operands_.push_back(slot_of(e.arg(0)));
  const auto numerator = exponent.numerator().to_long(), denominator = exponent.denominator().to_long();
  if (numerator && denominator && std::abs(*numerator) <= longest_power && *denominator <= 2) {
    instruction.exponent = *numerator;
    instruction.kind = *denominator == 2 ? Kind::root : *numerator == -1 ? Kind::reciprocal : Kind::power;
  }
  instruction.destination = new_slot(e);
  instructions_.push_back(instruction);
}

bool MultiprecisionProgram::run(std::span<const LongReal> in, std::span<LongReal> out) {
  for (std::size_t i = 0; i < input_count_; ++i) slots_[i] = in[i];
  for (const Instruction& instruction : instructions_) execute(instruction);
  bool finite = true;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    out[i] = slots_[outputs_[i]];
    finite = finite && out[i].is_finite();
  }
  return finite;
}

void MultiprecisionProgram::integer_power(LongReal& y, const LongReal& base, long exponent) {
  arf_set(power_.raw(), base.raw());
  bool started = false;
  for (auto rest = static_cast<unsigned long>(std::abs(exponent)); rest != 0; rest >>= 1) {
    if ((rest & 1) != 0) {
      if (started) {
        arf_mul(y.raw(), y.raw(), power_.raw(), bits_, ARF_RND_DOWN);
      } else {
        arf_set(y.raw(), power_.raw());
        started = true;
      }
    }
    if (rest > 1) arf_mul(power_.raw(), power_.raw(), power_.raw(), bits_, ARF_RND_DOWN);
  }
  if (exponent < 0) arf_ui_div(y.raw(), 1, y.raw(), bits_, ARF_RND_DOWN);
}

void MultiprecisionProgram::execute(const Instruction& instruction) {
  LongReal& y = slots_[instruction.destination];
  const LongReal& x = operand(instruction, 0);
  switch (instruction.kind) {
    case Kind::sum:
      arf_add(y.raw(), x.raw(), operand(instruction, 1).raw(), bits_, ARF_RND_DOWN);
      for (std::uint32_t i = 2; i < instruction.count; ++i) {
        arf_add(y.raw(), y.raw(), operand(instruction, i).raw(), bits_, ARF_RND_DOWN);
      }
      return;
    case Kind::product:
      arf_mul(y.raw(), x.raw(), operand(instruction, 1).raw(), bits_, ARF_RND_DOWN);
      for (std::uint32_t i = 2; i < instruction.count; ++i) {
        arf_mul(y.raw(), y.raw(), operand(instruction, i).raw(), bits_, ARF_RND_DOWN);
      }
      return;
    case Kind::reciprocal: arf_ui_div(y.raw(), 1, x.raw(), bits_, ARF_RND_DOWN); return;
    case Kind::power: integer_power(y, x, instruction.exponent); return;
    case Kind::root:
      arf_sqrt(y.raw(), x.raw(), bits_, ARF_RND_DOWN);
      if (instruction.exponent != 1) integer_power(y, y, instruction.exponent);
      return;
    default: execute_through_balls(instruction); return;
  }
}

/// Elementary functions of exact balls; of the value the midpoint.
void MultiprecisionProgram::execute_through_balls(const Instruction& instruction) {
  for (std::uint32_t i = 0; i < instruction.count; ++i) {
    arb_set_arf(balls_[i].raw(), operand(instruction, i).raw());
  }
  Ball& value = balls_[2];
  LongReal& y = slots_[instruction.destination];
  if (instruction.kind == Kind::sin_cos) {
    arb_sin_cos(value.raw(), balls_[1].raw(), balls_[0].raw(), bits_);
    arf_set(slots_[instruction.second].raw(), arb_midref(balls_[1].raw()));
  } else if (instruction.kind == Kind::rational_power) {
    const Rational& exponent = instruction.expr.arg(1).number();
    if (arb_is_zero(balls_[0].raw()) && exponent.sign() > 0) {
      arb_zero(value.raw());
    } else {
      arb_pow_fmpq(value.raw(), balls_[0].raw(), exponent.raw(), bits_);
    }
  } else {
    const Ball* arguments[] = {&balls_[0], &balls_[1]};
    operator_row(instruction.expr.op()).ball(value, arguments, bits_);
  }
  arf_set(y.raw(), arb_midref(value.raw()));
  if (!arb_is_finite(value.raw())) arf_nan(y.raw());  // a midpoint may be finite where the ball is everything
}

std::string MultiprecisionProgram::reason() const {
  for (std::size_t i = 0; i < input_count_; ++i) {
    if (!slots_[i].is_finite()) return "an input is not finite";
  }
  for (const Instruction& instruction : instructions_) {
    if (slots_[instruction.destination].is_finite()) continue;
    std::string where;
    for (std::uint32_t i = 0; i < instruction.count; ++i) {
      where += fmt::format("{}{}", i == 0 ? "" : ", ", operand(instruction, i).to_string(6));
    }
    return fmt::format("`{}` has no value (arguments: {})", to_infix(instruction.expr), where);
  }
  return {};
}

}  // namespace liaison
