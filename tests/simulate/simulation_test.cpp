#include "liaison/simulate/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "liaison/mechanics/initial_state.hpp"
#include "simulate_support.hpp"

namespace liaison {
namespace {

using Model = test::DerivedModel;

Model read(const std::string& text) {
  return test::read_derived(text);
}

Model read_file(const std::string& path) {
  return read(test::model_text(path));
}

SimulationResult run_model(const Model& model, const EvaluatorOptions& how,
                           const SimulationOptions& options) {
  Evaluator evaluator(*model.motion, model.start, how);
  return simulate(evaluator, 0, evaluator.pack(model.start), options, [](const Row&) { return true; });
}

TEST(Simulation, EngineAndAssemblyGiveOneTrajectory) {
  for (const char* path :
       {"classics/rolling_disc.lia", "classics/sphere_sliding.lia", "classics/tilting_disc.lia",
        "classics/chaplygin_sleigh.lia", "classics/spinning_top.lia", "classics/double_pendulum.lia",
        "classics/bead_on_hoop.lia", "classics/appell_hamel.lia"}) {
    const Model model = read_file(path);
    SimulationOptions options;
    options.until = 0.1;  // before the sphere stops slipping
    options.tolerance = {1e-12, 1e-14};
    const SimulationResult reference = run_model(model, {Engine::interpreted, Assembly::factorised}, options);
    ASSERT_EQ(reference.outcome, SimulationOutcome::finished) << path << ": " << reference.message;
    for (const EvaluatorOptions& how : {EvaluatorOptions{Engine::compiled, Assembly::factorised},
                                        EvaluatorOptions{Engine::compiled, Assembly::closed_form},
                                        EvaluatorOptions{Engine::interpreted, Assembly::closed_form}}) {
      const SimulationResult other = run_model(model, how, options);
      for (std::size_t i = 0; i < reference.y.size(); ++i) {
        EXPECT_NEAR(other.y[i], reference.y[i], 1e-9 * std::max(1.0, std::abs(reference.y[i]))) << path;
      }
    }
  }
}

TEST(Simulation, ConstraintsAreKept) {
  const Model bar = read_file("classics/four_bar.lia");
  SimulationOptions options;
  options.until = 5;
  const SimulationResult kept = run_model(bar, {}, options);
  ASSERT_EQ(kept.outcome, SimulationOutcome::finished) << kept.message;
  for (const Monitor& monitor : kept.monitors) {
    if (monitor.expected) {
      EXPECT_LT(monitor.largest, 1e-12) << monitor.name;
    }
  }
  options.project = false;
  options.tolerance = {1e-6, 1e-9};
  const SimulationResult drifted = run_model(bar, {}, options);
  EXPECT_GT(drifted.monitors[1].largest, 1e-12);
}

TEST(Simulation, VerticalThrowMeetsTheCatalogue) {  // G1.ex1: f(v) = 0.02 v^2, v(1), z(1)
  const Model throw_up =
      read("param g = 9.81\ncoord z\nkinetic z'^2/2\nforce z = -g - 0.02*z'^2\nstart z = 0, z' = 30\n");
  SimulationOptions options;
  options.tolerance = {1e-13, 1e-13};
  const SimulationResult result = run_model(throw_up, {}, options);
  EXPECT_NEAR(result.y[1], 11.8677136892994, 1e-11);
  EXPECT_NEAR(result.y[0], 19.7392491522273, 1e-11);
}

TEST(Simulation, OutputsOfALargeSystemSpeakOfAccelerationsButNotOfClosedForms) {
  std::string chain = "param g = 9.81\ncoord a, b, c, d, e\ngravity [0, -g]\n", x, y;
  for (const char* angle : {"a", "b", "c", "d", "e"}) {  // five coupled directions: no closed form
    x += (x.empty() ? "sin(" : " + sin(") + std::string(angle) + ")";
    y += " - cos(" + std::string(angle) + ")";
    chain += "particle P" + std::string(angle) + " mass 1 at [" + x + ", " + y + "]\n";
  }
  const Model runs = read(chain + "start a = 1\noutput turn = a''\n");
  const AssembledEquations equations = assembled(*runs.motion);
  Evaluator evaluator(equations, runs.start);
  Observations observations =
      observe(*runs.algebra, equations, runs.start, Engine::compiled, runs.motion.get());
  const std::vector<double> state = evaluator.pack(runs.start);
  std::vector<double> rates(state.size());
  double turn = 0;
  ASSERT_TRUE(evaluator.rates(0, state.data(), rates.data()));
  ASSERT_TRUE(observations.outputs.evaluate(0, state.data(), rates.data() + 5, evaluator.factors(), &turn));
  EXPECT_EQ(turn, rates[5]);
  EXPECT_LT(turn, -1);
  const Model refused = read(chain + "output free_turn = free(a'')\n");
  try {
    observe(*refused.algebra, assembled(*refused.motion), refused.start, Engine::compiled,
            refused.motion.get());
    FAIL() << "an output was left out";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::limit_reached);
  }
}

TEST(Simulation, RowsStandOnTheGrid) {
  const Model pendulum = read("param g = 9.81\ncoord q\nkinetic q'^2/2\npotential -g*cos(q)\nstart q = 1\n");
  Evaluator evaluator(*pendulum.motion, pendulum.start);
  SimulationOptions options;
  options.until = 1;
  options.every = 0.1;
  std::vector<double> times;
  simulate(evaluator, 0, evaluator.pack(pendulum.start), options, [&](const Row& row) {
    times.push_back(row.t);
    return true;
  });
  ASSERT_EQ(times.size(), 11u);
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_DOUBLE_EQ(times[i], 0.1 * static_cast<double>(i));
}

TEST(Simulation,
     ASingularStateEndsTheRunAndSaysWhere) {  // a point falls to the centre: r -> 0 in finite time
  const Model fall = read("param k = 1\ncoord r\nkinetic r'^2/2\npotential -k/r\nstart r = 1, r' = 0\n");
  SimulationOptions options;
  options.until = 5;
  std::size_t rows = 0;
  Evaluator evaluator(*fall.motion, fall.start);
  const SimulationResult result =
      simulate(evaluator, 0, evaluator.pack(fall.start), options, [&](const Row&) { return ++rows > 0; });
  EXPECT_EQ(result.outcome, SimulationOutcome::singular);
  EXPECT_NEAR(result.t, std::acos(-1.0) / (2 * std::sqrt(2.0)), 1e-6);
  EXPECT_GT(rows, 3u);
  EXPECT_NE(result.message.find("at t = 1.1107"), std::string::npos) << result.message;
}

}  // namespace
}  // namespace liaison
