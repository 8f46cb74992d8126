#include <fmt/format.h>

#include <chrono>
#include <random>

#include "compile_support.hpp"
#include "liaison/compile/jit.hpp"

namespace liaison::test {
namespace {

/// A random web of products of sums, bounded by a sine now and then.
struct Web {
  explicit Web(std::size_t nodes) {
    std::mt19937_64 engine(1);
    for (int i = 0; i < 50; ++i) inputs.push_back(pool.symbol(fmt::format("u{}", i)));
    std::vector<Expr> made(inputs);
    for (std::size_t k = 0; k < nodes; ++k) {
      const auto recent = [&] {
        return made[made.size() - 1 - engine() % std::min<std::size_t>(made.size(), 400)];
      };
      const auto input = [&] { return inputs[engine() % inputs.size()]; };
      const Expr e = (recent() + input()) * (recent() - Rational(1, 2) * input());
      made.push_back(k % 8 == 0 ? sin(e) : e);
      if (k % 100 == 0) outputs.push_back(sin(made.back()));
    }
  }
  Pool pool;
  std::vector<Expr> inputs, outputs;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Measured: about 0.05 us an instruction for scalar code, by LLVM 4 us, and 12 us for batches. The limits
/// only catch growth faster than linear.
TEST(LargeProgram, AHundredThousandInstructionsCompile) {
  const Web web(42000);
  auto start = std::chrono::steady_clock::now();
  const Program program = make_program(web.inputs, web.outputs);
  const double make_time = seconds_since(start);
  ASSERT_GT(arithmetic_count(program), 100'000u);
  start = std::chrono::steady_clock::now();
  const CompiledProgram compiled(program, {.vector_math = false});
  const double scalar_time = seconds_since(start);
  start = std::chrono::steady_clock::now();
  const CompiledProgram by_llvm(program, {.native = false});
  const double llvm_time = seconds_since(start);
  std::vector<double> state, out(program.outputs.size());
  for (std::size_t i = 0; i < web.inputs.size(); ++i) state.push_back(0.01 * static_cast<double>(i) - 0.2);
  start = std::chrono::steady_clock::now();
  compiled.batch(state.data(), out.data(), 1);
  const double batch_time = seconds_since(start);
  const std::vector<double> expected = interpret(program, state);
  EXPECT_TRUE(all_same_bits(out, expected));
  for (const CompiledProgram* one : {&compiled, &by_llvm}) {
    (*one)(state.data(), out.data());
    EXPECT_TRUE(all_same_bits(out, expected));
  }
  const double n = 1e-6 * static_cast<double>(program.instructions.size());
  fmt::print(
      "{} instructions, {} live, {} chunks: program {:.2f} s, scalar code {:.3f} s ({:.2f} us each), by LLVM "
      "{:.2f} s ({:.1f} us each), batch code {:.2f} s ({:.1f} us each)\n",
      program.instructions.size(), max_live(program), compiled.chunk_count(), make_time, scalar_time,
      scalar_time / n, llvm_time, llvm_time / n, batch_time, batch_time / n);
  EXPECT_LT(make_time, 60);
  EXPECT_LT(scalar_time, compiled.is_native() ? 3 : 60);
  EXPECT_LT(llvm_time, 60);
  EXPECT_LT(batch_time, 60);
}

}  // namespace
}  // namespace liaison::test
