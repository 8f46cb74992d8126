#include <fmt/format.h>

#include <cmath>

#include "compile_support.hpp"
#include "liaison/compile/jit.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison::test {
namespace {

constexpr std::size_t links = 10;

const Chain& chain() {
  static const Chain ten_links(links);
  return ten_links;
}

/// Point masses on massless rods, absolute angles: M_ij = (sum of m_k, k >= max(i, j)) l_i l_j cos(q_i -
/// q_j), load_i = -sum_j mu_ij l_i l_j sin(q_i - q_j) q_j'^2 - mu_ii g l_i sin(q_i).
TEST(CompiledChain, MassMatrixAndLoadAreThoseOfTheTextbook) {
  const Program program = make_program(chain().inputs, chain().outputs);
  const CompiledProgram compiled(program);
  const std::vector<double> state = chain().state();
  std::vector<double> out(program.outputs.size());
  compiled(state.data(), out.data());
  const auto value = [&](const std::string& name) {
    for (std::size_t i = 0; i < program.inputs.size(); ++i)
      if (program.inputs[i] == name) return state[i];
    throw std::runtime_error("no input " + name);
  };
  for (std::size_t i = 0; i < links; ++i) {
    double load = 0;
    for (std::size_t j = 0; j < links; ++j) {
      double mass = 0;
      for (std::size_t k = std::max(i, j); k < links; ++k) mass += value(fmt::format("m{}", k + 1));
      const double li = value(fmt::format("l{}", i + 1)), lj = value(fmt::format("l{}", j + 1));
      const double angle = value(fmt::format("q{}", i + 1)) - value(fmt::format("q{}", j + 1));
      const double rate = value(fmt::format("q{}'", j + 1));
      EXPECT_NEAR(out[i * links + j], mass * li * lj * std::cos(angle), 1e-12) << i << ", " << j;
      load -= mass * li * lj * std::sin(angle) * rate * rate;
      if (i == j) load -= mass * value("g") * li * std::sin(value(fmt::format("q{}", i + 1)));
    }
    EXPECT_NEAR(out[links * links + i], load, 1e-10) << i;
  }
}

TEST(CompiledChain, BatchesFollowTheInterpreter) {
  const Program program = make_program(chain().inputs, chain().outputs);
  const CompiledProgram compiled(program);
  const std::size_t n_in = program.inputs.size(), n_out = program.outputs.size();
  for (std::size_t count = 1; count <= 17; ++count) {
    std::vector<double> in, expected;
    for (std::size_t k = 0; k < count; ++k) {
      std::vector<double> state = chain().state();
      for (double& x : state) x += 0.01 * static_cast<double>(k);
      const std::vector<double> values = interpret(program, state);
      in.insert(in.end(), state.begin(), state.end());
      expected.insert(expected.end(), values.begin(), values.end());
    }
    ASSERT_EQ(in.size(), count * n_in);
    std::vector<double> out(count * n_out);
    compiled.batch(in.data(), out.data(), count);
    for (std::size_t i = 0; i < out.size(); ++i)
      EXPECT_NEAR(out[i], expected[i], 1e-12 * (1 + std::abs(expected[i]))) << i;
  }
}

TEST(CompiledChain, ProgramsAreSmallerThanTheirExpressionsAndFewValuesLive) {
  const Program program = make_program(chain().inputs, chain().outputs);
  const Program plain = make_program(chain().inputs, chain().outputs,
                                     {.order = EvaluationOrder::as_written, .share_parts = false});
  EXPECT_LT(arithmetic_count(program), arithmetic_count(plain));
  EXPECT_LT(arithmetic_count(program), count_operations(chain().outputs));  // these have n operands each
  EXPECT_LT(3 * max_live(program), 2 * max_live(plain));
}

}  // namespace
}  // namespace liaison::test
