#include "x86_assembler.hpp"

namespace liaison::x86 {
namespace {

/// Values of the fields VEX.pp and VEX.mmmmm, which stand for older prefixes (section 2.3.6).
constexpr unsigned prefix_66 = 1, prefix_f2 = 3;
constexpr unsigned map_0f = 1, map_0f38 = 2, map_0f3a = 3;
/// VEX.vvvv of an instruction without a second operand: all ones when inverted.
constexpr unsigned none = 0;

unsigned low(unsigned number) {
  return number & 7u;
}
unsigned high(unsigned number) {
  return number >> 3;
}
unsigned high(Place place) {
  return place.kind == Place::Kind::beside_code ? 0u : high(place.number);
}
unsigned number_of(Gpr gpr) {
  return static_cast<unsigned>(gpr);
}

}  // namespace

void Assembler::number(std::int32_t value) {
  const auto bits = static_cast<std::uint32_t>(value);
  for (unsigned shift = 0; shift < 32; shift += 8) byte(bits >> shift & 0xFFu);
}

/// ModR/M, SIB and displacement (section 2.1.5, 64-bit mode in 2.2.1). A displacement of one byte is
/// signed; the base numbers 4 and 12 need a SIB byte, 5 and 13 a displacement; without a base the
/// displacement counts from the end of the instruction, `bytes_after` behind it.
void Assembler::operand(unsigned reg, Place rm, unsigned bytes_after) {
  const unsigned middle = low(reg) << 3;
  if (rm.kind == Place::Kind::xmm) {
    byte(0xC0u | middle | low(rm.number));
    return;
  }
  if (rm.kind == Place::Kind::beside_code) {
    byte(middle | 5u);
    number(rm.displacement - static_cast<std::int32_t>(code_.size() + 4 + bytes_after));
    return;
  }
  const std::int32_t displacement = rm.displacement;
  const bool is_short = displacement >= -128 && displacement <= 127;
  const bool is_absent = displacement == 0 && low(rm.number) != 5;
  byte((is_absent ? 0x00u : is_short ? 0x40u : 0x80u) | middle | low(rm.number));
  if (low(rm.number) == 4) byte(0x24);  // no index
  if (is_absent) return;
  if (is_short)
    byte(static_cast<std::uint32_t>(displacement) & 0xFFu);
  else
    number(displacement);
}

/// The prefix of two bytes where it can say everything, else of three (section 2.3.5); the bits R, X, B and
/// vvvv are stored inverted, and the length is 128 bits.
void Assembler::vex(unsigned prefix, unsigned map, bool w, unsigned reg, unsigned second, Place rm) {
  const unsigned not_r = (high(reg) ^ 1u) << 7, not_b = (high(rm) ^ 1u) << 5;
  const unsigned rest = (~second & 0xFu) << 3 | prefix;
  if (map == map_0f && !w && not_b != 0) {
    byte(0xC5);
    byte(not_r | rest);
    return;
  }
  byte(0xC4);
  byte(not_r | 0x40u | not_b | map);
  byte((w ? 0x80u : 0u) | rest);
}

void Assembler::avx(unsigned prefix, unsigned opcode, unsigned reg, unsigned second, Place rm) {
  vex(prefix, map_0f, false, reg, second, rm);
  byte(opcode);
  operand(reg, rm, 0);
}

void Assembler::load(Xmm to, Place from) {
  avx(prefix_f2, 0x10, to, none, from);
}
void Assembler::store(Place to, Xmm from) {
  avx(prefix_f2, 0x11, from, none, to);
}
/// VMOVAPD has two opcodes: the one whose prefix is short.
void Assembler::copy(Xmm to, Xmm from) {
  if (high(from) != 0 && high(to) == 0)
    avx(prefix_66, 0x29, from, none, Place::of(to));
  else
    avx(prefix_66, 0x28, to, none, Place::of(from));
}
void Assembler::arithmetic(Arithmetic operation, Xmm result, Xmm first, Place second) {
  avx(prefix_f2, static_cast<unsigned>(operation), result, first, second);
}
void Assembler::bitwise(Bitwise operation, Xmm result, Xmm first, Place second) {
  avx(prefix_66, static_cast<unsigned>(operation), result, first, second);
}
void Assembler::compare(Comparison predicate, Xmm result, Xmm first, Place second) {
  vex(prefix_f2, map_0f, false, result, first, second);
  byte(0xC2);
  operand(result, second, 1);
  byte(static_cast<unsigned>(predicate));
}
/// VBLENDVPD: the number of the mask in the upper half of the last byte.
void Assembler::blend(Xmm result, Xmm first, Place second, Xmm mask) {
  vex(prefix_66, map_0f3a, false, result, first, second);
  byte(0x4B);
  operand(result, second, 1);
  byte(static_cast<unsigned>(mask) << 4);
}
/// VFMADD132SD and its kind: the upper half of the opcode is the form, the lower one the signs; W: doubles.
void Assembler::fused(Fused signs, FusedForm form, Xmm result, Xmm second, Place third) {
  vex(prefix_66, map_0f38, true, result, second, third);
  byte(static_cast<unsigned>(form) | static_cast<unsigned>(signs));
  operand(result, third, 0);
}

/// REX.W for 64 bits, with the upper bits of reg and rm (section 2.2.1.2).
void Assembler::general(unsigned opcode, Gpr reg, Place rm) {
  byte(0x48u | high(number_of(reg)) << 2 | high(rm));
  byte(opcode);
  operand(number_of(reg), rm, 0);
}
void Assembler::copy(Gpr to, Gpr from) {
  general(0x89, from, Place::of(static_cast<Xmm>(to)));
}
void Assembler::load_address(Gpr to, Place of) {
  general(0x8D, to, of);
}
void Assembler::load(Gpr to, Place from) {
  general(0x8B, to, from);
}
void Assembler::store(Place to, Gpr from) {
  general(0x89, from, to);
}
void Assembler::push(Gpr from) {
  if (high(number_of(from)) != 0) byte(0x41);
  byte(0x50u | low(number_of(from)));
}
void Assembler::pop(Gpr to) {
  if (high(number_of(to)) != 0) byte(0x41);
  byte(0x58u | low(number_of(to)));
}
void Assembler::call(Place pointer) {
  if (high(pointer) != 0) byte(0x41);
  byte(0xFF);
  operand(2, pointer, 0);
}
void Assembler::ret() {
  byte(0xC3);
}

}  // namespace liaison::x86
