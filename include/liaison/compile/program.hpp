#ifndef LIAISON_COMPILE_PROGRAM_HPP
#define LIAISON_COMPILE_PROGRAM_HPP

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "liaison/expr/expr.hpp"

/// Straight-line programs: what remains of a system of expressions when only its values are wanted.
namespace liaison {

/// What one instruction does, in double, rounded once (to nearest) where arithmetic is meant.
/// min and max hand on a NaN of either side; sign(0) is 0.
enum class Operation : std::uint8_t {
  add,
  sub,
  mul,
  div,
  neg,
  sqrt,
  abs,
  sign,
  min,
  max,
  sin,
  cos,
  sincos,  ///< sine and cosine of one angle at once: two destinations
  tan,
  asin,
  acos,
  atan,
  atan2,  ///< a: y, b: x
  sinh,
  cosh,
  tanh,
  exp,
  log,
  pow,    ///< b is a constant
  store,  ///< output[destination] = a
};
/// "add", "sin": also the name of the C function where there is one.
std::string_view operation_name(Operation operation);
unsigned operand_count(Operation operation);

struct Operand {
  enum class Kind : std::uint8_t { slot, input, constant };
  Kind kind = Kind::slot;
  std::uint32_t index = 0;
  friend auto operator<=>(const Operand&, const Operand&) = default;
};

struct Instruction {
  static constexpr std::uint32_t no_slot = 0xFFFFFFFF;
  Operation operation = Operation::add;
  Operand a;
  Operand b;                            ///< where operand_count is 2
  std::uint32_t destination = no_slot;  ///< a slot; of a store: the output
  std::uint32_t second = no_slot;       ///< sincos: the slot of the cosine
};

/// Every slot is written before it is read, every output is stored exactly once. Slots are used again when
/// their value is no longer needed.
struct Program {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<double> constants;
  std::vector<Instruction> instructions;
  std::uint32_t slot_count = 0;
};

enum class EvaluationOrder {
  least_live,  ///< few values alive at any time: they stay in registers
  as_written,  ///< depth first through the outputs, which are stored at the end
};

struct ProgramOptions {
  std::vector<std::string> output_names = {};  ///< empty: the name of a symbol, else y0, y1, ...
  EvaluationOrder order = EvaluationOrder::least_live;
  bool share_parts = true;  ///< partial sums and products that several sums and products have in common
  long max_power = 64;      ///< integer powers up to this become products, larger ones pow
  /// Inputs that always have these values: they are folded into the program, and what is given for them does
  /// not matter.
  std::vector<std::pair<Expr, double>> fixed = {};
};

/// The outputs as functions of the inputs, each shared subexpression computed once. The inputs are symbols;
/// an output may be anything. A quotient is a division; a denominator that several terms have becomes one
/// reciprocal. Constant subexpressions are rounded once.
///
/// Throws missing_value for a symbol that is not an input and for an unknown function, not_a_symbol for an
/// input that is none, number_too_large for a constant beyond the doubles, undefined_constant for one without
/// a real value.
Program make_program(std::span<const Expr> inputs, std::span<const Expr> outputs,
                     const ProgramOptions& options = {});

/// The largest number of slots that hold a value still needed.
std::size_t max_live(const Program& program);
/// Instructions other than stores.
std::size_t arithmetic_count(const Program& program);

}  // namespace liaison

#endif  // LIAISON_COMPILE_PROGRAM_HPP
