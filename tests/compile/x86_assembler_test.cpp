#include "compile/x86_assembler.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <functional>
#include <string>

/// The bytes are those of the GNU assembler for the same instructions.
namespace liaison::x86 {
namespace {

std::string hex(const Assembler& assembler) {
  std::string text;
  for (unsigned byte : assembler.code()) text += fmt::format("{:02x}", byte);
  return text;
}
std::string one(const std::function<void(Assembler&)>& write) {
  Assembler assembler;
  write(assembler);
  return hex(assembler);
}

/// The bytes of sixteen instructions, one for each register that `write` is given.
std::string sixteen(const std::function<void(Assembler&, unsigned)>& write) {
  std::string text;
  for (unsigned i = 0; i < 16; ++i)
    text += (i > 0 ? " " : "") + one([&](Assembler& assembler) { write(assembler, i); });
  return text;
}
Xmm xmm(unsigned i) {
  return static_cast<Xmm>(i % 16);
}
Gpr gpr(unsigned i) {
  return static_cast<Gpr>(i % 16);
}

/// Registers i, i + 5 and 3 i + 11: each is the result, the first and the second operand once.
std::string with_registers(const std::function<void(Assembler&, Xmm, Xmm, Xmm)>& write) {
  return sixteen(
      [&](Assembler& assembler, unsigned i) { write(assembler, xmm(i), xmm(i + 5), xmm(3 * i + 11)); });
}

TEST(X86Assembler, EveryRegisterInEveryPlace) {
  EXPECT_EQ(with_registers([](Assembler& to, Xmm a, Xmm b, Xmm c) {
              to.arithmetic(Arithmetic::add, a, b, Place::of(c));
            }),
            "c4c15358c3 c4c14b58ce c5c358d1 c5bb58dc c5b358e7 c4c12b58ea c4c12358f5 c59b58f8 c51358c3 "
            "c50b58ce c4410358d1 c4417b58dc c4417358e7 c56b58ea c56358f5 c4415b58f8");
  EXPECT_EQ(with_registers([](Assembler& to, Xmm a, Xmm b, Xmm c) {
              to.arithmetic(Arithmetic::sqrt, a, b, Place::of(c));
            }),
            "c4c15351c3 c4c14b51ce c5c351d1 c5bb51dc c5b351e7 c4c12b51ea c4c12351f5 c59b51f8 c51351c3 "
            "c50b51ce c4410351d1 c4417b51dc c4417351e7 c56b51ea c56351f5 c4415b51f8");
  EXPECT_EQ(with_registers(
                [](Assembler& to, Xmm a, Xmm b, Xmm c) { to.bitwise(Bitwise::bit_xor, a, b, Place::of(c)); }),
            "c4c15157c3 c4c14957ce c5c157d1 c5b957dc c5b157e7 c4c12957ea c4c12157f5 c59957f8 c51157c3 "
            "c50957ce c4410157d1 c4417957dc c4417157e7 c56957ea c56157f5 c4415957f8");
  EXPECT_EQ(with_registers(
                [](Assembler& to, Xmm a, Xmm b, Xmm c) { to.bitwise(Bitwise::bit_and, a, b, Place::of(c)); }),
            "c4c15154c3 c4c14954ce c5c154d1 c5b954dc c5b154e7 c4c12954ea c4c12154f5 c59954f8 c51154c3 "
            "c50954ce c4410154d1 c4417954dc c4417154e7 c56954ea c56154f5 c4415954f8");
  EXPECT_EQ(with_registers([](Assembler& to, Xmm a, Xmm b, Xmm c) {
              to.compare(Comparison::greater, a, b, Place::of(c));
            }),
            "c4c153c2c31e c4c14bc2ce1e c5c3c2d11e c5bbc2dc1e c5b3c2e71e c4c12bc2ea1e c4c123c2f51e "
            "c59bc2f81e c513c2c31e c50bc2ce1e c44103c2d11e c4417bc2dc1e c44173c2e71e c56bc2ea1e "
            "c563c2f51e c4415bc2f81e");
  EXPECT_EQ(with_registers([](Assembler& to, Xmm a, Xmm b, Xmm c) { to.blend(a, b, Place::of(c), b); }),
            "c4c3514bc350 c4c3494bce60 c4e3414bd170 c4e3394bdc80 c4e3314be790 c4c3294beaa0 "
            "c4c3214bf5b0 c4e3194bf8c0 c463114bc3d0 c463094bcee0 c443014bd1f0 c443794bdc00 "
            "c443714be710 c463694bea20 c463614bf530 c443594bf840");
  EXPECT_EQ(with_registers([](Assembler& to, Xmm a, Xmm b, Xmm c) {
              to.fused(Fused::add, FusedForm::f231, a, b, Place::of(c));
            }),
            "c4c2d1b9c3 c4c2c9b9ce c4e2c1b9d1 c4e2b9b9dc c4e2b1b9e7 c4c2a9b9ea c4c2a1b9f5 c4e299b9f8 "
            "c46291b9c3 c46289b9ce c44281b9d1 c442f9b9dc c442f1b9e7 c462e9b9ea c462e1b9f5 c442d9b9f8");
  EXPECT_EQ(with_registers([](Assembler& to, Xmm a, Xmm, Xmm c) { to.copy(a, c); }),
            "c57929d8 c57929f1 c5f928d1 c5f928dc c5f928e7 c57929d5 c57929ee c5f928f8 c57928c3 "
            "c57928ce c4417928d1 c4417928dc c4417928e7 c57928ea c57928f5 c4417928f8");
}

TEST(X86Assembler, GeneralRegisters) {
  EXPECT_EQ(
      sixteen([](Assembler& to, unsigned i) { to.load_address(gpr(i), Place::based(gpr(3 * i + 8), 128)); }),
      "498d8080000000 498d8b80000000 498d9680000000 488d9980000000 488da42480000000 "
      "488daf80000000 498db280000000 498dbd80000000 4c8d8080000000 4c8d8b80000000 "
      "4c8d9680000000 4d8d9980000000 4d8da42480000000 4d8daf80000000 4c8db280000000 "
      "4c8dbd80000000");
  EXPECT_EQ(sixteen([](Assembler& to, unsigned i) { to.copy(gpr(i), gpr(3 * i + 8)); }),
            "4c89c0 4c89d9 4c89f2 4889cb 4889e4 4889fd 4c89d6 4c89ef 4989c0 4989d9 4989f2 4d89cb "
            "4d89e4 4d89fd 4989d6 4989ef");
  EXPECT_EQ(sixteen([](Assembler& to, unsigned i) { to.push(gpr(i)); }),
            "50 51 52 53 54 55 56 57 4150 4151 4152 4153 4154 4155 4156 4157");
  EXPECT_EQ(sixteen([](Assembler& to, unsigned i) { to.pop(gpr(i)); }),
            "58 59 5a 5b 5c 5d 5e 5f 4158 4159 415a 415b 415c 415d 415e 415f");
}

/// Bases that need a byte more, and the borders of displacements of one byte.
TEST(X86Assembler, EveryBaseWithDisplacementsOfEachLength) {
  const auto with_displacement = [](std::int32_t displacement) {
    return sixteen([&](Assembler& to, unsigned i) {
      to.arithmetic(Arithmetic::mul, 9, 3, Place::based(gpr(i), displacement));
    });
  };
  EXPECT_EQ(with_displacement(0),
            "c5635908 c5635909 c563590a c563590b c563590c24 c563594d00 c563590e c563590f c441635908 "
            "c441635909 c44163590a c44163590b c44163590c24 c44163594d00 c44163590e c44163590f");
  EXPECT_EQ(with_displacement(8),
            "c563594808 c563594908 c563594a08 c563594b08 c563594c2408 c563594d08 c563594e08 "
            "c563594f08 c44163594808 c44163594908 c44163594a08 c44163594b08 c44163594c2408 "
            "c44163594d08 c44163594e08 c44163594f08");
  EXPECT_EQ(with_displacement(127),
            "c56359487f c56359497f c563594a7f c563594b7f c563594c247f c563594d7f c563594e7f "
            "c563594f7f c4416359487f c4416359497f c44163594a7f c44163594b7f c44163594c247f "
            "c44163594d7f c44163594e7f c44163594f7f");
  EXPECT_EQ(with_displacement(128),
            "c563598880000000 c563598980000000 c563598a80000000 c563598b80000000 c563598c2480000000 "
            "c563598d80000000 c563598e80000000 c563598f80000000 c44163598880000000 c44163598980000000 "
            "c44163598a80000000 c44163598b80000000 c44163598c2480000000 c44163598d80000000 "
            "c44163598e80000000 c44163598f80000000");
  EXPECT_EQ(with_displacement(-128),
            "c563594880 c563594980 c563594a80 c563594b80 c563594c2480 c563594d80 c563594e80 "
            "c563594f80 c44163594880 c44163594980 c44163594a80 c44163594b80 c44163594c2480 "
            "c44163594d80 c44163594e80 c44163594f80");
  EXPECT_EQ(with_displacement(-129),
            "c56359887fffffff c56359897fffffff c563598a7fffffff c563598b7fffffff c563598c247fffffff "
            "c563598d7fffffff c563598e7fffffff c563598f7fffffff c4416359887fffffff c4416359897fffffff "
            "c44163598a7fffffff c44163598b7fffffff c44163598c247fffffff c44163598d7fffffff "
            "c44163598e7fffffff c44163598f7fffffff");
}

TEST(X86Assembler, EachInstruction) {
  EXPECT_EQ(one([](Assembler& to) { to.arithmetic(Arithmetic::sub, 1, 2, Place::based(Gpr::rdi, 16)); }),
            "c5eb5c4f10")
      << "vsubsd xmm1, xmm2, qword ptr [rdi+16]";
  EXPECT_EQ(one([](Assembler& to) { to.arithmetic(Arithmetic::div, 10, 2, Place::based(Gpr::rdi, 16)); }),
            "c56b5e5710")
      << "vdivsd xmm10, xmm2, qword ptr [rdi+16]";
  EXPECT_EQ(one([](Assembler& to) { to.arithmetic(Arithmetic::min, 1, 12, Place::of(3)); }), "c59b5dcb")
      << "vminsd xmm1, xmm12, xmm3";
  EXPECT_EQ(one([](Assembler& to) { to.arithmetic(Arithmetic::max, 1, 2, Place::of(13)); }), "c4c16b5fcd")
      << "vmaxsd xmm1, xmm2, xmm13";
  EXPECT_EQ(one([](Assembler& to) { to.load(Xmm{5}, Place::based(Gpr::rdx, 0)); }), "c5fb102a")
      << "vmovsd xmm5, qword ptr [rdx]";
  EXPECT_EQ(one([](Assembler& to) { to.load(Xmm{13}, Place::based(Gpr::r14, -128)); }), "c4417b106e80")
      << "vmovsd xmm13, qword ptr [r14-128]";
  EXPECT_EQ(one([](Assembler& to) { to.store(Place::based(Gpr::rdx, 8), Xmm{6}); }), "c5fb117208")
      << "vmovsd qword ptr [rdx+8], xmm6";
  EXPECT_EQ(one([](Assembler& to) { to.store(Place::based(Gpr::r14, 4096), Xmm{14}); }), "c4417b11b600100000")
      << "vmovsd qword ptr [r14+4096], xmm14";
  EXPECT_EQ(one([](Assembler& to) { to.compare(Comparison::unordered, 1, 2, Place::of(3)); }), "c5ebc2cb03")
      << "vcmpsd xmm1, xmm2, xmm3, 3";
  EXPECT_EQ(one([](Assembler& to) { to.compare(Comparison::less, 1, 2, Place::based(Gpr::rsi, 0)); }),
            "c5ebc20e11")
      << "vcmpsd xmm1, xmm2, qword ptr [rsi], 0x11";
  EXPECT_EQ(
      one([](Assembler& to) { to.fused(Fused::add, FusedForm::f132, 1, 2, Place::based(Gpr::rdi, 0)); }),
      "c4e2e9990f")
      << "vfmadd132sd xmm1, xmm2, qword ptr [rdi]";
  EXPECT_EQ(
      one([](Assembler& to) { to.fused(Fused::add, FusedForm::f213, 1, 2, Place::based(Gpr::rdi, 0)); }),
      "c4e2e9a90f")
      << "vfmadd213sd xmm1, xmm2, qword ptr [rdi]";
  EXPECT_EQ(
      one([](Assembler& to) { to.fused(Fused::add, FusedForm::f231, 1, 2, Place::based(Gpr::rdi, 0)); }),
      "c4e2e9b90f")
      << "vfmadd231sd xmm1, xmm2, qword ptr [rdi]";
  EXPECT_EQ(one([](Assembler& to) { to.fused(Fused::sub, FusedForm::f132, 1, 2, Place::of(3)); }),
            "c4e2e99bcb")
      << "vfmsub132sd xmm1, xmm2, xmm3";
  EXPECT_EQ(one([](Assembler& to) { to.fused(Fused::sub, FusedForm::f213, 1, 2, Place::of(3)); }),
            "c4e2e9abcb")
      << "vfmsub213sd xmm1, xmm2, xmm3";
  EXPECT_EQ(one([](Assembler& to) { to.fused(Fused::sub, FusedForm::f231, 1, 2, Place::of(3)); }),
            "c4e2e9bbcb")
      << "vfmsub231sd xmm1, xmm2, xmm3";
  EXPECT_EQ(one([](Assembler& to) { to.fused(Fused::negated_add, FusedForm::f132, 1, 2, Place::of(3)); }),
            "c4e2e99dcb")
      << "vfnmadd132sd xmm1, xmm2, xmm3";
  EXPECT_EQ(one([](Assembler& to) { to.fused(Fused::negated_add, FusedForm::f213, 1, 2, Place::of(3)); }),
            "c4e2e9adcb")
      << "vfnmadd213sd xmm1, xmm2, xmm3";
  EXPECT_EQ(one([](Assembler& to) { to.fused(Fused::negated_add, FusedForm::f231, 1, 2, Place::of(3)); }),
            "c4e2e9bdcb")
      << "vfnmadd231sd xmm1, xmm2, xmm3";
  EXPECT_EQ(one([](Assembler& to) { to.fused(Fused::negated_sub, FusedForm::f132, 1, 2, Place::of(3)); }),
            "c4e2e99fcb")
      << "vfnmsub132sd xmm1, xmm2, xmm3";
  EXPECT_EQ(one([](Assembler& to) { to.fused(Fused::negated_sub, FusedForm::f213, 1, 2, Place::of(3)); }),
            "c4e2e9afcb")
      << "vfnmsub213sd xmm1, xmm2, xmm3";
  EXPECT_EQ(one([](Assembler& to) { to.fused(Fused::negated_sub, FusedForm::f231, 1, 2, Place::of(3)); }),
            "c4e2e9bfcb")
      << "vfnmsub231sd xmm1, xmm2, xmm3";
  EXPECT_EQ(one([](Assembler& to) { to.load(Gpr::rax, Place::based(Gpr::rbx, 8)); }), "488b4308")
      << "mov rax, qword ptr [rbx+8]";
  EXPECT_EQ(one([](Assembler& to) { to.store(Place::based(Gpr::rbp, -8), Gpr::rax); }), "488945f8")
      << "mov qword ptr [rbp-8], rax";
  EXPECT_EQ(one([](Assembler& to) { to.call(Place::based(Gpr::rbx, 8)); }), "ff5308")
      << "call qword ptr [rbx+8]";
  EXPECT_EQ(one([](Assembler& to) { to.call(Place::based(Gpr::r12, 0)); }), "41ff1424")
      << "call qword ptr [r12]";
  EXPECT_EQ(one([](Assembler& to) { to.ret(); }), "c3") << "ret";
  EXPECT_EQ(one([](Assembler& to) { to.arithmetic(Arithmetic::add, 1, 2, Place::beside_code(-8)); }),
            "c5eb580df0ffffff")
      << "vaddsd xmm1, xmm2, qword ptr [rip-16]";
  EXPECT_EQ(one([](Assembler& to) { to.compare(Comparison::unordered, 1, 2, Place::beside_code(-7)); }),
            "c5ebc20df0ffffff03")
      << "vcmpsd xmm1, xmm2, qword ptr [rip-16], 3";
  EXPECT_EQ(one([](Assembler& to) { to.call(Place::beside_code(-10)); }), "ff15f0ffffff")
      << "call qword ptr [rip-16]";
  EXPECT_EQ(one([](Assembler& to) { to.load_address(Gpr::rdi, Place::beside_code(-9)); }), "488d3df0ffffff")
      << "lea rdi, [rip-16]";
}

TEST(X86Assembler, WhatLiesBesideTheCodeIsCountedFromTheEndOfTheInstruction) {
  Assembler assembler;
  assembler.skip(100);
  assembler.load(Xmm{1}, Place::beside_code(-16));
  EXPECT_EQ(hex(assembler).substr(200), fmt::format("c5fb100d{:02x}ffffff", 256 - 100 - 8 - 16));
}

}  // namespace
}  // namespace liaison::x86
