#include "liaison/compile/interpreter.hpp"

#include <cmath>
#include <limits>

#include "compile_support.hpp"
#include "liaison/expr/evaluate.hpp"

namespace liaison::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The radius of a ball computed with the precision of a double tells what rounding may do to the value;
/// another order of the terms of a sum may do several times as much.
TEST(Interpreter, AgreesWithEvaluationWithinItsRounding) {
  std::size_t compared = 0;
  for (std::uint64_t seed : test::seeds(300)) {
    SCOPED_TRACE(test::seed_note(seed));
    RandomSystem system(seed);
    const Program program = make_program(system.inputs, system.outputs);
    const std::vector<double> state = system.state(), values = interpret(program, state);
    DoublePoint point;
    BallPoint balls;
    for (std::size_t i = 0; i < state.size(); ++i) {
      point[system.inputs[i]] = state[i];
      balls[system.inputs[i]] = Ball(Rational::from_double(state[i]));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const DoubleValues expected = evaluate(std::span(&system.outputs[i], 1), point);
      const BallValues rough = evaluate_balls(std::span(&system.outputs[i], 1), balls, 53);
      if (expected.status != EvaluationStatus::ok || rough.status != EvaluationStatus::ok) continue;
      const double error = rough.values[0].rad();
      if (!std::isfinite(error)) continue;
      ++compared;
      EXPECT_NEAR(values[i], expected.values[0], 64 * error + 8e-16 * std::abs(values[i])) << "output " << i;
    }
  }
  EXPECT_GT(compared, 500u);
}

TEST(Interpreter, SharingAndOrderChangeOnlyRounding) {
  for (std::uint64_t seed : test::seeds(60)) {
    SCOPED_TRACE(test::seed_note(seed));
    RandomSystem system(seed);
    const Program ordered = make_program(system.inputs, system.outputs);
    const Program plain = make_program(system.inputs, system.outputs, {.order = EvaluationOrder::as_written});
    const std::vector<double> state = system.state();
    EXPECT_TRUE(all_same_bits(interpret(ordered, state), interpret(plain, state)));
  }
}

TEST(Interpreter, BatchesOfEveryLengthAreTheSameBits) {
  RandomSystem system(test::seeds(1)[0]);
  const Program program = make_program(system.inputs, system.outputs);
  const std::size_t n_in = program.inputs.size(), n_out = program.outputs.size();
  std::vector<double> scratch(batch_scratch_size(program));
  for (std::size_t count = 0; count <= 17; ++count) {
    std::vector<double> in, expected, in_columns(count * n_in), out(count * n_out, nan);
    for (std::size_t k = 0; k < count; ++k) {
      const std::vector<double> state = system.state(), values = interpret(program, state);
      in.insert(in.end(), state.begin(), state.end());
      expected.insert(expected.end(), values.begin(), values.end());
      for (std::size_t i = 0; i < n_in; ++i) in_columns[i * count + k] = state[i];
    }
    run_batch(program, in.data(), out.data(), count, scratch.data());
    EXPECT_TRUE(all_same_bits(out, expected)) << count;
    run_batch(program, in_columns.data(), out.data(), count, scratch.data(), BatchLayout::by_variable);
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t i = 0; i < n_out; ++i)
        EXPECT_TRUE(same_bits(out[i * count + k], expected[k * n_out + i])) << count;
  }
}

TEST(Interpreter, NanPassesThroughMinAndMax) {
  Pool pool;
  const std::vector<Expr> inputs{pool.symbol("a"), pool.symbol("b")};
  const std::vector<Expr> outputs{min(inputs[0], inputs[1]), max(inputs[0], inputs[1]), sign(inputs[0])};
  const Program program = make_program(inputs, outputs);
  EXPECT_EQ(interpret(program, {-2, 3}), (std::vector<double>{-2, 3, -1}));
  EXPECT_EQ(interpret(program, {0, -1}), (std::vector<double>{-1, 0, 0}));
  for (const std::vector<double>& state : {std::vector{nan, 1.0}, std::vector{1.0, nan}}) {
    const std::vector<double> values = interpret(program, state);
    EXPECT_TRUE(std::isnan(values[0]) && std::isnan(values[1]));
    EXPECT_FALSE(all_finite(values));
  }
  EXPECT_TRUE(all_finite(std::vector<double>{1, -1e308, 0}));
  EXPECT_FALSE(all_finite(std::vector<double>{1, INFINITY}));
}

}  // namespace
}  // namespace liaison::test
