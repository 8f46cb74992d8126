#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// Machine code of x86-64 as bytes: how instructions are written, nothing of what they are for. What is cited
/// are sections of volume 2 of Intel's "64 and IA-32 Architectures Software Developer's Manual".
namespace liaison::x86 {

/// Registers by the numbers that instructions hold.
using Xmm = std::uint8_t;
enum class Gpr : std::uint8_t {
  rax,
  rcx,
  rdx,
  rbx,
  rsp,
  rbp,
  rsi,
  rdi,
  r8,
  r9,
  r10,
  r11,
  r12,
  r13,
  r14,
  r15
};

/// The operand that is a register or memory (ModR/M.rm, table 2-2).
struct Place {
  enum class Kind : std::uint8_t { xmm, based, beside_code };
  Kind kind = Kind::xmm;
  std::uint8_t number = 0;        ///< of the register, or of the one that holds the base
  std::int32_t displacement = 0;  ///< from the base, or from the first byte of the code

  static Place of(Xmm xmm) { return {.kind = Kind::xmm, .number = xmm, .displacement = 0}; }
  static Place based(Gpr base, std::int32_t displacement) {
    return {.kind = Kind::based, .number = static_cast<std::uint8_t>(base), .displacement = displacement};
  }
  static Place beside_code(std::int32_t displacement) {
    return {.kind = Kind::beside_code, .number = 0, .displacement = displacement};
  }
  bool is_register() const { return kind == Kind::xmm; }
  friend bool operator==(const Place&, const Place&) = default;
};

/// Scalar doubles with two sources: result = first op second.
enum class Arithmetic : std::uint8_t {
  sqrt = 0x51,  ///< of the second; the first gives the upper half, which nobody reads
  add = 0x58,
  mul = 0x59,
  sub = 0x5C,
  min = 0x5D,  ///< first < second ? first : second
  div = 0x5E,
  max = 0x5F,  ///< first > second ? first : second
};
/// Of all bits of the register.
enum class Bitwise : std::uint8_t { bit_and = 0x54, bit_xor = 0x57 };
/// Predicates of comparisons (table 3-1): all bits one where it holds.
enum class Comparison : std::uint8_t { unordered = 0x03, less = 0x11, greater = 0x1E };
/// Signs of a fused product and sum.
enum class Fused : std::uint8_t {
  add = 0x9,          ///< product + summand
  sub = 0xB,          ///< product - summand
  negated_add = 0xD,  ///< -product + summand
  negated_sub = 0xF,  ///< -product - summand
};
/// Which of the operands 1 (the result), 2, 3 (may lie in memory) are factors, and which is the summand.
enum class FusedForm : std::uint8_t { f132 = 0x90, f213 = 0xA0, f231 = 0xB0 };

class Assembler {
 public:
  const std::vector<std::uint8_t>& code() const { return code_; }
  void reserve(std::size_t bytes) { code_.reserve(bytes); }
  /// Room for what is written later.
  void skip(std::size_t bytes) { code_.resize(code_.size() + bytes, 0xCC); }

  void load(Xmm to, Place from);   ///< from memory
  void store(Place to, Xmm from);  ///< to memory
  void copy(Xmm to, Xmm from);
  void arithmetic(Arithmetic operation, Xmm result, Xmm first, Place second);
  void bitwise(Bitwise operation, Xmm result, Xmm first, Place second);
  void compare(Comparison predicate, Xmm result, Xmm first, Place second);
  /// `second` where the mask is set, else `first`.
  void blend(Xmm result, Xmm first, Place second, Xmm mask);
  void fused(Fused signs, FusedForm form, Xmm result, Xmm second, Place third);

  void copy(Gpr to, Gpr from);
  void load_address(Gpr to, Place of);
  void load(Gpr to, Place from);
  void store(Place to, Gpr from);
  void push(Gpr from);
  void pop(Gpr to);
  /// Of the function whose address lies there.
  void call(Place pointer);
  void ret();

 private:
  void byte(unsigned value) { code_.push_back(static_cast<std::uint8_t>(value)); }
  void number(std::int32_t value);
  void operand(unsigned reg, Place rm, unsigned bytes_after);
  void vex(unsigned prefix, unsigned map, bool w, unsigned reg, unsigned second, Place rm);
  void avx(unsigned prefix, unsigned opcode, unsigned reg, unsigned second, Place rm);
  void general(unsigned opcode, Gpr reg, Place rm);

  std::vector<std::uint8_t> code_;
};

}  // namespace liaison::x86
