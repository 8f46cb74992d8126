#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "liaison/compile/jit.hpp"
#include "liaison/simulate/evaluator.hpp"
#include "simulate_support.hpp"

namespace liaison {
namespace {

DoublePoint with_other_parameters(const test::RunnableModel& model, double factor) {
  DoublePoint point = model.start;
  for (const Parameter& parameter : model.system->parameters) {
    double& value = point[parameter.symbol];
    value = value == 0 ? 0.1 * factor : value * factor;
    factor = 2.1 - factor;  // not all in the same proportion
  }
  return point;
}

/// Everything that a run asks for, `calls` times.
std::vector<double> ask(Evaluator& evaluator, const std::vector<double>& start, int calls) {
  std::vector<double> rates(start.size()), y = start;
  for (int call = 0; call < calls; ++call) {
    EXPECT_TRUE(evaluator.rates(0.25, start.data(), rates.data())) << evaluator.failure();
    y = start;
    for (double& value : y) value += 1e-3;  // off the constraints, whatever the parameters
    evaluator.project(0.25, y.data());
    evaluator.residuals(0.25, start.data());
    evaluator.energies(0.25, start.data());
  }
  std::vector<double> result = rates;
  result.insert(result.end(), evaluator.factors().begin(), evaluator.factors().end());
  const Evaluator::Energies energies = evaluator.energies(0.25, start.data());
  result.push_back(energies.kinetic);
  result.push_back(energies.potential);
  result.insert(result.end(), y.begin(), y.end());
  return result;
}

TEST(ParameterInputs, AgreeWithFoldedOnesAndAreNotCompiledAgain) {
  for (const char* path :
       {"classics/rolling_disc.lia", "classics/four_bar.lia", "classics/tilting_disc.lia"}) {
    const test::RunnableModel model = test::read_runnable_file(path);
    ASSERT_FALSE(model.system->parameters.empty()) << path;
    for (const Assembly assembly :
         {Assembly::automatic, Assembly::unrolled, Assembly::factorised, Assembly::sparse}) {
      Evaluator changing(*model.equations, model.start,
                         {.assembly = assembly, .parameters = ParameterUse::inputs});
      const std::vector<double> y = changing.pack(model.start);
      // of the linkage, with some 200 instructions, so often that machine code is made, by LLVM too
      const bool is_often =
          assembly == Assembly::unrolled && std::string_view(path) == "classics/four_bar.lia";
      const int calls = is_often && !has_native_code() ? 21'000 : 400;
      ask(changing, y, calls);
      std::size_t made = machine_code_count();
      for (const double factor : {1.3, 0.8, 1.0}) {
        const DoublePoint point = with_other_parameters(model, factor);
        changing.set_parameters(point);
        const std::vector<double> of_inputs = ask(changing, y, calls);
        EXPECT_EQ(machine_code_count(), made) << path;
        Evaluator folded(*model.equations, point, {.assembly = assembly});
        const std::vector<double> of_constants = ask(folded, y, calls);
        ASSERT_EQ(of_inputs.size(), of_constants.size());
        double size = 1;
        for (double value : of_constants) size = std::max(size, std::abs(value));
        for (std::size_t i = 0; i < of_inputs.size(); ++i)
          EXPECT_NEAR(of_inputs[i], of_constants[i], 1e-12 * size) << path << ", number " << i;
        EXPECT_EQ(changing.parameter_values(), folded.parameter_values());
        if (is_often) {
          EXPECT_GT(machine_code_count(), made)
              << "folded parameters are compiled each time: the count counts";
        }
        made = machine_code_count();
      }
    }
  }
}

TEST(ParameterInputs, FoldedOnesStayAndMissingOnesAreNamed) {
  const test::RunnableModel model =
      test::read_runnable("param m = 2, k = 3\ncoord x\nkinetic m/2*x'^2\npotential k/2*x^2\n");
  Evaluator folded(*model.equations, model.start);
  EXPECT_THROW(folded.set_parameters(model.start), Error);
  Evaluator changing(*model.equations, model.start, {.parameters = ParameterUse::inputs});
  DoublePoint point = model.start;
  point[model["k"]] = 8;
  changing.set_parameters(point);
  const double y[] = {0.5, 0};
  double dy[2];
  ASSERT_TRUE(changing.rates(0, y, dy));
  EXPECT_EQ(dy[1], -2.0);
  point.erase(model["k"]);
  try {
    changing.set_parameters(point);
    FAIL() << "k has no value";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::missing_value);
    EXPECT_NE(std::string(error.what()).find("`k`"), std::string::npos);
  }
  ASSERT_TRUE(changing.rates(0, y, dy));
  EXPECT_EQ(dy[1], -2.0) << "what was refused changed nothing";
}

}  // namespace
}  // namespace liaison
