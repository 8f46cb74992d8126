#include "compile/native_code.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <thread>

#include "compile/kernels.hpp"
#include "compile/value_flow.hpp"
#include "compile_support.hpp"
#include "liaison/compile/jit.hpp"
#include "random_program.hpp"

/// Scalar code that is written without LLVM.
namespace liaison::test {
namespace {

/// With walls around scratch memory and outputs, to see that nothing is written beyond.
std::vector<double> call(const NativeKernel& native, const Program& program, const std::vector<double>& in) {
  constexpr double wall = 77;
  const std::size_t n = program.outputs.size();
  std::vector<double> out(n + 2, wall), scratch(native.scratch + 2, wall);
  native.kernel(in.data(), 1, out.data() + 1, 1, scratch.data() + 1);
  EXPECT_EQ(out.front(), wall);
  EXPECT_EQ(out.back(), wall);
  EXPECT_EQ(scratch.front(), wall);
  EXPECT_EQ(scratch.back(), wall);
  return {out.begin() + 1, out.end() - 1};
}

std::vector<double> native(const Program& program, const std::vector<double>& in, bool contract = false) {
  return call(make_native_kernel(program, contract), program, in);
}

class NativeCode : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_native_code()) GTEST_SKIP() << "this machine has none";
  }
  std::mt19937_64 engine_{seeds(1)[0]};

  /// Programs of one kind give the bits of the interpreter.
  void compare(const RandomProgramOptions& options, int programs, int states = 4) {
    for (int k = 0; k < programs; ++k) {
      const Program program = random_program(engine_, options);
      const NativeKernel kernel = make_native_kernel(program, false);
      ASSERT_NE(kernel.kernel, nullptr);
      for (int s = 0; s < states; ++s) {
        const std::vector<double> in = random_numbers(engine_, options.inputs, s > 0 && !options.tame);
        const std::vector<double> expected = interpret(program, in);
        ASSERT_TRUE(all_same_bits(call(kernel, program, in), expected)) << "program " << k << ", state " << s;
        if (options.tame) {
          ASSERT_TRUE(all_finite(expected));
        }
      }
    }
  }
};

TEST_F(NativeCode, GivesTheBitsOfTheInterpreter) {
  for (const std::size_t instructions : {1u, 3u, 10u, 60u, 400u})
    for (const std::uint32_t slots : {2u, 8u, 17u, 60u})
      for (const std::size_t outputs : {4u, 30u})
        compare({.outputs = outputs, .instructions = instructions, .slots = slots}, 60);
}

TEST_F(NativeCode, ManyLiveValues) {
  for (const bool tame : {true, false})
    for (const bool calls : {true, false}) {
      compare({.outputs = 80, .instructions = 500, .slots = 200, .calls = calls, .far = 0.9, .tame = tame},
              100);
      compare({.outputs = 80, .instructions = 500, .slots = 30, .calls = calls, .far = 0.5, .tame = tame},
              100);
      compare({.outputs = 300, .instructions = 3000, .slots = 999, .calls = calls, .far = 1, .tame = tame},
              10);
    }
}

TEST_F(NativeCode, EachOperationAlone) {
  for (auto k = static_cast<unsigned>(Operation::add); k < static_cast<unsigned>(Operation::store); ++k) {
    SCOPED_TRACE(operation_name(static_cast<Operation>(k)));
    compare({.inputs = 6, .instructions = 4, .slots = 6, .only = {static_cast<Operation>(k)}}, 60, 10);
  }
}

/// Arrays up to and beyond what displacements of one byte reach.
TEST_F(NativeCode, ManyInputsOutputsAndConstants) {
  for (const std::size_t n : {0u, 1u, 15u, 16u, 17u, 31u, 32u, 33u, 34u, 100u, 1000u}) {
    SCOPED_TRACE(n);
    compare({.inputs = n, .outputs = 3, .instructions = 4 * n + 10}, 10);
    compare({.inputs = 3, .outputs = n, .instructions = 4 * n + 10}, 10);
    compare({.inputs = 3, .constants = n, .instructions = 4 * n + 10}, 10);
    compare({.inputs = n + 1, .outputs = n, .constants = n, .instructions = 4 * n + 10, .calls = false}, 10);
  }
}

TEST_F(NativeCode, LongPrograms) {
  for (const bool calls : {true, false})
    for (const std::uint32_t slots : {40u, 3000u})
      compare({.inputs = 50,
               .outputs = 9000,
               .constants = 50,
               .instructions = 50'000,
               .slots = slots,
               .calls = calls,
               .far = 0.4,
               .tame = true},
              2, 2);
}

TEST_F(NativeCode, SineAndCosineOverTheirAngle) {
  const auto slot = [](std::uint32_t i) { return Operand{.kind = Operand::Kind::slot, .index = i}; };
  for (const bool sine_there : {true, false}) {
    Program program{
        .inputs = {"x"}, .outputs = {"s", "c"}, .constants = {}, .instructions = {}, .slot_count = 2};
    program.instructions = {
        {.operation = Operation::add,
         .a = {Operand::Kind::input, 0},
         .b = {Operand::Kind::input, 0},
         .destination = 0},
        {.operation = Operation::sincos,
         .a = slot(0),
         .b = {},
         .destination = sine_there ? 0u : 1u,
         .second = sine_there ? 1u : 0u},
        {.operation = Operation::store, .a = slot(sine_there ? 0 : 1), .b = {}, .destination = 0},
        {.operation = Operation::store, .a = slot(sine_there ? 1 : 0), .b = {}, .destination = 1}};
    EXPECT_TRUE(all_same_bits(native(program, {0.4}), {std::sin(0.8), std::cos(0.8)}));
  }
}

/// Values of a program of sums of products where each product is read once are those of std::fma.
TEST_F(NativeCode, ContractionIsFma) {
  if (!__builtin_cpu_supports("fma")) GTEST_SKIP() << "no FMA3";
  const auto input = [](std::uint32_t i) { return Operand{.kind = Operand::Kind::input, .index = i}; };
  const auto slot = [](std::uint32_t i) { return Operand{.kind = Operand::Kind::slot, .index = i}; };
  const auto from = [&](std::uint32_t i, std::uint32_t held) {
    return (held >> i & 1u) != 0 ? slot(i) : input(i);
  };
  for (const bool negated : {false, true}) {
    for (const Operation operation : {Operation::add, Operation::sub}) {
      for (const bool product_first : {true, false}) {
        for (std::uint32_t which = 0; which < 3 * 3 * 3; ++which) {
          for (std::uint32_t held = 0; held < 8 * 8; ++held) {
            // operands from memory or computed before; some of them are read again afterwards
            const std::array<std::uint32_t, 3> k{which % 3, which / 3 % 3, which / 9};
            Program program{.inputs = {"a", "b", "c"},
                            .outputs = {"y", "a", "b", "c"},
                            .constants = {1},
                            .instructions = {},
                            .slot_count = 5};
            for (std::uint32_t i = 0; i < 3; ++i)
              program.instructions.push_back({.operation = Operation::div,
                                              .a = input(i),
                                              .b = {Operand::Kind::constant, 0},
                                              .destination = i});
            program.instructions.push_back({.operation = Operation::mul,
                                            .a = from(k[0], held),
                                            .b = from(k[1], held),
                                            .destination = 3});
            if (negated)
              program.instructions.push_back(
                  {.operation = Operation::neg, .a = slot(3), .b = {}, .destination = 3});
            Operand p = slot(3), c = from(k[2], held);
            if (!product_first) std::swap(p, c);
            program.instructions.push_back({.operation = operation, .a = p, .b = c, .destination = 4});
            program.instructions.push_back(
                {.operation = Operation::store, .a = slot(4), .b = {}, .destination = 0});
            for (std::uint32_t i = 0; i < 3; ++i)
              program.instructions.push_back(
                  {.operation = Operation::store, .a = from(i, held >> 3), .b = {}, .destination = i + 1});
            const std::vector<double> in = random_numbers(engine_, 3);
            double product = negated ? -in[k[0]] : in[k[0]], summand = in[k[2]];
            if (operation == Operation::sub) (product_first ? summand : product) *= -1;
            const std::vector<double> expected{std::fma(product, in[k[1]], summand), in[0], in[1], in[2]};
            ASSERT_TRUE(all_same_bits(native(program, in, true), expected)) << which << " " << held;
          }
        }
      }
    }
  }
}

/// What is rounded once differs from what is rounded twice by no more than the roundings of each product.
TEST_F(NativeCode, ContractionStaysWithinRounding) {
  for (int k = 0; k < 400; ++k) {
    const Program program =
        random_program(engine_, {.instructions = 8,
                                 .slots = 12,
                                 .only = {Operation::add, Operation::sub, Operation::mul, Operation::neg}});
    const std::vector<double> in = random_numbers(engine_, 5, false);
    Program clean = program;
    for (double& constant : clean.constants) constant = random_numbers(engine_, 1, false)[0];
    const std::vector<double> plain = interpret(clean, in), contracted = native(clean, in, true);
    double size = 1;  // of anything that can occur in eight steps from numbers up to 3
    Program sizes = clean;
    for (Instruction& instruction : sizes.instructions)
      if (instruction.operation == Operation::sub) instruction.operation = Operation::add;
    for (Instruction& instruction : sizes.instructions)
      if (instruction.operation == Operation::neg) instruction.operation = Operation::abs;
    std::vector<double> in_sizes;
    for (double& x : sizes.constants) x = std::abs(x);
    for (double x : in) in_sizes.push_back(std::abs(x));
    for (double x : interpret(sizes, in_sizes)) size = std::max(size, x);
    for (std::size_t i = 0; i < plain.size(); ++i)
      ASSERT_NEAR(plain[i], contracted[i], 16 * std::numeric_limits<double>::epsilon() * size);
  }
}

/// What a flow says, step by step.
std::vector<double> follow(const Program& program, const ValueFlow& flow, const std::vector<double>& in) {
  std::vector<double> values(flow.value_count), out(program.outputs.size());
  std::copy(in.begin(), in.end(), values.begin());
  std::copy(program.constants.begin(), program.constants.end(), values.begin() + flow.input_count);
  for (const FlowStep& step : flow.steps) {
    double operands[3] = {0, 0, 0};
    for (unsigned k = 0; k < step.operand_count; ++k) operands[k] = values[step.operands[k]];
    if (step.operation == Operation::store)
      out[step.result] = operands[0];
    else if (step.is_fused)
      values[step.result] = std::fma(step.negates_product ? -operands[0] : operands[0], operands[1],
                                     step.negates_summand ? -operands[2] : operands[2]);
    else if (step.operation == Operation::sincos)
      kernels::sincos(operands[0], &values[step.result], &values[step.second]);
    else
      values[step.result] = kernels::apply(step.operation, operands[0], operands[1]);
  }
  return out;
}

/// Registers, memory and calls with fused steps under pressure.
TEST_F(NativeCode, ContractedProgramsDoWhatTheirFlowSays) {
  std::size_t fused = 0;
  for (int k = 0; k < 400; ++k) {
    const bool calls = k % 4 == 0;
    const Program program = random_program(engine_, {.inputs = 20,
                                                     .outputs = 60,
                                                     .instructions = 400,
                                                     .slots = k % 2 == 0 ? 100u : 20u,
                                                     .calls = calls,
                                                     .far = 0.6,
                                                     .tame = true});
    const ValueFlow flow = make_value_flow(program, true);
    fused += static_cast<std::size_t>(std::count_if(flow.steps.begin(), flow.steps.end(),
                                                    [](const FlowStep& step) { return step.is_fused; }));
    const std::vector<double> in = random_numbers(engine_, 20, false);
    ASSERT_TRUE(all_same_bits(native(program, in, true), follow(program, flow, in))) << k;
  }
  EXPECT_GT(fused, 1000u);
}

TEST_F(NativeCode, ThreadsCallAtOnce) {
  const Program program = random_program(engine_, {.instructions = 300, .slots = 60});
  const CompiledProgram compiled(program);
  ASSERT_TRUE(compiled.is_native());
  const std::vector<double> in = random_numbers(engine_, 5, false), expected = interpret(program, in);
  std::vector<std::vector<double>> results(4, std::vector<double>(expected.size()));
  std::vector<std::thread> threads;
  for (std::vector<double>& out : results)
    threads.emplace_back([&] {
      for (int k = 0; k < 2000; ++k) compiled(in.data(), out.data());
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<double>& out : results) EXPECT_TRUE(all_same_bits(out, expected));
}

#ifdef __linux__
/// Pieces of the address space of this process.
std::size_t count_maps() {
  std::ifstream maps("/proc/self/maps");
  return static_cast<std::size_t>(
      std::count(std::istreambuf_iterator<char>(maps), std::istreambuf_iterator<char>(), '\n'));
}
bool is_writable_and_executable(const void* address) {
  std::ifstream maps("/proc/self/maps");
  std::string range, rights, rest;
  while (maps >> range >> rights && std::getline(maps, rest)) {
    const std::size_t first = std::stoull(range, nullptr, 16);
    const std::size_t last = std::stoull(range.substr(range.find('-') + 1), nullptr, 16);
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (first <= at && at < last) return rights[1] == 'w' && rights[2] == 'x';
  }
  return false;
}

TEST_F(NativeCode, MemoryGoesBackWithTheKernelAndIsNeverWritableAndExecutable) {
  const Program program = random_program(engine_, {});
  const std::size_t before = count_maps();
  {
    std::vector<NativeKernel> kernels;
    for (int k = 0; k < 500; ++k) kernels.push_back(make_native_kernel(program, false));
    EXPECT_FALSE(is_writable_and_executable(reinterpret_cast<const void*>(kernels.back().kernel)));
  }
  EXPECT_LE(count_maps(), before + 20);
}
#endif

TEST_F(NativeCode, WhereItIsRefusedLlvmMakesTheCode) {
  const Program program = random_program(engine_, {});
  const std::vector<double> in = random_numbers(engine_, 5, false), expected = interpret(program, in);
  refuse_native_code(true);
  EXPECT_FALSE(has_native_code());
  const CompiledProgram refused(program);
  refuse_native_code(false);
  const CompiledProgram unwanted(program, {.native = false});
  const CompiledProgram wanted(program);
  EXPECT_FALSE(refused.is_native());
  EXPECT_FALSE(unwanted.is_native());
  EXPECT_TRUE(wanted.is_native());
  for (const CompiledProgram* compiled : {&refused, &unwanted, &wanted}) {
    std::vector<double> out(expected.size());
    (*compiled)(in.data(), out.data());
    EXPECT_TRUE(all_same_bits(out, expected));
  }
}

}  // namespace
}  // namespace liaison::test
