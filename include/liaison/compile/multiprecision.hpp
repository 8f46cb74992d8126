#ifndef LIAISON_COMPILE_MULTIPRECISION_HPP
#define LIAISON_COMPILE_MULTIPRECISION_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "liaison/expr/evaluate.hpp"

/// Systems of expressions in numbers of many digits, for judges that may be slow but not wrong.
namespace liaison {

/// A binary floating-point number of any length (an Arb midpoint). Each operation says how many bits it
/// keeps.
class LongReal {
 public:
  LongReal();
  explicit LongReal(double exact);
  LongReal(const Rational& value, long bits) : LongReal() { set(value, bits); }
  LongReal(const LongReal& other);
  LongReal(LongReal&& other) noexcept;
  LongReal& operator=(const LongReal& other);
  LongReal& operator=(LongReal&& other) noexcept;
  ~LongReal();

  void set(const Rational& value, long bits);
  bool is_finite() const;
  bool is_zero() const;
  double to_double() const;
  /// Rounded to so many significant decimal digits.
  std::string to_string(long digits) const;
  /// What is inside, for sources of the library that include its definition.
  auto raw() const;
  auto raw();

 private:
  alignas(long) std::byte room_[4 * sizeof(long)];  ///< a number of Arb
};

/// Values of symbols as constant expressions: 981/100, pi/4, 6/5*cos(7/10). Exact, whatever the precision.
using ExactPoint = std::unordered_map<Expr, Expr>;
/// Each double as the number it is.
ExactPoint exact_point(const DoublePoint& point);

/// Bits for so many decimal digits, up to full machine words: the last word costs nothing.
long bits_for_digits(long digits);

/// The outputs as functions of the inputs: a list of operations made once, run as often as needed, each
/// shared subexpression computed once. Unlike a Program it never rounds to double: numbers, pi and all that
/// follows from `fixed` alone are computed once, with more bits than a run keeps. Not thread safe.
class MultiprecisionProgram {
 public:
  /// Throws missing_value for a symbol that is neither an input nor fixed and for an unknown function,
  /// not_a_symbol for an input that is none, undefined_constant for a constant part without a value.
  MultiprecisionProgram(std::span<const Expr> inputs, std::span<const Expr> outputs, long bits,
                        const ExactPoint& fixed = {});

  /// False where an output has no finite value.
  bool run(std::span<const LongReal> in, std::span<LongReal> out);
  /// After a run without value: the smallest subexpression that has none, with the values of its arguments.
  std::string reason() const;

  long bits() const { return bits_; }
  std::size_t input_count() const { return input_count_; }
  std::size_t output_count() const { return outputs_.size(); }
  std::size_t operation_count() const { return instructions_.size(); }

 private:
  enum class Kind : std::uint8_t { sum, product, reciprocal, power, root, rational_power, sin_cos, other };
  /// Operands are `operands_[first .. first + count)`.
  struct Instruction {
    Kind kind;
    std::uint32_t first = 0, count = 0;
    std::uint32_t destination = 0;
    std::uint32_t second = 0;  ///< sin_cos: the slot of the cosine
    long exponent = 0;         ///< power; of the square root in root
    Expr expr;
  };
  struct Angle {
    Expr sine, cosine;  ///< empty: not asked for
  };
  void lower(Expr e);
  void lower_power(Expr e);
  std::uint32_t slot_of(Expr e) const { return slot_.at(e); }
  std::uint32_t new_slot(Expr e);  ///< empty: of nothing that is looked up
  void execute(const Instruction& instruction);
  void execute_through_balls(const Instruction& instruction);
  const LongReal& operand(const Instruction& instruction, std::uint32_t i) const {
    return slots_[operands_[instruction.first + i]];
  }
  void integer_power(LongReal& y, const LongReal& base, long exponent);

  long bits_;
  std::size_t input_count_;
  std::unordered_map<Expr, std::uint32_t> slot_;
  std::unordered_map<Expr, Angle> angles_;
  std::vector<LongReal> slots_;  ///< the inputs first
  std::vector<std::uint32_t> operands_, outputs_;
  std::vector<Instruction> instructions_;
  std::vector<Ball> balls_;  ///< arguments of elementary functions, then the value
  LongReal power_;           ///< scratch
};

}  // namespace liaison

#endif  // LIAISON_COMPILE_MULTIPRECISION_HPP
