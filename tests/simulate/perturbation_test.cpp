#include "liaison/simulate/perturbation.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "liaison/simulate/reference.hpp"
#include "simulate_support.hpp"

// Derivatives by the linearised equations against differences of trajectories to 30 digits.

namespace liaison {
namespace {

using test::read_runnable;
using test::read_runnable_file;
using test::RunnableModel;

/// A motion with deviations of its whole state space, and of all its parameters.
struct Followed {
  std::vector<Expr> parameters;
  std::vector<std::vector<double>> begin;  ///< deviations at the start
  PerturbedRunResult result;
};

Followed follow(const RunnableModel& model, double until, double tolerance = 1e-13) {
  Followed followed;
  for (const Parameter& parameter : model.system->parameters) followed.parameters.push_back(parameter.symbol);
  Evaluator evaluator(*model.equations, model.start);
  PerturbationEquations equations(*model.equations, evaluator, model.start, followed.parameters);
  const std::vector<double> y = evaluator.pack(model.start);
  const double t = model.start.at(model.system->time);
  for (std::vector<double>& direction : equations.admissible(t, y.data())) {
    direction.resize(y.size() + followed.parameters.size());
    followed.begin.push_back(direction);
  }
  for (std::size_t p = 0; p < followed.parameters.size(); ++p) {
    std::vector<double> deviation(y.size() + followed.parameters.size());
    deviation[y.size() + p] = 1;
    EXPECT_TRUE(equations.make_admissible(t, y.data(), deviation.data()));
    followed.begin.push_back(deviation);
  }
  followed.result =
      follow_deviations(*model.equations, evaluator, equations, model.start, {}, {t, y, followed.begin},
                        {.until = until, .every = 0, .tolerance = {tolerance, tolerance * 1e-3}});
  return followed;
}

/// The largest difference from central differences of reference trajectories, relative to the column.
double worst(const RunnableModel& model, double until) {
  const Followed followed = follow(model, until);
  EXPECT_EQ(followed.result.outcome, SimulationOutcome::finished) << followed.result.message;
  if (followed.result.outcome != SimulationOutcome::finished) return 1;
  Pool& pool = *model.system->pool;
  const Evaluator evaluator(*model.equations, model.start);
  const std::vector<Expr>& symbols = evaluator.symbols();
  const double t = model.start.at(model.system->time);
  constexpr double h = 0x1p-30;  // exact; its square is far below the eight digits
  double result = 0;
  for (std::size_t c = 0; c < followed.begin.size(); ++c) {
    std::vector<double> slope(symbols.size());
    for (const double side : {-1.0, 1.0}) {
      ExactPoint start;
      const auto put = [&](Expr symbol, double deviation) {
        const Rational value = Rational::from_double(model.start.at(symbol)) +
                               Rational::from_double(deviation) * Rational::from_double(side * h);
        start[symbol] = pool.number(value);
      };
      for (std::size_t i = 0; i < symbols.size(); ++i) put(symbols[i], followed.begin[c][i]);
      for (std::size_t p = 0; p < followed.parameters.size(); ++p)
        put(followed.parameters[p], followed.begin[c][symbols.size() + p]);
      start[model.system->time] = pool.number(Rational::from_double(t));
      for (const auto& [symbol, value] : model.start)
        if (symbol.symbol().kind == SymbolKind::multiplier)
          start[symbol] = pool.number(Rational::from_double(value));
      const ReferenceTrajectory end =
          reference_trajectory(*model.equations, start, t, until, {.digits = 26, .second_run = false});
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        const Rational value = *Rational::parse(end.y[i].digits);
        const Rational middle = Rational::from_double(followed.result.end.y[i]);
        slope[i] += ((value - middle) * Rational(side > 0 ? 1 : -1)).to_double() / (2 * h);
      }
    }
    double size = 0;
    for (double value : slope) size = std::max(size, std::abs(value));
    for (std::size_t i = 0; i < symbols.size(); ++i)
      result =
          std::max(result, std::abs(slope[i] - followed.result.end.deviations[c][i]) / std::max(size, 1e-3));
  }
  return result;
}

struct Named {
  const char* name;
  const char* text;
  double until;
};

TEST(Perturbation, AgreesWithDifferencesOfLongTrajectories) {
  const Named models[] = {
      {"a driven pendulum with drag",
       "param m = 2, g = 9.81, l = 0.7, A = 0.1, w = 3, c = 0.3\ncoord theta\n"
       "particle P mass m at [l*sin(theta), A*sin(w*t) - l*cos(theta)]\ngravity [0, -g]\n"
       "dissipation c/2*theta'^2\nstart theta = 0.4\n",
       1.5},
      {"a rod in coordinates",
       "param m = 2, g = 9.81, l = 0.5\ncoord x, y\nparticle P mass m at [x, y]\ngravity [0, -g]\n"
       "constraint rod: x^2 + y^2 = l^2\nstart x = 0.3, y = -0.4, x' = 1.6, y' = 1.2\n",
       1.0},
      {"a sleigh",
       "param m = 2, I = 0.75, a = 0.3\ncoord x, y, theta\n"
       "kinetic m/2*((x' - a*theta'*sin(theta))^2 + (y' + a*theta'*cos(theta))^2) + I/2*theta'^2\n"
       "constraint edge: x'*sin(theta) - y'*cos(theta) = 0\nstart theta = 0.2, theta' = 0.5, x' = 1.2\n",
       2.0},
      {"a driven crank with a rope",
       "param M = 2, m = 3, g = 9.81, a = 0.2, u = 0.5, l_0 = 2\ncoord x, l, theta\n"
       "particle A mass M at [x, 0]\nparticle B mass m at [x + l*sin(theta), -l*cos(theta)]\n"
       "gravity [0, -g]\nconstraint rail: x = a*t^2/2\nconstraint drum: l = l_0 - u*t\n"
       "start theta = 0.3, l = 2, l' = -0.5\n",
       1.0},
      {"a relation that is said twice",
       "param m = 1, g = 3\ncoord x, y\nparticle P mass m at [x, y]\ngravity [0, -g]\n"
       "constraint one: y = x^2\nconstraint two: 2*y = 2*x^2\nstart x = 0.5, y = 0.25, x' = 0.4, y' = 0.4\n",
       1.0},
      {"velocity parameters",
       "param m = 1.5, k = 2, W = 0.7\ncoord x, y\nvelocity u, v: x' = u + W*y, y' = v - W*x\n"
       "kinetic m/2*(x'^2 + y'^2)\npotential k/2*(x^2 + 2*y^2)\nstart x = 1, u = 0.3, v = 0.2\n",
       1.0},
      {"a rigid body",
       "param A = 1, B = 2, C = 3, g = 0.5\nrotation R (p, q, r) in body\n"
       "kinetic A/2*p^2 + B/2*q^2 + C/2*r^2\npotential g*R33\nstart p = 0.3, q = 1, r = 0.2\n",
       1.0},
      {"friction in its own direction",
       "param m = 1, g = 9.81, f = 0.2\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\npotential m*g*y\n"
       "constraint floor: y - x^2/4 = 0 power y' - x*x'/2 - f*sqrt(x'^2 + y'^2)\n"
       "start x = 0.1, y = 0.0025, x' = 2, y' = 0.1\n",
       0.3},
  };
  for (const auto& [name, text, until] : models) {
    SCOPED_TRACE(name);
    EXPECT_LT(worst(read_runnable(text), until), 1e-8);
  }
}

TEST(Perturbation, AgreesOnRandomModels) {
  std::mt19937 engine(20);
  const auto draw = [&](double low, double high) {
    const double unit = static_cast<double>(engine()) / 4294967296.0;
    return std::round((low + (high - low) * unit) * 1000) / 1000;
  };
  for (int k = 0; k < 12; ++k) {
    const bool holonomic = k % 3 == 0, rolls = k % 3 == 1;
    const std::string text = fmt::format(
        "param m = {}, k = {}, a = {}, w = {}, c = {}\ncoord x, y, z\n"
        "kinetic m/2*(x'^2 + (1 + a*sin(x)^2)*y'^2 + (2 + cos(y))*z'^2) + a*x'*z'*cos(t)\n"
        "potential k/2*(x - y)^2 + k*cos(z + {}*x) + {}*x^4\ndissipation c/2*(x'^2 + y'^2*z^2)\n"
        "force z = {}*sin(w*t) - c*z'^3\n{}start x = {}, y = {}, z = {}, x' = {}, y' = {}{}\n",
        draw(0.5, 3), draw(0.5, 5), draw(0.1, 0.5), draw(1, 4), draw(0, 0.5), draw(0, 2), draw(0, 1),
        draw(-2, 2),
        holonomic ? "constraint c: z = a*x*y + sin(w*t)/5\n"
        : rolls   ? "constraint c: z' - x*y' - a*cos(t) = 0\n"
                  : "",
        draw(-1, 1), draw(-1, 1), holonomic ? 0 : draw(-1, 1), draw(-1, 1), draw(-1, 1),
        holonomic || rolls ? "" : fmt::format(", z' = {}", draw(-1, 1)));
    SCOPED_TRACE(text);
    std::string given = text;
    if (holonomic) given.erase(given.find(", z = 0"), 7);
    EXPECT_LT(worst(read_runnable(given), 1.0), 1e-8);
  }
}

TEST(Perturbation, AgreesOnModelsOfTheCatalogue) {
  for (const char* path : {"classics/rolling_disc.lia", "classics/henon_heiles.lia", "driven/governor.lia",
                           "classics/double_pendulum.lia", "vujicic/incline_moving.lia"}) {
    SCOPED_TRACE(path);
    EXPECT_LT(worst(read_runnable_file(path), 0.5), 1e-8);
  }
}

TEST(Perturbation, DeviationsStayOnTheConstraintsForLong) {
  const RunnableModel model = read_runnable(
      "param m = 2, g = 9.81, l = 0.5\ncoord x, y\nparticle P mass m at [x, y]\ngravity [0, -g]\n"
      "constraint rod: x^2 + y^2 = l^2\nstart x = 0.3, y = -0.4\n");
  const Followed followed = follow(model, 50, 1e-9);
  ASSERT_EQ(followed.result.outcome, SimulationOutcome::finished);
  const PerturbedState& end = followed.result.end;
  for (const auto& deviation : end.deviations) {
    const double l = deviation[end.y.size() + 2];
    const double off = end.y[0] * deviation[0] + end.y[1] * deviation[1] - 0.5 * l;
    EXPECT_LT(std::abs(off), 1e-10 * (1 + std::abs(deviation[0]) + std::abs(deviation[1])));
  }
}

/// x'' = -k*sign(x): parabolas. From x0 at rest the motion passes zero after sqrt(2*x0/k), with the speed
/// sqrt(2*k*x0).
TEST(Perturbation, RelationsAreJudgedInTheirOwnSize) {
  for (const char* unit : {"1", "1e-8", "1e8"}) {
    const RunnableModel model = read_runnable(fmt::format(
        "param l = 0.5*{0}\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint rod: x^2 + y^2 = l^2\n"
        "start x = 0.3*{0}, y = 0.4*{0}\n",
        unit));
    const std::vector<Expr> parameters{model.system->parameters[0].symbol};
    Evaluator evaluator(*model.equations, model.start);
    PerturbationEquations equations(*model.equations, evaluator, model.start, parameters);
    const std::vector<double> y = evaluator.pack(model.start);
    std::vector<double> alone{0, 0, 0, 0, 1}, together{0.6, 0.8, 0, 0, 1}, free = alone;
    const std::vector<bool> all(4, true), one{true, false, false, false};
    EXPECT_FALSE(equations.make_admissible(0, y.data(), alone.data(), all)) << unit;
    EXPECT_TRUE(equations.make_admissible(0, y.data(), together.data(), all)) << unit;
    ASSERT_TRUE(equations.make_admissible(0, y.data(), free.data(), one)) << unit;
    EXPECT_NEAR(free[1], 1.25, 1e-12) << unit;
  }
}

TEST(Perturbation, PassesAChangeOfForm) {
  const RunnableModel model =
      read_runnable("param k = 2\ncoord x\nkinetic x'^2/2\nforce x = -k*sign(x)\nstart x = 1\n");
  const Followed followed = follow(model, 1.7);
  ASSERT_EQ(followed.result.outcome, SimulationOutcome::finished) << followed.result.message;
  const auto end = [](double k, double x0, double v0) {  // of the position, after the first passage
    const double late = (v0 + std::sqrt(v0 * v0 + 2 * k * x0)) / k, s = 1.7 - late;
    return -std::sqrt(v0 * v0 + 2 * k * x0) * s + k * s * s / 2;
  };
  const double h = 1e-5;
  const double by[] = {(end(2, 1 + h, 0) - end(2, 1 - h, 0)) / (2 * h),
                       (end(2, 1, h) - end(2, 1, -h)) / (2 * h),
                       (end(2 + h, 1, 0) - end(2 - h, 1, 0)) / (2 * h)};
  EXPECT_NEAR(followed.result.end.y[0], end(2, 1, 0), 1e-11);
  for (std::size_t c = 0; c < 3; ++c) {
    const std::vector<double>& first = followed.begin[c];
    const double expected = first[0] * by[0] + first[1] * by[1] + first[2] * by[2];
    EXPECT_NEAR(followed.result.end.deviations[c][0], expected, 1e-8);
  }
}

TEST(Perturbation, SaysWhereAMotionStays) {
  const RunnableModel model =
      read_runnable("param f = 2\ncoord x\nkinetic x'^2/2\nforce x = -f*sign(x')\nstart x' = 1\n");
  const Followed followed = follow(model, 3);
  EXPECT_EQ(followed.result.outcome, SimulationOutcome::singular);
  EXPECT_NE(followed.result.message.find("does not pass"), std::string::npos) << followed.result.message;
}

}  // namespace
}  // namespace liaison
