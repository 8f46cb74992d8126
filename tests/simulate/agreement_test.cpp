#include <gtest/gtest.h>

#include <cmath>

#include "liaison/mechanics/motion.hpp"
#include "liaison/simulate/reference.hpp"
#include "simulate_support.hpp"

/// One motion by every road: engines, assemblies, methods, and a reference of 30 digits that shares no
/// arithmetic with them.
namespace liaison::test {
namespace {

struct Case {
  const char* model;
  double until;
  bool closed_form = true;  ///< one exists: neither too large nor implicit
};

/// Loops, rolling, non-linear relations, friction, servo constraints, rotating bodies, charts, fields.
const Case cases[] = {
    {"classics/four_bar.lia", 0.5},
    {"classics/double_pendulum.lia", 1},
    {"classics/rolling_disc.lia", 1},
    {"classics/tilting_disc.lia", 1},
    {"classics/sphere_rolling.lia", 1},
    {"classics/sphere_sliding.lia", 0.1},
    {"classics/chaplygin_sleigh.lia", 1},
    {"classics/appell_hamel.lia", 0.5},
    {"classics/servo_cart.lia", 0.5},
    {"classics/spinning_top.lia", 0.2},
    {"classics/bead_on_hoop.lia", 1},
    {"classics/magnetic_field.lia", 1},
    {"gallissot/sphere_on_two_planes.lia", 0.05},
    {"gallissot/disc_on_incline_law_of_friction.lia", 0.1},
    {"gallissot/bar_on_circle.lia", 1},
    {"gallissot/sphere_on_incline_sliding.lia", 0.2},
};

class Agreement : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    model_ = read_runnable_file(GetParam().model);
    const ExactPoint start = exact_start(*model_.system, model_.start);
    const double begin = model_.start.at(model_.system->time);
    const ReferenceTrajectory reference =
        reference_trajectory(*model_.equations, start, begin, begin + GetParam().until);
    for (const auto& value : reference.y) reference_.push_back(value.value);
  }

  /// The largest error relative to the size of the component, at least one.
  double error(const SimulationResult& result) const {
    EXPECT_EQ(result.y.size(), reference_.size());
    double worst = 0;
    for (std::size_t i = 0; i < reference_.size(); ++i) {
      worst = std::max(worst, std::abs(result.y[i] - reference_[i]) / std::max(1.0, std::abs(reference_[i])));
    }
    return worst;
  }

  RunRequest request(double tolerance) const {
    RunRequest result;
    result.options.until = model_.start.at(model_.system->time) + GetParam().until;
    result.options.every = GetParam().until;
    result.options.tolerance = {tolerance, tolerance * 1e-3};
    return result;
  }

  RunnableModel model_;
  std::vector<double> reference_;
};

TEST_P(Agreement, EnginesAndAssembliesMeetTheReference) {
  const Motion motion = derive_motion(*model_.algebra, *model_.system);
  ASSERT_EQ(!motion.acceleration.empty(), GetParam().closed_form);
  for (Engine engine : {Engine::compiled, Engine::interpreted}) {
    for (Assembly assembly :
         {Assembly::closed_form, Assembly::unrolled, Assembly::factorised, Assembly::sparse}) {
      if (assembly == Assembly::closed_form && !GetParam().closed_form) continue;
      RunRequest how = request(1e-13);
      how.evaluator = {engine, assembly};
      how.motion = &motion;
      const SimulationResult result = run(model_, how);
      ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
      EXPECT_LT(error(result), 1e-10) << static_cast<int>(engine) << " " << static_cast<int>(assembly);
    }
  }
}

TEST_P(Agreement, MethodsMeetTheReference) {
  struct Method {
    const char* name;
    double tolerance, bound;
  };
  for (const Method& method : {Method{"dop853", 1e-12, 1e-10}, Method{"arkode", 1e-12, 1e-9},
                               Method{"adams", 1e-11, 1e-7}, Method{"bdf", 1e-10, 1e-6}}) {
    RunRequest how = request(method.tolerance);
    how.method.name = method.name;
    const SimulationResult result = run(model_, how);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method.name << ": " << result.message;
    EXPECT_LT(error(result), method.bound) << method.name;
  }
}

TEST_P(Agreement, TaylorsSeriesMeetsTheReference) {
  for (Engine engine : {Engine::compiled, Engine::interpreted}) {
    RunRequest how = request(1e-12);
    how.method.name = "taylor";
    how.evaluator.engine = engine;
    if (model_.equations->implicit || model_.equations->relation_count != model_.equations->factors.size()) {
      EXPECT_THROW(run(model_, how), Error);  // the factors are found by iteration
      continue;
    }
    const SimulationResult result = run(model_, how);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
    EXPECT_LT(error(result), 1e-10);
  }
}

TEST_P(Agreement, TheDifferentialAlgebraicSystemMeetsTheReference) {
  RunRequest how = request(1e-10);
  how.method.name = "ida";
  const SimulationResult result = run(model_, how);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_LT(error(result), 1e-6);
}

TEST_P(Agreement, ConstraintsHoldToRounding) {
  for (const Monitor& monitor : run(model_, request(1e-9)).monitors) {
    if (monitor.kind == MonitorKind::residual) {
      EXPECT_LT(monitor.largest, 1e-12) << monitor.name;
    }
  }
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  const std::string path = info.param.model;
  const std::size_t slash = path.find('/') + 1;
  return path.substr(slash, path.size() - slash - 4);
}
INSTANTIATE_TEST_SUITE_P(Models, Agreement, ::testing::ValuesIn(cases), name_of);

}  // namespace
}  // namespace liaison::test
