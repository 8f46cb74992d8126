#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "simulate_support.hpp"

// Nothing depends on the units: a rod of a tenth of a micrometre moves as one of a metre does.

namespace liaison {
namespace {

using test::read_runnable;
using test::RunnableModel;
using test::RunRequest;

class Rods : public ::testing::TestWithParam<double> {};

TEST_P(Rods, StartAndStayOnTheirCircle) {
  const double l = GetParam();
  const std::string text = fmt::format(
      "param l = {0:.17g}, g = {0:.17g}\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\n"
      "constraint rod: x^2 + y^2 = l^2\nstart x = {1:.17g}, x' = {0:.17g}\n",
      l, 0.6 * l);
  const RunnableModel model = read_runnable(text);
  EXPECT_NEAR(std::abs(model.start.at(model["y"])), 0.8 * l, 1e-13 * l);
  RunRequest request;
  request.options.until = 3;
  request.options.tolerance = {1e-10, 1e-13 * l};
  double first_x = NAN, worst = 0;
  request.receivers.row = [&](const Row& row) {
    if (std::isnan(first_x)) first_x = row.y[0];
    worst = std::max(worst, std::abs((row.y[0] * row.y[0] + row.y[1] * row.y[1]) / (l * l) - 1));
    return true;
  };
  const SimulationResult result = test::run(model, request);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(first_x, 0.6 * l, 1e-15 * l);
  EXPECT_LT(worst, 1e-14);
  // The same rod of length one.
  const RunnableModel one = read_runnable(
      "param l = 1, g = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\n"
      "constraint rod: x^2 + y^2 = l^2\nstart x = 0.6, x' = 1\n");
  request.options.tolerance = {1e-10, 1e-13};
  request.receivers.row = {};
  const SimulationResult expected = test::run(one, request);
  for (std::size_t i = 0; i < result.y.size(); ++i) EXPECT_NEAR(result.y[i] / l, expected.y[i], 1e-7) << i;
}

INSTANTIATE_TEST_SUITE_P(Lengths, Rods, ::testing::Values(1e-12, 1e-7, 1e-5, 1e5, 1e9));

TEST(Units, AStateOffASmallCircleIsRefused) {
  const auto system = test::read_system(
      "param l = 1e-7\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint rod: x^2 + y^2 = l^2\n");
  Algebra algebra(*system->pool);
  const AssembledEquations equations = assemble_equations(algebra, *system);
  StateRequest request;
  request.given = {{equations.positions[0], 6e-8}, {equations.positions[1], 6e-8}};
  EXPECT_FALSE(complete_state(equations, request).ok());
  request.given[1].second = 8e-8;
  EXPECT_TRUE(complete_state(equations, request).ok());
}

// x' = 0 and x' = 5e-9 t have no motion, however slow the second is.
TEST(Units, RelationsThatContradictEachOtherALittleDo) {
  const RunnableModel model =
      read_runnable("coord x\nkinetic x'^2/2\nconstraint a: x' = 0\nconstraint b: x' = 5e-9*t\n");
  for (const std::string method : {"dop853", "arkode", "bdf", "ida"}) {
    RunRequest request;
    request.method.name = method;
    request.options.until = 1;
    const SimulationResult result = test::run(model, request);
    EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method;
    EXPECT_NE(result.message.find("contradictory"), std::string::npos) << result.message;
  }
}

// The gradient of (x' - y')^2 vanishes where it is kept: nothing holds x' = y' against the force.
TEST(Units, ARelationWithoutAGradientHoldsNothing) {
  for (const char* relation : {"(x' - y')^2 = 0", "x'^2 + y'^2 = 0"}) {
    const RunnableModel model = read_runnable(
        std::string("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -1\nconstraint c: ") + relation + "\n");
    for (const std::string method : {"dop853", "arkode", "adams", "bdf", "ida"}) {
      RunRequest request;
      request.method.name = method;
      request.options.until = 1;
      EXPECT_EQ(test::run(model, request).outcome, SimulationOutcome::singular) << method << relation;
    }
  }
}

TEST(Units, AnEnergyThatIsNoDoubleIsNotJudged) {
  const auto judged = [](const std::string& text) {
    RunRequest request;
    request.options.until = 1;
    const SimulationResult result = test::run(read_runnable(text), request);
    EXPECT_EQ(result.notes.size(), result.monitors.empty() ? 1u : 0u) << text;
    return !result.monitors.empty();
  };
  EXPECT_FALSE(judged("coord x\nkinetic 1e-300*x'^2/2\nstart x' = 1e-15\n"));
  EXPECT_FALSE(judged("coord x\nkinetic 1e-300*x'^2/2\nstart x' = 1e-150\n"));
  EXPECT_TRUE(judged("coord x\nkinetic 1e-300*x'^2/2\nstart x = 1\n"));  // at rest
  EXPECT_TRUE(judged("coord x\nkinetic 1e-100*x'^2/2\nstart x' = 1e-50\n"));
}

}  // namespace
}  // namespace liaison
