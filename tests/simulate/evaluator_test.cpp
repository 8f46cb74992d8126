#include "liaison/simulate/evaluator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "liaison/mechanics/initial_state.hpp"
#include "simulate_support.hpp"

namespace liaison {
namespace {

constexpr Assembly every_assembly[] = {Assembly::automatic, Assembly::unrolled, Assembly::factorised,
                                       Assembly::sparse};

struct Model {
  std::unique_ptr<System> system;
  std::unique_ptr<Algebra> algebra;
  AssembledEquations equations;
  std::unique_ptr<Motion> motion;
  DoublePoint start;
};

Model read(const std::string& text) {
  Model model;
  model.system = test::read_system(text);
  model.algebra = std::make_unique<Algebra>(*model.system->pool);
  model.equations = assemble_equations(*model.algebra, *model.system);
  return model;
}

Model read_with_motion(const std::string& text) {
  Model model = read(text);
  model.motion = std::make_unique<Motion>(derive_motion(*model.algebra, *model.system));
  const CompletedState state = complete_state(*model.motion, {});
  EXPECT_TRUE(state.ok());
  model.start = state.values;
  return model;
}

std::string file(const std::string& path) {
  return test::model_text(path);
}

DoublePoint parameters_of(const System& system) {
  DoublePoint point;
  for (const Parameter& parameter : system.parameters)
    if (parameter.value) point[parameter.symbol] = parameter.value->to_double();
  return point;
}

/// Near a state, on the constraints.
std::vector<double> state_near(Evaluator& evaluator, std::vector<double> y, std::mt19937& random,
                               double width = 0.2, double t = 0) {
  std::uniform_real_distribution<double> change(-width, width);
  for (double& value : y) value += change(random);
  EXPECT_TRUE(evaluator.project(t, y.data()));
  return y;
}

struct Rates {
  bool there = false;
  std::vector<double> values;  ///< dy, then factors
};

Rates rates_of(Evaluator& evaluator, const std::vector<double>& y, double t = 0) {
  Rates result;
  result.values.resize(y.size());
  result.there = evaluator.rates(t, y.data(), result.values.data());
  result.values.insert(result.values.end(), evaluator.factors().begin(), evaluator.factors().end());
  return result;
}

void expect_same(const Rates& one, const Rates& other, const std::string& where, double tolerance = 1e-9) {
  ASSERT_EQ(one.there, other.there) << where;
  if (!one.there) return;
  double size = 1;
  for (double value : one.values) size = std::max(size, std::abs(value));
  for (std::size_t i = 0; i < one.values.size(); ++i)
    EXPECT_NEAR(one.values[i], other.values[i], tolerance * size) << where << ", value " << i;
}

/// A plane chain of bars in absolute coordinates, hung up at one end; joints are relations between positions.
std::string chain_of_bars(std::size_t count) {
  std::ostringstream text;
  text << "param m = 1, J = 0.1, h = 0.5, g = 9.81\n";
  for (std::size_t i = 1; i <= count; ++i) text << "coord x" << i << ", y" << i << ", a" << i << "\n";
  for (std::size_t i = 1; i <= count; ++i)
    text << "kinetic m/2*(x" << i << "'^2 + y" << i << "'^2) + J/2*a" << i << "'^2\n";
  for (std::size_t i = 1; i <= count; ++i) text << "force y" << i << " = -m*g\n";
  for (std::size_t i = 1; i <= count; ++i) {
    text << "constraint px" << i << ": x" << i << " - h*cos(a" << i << ")";
    if (i > 1) text << " - x" << i - 1 << " - h*cos(a" << i - 1 << ")";
    text << " = 0\nconstraint py" << i << ": y" << i << " - h*sin(a" << i << ")";
    if (i > 1) text << " - y" << i - 1 << " - h*sin(a" << i - 1 << ")";
    text << " = 0\n";
  }
  return text.str();
}

std::vector<double> chain_state(std::size_t count) {
  std::vector<double> y;
  double x = 0, height = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = 0.3 * std::sin(static_cast<double>(i));
    y.insert(y.end(), {x + std::cos(angle) / 2, height + std::sin(angle) / 2, angle});
    x += std::cos(angle);
    height += std::sin(angle);
  }
  y.resize(2 * y.size());
  for (std::size_t i = 0; i < count; ++i) y[3 * count + 3 * i + 2] = std::cos(static_cast<double>(i));
  return y;
}

class EveryModel : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryModel, AssembliesAndEnginesAgreeAtRandomStates) {
  const Model model = read_with_motion(file(GetParam()));
  Evaluator reference(*model.motion, model.start, {Engine::interpreted, Assembly::factorised});
  const auto time = model.start.find(model.system->time);
  const double t = time == model.start.end() ? 0 : time->second;
  std::mt19937 random(7);
  std::vector<std::vector<double>> states{reference.pack(model.start)};
  for (int k = 0; k < 4; ++k) states.push_back(state_near(reference, states[0], random, 0.2, t));
  std::vector<Rates> expected;
  for (const std::vector<double>& y : states) {
    expected.push_back(rates_of(reference, y, t));
    EXPECT_TRUE(expected.back().there) << reference.failure();
  }
  for (Engine engine : {Engine::compiled, Engine::interpreted}) {
    for (Assembly assembly : every_assembly) {
      const std::string where = fmt::format("{}, engine {}, assembly {}", GetParam(),
                                            static_cast<int>(engine), static_cast<int>(assembly));
      Evaluator other(model.equations, model.start, {engine, assembly});
      for (std::size_t k = 0; k < states.size(); ++k) {
        expect_same(expected[k], rates_of(other, states[k], t), where);
        std::vector<double> y = states[k];
        EXPECT_TRUE(other.project(t, y.data())) << where;
        for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], states[k][i], 1e-12) << where;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, EveryModel,
    ::testing::Values("classics/four_bar.lia", "classics/rolling_disc.lia", "classics/tilting_disc.lia",
                      "classics/sphere_sliding.lia", "classics/sphere_rolling.lia", "classics/servo_cart.lia",
                      "classics/chaplygin_sleigh.lia", "classics/spinning_top.lia",
                      "classics/double_pendulum.lia", "classics/appell_hamel.lia",
                      "classics/magnetic_field.lia", "classics/bead_on_hoop.lia",
                      "gallissot/disc_on_incline_law_of_friction.lia",
                      "gallissot/point_same_relation_twice.lia", "gallissot/sphere_on_driven_plate.lia",
                      "gallissot/bead_on_turning_wire.lia", "massa_pagani/f1_sleigh2.lia"));

TEST(Evaluator, NoFormIsCompiledThatExpandsWhatIsWritten) {
  const struct {
    const char* force;
    double t, x, rate;
  } rows[] = {{"-x + sin(0.22*t + 0.21)", 5, 0.1, -0.1 + std::sin(0.22 * 5 + 0.21)},
              {"-x + sin(-0.52*t - 0.62)", 3, 0.1, -0.1 - std::sin(0.52 * 3 + 0.62)},
              {"-(x - 1000)^3", 0, 1000.125, -0.001953125},
              {"max(x, -1e12)", 0, 0.1, 0.1}};
  for (const auto& row : rows) {
    const Model model =
        read_with_motion(std::string("coord x\nkinetic x'^2/2\nforce x = ") + row.force + "\n");
    for (const Assembly wanted : {Assembly::automatic, Assembly::closed_form}) {
      Evaluator evaluator(model.equations, model.start, {.assembly = wanted}, model.motion.get());
      const std::vector<double> y{row.x, 0};
      std::vector<double> rates(2);
      ASSERT_TRUE(evaluator.rates(row.t, y.data(), rates.data()));
      EXPECT_NEAR(rates[1], row.rate, 4e-16) << row.force;
    }
  }
}

TEST(Evaluator, SumsAndSmallMultiplesOfAnglesAreNoExpansion) {
  const Model model = read_with_motion(
      "coord a, b\nkinetic a'^2 + b'^2/2 + a'*b'*cos(a - b)\npotential -2*cos(a) - cos(b)\nstart a = 1\n");
  Evaluator evaluator(model.equations, model.start, {.assembly = Assembly::closed_form}, model.motion.get());
  EXPECT_EQ(evaluator.assembly(), Assembly::closed_form);
}

TEST(Evaluator, ProjectionMovesTheLeastInTheMassMetric) {
  const Model model = read_with_motion(file("classics/four_bar.lia"));
  for (Assembly assembly : every_assembly) {
    Evaluator evaluator(model.equations, model.start, {Engine::compiled, assembly});
    std::mt19937 random(3);
    const std::vector<double> y = state_near(evaluator, evaluator.pack(model.start), random, 1e-2);
    const Evaluator::Residuals residuals = evaluator.residuals(0, y.data());
    EXPECT_LT(residuals.level, 1e-14);
    EXPECT_LT(residuals.relation, 1e-14);
    std::vector<double> again = y;
    EXPECT_TRUE(evaluator.project(0, again.data()));
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(again[i], y[i], 1e-14);
    const std::vector<double> settled = again;
    EXPECT_TRUE(evaluator.project(0, again.data()));
    EXPECT_EQ(again, settled);  // nothing left to do: not a bit changes
  }
}

/// A relation whose gradient vanishes at x = 0 next to one that does not: r is singular there, and only
/// there.
TEST(Evaluator, ATinyPivotFallsBackToDenseFactors) {
  const Model model = read(
      "param m = 1\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2 + z'^2)\nforce x = 1\n"
      "constraint one: x' + y' = 0\nconstraint two: x'*cos(z) + y'*exp(-z^2) = 0\n");
  const DoublePoint parameters = parameters_of(*model.system);
  Evaluator dense(model.equations, parameters, {Engine::interpreted, Assembly::factorised});
  for (Assembly assembly : {Assembly::unrolled, Assembly::sparse}) {
    Evaluator other(model.equations, parameters, {Engine::compiled, assembly});
    ASSERT_EQ(other.assembly(), assembly);
    for (double z : {1.0, 0.1, 1e-4, 1e-6, 0.0}) {  // at 0 both relations are the same
      const std::vector<double> y{0, 0, z, 0, 0, 0};
      expect_same(rates_of(dense, y), rates_of(other, y), fmt::format("z = {}", z), 1e-6);
    }
  }
}

TEST(Evaluator, ContradictoryConstraintsAreNamed) {
  const Model model =
      read("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint one: x' = 0\nconstraint two: x' - t = 0\n");
  for (Assembly assembly : every_assembly) {
    Evaluator evaluator(model.equations, {}, {Engine::compiled, assembly});
    const std::vector<double> y(4, 0);
    EXPECT_FALSE(rates_of(evaluator, y).there);
    EXPECT_NE(evaluator.failure().find("contradictory"), std::string::npos) << evaluator.failure();
  }
}

TEST(Quantities, UseAccelerationsAndFactorsWithoutAClosedForm) {
  const Model model = read(
      "param m = 2, g = 9.81\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\npotential m*g*y\n"
      "constraint bar: x^2 + y^2 = 1\noutput fall = y''\noutput tension = lambda(bar)\noutput total = T + "
      "V\n");
  const DoublePoint parameters = parameters_of(*model.system);
  Evaluator evaluator(model.equations, parameters);
  Observations observations = observe(*model.algebra, model.equations, parameters);
  const std::vector<double> y{1, 0, 0, 0};
  std::vector<double> dy(4);
  ASSERT_TRUE(evaluator.rates(0, y.data(), dy.data()));
  double values[3];
  ASSERT_TRUE(observations.outputs.evaluate(0, y.data(), dy.data() + 2, evaluator.factors(), values));
  EXPECT_NEAR(values[0], -9.81, 1e-12);
  EXPECT_NEAR(values[1], 0, 1e-12);
  EXPECT_NEAR(values[2], 0, 1e-12);
}

TEST(Evaluator, FactorsInTheirOwnDirectionsSettleOrAreRefused) {  // lambda (1 + k lambda) = m g
  for (double k : {0.1, 20.0, 2000.0}) {
    const Model model = read(
        "param m = 1, k = 1, g = 9.81\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\npotential m*g*y\n"
        "constraint c: y' - x' = 0  power y' - k*lambda(c)*x'\n");
    DoublePoint parameters = parameters_of(*model.system);
    parameters[model.system->parameters[1].symbol] = k;
    Evaluator evaluator(model.equations, parameters);
    ASSERT_TRUE(rates_of(evaluator, std::vector<double>(4, 0)).there) << evaluator.failure();
    EXPECT_NEAR(evaluator.factors()[0], (std::sqrt(1 + 4 * k * 9.81) - 1) / (2 * k), 1e-11) << k;
  }
  const Model none = read(  // the next guess jumps over the place where it would stay
      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential y\n"
      "constraint c: y' - x' = 0  power y' + (1 + sign(lambda(c) - 1/2)/2)*x'\n");
  Evaluator evaluator(none.equations, {});
  EXPECT_FALSE(rates_of(evaluator, std::vector<double>(4, 0)).there);
  EXPECT_NE(evaluator.failure().find("do not settle"), std::string::npos) << evaluator.failure();
}

TEST(Evaluator, PiecesAreTheEquationsThatTheRatesSolve) {
  const Model model = read_with_motion(file("classics/tilting_disc.lia"));
  Evaluator evaluator(model.equations, model.start);
  const std::vector<double> y = evaluator.pack(model.start);
  const Rates rates = rates_of(evaluator, y);
  Evaluator::Pieces pieces;
  ASSERT_TRUE(evaluator.pieces(0, y.data(), evaluator.factors(), pieces));
  const std::size_t n = evaluator.direction_count(), first = evaluator.position_count();
  for (std::size_t i = 0; i < n; ++i) {
    double left = -pieces.load[i];
    for (std::size_t j = 0; j < n; ++j) left += pieces.mass[i * n + j] * rates.values[first + j];
    for (std::size_t h = 0; h < evaluator.factor_count(); ++h)
      left -= evaluator.factors()[h] * pieces.directions[h * n + i];
    EXPECT_NEAR(left, 0, 1e-9) << i;
  }
  for (std::size_t k = 0; k < evaluator.relation_count(); ++k) {
    double left = pieces.bias[k];
    for (std::size_t j = 0; j < n; ++j) left += pieces.gradients[k * n + j] * rates.values[first + j];
    EXPECT_NEAR(left, 0, 1e-9) << k;
  }
}

TEST(Evaluator, AChainCostsInProportionToItsLength) {
  for (Assembly assembly : {Assembly::sparse, Assembly::unrolled}) {
    std::vector<double> counts;
    for (std::size_t bars : {50, 100, 200}) {
      const Model model = read(chain_of_bars(bars));
      Evaluator evaluator(model.equations, parameters_of(*model.system), {Engine::interpreted, assembly});
      counts.push_back(static_cast<double>(evaluator.operation_count()));
    }
    const double first = (counts[1] - counts[0]) / 50, second = (counts[2] - counts[1]) / 100;
    EXPECT_NEAR(second / first, 1, 0.02);  // operations that one more bar costs
    EXPECT_LT(second, 200);
  }
}

TEST(Evaluator, TheAssemblyFollowsSizeAndPattern) {
  const auto chosen = [](std::size_t bars) {
    const Model model = read(chain_of_bars(bars));
    return Evaluator(model.equations, parameters_of(*model.system)).assembly();
  };
  EXPECT_EQ(chosen(20), Assembly::unrolled);
  EXPECT_EQ(chosen(3000), Assembly::sparse);
  std::string kinetic = "(a1'", names = "coord a1";  // every velocity coupled with every other
  for (std::size_t i = 2; i <= 70; ++i) {
    names += fmt::format(", a{}", i);
    kinetic += fmt::format(" + a{}'", i);
  }
  kinetic += ")^2/2";
  for (std::size_t i = 1; i <= 70; ++i) kinetic += fmt::format(" + a{}'^2/2", i);
  const Model full = read(names + "\nkinetic " + kinetic + "\n");
  EXPECT_EQ(Evaluator(full.equations, {}).assembly(), Assembly::factorised);
}

TEST(Evaluator, ALongChainIsProjectedAndAgreesWithDenseFactors) {
  const std::size_t bars = 60;
  const Model model = read(chain_of_bars(bars));
  const DoublePoint parameters = parameters_of(*model.system);
  Evaluator sparse(model.equations, parameters, {Engine::compiled, Assembly::sparse}),
      dense(model.equations, parameters, {Engine::compiled, Assembly::factorised});
  std::mt19937 random(5);
  const std::vector<double> y = state_near(sparse, chain_state(bars), random, 1e-2);
  EXPECT_LT(sparse.residuals(0, y.data()).level, 1e-13);
  expect_same(rates_of(dense, y), rates_of(sparse, y), "chain");
  std::vector<double> one = chain_state(bars), other = one;
  for (std::size_t i = 0; i < one.size(); ++i)
    one[i] = other[i] += 1e-3 * std::cos(7.0 * static_cast<double>(i));
  ASSERT_TRUE(sparse.project(0, one.data()));
  ASSERT_TRUE(dense.project(0, other.data()));
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], other[i], 1e-11);
}

/// Rest is of a state: where the relation loses its rank the body may move, also for who rested elsewhere.
TEST(Evaluator, RestIsLeftAgain) {
  const Model model = read("coord x\nkinetic x'^2/2\nforce x = 1\nconstraint c: x*x' = 0\nstart x = 1\n");
  Evaluator evaluator(model.equations, parameters_of(*model.system));
  std::vector<double> resting{1, 1e-17}, moving{0, 1};
  EXPECT_TRUE(evaluator.stay_at_rest(0, resting.data()));
  ASSERT_TRUE(evaluator.project(0, resting.data()));
  EXPECT_EQ(resting[1], 0);
  evaluator.leave_rest();
  ASSERT_TRUE(evaluator.project(0, moving.data()));
  EXPECT_EQ(moving[1], 1);
  EXPECT_FALSE(evaluator.stay_at_rest(0, moving.data()));
}

/// What rests beside what moves: as long as nothing that moves can change what holds it.
TEST(Evaluator, PartsRestByThemselves) {
  const std::string three = "coord x, y, z\nkinetic x'^2 + y'^2 + z'^2\nforce x = 1\n";
  const Model held = read(three + "constraint c: y' + 2*z' = 0\nconstraint d: y' - z' = 0\n");
  Evaluator evaluator(held.equations, parameters_of(*held.system));
  std::vector<double> state{0, 0, 0, 1, 1e-17, -1e-17};
  EXPECT_FALSE(evaluator.stay_at_rest(0, state.data()));
  ASSERT_TRUE(evaluator.project(0, state.data()));
  EXPECT_EQ(state, (std::vector<double>{0, 0, 0, 1, 0, 0}));
  evaluator.leave_rest();

  const Model lost = read("coord x, y\nkinetic x'^2 + y'^2\nconstraint c: x*y' = 0\n");
  Evaluator other(lost.equations, parameters_of(*lost.system));
  std::vector<double> first{1, 0, -1, 0}, later{0, 0, -1, 1};
  EXPECT_FALSE(other.stay_at_rest(0, first.data()));
  ASSERT_TRUE(other.project(1, later.data()));
  EXPECT_EQ(later[3], 1);
}

/// Rates that were the last to be found are not solved for again; whatever is asked in between, they are
/// those of the state.
TEST(Evaluator, RatesAreThoseOfTheStateWhateverWasAskedBefore) {
  for (const char* path :
       {"classics/tilting_disc.lia", "classics/four_bar.lia", "classics/sphere_rolling.lia"}) {
    const test::RunnableModel model = test::read_runnable_file(path);
    for (const Assembly assembly : every_assembly) {
      const auto made = [&] {
        return Evaluator(
            *model.equations, model.start,
            {.engine = Engine::interpreted, .assembly = assembly, .parameters = ParameterUse::inputs});
      };
      Evaluator evaluator = made();
      const std::vector<double> one = evaluator.pack(model.start);
      std::vector<double> other = one, off = one;
      for (double& value : other) value += 0.01;
      for (double& value : off) value += 0.02;
      ASSERT_TRUE(evaluator.project(0, other.data())) << path;
      const auto expect_rates = [&](const std::vector<double>& y, double t, const char* after) {
        Evaluator fresh = made();
        for (int time = 0; time < 2; ++time)
          EXPECT_EQ(rates_of(evaluator, y, t).values, rates_of(fresh, y, t).values) << path << after;
      };
      expect_rates(one, 0, " at first");
      evaluator.energies(0, other.data());
      expect_rates(other, 0, " after energies there");
      evaluator.energies(0, one.data());
      expect_rates(other, 0, " after energies elsewhere");
      std::vector<double> moved = off;
      evaluator.project(0, moved.data());
      expect_rates(off, 0, " after a projection from there");
      evaluator.project(0, moved.data());
      expect_rates(moved, 0, " after a projection to there");
      evaluator.residuals(0.5, moved.data());
      expect_rates(moved, 0.5, " at another time");
      std::vector<double> active(one.size());
      evaluator.active_rates(0.5, moved.data(), std::vector<bool>(evaluator.relation_count(), false),
                             active.data());
      expect_rates(moved, 0.5, " after those without relations");
      DoublePoint heavier = model.start;
      for (const Parameter& parameter : model.system->parameters) heavier[parameter.symbol] *= 1.5;
      evaluator.set_parameters(heavier);
      Evaluator fresh = made();
      fresh.set_parameters(heavier);
      EXPECT_EQ(rates_of(evaluator, moved, 0.5).values, rates_of(fresh, moved, 0.5).values) << path;
    }
  }
}

}  // namespace
}  // namespace liaison
