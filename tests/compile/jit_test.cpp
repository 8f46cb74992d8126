#include "liaison/compile/jit.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <thread>

#include "compile_support.hpp"
#include "liaison/expr/operator_table.hpp"

namespace liaison::test {
namespace {

std::vector<double> call(const CompiledProgram& compiled, const std::vector<double>& in) {
  std::vector<double> out(compiled.program().outputs.size());
  compiled(in.data(), out.data());
  return out;
}

TEST(Jit, ScalarCodeGivesTheBitsOfTheInterpreter) {
  for (std::uint64_t seed : test::seeds(60)) {
    SCOPED_TRACE(test::seed_note(seed));
    RandomSystem system(seed, 10);
    const Program program = make_program(system.inputs, system.outputs);
    const CompiledProgram compiled(program), by_llvm(program, {.native = false});
    EXPECT_FALSE(by_llvm.is_native());
    for (int k = 0; k < 20; ++k) {
      const std::vector<double> state = system.state(), expected = interpret(program, state);
      EXPECT_TRUE(all_same_bits(call(compiled, state), expected));
      EXPECT_TRUE(all_same_bits(call(by_llvm, state), expected));
    }
  }
}

TEST(Jit, ChunksAndQuickTranslationGiveTheSameBits) {
  for (std::uint64_t seed : test::seeds(10)) {
    SCOPED_TRACE(test::seed_note(seed));
    RandomSystem system(seed, 10);
    const Program program = make_program(system.inputs, system.outputs);
    for (std::size_t thorough_limit : {0u, 1000u}) {
      const CompiledProgram compiled(
          program,
          {.native = false, .vector_math = false, .chunk_size = 7, .thorough_limit = thorough_limit});
      ASSERT_GT(compiled.chunk_count(), 3u);
      const std::vector<double> state = system.state(), expected = interpret(program, state);
      EXPECT_TRUE(all_same_bits(call(compiled, state), expected));
      std::vector<double> out(expected.size());
      compiled.batch(state.data(), out.data(), 1);
      EXPECT_TRUE(all_same_bits(out, expected));
    }
  }
}

/// Batches of all lengths, widths and layouts, without vector functions: the same bits.
TEST(Jit, BatchesWithTails) {
  RandomSystem system(test::seeds(1)[0] + 3, 8);
  const Program program = make_program(system.inputs, system.outputs);
  const std::size_t n_in = program.inputs.size(), n_out = program.outputs.size();
  for (unsigned width : {1u, 2u, 4u, 8u}) {
    const CompiledProgram compiled(program, {.vector_math = false, .batch_width = width});
    for (std::size_t count = 1; count <= 17; ++count) {
      SCOPED_TRACE(fmt::format("width {}, {} states", width, count));
      std::vector<double> in, expected, columns(count * n_in);
      for (std::size_t k = 0; k < count; ++k) {
        const std::vector<double> state = system.state(), values = interpret(program, state);
        in.insert(in.end(), state.begin(), state.end());
        expected.insert(expected.end(), values.begin(), values.end());
        for (std::size_t i = 0; i < n_in; ++i) columns[i * count + k] = state[i];
      }
      std::vector<double> out(count * n_out + 1, 77);  // one more, to see that nothing is written beyond
      compiled.batch(in.data(), out.data(), count);
      EXPECT_EQ(out.back(), 77);
      out.pop_back();
      EXPECT_TRUE(all_same_bits(out, expected));
      std::vector<double> out_columns(count * n_out + 1, 77);
      compiled.batch(columns.data(), out_columns.data(), count, BatchLayout::by_variable);
      EXPECT_EQ(out_columns.back(), 77);
      for (std::size_t k = 0; k < count; ++k)
        for (std::size_t i = 0; i < n_out; ++i) out[k * n_out + i] = out_columns[i * count + k];
      EXPECT_TRUE(all_same_bits(out, expected));
    }
  }
}

/// Each function by itself, over points of its domain.
TEST(Jit, VectorFunctionsAreWithinFourUlp) {
  for (const OperatorRow& row : operator_table()) {
    Pool pool;
    std::vector<Expr> inputs{pool.symbol("x")};
    if (row.arity == 2) inputs.push_back(pool.symbol("y"));
    const std::vector<Expr> outputs{pool.elementary(row.op, inputs)};
    for (unsigned width : {2u, 4u, 8u}) {
      const CompiledProgram compiled(make_program(inputs, outputs), {.batch_width = width});
      std::mt19937_64 engine(7);
      std::uniform_real_distribution<double> number(-5, 5);
      std::vector<double> in;
      while (in.size() < 1000 * inputs.size()) {
        const double x[2] = {number(engine), number(engine)};
        if (row.in_domain(x)) in.insert(in.end(), x, x + inputs.size());
      }
      std::vector<double> out(1000);
      compiled.batch(in.data(), out.data(), 1000);
      for (std::size_t k = 0; k < 1000; ++k) {
        const double expected = row.value(&in[k * inputs.size()]);
        EXPECT_LE(ulps_between(out[k], expected), 4) << row.name << ", width " << width;
      }
    }
  }
}

TEST(Jit, VectorPowerOfNegativeBasesAndLargeExponents) {
  Pool pool;
  const std::vector<Expr> inputs{pool.symbol("x")};
  const std::vector<Expr> outputs{pow(inputs[0], 101), pow(inputs[0], 100), pow(inputs[0], Rational(7, 3))};
  const Program program = make_program(inputs, outputs);
  const CompiledProgram compiled(program);
  std::vector<double> in, out(3 * 20);
  for (int k = 0; k < 20; ++k) in.push_back(-1.9 + 0.2 * k);
  compiled.batch(in.data(), out.data(), in.size());
  for (std::size_t k = 0; k < in.size(); ++k) {
    EXPECT_NEAR(out[3 * k] / std::pow(in[k], 101), 1, 1e-14);
    EXPECT_NEAR(out[3 * k + 1] / std::pow(in[k], 100), 1, 1e-14);
    EXPECT_EQ(std::isnan(out[3 * k + 2]), in[k] < 0);
  }
}

TEST(Jit, ContractionRoundsOnce) {
  Pool pool;
  const std::vector<Expr> inputs{pool.symbol("a"), pool.symbol("b"), pool.symbol("c")};
  const std::vector<Expr> outputs{inputs[0] * inputs[1] + inputs[2]};
  const Program program = make_program(inputs, outputs);
  const std::vector<double> state{1 + 0x1p-30, 1 - 0x1p-30, -1};
  for (const bool native : {true, false}) {
    EXPECT_EQ(call(CompiledProgram(program, {.native = native}), state)[0], 0);
    const double contracted = call(CompiledProgram(program, {.native = native, .contract = true}), state)[0];
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("fma")) {
      EXPECT_EQ(contracted, 0);
      continue;
    }
#endif
    EXPECT_EQ(contracted, -0x1p-60);
  }
}

TEST(Jit, ThreadsShareOneProgram) {
  RandomSystem system(test::seeds(1)[0] + 5, 10);
  const Program program = make_program(system.inputs, system.outputs);
  const CompiledProgram by_llvm(program, {.native = false, .vector_math = false, .chunk_size = 10});
  const CompiledProgram compiled(program, {.vector_math = false, .chunk_size = 10});
  const std::vector<double> state = system.state(), expected = interpret(program, state);
  std::vector<std::vector<double>> results(4, std::vector<double>(expected.size()));
  std::vector<std::thread> threads;
  for (std::vector<double>& out : results)
    threads.emplace_back([&] {
      for (int k = 0; k < 200; ++k) {
        by_llvm(state.data(), out.data());
        by_llvm.batch(state.data(), out.data(), 1);
        compiled(state.data(), out.data());
        compiled.batch(state.data(), out.data(), 1);  // the first of all threads opens LLVM
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<double>& out : results) EXPECT_TRUE(all_same_bits(out, expected));
}

TEST(Jit, ProgramsWithoutInstructionsAndWrongWidths) {
  const CompiledProgram nothing{Program{}};
  nothing(nullptr, nullptr);
  nothing.batch(nullptr, nullptr, 5);
  EXPECT_EQ(nothing.chunk_count(), 0u);
  EXPECT_THROW(CompiledProgram(Program{}, {.batch_width = 3}), std::invalid_argument);
}

}  // namespace
}  // namespace liaison::test
