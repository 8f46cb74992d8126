#include "liaison/compile/derivative_program.hpp"

#include <cmath>

#include "compile_support.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/parse.hpp"

namespace liaison::test {
namespace {

/// Smooth everywhere: differences make sense.
struct SmoothSystem {
  explicit SmoothSystem(std::uint64_t seed)
      : random(seed, {.depth = 4, .negative_powers = false}),
        inputs(random.symbols(pool)),
        outputs(random.expressions(pool, 5)) {}
  std::vector<double> state(double offset) const { return {0.3 + offset, -0.7 + offset, 0.5 - offset}; }
  Pool pool;
  test::RandomExpressions random;
  std::vector<Expr> inputs, outputs;
};

/// Fourth order central difference of every output along `direction`.
std::vector<double> difference(const Program& program, const std::vector<double>& state,
                               const std::vector<double>& direction, double h) {
  const auto at = [&](double step) {
    std::vector<double> moved = state;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += step * direction[i];
    return interpret(program, moved);
  };
  const std::vector<double> p1 = at(h), m1 = at(-h), p2 = at(2 * h), m2 = at(-2 * h);
  std::vector<double> result;
  for (std::size_t i = 0; i < p1.size(); ++i)
    result.push_back((8 * (p1[i] - m1[i]) - (p2[i] - m2[i])) / (12 * h));
  return result;
}

TEST(JacobianProgram, AgreesWithDifferencesAndHasTheRightPattern) {
  std::size_t compared = 0;
  for (std::uint64_t seed : test::seeds(40)) {
    SCOPED_TRACE(test::seed_note(seed));
    const SmoothSystem system(seed);
    const Program values = make_program(system.inputs, system.outputs);
    const JacobianProgram jacobian_program =
        make_jacobian_program(system.inputs, system.outputs, system.inputs);
    const std::vector<double> state = system.state(0.01), all = interpret(jacobian_program.program, state);
    ASSERT_EQ(all.size(), jacobian_program.value_count + jacobian_program.pattern.size());
    std::vector<std::vector<double>> dense(system.outputs.size(),
                                           std::vector<double>(system.inputs.size(), 0));
    for (std::size_t k = 0; k < jacobian_program.pattern.size(); ++k) {
      const auto [row, column] = jacobian_program.pattern[k];
      dense[row][column] = all[jacobian_program.value_count + k];
      EXPECT_FALSE(derivative(system.outputs[row], system.inputs[column]).is_zero());
    }
    for (std::size_t column = 0; column < system.inputs.size(); ++column) {
      std::vector<double> direction(system.inputs.size(), 0);
      direction[column] = 1;
      const std::vector<double> rough = difference(values, state, direction, 4e-4);
      const std::vector<double> slopes = difference(values, state, direction, 2e-4);
      for (std::size_t row = 0; row < slopes.size(); ++row) {
        if (std::abs(rough[row] - slopes[row]) > 1e-3 * (1 + std::abs(slopes[row]))) continue;  // too wild
        ++compared;
        const double size = 1 + std::abs(slopes[row]) + std::abs(all[row]);
        EXPECT_NEAR(dense[row][column], slopes[row], std::abs(rough[row] - slopes[row]) + 1e-7 * size);
      }
    }
  }
  EXPECT_GT(compared, 400u);
}

/// All functions, against the symbolic derivative.
TEST(JvpProgram, IsTheJacobianTimesTheTangent) {
  std::size_t compared = 0;
  for (std::uint64_t seed : test::seeds(100)) {
    SCOPED_TRACE(test::seed_note(seed));
    RandomSystem system(seed);
    const std::vector<Expr> wrt{system.inputs[0], system.inputs[2]};
    const Program jvp = make_jvp_program(system.inputs, system.outputs, wrt);
    ASSERT_EQ(jvp.inputs.size(), 5u);
    EXPECT_EQ(jvp.inputs[4], "d(z)");
    const JacobianProgram jacobian_program = make_jacobian_program(system.inputs, system.outputs, wrt);
    std::vector<double> state = system.state();
    const std::vector<double> all = interpret(jacobian_program.program, state);
    const double tangent[2] = {0.8, -1.3};
    std::vector<double> expected(system.outputs.size(), 0), size(system.outputs.size(), 0);
    for (std::size_t k = 0; k < jacobian_program.pattern.size(); ++k) {
      const auto [row, column] = jacobian_program.pattern[k];
      const double term = all[jacobian_program.value_count + k] * tangent[column];
      expected[row] += term;
      size[row] += std::abs(term);
    }
    state.insert(state.end(), tangent, tangent + 2);
    const std::vector<double> out = interpret(jvp, state);
    for (std::size_t i = 0; i < system.outputs.size(); ++i) {
      if (!std::isfinite(expected[i]) || !std::isfinite(out[i]) || size[i] > 1e6) continue;
      ++compared;
      EXPECT_NEAR(out[system.outputs.size() + i], expected[i], 1e-8 * (1 + size[i])) << i;
    }
  }
  EXPECT_GT(compared, 150u);
}

TEST(JvpProgram, CostsAboutTwiceTheValues) {
  const Chain chain(6);
  const Program values = make_program(chain.inputs, chain.outputs);
  const Program jvp = make_jvp_program(chain.inputs, chain.outputs, chain.inputs);
  EXPECT_LT(arithmetic_count(jvp), 4 * arithmetic_count(values));
  const std::vector<double> state = chain.state();
  std::vector<double> direction;
  for (std::size_t i = 0; i < state.size(); ++i) direction.push_back(std::cos(static_cast<double>(i)));
  const std::vector<double> slopes = difference(values, state, direction, 1e-3);
  std::vector<double> in = state;
  in.insert(in.end(), direction.begin(), direction.end());
  const std::vector<double> out = interpret(jvp, in);
  for (std::size_t i = 0; i < slopes.size(); ++i)
    EXPECT_NEAR(out[slopes.size() + i], slopes[i], 1e-8 * (1 + std::abs(slopes[i]))) << i;
}

TEST(JvpProgram, TangentsAreAskedForInputsOnly) {
  Pool pool;
  const std::vector<Expr> inputs{pool.symbol("x")}, outputs{sin(inputs[0])}, other{pool.symbol("y")};
  EXPECT_THROW(make_jvp_program(inputs, outputs, other), Error);
}

}  // namespace
}  // namespace liaison::test
