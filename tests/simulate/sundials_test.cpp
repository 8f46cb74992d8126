#include "liaison/simulate/sundials.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "liaison/mechanics/initial_state.hpp"
#include "liaison/simulate/runge_kutta.hpp"
#include "liaison/simulate/simulation.hpp"
#include "simulate_support.hpp"

namespace liaison {
namespace {

using IntegratorPtr = std::unique_ptr<Integrator>;

const Rates oscillator = [](double, const double* y, double* dy) {
  dy[0] = y[1];
  dy[1] = -y[0];
  return true;
};
const double oscillator_start[] = {1, 0};

/// Steps until the end, or until a step is not taken.
StepOutcome run_to(Integrator& method, double end, std::size_t most_steps = 200'000) {
  StepOutcome outcome = StepOutcome::stepped;
  for (std::size_t i = 0; method.time() != end && outcome == StepOutcome::stepped; ++i) {
    if (i == most_steps) throw std::runtime_error("the method does not come on");
    outcome = method.step(end);
  }
  return outcome;
}

/// The methods for y' = f(t, y), by name.
std::vector<std::pair<std::string, IntegratorPtr>> methods_for(const Rates& rates, std::size_t size,
                                                               Tolerance tolerance) {
  std::vector<std::pair<std::string, IntegratorPtr>> result;
  result.emplace_back("arkode", make_arkode(rates, size, tolerance));
  result.emplace_back("bdf", make_cvode(rates, size, tolerance));
  result.emplace_back("adams", make_cvode(rates, size, tolerance, {.family = MultistepFamily::adams}));
  return result;
}

// --- ARKODE
// -------------------------------------------------------------------------------------------------

double oscillator_error(double step) {
  const IntegratorPtr method = make_arkode(oscillator, 2, {}, step);
  EXPECT_TRUE(method->begin(0, oscillator_start, 8));
  EXPECT_EQ(run_to(*method, 8), StepOutcome::stepped);
  return std::hypot(method->state()[0] - std::cos(8.0), method->state()[1] + std::sin(8.0));
}

TEST(Arkode, HasOrderEight) {
  EXPECT_NEAR(std::log2(oscillator_error(0.5) / oscillator_error(0.25)), 8, 0.5);
}

TEST(Arkode, FixedStepsEndAtTheEnd) {  // 0.3 does not divide 8: the last step is short, and none is tiny
  const IntegratorPtr method = make_arkode(oscillator, 2, {}, 0.3);
  ASSERT_TRUE(method->begin(0, oscillator_start, 8));
  std::size_t steps = 0;
  for (; method->time() < 8; ++steps) ASSERT_EQ(method->step(8), StepOutcome::stepped);
  EXPECT_EQ(steps, 27u);
  EXPECT_EQ(method->time(), 8);
  const IntegratorPtr tenths = make_arkode(oscillator, 2, {}, 0.1);  // rounding leaves no step over
  ASSERT_TRUE(tenths->begin(0, oscillator_start, 8));
  for (steps = 0; tenths->time() < 8; ++steps) ASSERT_EQ(tenths->step(8), StepOutcome::stepped);
  EXPECT_EQ(steps, 80u);
}

TEST(Arkode, HasItsOrderBetweenTheStepsToo) {
  const auto error = [](double step) {
    const IntegratorPtr method = make_arkode(oscillator, 2, {}, step);
    EXPECT_TRUE(method->begin(0, oscillator_start, 4));
    double worst = 0, y[2];
    while (method->time() < 4) {
      method->step(4);
      for (double part : {0.3, 0.5, 0.8}) {
        const double t = method->time() - (1 - part) * step;
        method->interpolate(t, y);
        worst = std::max(worst, std::abs(y[0] - std::cos(t)));
      }
    }
    return worst;
  };
  EXPECT_NEAR(std::log2(error(0.5) / error(0.25)), 8, 0.5);
}

TEST(Arkode, JudgesDormandAndPrince) {  // an orbit of eccentricity 0.6
  const Rates kepler = [](double, const double* y, double* dy) {
    const double r = std::hypot(y[0], y[1]);
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = -y[0] / (r * r * r);
    dy[3] = -y[1] / (r * r * r);
    return true;
  };
  const double start[] = {0.4, 0, 0, 2};
  DormandPrince ours(kepler, 4, {1e-13, 1e-14});
  const IntegratorPtr judge = make_arkode(kepler, 4, {1e-13, 1e-14});
  ASSERT_TRUE(ours.begin(0, start, 20) && judge->begin(0, start, 20));
  ASSERT_EQ(run_to(ours, 20), StepOutcome::stepped);
  ASSERT_EQ(run_to(*judge, 20), StepOutcome::stepped);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(ours.state()[i], judge->state()[i], 1e-10);
}

// --- all methods for y' = f(t, y)
// -----------------------------------------------------------------------------

TEST(Sundials, MethodsKeepTheirTolerance) {
  for (double tolerance : {1e-6, 1e-9}) {
    for (const auto& [name, method] : methods_for(oscillator, 2, {tolerance, tolerance})) {
      ASSERT_TRUE(method->begin(0, oscillator_start, 20)) << name;
      double worst = 0, y[2];
      while (method->time() < 20) {
        const double before = method->time();
        ASSERT_EQ(method->step(20), StepOutcome::stepped) << name;
        const double t = (before + method->time()) / 2;
        method->interpolate(t, y);
        worst = std::max(
            {worst, std::abs(y[0] - std::cos(t)), std::abs(method->state()[0] - std::cos(method->time()))});
      }
      EXPECT_EQ(method->time(), 20) << name;
      EXPECT_LT(worst, 1000 * tolerance) << name;
      EXPECT_GT(worst, 0) << name;
    }
  }
}

TEST(Sundials, MethodsRunBackwards) {
  for (const auto& [name, method] : methods_for(oscillator, 2, {1e-10, 1e-10})) {
    ASSERT_TRUE(method->begin(0, oscillator_start, 3)) << name;
    ASSERT_EQ(run_to(*method, 3), StepOutcome::stepped) << name;
    EXPECT_NEAR(method->state()[0], std::cos(3.0), 1e-7) << name;
    ASSERT_EQ(run_to(*method, 1), StepOutcome::stepped) << name << method->failure();  // and back
    EXPECT_NEAR(method->state()[0], std::cos(1.0), 1e-7) << name;
  }
}

TEST(Sundials, SameInputSameBits) {
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> found[2];
    for (std::vector<double>& y : found) {
      const auto methods = methods_for(oscillator, 2, {1e-9, 1e-9});
      Integrator& method = *methods[k].second;
      ASSERT_TRUE(method.begin(0, oscillator_start, 5));
      ASSERT_EQ(run_to(method, 5), StepOutcome::stepped);
      y.assign(method.state().begin(), method.state().end());
      y.push_back(static_cast<double>(method.evaluations()));
    }
    EXPECT_EQ(found[0], found[1]);
  }
}

TEST(Sundials, ABlowUpEndsWithAnOutcome) {  // y' = y^2, y = 1/(1 - t)
  const Rates square = [](double, const double* y, double* dy) { return dy[0] = y[0] * y[0], true; };
  for (const auto& [name, method] : methods_for(square, 1, {})) {
    const double start[] = {1};
    ASSERT_TRUE(method->begin(0, start, 2)) << name;
    EXPECT_NE(run_to(*method, 2), StepOutcome::stepped) << name;
    EXPECT_NEAR(method->time(), 1, 1e-6) << name;
    EXPECT_FALSE(method->failure().empty()) << name;
  }
}

TEST(Sundials, EquationsWithoutAValueAreNoValue) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Rates never = [nan](double, const double*, double* dy) { return dy[0] = nan, true; };
  const Rates until_half = [nan](double t, const double*, double* dy) {
    return dy[0] = t < 0.5 ? 1 : nan, true;
  };
  const double start[] = {1};
  for (const auto& [name, method] : methods_for(never, 1, {})) {
    EXPECT_FALSE(method->begin(0, start, 1)) << name;
    EXPECT_NE(method->failure().find("no value at t = 0"), std::string::npos) << name << method->failure();
  }
  for (const auto& [name, method] : methods_for(until_half, 1, {})) {
    ASSERT_TRUE(method->begin(0, start, 1)) << name;
    EXPECT_EQ(run_to(*method, 1), StepOutcome::no_value) << name;
    EXPECT_NEAR(method->time(), 0.5, 1e-12) << name;  // as far as there are values
    EXPECT_NEAR(method->state()[0], 1.5, 1e-9) << name;
    EXPECT_NE(method->failure().find("no value just after t = 0.5"), std::string::npos)
        << name << method->failure();
  }
  const IntegratorPtr fixed = make_arkode(until_half, 1, {}, 0.2);
  ASSERT_TRUE(fixed->begin(0, start, 1));
  EXPECT_EQ(run_to(*fixed, 1), StepOutcome::no_value);
  EXPECT_NEAR(fixed->time(), 0.4, 1e-12);
}

TEST(Sundials, ExceptionsPassThrough) {
  const Rates throws = [](double t, const double*, double* dy) -> bool {
    if (t > 0.5) throw std::domain_error("beyond the model");
    return dy[0] = 1, true;
  };
  const double start[] = {1};
  for (const auto& [name, method] : methods_for(throws, 1, {})) {
    ASSERT_TRUE(method->begin(0, start, 1)) << name;
    EXPECT_THROW(run_to(*method, 1), std::domain_error) << name;
  }
}

TEST(Sundials, AToleranceOfNothingIsRefused) {
  for (const auto& [name, method] : methods_for(oscillator, 2, {0, 0})) {
    const bool begun = method->begin(0, oscillator_start, 1);
    EXPECT_TRUE(!begun || run_to(*method, 1) != StepOutcome::stepped) << name;
    EXPECT_FALSE(method->failure().empty()) << name;
  }
}

TEST(Sundials,
     AnEventChangesTheState) {  // a ball in free fall turns back at the floor with half of its speed
  const Rates fall = [](double, const double* y, double* dy) { return dy[0] = y[1], dy[1] = -10, true; };
  for (const auto& [name, method] : methods_for(fall, 2, {1e-10, 1e-12})) {
    const double start[] = {5, 0};
    ASSERT_TRUE(method->begin(0, start, 1)) << name;
    ASSERT_EQ(run_to(*method, 1), StepOutcome::stepped) << name;  // at the floor: t = 1, speed 10
    EXPECT_NEAR(method->state()[1], -10, 1e-8) << name;
    const double after[] = {0, -method->state()[1] / 2};
    ASSERT_TRUE(method->restart(after)) << name;
    EXPECT_EQ(method->time(), 1) << name;
    double y[2];
    method->interpolate(1, y);
    EXPECT_EQ(y[1], after[1]) << name;
    ASSERT_EQ(run_to(*method, 1.5), StepOutcome::stepped) << name;  // the top of the bounce: 1.25
    EXPECT_NEAR(method->state()[0], 1.25, 1e-8) << name;
    EXPECT_NEAR(method->state()[1], 0, 1e-8) << name;
  }
}

// --- CVODE: stiff equations
// -----------------------------------------------------------------------------------

constexpr double stiffness = 1000;  ///< mu of van der Pol's equation
const Rates van_der_pol = [](double, const double* y, double* dy) {
  dy[0] = y[1];
  dy[1] = stiffness * (1 - y[0] * y[0]) * y[1] - y[0];
  return true;
};

TEST(Cvode, StiffEquationsTakeFewEvaluations) {
  const Tolerance tolerance{1e-7, 1e-9};
  const double start[] = {2, 0}, end = 100;
  const RatesJacobian jacobian = [](double, const double* y, double* entries) {
    entries[0] = 0;
    entries[1] = 1;
    entries[2] = -2 * stiffness * y[0] * y[1] - 1;
    entries[3] = stiffness * (1 - y[0] * y[0]);
    return true;
  };
  const IntegratorPtr differences = make_cvode(van_der_pol, 2, tolerance);
  const IntegratorPtr given = make_cvode(van_der_pol, 2, tolerance, {.jacobian = jacobian});
  DormandPrince explicit_method(van_der_pol, 2, tolerance);
  for (Integrator* method : {differences.get(), given.get(), static_cast<Integrator*>(&explicit_method)}) {
    ASSERT_TRUE(method->begin(0, start, end));
    ASSERT_EQ(run_to(*method, end), StepOutcome::stepped);
  }
  EXPECT_NEAR(differences->state()[0], explicit_method.state()[0], 1e-5);
  EXPECT_NEAR(given->state()[0], explicit_method.state()[0], 1e-5);
  EXPECT_LT(differences->evaluations(), 1000u);
  EXPECT_LT(given->evaluations(), differences->evaluations());
  EXPECT_GT(explicit_method.evaluations(), 100 * differences->evaluations());
}

TEST(Cvode, RobertsonKeepsItsMassForAges) {  // Robertson 1966: time scales over twelve decades
  const Rates reactions = [](double, const double* y, double* dy) {
    dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    dy[2] = 3e7 * y[1] * y[1];
    dy[1] = -dy[0] - dy[2];
    return true;
  };
  const double start[] = {1, 0, 0};
  const IntegratorPtr method = make_cvode(reactions, 3, {1e-8, 1e-14});
  ASSERT_TRUE(method->begin(0, start, 4e7));
  ASSERT_EQ(run_to(*method, 40), StepOutcome::stepped);
  DormandPrince explicit_method(reactions, 3, {1e-10, 1e-14});  // it can, as long as the time is short
  ASSERT_TRUE(explicit_method.begin(0, start, 40));
  ASSERT_EQ(run_to(explicit_method, 40), StepOutcome::stepped);
  EXPECT_NEAR(method->state()[0], explicit_method.state()[0], 1e-6);
  ASSERT_EQ(run_to(*method, 4e7), StepOutcome::stepped);
  const std::span<const double> y = method->state();
  EXPECT_NEAR(y[0] + y[1] + y[2], 1, 1e-7);
  const double made = 0.04 * y[0], used = 1e4 * y[1] * y[2] + 3e7 * y[1] * y[1];
  EXPECT_NEAR(made / used, 1, 1e-5);  // the fast one is in balance
  EXPECT_LT(method->evaluations(), 4000u);
}

// --- IDA: the motion as a differential-algebraic system
// ----------------------------------------------------------

using Model = test::DerivedModel;

Model read(const std::string& text) {
  return test::read_derived(text);
}

Model read_file(const std::string& path) {
  return read(test::model_text(path));
}

const char* const pendulum =
    "param g = 9.81\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\n"
    "constraint rod: x^2 + y^2 = 1\nstart x = 0.8, y = -0.6\n";
const char* const double_pendulum =
    "param g = 9.81\ncoord x1, y1, x2, y2\nkinetic (x1'^2 + y1'^2)/2 + x2'^2 + y2'^2\n"
    "potential g*y1 + 2*g*y2\nconstraint upper: x1^2 + y1^2 = 1\n"
    "constraint lower: (x2 - x1)^2 + (y2 - y1)^2 = 0.64\nstart x1 = 0.6, y1 = -0.8, x2 = 1.08, y2 = -1.44\n";
/// The coefficient of friction falls with the reaction, and the reaction depends on it.
const char* const wedged =
    "param g = 9.81, f = 0.4, N0 = 10\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\n"
    "constraint slope: y = x/2  power y' - x'/2 - f/(1 + (lambda(slope)/N0)^2)*x'\nstart x' = 3\n";

void expect_same_motion(const std::string& name, const Model& model, double until) {
  Evaluator evaluator(*model.motion, model.start, {Engine::interpreted});
  SimulationOptions options;
  options.until = until;
  options.tolerance = {1e-12, 1e-13};
  const SimulationResult reference =
      simulate(evaluator, 0, evaluator.pack(model.start), options, [](const Row&) { return true; });
  ASSERT_EQ(reference.outcome, SimulationOutcome::finished) << name << ": " << reference.message;
  const IntegratorPtr ida = make_ida(evaluator, {1e-10, 1e-10});
  EXPECT_TRUE(ida->keeps_constraints());
  ASSERT_TRUE(ida->begin(0, evaluator.pack(model.start), until)) << name << ": " << ida->failure();
  Evaluator::Residuals worst;
  while (ida->time() < until) {
    ASSERT_EQ(ida->step(until), StepOutcome::stepped) << name << ": " << ida->failure();
    const Evaluator::Residuals left = evaluator.residuals(ida->time(), ida->state().data());
    worst = {std::max(worst.level, left.level), std::max(worst.relation, left.relation)};
  }
  for (std::size_t i = 0; i < reference.y.size(); ++i) {
    EXPECT_NEAR(ida->state()[i], reference.y[i], 1e-7 * std::max(1.0, std::abs(reference.y[i])))
        << name << ", " << i;
  }
  EXPECT_LT(worst.level, 1e-13) << name;
  EXPECT_LT(worst.relation, 1e-13) << name;
}

TEST(Ida, HolonomicConstraintsAgreeWithDormandAndPrince) {
  expect_same_motion("pendulum", read(pendulum), 3);
  expect_same_motion("double pendulum", read(double_pendulum), 2);
  expect_same_motion("four-bar linkage", read_file("classics/four_bar.lia"), 2);
}

TEST(Ida, RollingAgreesWithDormandAndPrince) {
  expect_same_motion("rolling disc", read_file("classics/rolling_disc.lia"), 3);
  expect_same_motion("tilting disc", read_file("classics/tilting_disc.lia"), 2);
}

TEST(Ida, FrictionAgreesWithDormandAndPrince) {
  expect_same_motion("sphere", read_file("classics/sphere_sliding.lia"), 0.1);  // before it stops slipping
  expect_same_motion("law of friction", read_file("gallissot/disc_on_incline_law_of_friction.lia"), 0.3);
  expect_same_motion("wedged", read(wedged), 0.3);
}

TEST(Ida, WithoutConstraintsItIsAnOrdinaryMethod) {
  expect_same_motion("double pendulum in angles", read_file("classics/double_pendulum.lia"), 2);
}

TEST(Ida, FollowsAChangeOfTheState) {  // a blow to the pendulum: as if it had begun there
  const Model model = read(pendulum);
  Evaluator evaluator(*model.motion, model.start, {Engine::interpreted});
  const IntegratorPtr ida = make_ida(evaluator, {1e-10, 1e-10});
  ASSERT_TRUE(ida->begin(0, evaluator.pack(model.start), 2));
  ASSERT_EQ(run_to(*ida, 1), StepOutcome::stepped);
  std::vector<double> y(ida->state().begin(), ida->state().end());
  y[2] += 1;  // off the constraint: a part of the blow is taken up by the rod
  ASSERT_TRUE(ida->restart(y));
  EXPECT_EQ(ida->time(), 1);
  const std::vector<double> after(ida->state().begin(), ida->state().end());
  EXPECT_LT(evaluator.residuals(1, after.data()).relation, 1e-14);
  ASSERT_EQ(run_to(*ida, 2), StepOutcome::stepped);
  SimulationOptions options;
  options.until = 2;
  options.tolerance = {1e-12, 1e-13};
  const SimulationResult reference = simulate(evaluator, 1, after, options, [](const Row&) { return true; });
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(ida->state()[i], reference.y[i], 1e-7);
}

TEST(Ida, InterpolatesOnTheWay) {
  const Model model = read(pendulum);
  Evaluator evaluator(*model.motion, model.start, {Engine::interpreted});
  const IntegratorPtr ida = make_ida(evaluator, {1e-10, 1e-10});
  ASSERT_TRUE(ida->begin(0, evaluator.pack(model.start), 1));
  double y[4], largest = 0, worst = 0;
  while (ida->time() < 1) {
    const double before = ida->time();
    ASSERT_EQ(ida->step(1), StepOutcome::stepped);
    const double middle = (before + ida->time()) / 2;
    ida->interpolate(middle, y);
    largest = std::max(largest, evaluator.residuals(middle, y).level);
    const Evaluator::Energies energies = evaluator.energies(middle, y);  // at rest at y = -0.6
    worst = std::max(worst, std::abs(energies.kinetic + energies.potential + 0.6 * 9.81));
  }
  EXPECT_LT(largest, 1e-13);
  EXPECT_LT(worst, 1e-7);
}

TEST(Ida, UndeterminedFactorsAreRefusedInWords) {
  const Model model = read_file("gallissot/point_same_relation_twice.lia");
  Evaluator evaluator(*model.motion, model.start, {Engine::interpreted});
  const IntegratorPtr ida = make_ida(evaluator, {});
  EXPECT_FALSE(ida->begin(0, evaluator.pack(model.start), 1));
  EXPECT_NE(ida->failure().find("not determined"), std::string::npos) << ida->failure();
}

TEST(Ida, AToleranceOfNothingIsRefused) {
  const Model model = read(pendulum);
  Evaluator evaluator(*model.motion, model.start, {Engine::interpreted});
  const IntegratorPtr ida = make_ida(evaluator, {0, 0});
  const bool begun = ida->begin(0, evaluator.pack(model.start), 1);
  EXPECT_TRUE(!begun || run_to(*ida, 1) != StepOutcome::stepped);
  EXPECT_FALSE(ida->failure().empty());
}

TEST(Ida, AFallToTheCentreEndsWithAnOutcome) {
  const Model fall = read("param k = 1\ncoord r\nkinetic r'^2/2\npotential -k/r\nstart r = 1, r' = 0\n");
  Evaluator evaluator(*fall.motion, fall.start, {Engine::interpreted});
  const IntegratorPtr ida = make_ida(evaluator, {1e-8, 1e-10});
  ASSERT_TRUE(ida->begin(0, evaluator.pack(fall.start), 5));
  EXPECT_NE(run_to(*ida, 5), StepOutcome::stepped);
  EXPECT_NEAR(ida->time(), std::acos(-1.0) / (2 * std::sqrt(2.0)), 1e-4);
  EXPECT_FALSE(ida->failure().empty());
}

TEST(Cvode, ProjectsInsideOfItsSteps) {
  const Model model = read(double_pendulum);
  Evaluator evaluator(*model.motion, model.start, {Engine::interpreted});
  const Rates rates = [&](double t, const double* y, double* dy) { return evaluator.rates(t, y, dy); };
  const std::vector<double> start = evaluator.pack(model.start);
  const auto project = [&](double t, double* y) { return evaluator.project(t, y); };
  const IntegratorPtr kept = make_cvode(rates, evaluator.size(), {1e-8, 1e-8}, {.project = project});
  const IntegratorPtr free = make_cvode(rates, evaluator.size(), {1e-8, 1e-8});
  EXPECT_TRUE(kept->keeps_constraints());
  EXPECT_FALSE(free->keeps_constraints());
  for (Integrator* method : {kept.get(), free.get()}) {
    ASSERT_TRUE(method->begin(0, start, 2));
    ASSERT_EQ(run_to(*method, 2), StepOutcome::stepped);
  }
  EXPECT_LT(evaluator.residuals(2, kept->state().data()).level, 1e-13);
  EXPECT_GT(evaluator.residuals(2, free->state().data()).level, 1e-11);
  EXPECT_LT(kept->evaluations(), 2 * free->evaluations());
}

}  // namespace
}  // namespace liaison
