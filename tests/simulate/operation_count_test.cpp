#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "compile/native_code.hpp"
#include "liaison/compile/jit.hpp"
#include "liaison/simulate/evaluator.hpp"
#include "simulate_support.hpp"

/// A guard: operations of one evaluation of accelerations and factors in the cases of docs/benchmarks.md.
/// They do not depend on the machine, times do. Fewer are welcome: lower the number here then.
namespace liaison {
namespace {

std::size_t operations(const test::RunnableModel& model) {
  const Evaluator evaluator(*model.equations, model.start);
  return evaluator.operation_count();
}

/// Particles on massless rods, absolute angles.
std::string chain(int n) {
  std::string text = "param g = 9.81", places, x, y;
  for (int k = 1; k <= n; ++k) {
    text += fmt::format(", m{0} > 0 = {1}, l{0} > 0 = {2}", k, 1.03 + 0.17 * k, 0.91 + 0.07 * k);
    places += fmt::format("let x{0} = {1}l{0}*sin(q{0})\nlet y{0} = {2}-l{0}*cos(q{0})\n", k, x, y);
    places += fmt::format("particle P{0} mass m{0} at [x{0}, y{0}]\n", k);
    x = fmt::format("x{} + ", k);
    y = fmt::format("y{} ", k);
  }
  text += "\ncoord ";
  for (int k = 1; k <= n; ++k) text += fmt::format("{}q{}", k > 1 ? ", " : "", k);
  return text + "\ngravity [0, -g]\n" + places;
}

TEST(OperationCount, chains_of_particles) {
  EXPECT_LE(operations(test::read_runnable(chain(2))), 102u);
  EXPECT_LE(operations(test::read_runnable(chain(5))), 473u);
  EXPECT_LE(operations(test::read_runnable(chain(10))), 1758u);
  EXPECT_LE(operations(test::read_runnable(chain(20))), 7803u);
}

TEST(OperationCount, systems_with_relations) {
  EXPECT_LE(operations(test::read_runnable_file("classics/tilting_disc.lia")), 176u);
  EXPECT_LE(operations(test::read_runnable_file("classics/four_bar.lia")), 215u);
}

/// Where LLVM makes the code a short run never waits for it, and nobody sees when it takes over: no bit
/// changes. Else it is made at the first call.
void compare_first_calls(bool by_llvm) {
  const test::RunnableModel model = test::read_runnable(chain(10));
  Evaluator compiled(*model.equations, model.start);
  Evaluator interpreted(*model.equations, model.start, {.engine = Engine::interpreted});
  std::vector<double> y = compiled.pack(model.start), rates(y.size()), expected(y.size());
  const std::size_t before = machine_code_count();
  for (int call = 0; call < 1500; ++call) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::sin(0.3 * static_cast<double>(i) + 0.01 * call);
    ASSERT_TRUE(compiled.rates(0, y.data(), rates.data())) << compiled.failure();
    ASSERT_TRUE(interpreted.rates(0, y.data(), expected.data())) << interpreted.failure();
    ASSERT_EQ(rates, expected) << "call " << call;
    if (by_llvm && call == 500) {
      EXPECT_EQ(machine_code_count(), before);
    }
    if (!by_llvm && call == 0) {
      EXPECT_GT(machine_code_count(), before);
    }
  }
  EXPECT_GT(machine_code_count(), before) << "it was never made";
}

TEST(OperationCount, the_first_calls_wait_for_no_machine_code) {
  refuse_native_code(true);
  compare_first_calls(true);
  refuse_native_code(false);
}
TEST(OperationCount, native_code_is_made_at_the_first_call) {
  if (!has_native_code()) GTEST_SKIP() << "this machine has none";
  compare_first_calls(false);
}

}  // namespace
}  // namespace liaison
