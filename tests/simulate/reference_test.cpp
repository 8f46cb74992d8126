#include "liaison/simulate/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "liaison/expr/substitute.hpp"
#include "liaison/mechanics/initial_state.hpp"
#include "liaison/mechanics/motion.hpp"
#include "simulate_support.hpp"

namespace liaison {
namespace {

struct Model {
  std::unique_ptr<System> system;
  std::unique_ptr<Algebra> algebra;
  AssembledEquations equations;
  ExactPoint start;

  Expr operator[](const std::string& name) const {
    const Expr symbol = system->pool->find_symbol(name);
    if (symbol.empty()) throw std::runtime_error("no symbol " + name);
    return symbol;
  }
  /// For so long, from the time of the start.
  ReferenceTrajectory run(const Rational& duration, const ReferenceOptions& options = {}) const {
    const Rational& begin = start.at(system->time).number();
    return reference_trajectory(equations, start, begin, begin + duration, options);
  }
};

Model read(const std::string& text) {
  Model model;
  model.system = test::read_system(text);
  model.algebra = std::make_unique<Algebra>(*model.system->pool);
  const Motion motion = derive_motion(*model.algebra, *model.system, {.max_directions = 0});
  model.equations = assembled(motion);
  const CompletedState state = complete_state(motion, {});
  EXPECT_TRUE(state.ok());
  model.start = exact_start(*model.system, state.values);
  return model;
}

/// The exact value of a constant expression in digits.
std::string digits_of(Expr constant, long digits = 30) {
  return evaluate_digits(constant, {}, digits + 5).value->to_string(digits);
}

Rational rational(const std::string& decimal) {
  return *Rational::parse(decimal);
}

double difference(const std::string& a, const std::string& b) {
  return std::abs((rational(a) - rational(b)).to_double());
}

/// A value in the model's symbols at the end of a trajectory, exact for its printed digits.
Rational value_at_end(const Model& model, const ReferenceTrajectory& trajectory, Expr e) {
  RationalPoint point;
  for (const auto& [symbol, value] : model.start) {
    if (value.is_number()) point.emplace(symbol, value.number());
  }
  for (std::size_t i = 0; i < trajectory.symbols.size(); ++i) {
    point.insert_or_assign(trajectory.symbols[i], rational(trajectory.y[i].digits));
  }
  for (std::size_t h = 0; h < trajectory.factors.size(); ++h) {
    point.insert_or_assign(model.equations.factors[h], rational(trajectory.factors[h].digits));
  }
  const LongValue value = evaluate_digits(e, point, 40);
  if (!value.value) throw std::runtime_error(value.reason());
  return rational(value.value->to_string(45));
}

std::string message_of(const std::function<void()>& call, ErrorCode expected) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), expected) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST(Reference, TakesParametersWithoutRounding) {
  const Model model = read("param a = 90 [deg]\ncoord x\nkinetic x'^2/2\npotential a*x\n");
  const std::string digits = digits_of(model.start.at(model["a"]), 60);
  EXPECT_EQ(digits.substr(0, 58), "1.57079632679489661923132169163975144209858469968755291048");
}

TEST(Reference, OscillatorHasThirtyDigits) {
  const Model model =
      read("param k = 7/3\ncoord x\nkinetic x'^2/2\npotential k*x^2/2\nstart x = 1/3, x' = 2\n");
  const Rational end(31, 10);
  const ReferenceTrajectory found = model.run(end);
  Pool& pool = *model.system->pool;
  const Expr w = sqrt(pool.number(Rational(7, 3)));
  const Expr x = cos(end * w) / 3 + 2 * sin(end * w) / w, v = 2 * cos(end * w) - w * sin(end * w) / 3;
  EXPECT_LT(difference(found[model["x"]].digits, digits_of(x)), 1e-30);
  EXPECT_LT(difference(found[model["x'"]].digits, digits_of(v)), 2e-30);
  EXPECT_LT(std::abs(found.energy_change), 1e-29);
  EXPECT_LT(difference(found.potential.digits, digits_of(Rational(7, 6) * pow(x, 2))), 1e-29);
  EXPECT_GT(found.error, 0);
  EXPECT_LT(found.error, 1e-28);
  const ReferenceTrajectory longer = model.run(end, {.digits = 60});
  EXPECT_LT(difference(longer[model["x"]].digits, digits_of(x, 60)), 1e-60);
}

/// The eccentric anomaly u - e*sin(u) = mean, by Newton's method on exact numbers.
Rational kepler_equation(Pool& pool, const Rational& e, const Rational& mean) {
  const Expr u = pool.symbol("eccentric_anomaly");
  const Expr next = u - (u - e * sin(u) - mean) / (1 - e * cos(u));
  Rational value = mean;
  for (int round = 0; round < 12; ++round) {
    value = rational(evaluate_digits(next, {{u, value}}, 60).value->to_string(60));
  }
  return value;
}

TEST(Reference, KeplerHasThirtyDigits) {  // semi-axis 1, attraction 1, excentricity e: from the perihelion
  const Model model = read(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt(x^2 + y^2)\n"
      "start x = 2/5, y' = 2\n");  // e = 3/5: x = 1 - e, y' = sqrt((1 + e)/(1 - e))
  const Rational e(3, 5), end(5);
  const ReferenceTrajectory found = model.run(end);
  Pool& pool = *model.system->pool;
  const Expr u = pool.number(kepler_equation(pool, e, end));
  EXPECT_LT(difference(found[model["x"]].digits, digits_of(cos(u) - e)), 1e-29);
  EXPECT_LT(difference(found[model["y"]].digits, digits_of(Rational(4, 5) * sin(u))), 1e-29);
  EXPECT_LT(difference(found[model["x'"]].digits, digits_of(-sin(u) / (1 - e * cos(u)))), 1e-29);
  EXPECT_LT(std::abs(found.energy_change), 1e-29);
}

/// The decimal number on the right of a claim as it is written.
std::string printed_value(const Claim& claim) {
  const std::regex pattern("== (-?[0-9]+[.]?[0-9]*)");
  std::smatch match;
  return std::regex_search(claim.text, match, pattern) ? match[1].str() : "";
}

struct Timed {
  const char* model;
  std::size_t count;   ///< of claims in time
  double units = 0.5;  ///< of the last printed digit: the value is rounded
};
class CatalogueInTime : public ::testing::TestWithParam<Timed> {};

TEST_P(CatalogueInTime, AllPrintedDigits) {
  const Model model = read(test::model_text("gallissot/" + std::string(GetParam().model) + ".lia"));
  std::size_t count = 0;
  for (const Claim& claim : model.system->claims) {
    if (claim.after.empty()) continue;
    ++count;
    for (const InitialValue& value : claim.at) {  // all are from the start of the model
      ASSERT_EQ(substitute(value.value, model.start), model.start.at(value.symbol)) << claim.text;
    }
    const ReferenceTrajectory found = model.run(claim.after.number());
    EXPECT_LT(found.error, 1e-28);
    EXPECT_LT(found.level_residual, 1e-28);
    EXPECT_LT(found.relation_residual, 1e-28);
    const std::string printed = printed_value(claim);
    const std::size_t point = printed.find('.');
    const double last = point == std::string::npos
                            ? claim.within->to_double()
                            : std::pow(10.0, -static_cast<double>(printed.size() - 1 - point));
    const Rational exact = value_at_end(model, found, claim.left);
    EXPECT_LE(std::abs((exact - rational(printed)).to_double()), GetParam().units * last)
        << claim.text << ": " << exact.to_double();
  }
  EXPECT_EQ(count, GetParam().count);
}
INSTANTIATE_TEST_SUITE_P(Models, CatalogueInTime,
                         ::testing::Values(Timed{"vertical_throw_quadratic", 4},
                                           Timed{"point_sliding_on_incline", 4},
                                           Timed{"sphere_on_incline_sliding", 4}, Timed{"bar_on_circle", 2},
                                           Timed{"heavy_point_in_spherical_velocity", 5},
                                           // p(0.05) is printed with a last digit of 8; 9 is right
                                           Timed{"sphere_on_two_planes", 5, 1.5},
                                           Timed{"pendulum_time_derivatives", 1},
                                           Timed{"disc_on_catenary_sliding", 4}),
                         [](const auto& timed) { return timed.param.model; });

TEST(Reference, ColumnsOfTheExtrapolationHaveTwiceTheirOrder) {
  const Model model = read("coord q\nkinetic q'^2/2\npotential -cos(q)\nstart q = 1\n");
  const Rational exact = rational(model.run(1, {.digits = 60}).y[0].digits);
  for (std::size_t columns : {1U, 2U, 4U, 7U, 12U}) {
    double errors[2];
    for (int halving = 0; halving < 2; ++halving) {
      const ReferenceTrajectory found = model.run(
          1,
          {.digits = 60, .second_run = false, .columns = columns, .step = halving == 0 ? 0.0625 : 0.03125});
      errors[halving] = std::abs((rational(found.y[0].digits) - exact).to_double());
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0 * static_cast<double>(columns), 0.2) << columns;
  }
}

TEST(Reference, APendulumInCartesianCoordinatesStaysOnItsCircle) {
  const Model model = read(
      "param l = 6/5, g = 9.81\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\n"
      "constraint rod: x^2 + y^2 = l^2\nstart x = l*sin(0.7), y = -l*cos(0.7)\n");
  const ReferenceTrajectory found = model.run(2);
  EXPECT_LT(std::abs(found.energy_change), 1e-28);
  EXPECT_LT(found.level_residual, 1e-28);
  EXPECT_LT(found.relation_residual, 1e-28);
  EXPECT_LT(found.error, 1e-28);

  const Model angle =
      read("param l = 6/5, g = 9.81\ncoord q\nkinetic l^2*q'^2/2\npotential -g*l*cos(q)\nstart q = 0.7\n");
  const ReferenceTrajectory other = angle.run(2);
  Pool& pool = *angle.system->pool;
  const Expr q = pool.number(rational(other.y[0].digits)), w = pool.number(rational(other.y[1].digits));
  EXPECT_LT(difference(found[model["x"]].digits, digits_of(Rational(6, 5) * sin(q))), 1e-28);
  // 2*lambda*r = -(w^2 + g/l*cos(q)) r on the circle
  const Expr lambda = -(pow(w, 2) + Rational(327, 40) * cos(q)) / 2;
  EXPECT_LT(difference(found.factors[0].digits, digits_of(lambda)), 1e-27);
}

TEST(Reference, AStartKnownToRoundingIsMovedOntoTheConstraints) {
  const Model model = read(test::model_text("classics/four_bar.lia"));
  const ReferenceTrajectory found = model.run(Rational(1, 2));
  EXPECT_LT(found.level_residual, 1e-28);
  EXPECT_LT(found.relation_residual, 1e-28);
  EXPECT_LT(std::abs(found.energy_change), 1e-28);
  const ReferenceTrajectory loose = model.run(Rational(1, 2), {.settle = false, .second_run = false});
  EXPECT_GT(loose.level_residual, 1e-20);
}

TEST(Reference, ThereAndBackIsWhereItBegan) {
  const Model model = read(test::model_text("classics/double_pendulum.lia"));
  const ReferenceTrajectory there = model.run(1);
  ExactPoint turned = model.start;
  for (std::size_t i = 0; i < there.symbols.size(); ++i) {
    turned.insert_or_assign(there.symbols[i], model.system->pool->number(rational(there.y[i].digits)));
  }
  const ReferenceTrajectory back = reference_trajectory(model.equations, turned, 1, 0);
  for (std::size_t i = 0; i < back.symbols.size(); ++i) {
    EXPECT_LT(difference(back.y[i].digits, digits_of(model.start.at(back.symbols[i]))), 1e-26);
  }
}

TEST(Reference, AnImplicitLawOfFrictionIsTheExplicitOneWithItsReaction) {  // row G3.ex1-slip-fvN
  const std::string text = test::model_text("gallissot/disc_on_incline_law_of_friction.lia");
  const std::string law = "law(abs(V), lambda(line))*abs(V)";
  std::string given = text;
  ASSERT_NE(given.find(law), std::string::npos);
  given.replace(given.find(law), law.size(), "law(abs(V), M*g*cos(i))*abs(V)");
  const Model implicit = read(text), known = read(given);
  ASSERT_TRUE(implicit.equations.implicit);
  ASSERT_FALSE(known.equations.implicit);
  const Rational end(3, 10);
  const ReferenceTrajectory found = implicit.run(end), other = known.run(end);
  for (std::size_t i = 0; i < found.y.size(); ++i) {
    EXPECT_LT(difference(found.y[i].digits, other.y[i].digits), 1e-29) << i;
  }
  Pool& pool = *implicit.system->pool;
  EXPECT_LT(
      difference(found.factors[0].digits, digits_of(Rational(981, 50) * cos(pool.number(Rational(3, 10))))),
      1e-28);
}

/// Inertia that differs in x and y: friction along the curve has a part across it, and lambda is a root.
std::string sliding_on_a_curve(const std::string& start) {
  return "param f = 0.2, N0 = 40\ncoord x, y\nkinetic (x'^2 + 3*y'^2)/2\nforce y = -29.43\n"
         "constraint curve: y' - x*x' = 0  power y' - x*x' - f*(1 + lambda(curve)/N0)*sqrt(x'^2 + y'^2)\n"
         "start x = 1, y = 1/2, " +
         start + "\n";
}

TEST(Reference, FactorsThatEnterTheirOwnEquationAreFound) {
  const Model model = read(sliding_on_a_curve("x' = -1/2, y' = -1/2"));
  ASSERT_TRUE(model.equations.implicit);
  const ReferenceTrajectory found = model.run(Rational(1, 5));
  EXPECT_LT(found.relation_residual, 1e-28);
  EXPECT_LT(found.error, 1e-28);
  // x'' = (l_x lambda), 3 y'' = -29.43 + l_y lambda, y'' - x*x'' - x'^2 = 0, with l at this lambda
  const Expr x = model["x"], u = model["x'"], v = model["y'"], lambda = model.equations.factors[0];
  const Expr slip = sqrt(pow(u, 2) + pow(v, 2));
  const Expr law = Rational(1, 5) * (1 + lambda * Rational(1, 40));
  const Expr ax = lambda * (-x - law * u / slip);
  const Expr ay = (Rational(-2943, 100) + lambda * (1 - law * v / slip)) * Rational(1, 3);
  EXPECT_LT(std::abs(value_at_end(model, found, ay - x * ax - pow(u, 2)).to_double()), 1e-27);
  EXPECT_GT(found.factors[0].value, 1);
}

TEST(Reference, OfDependentRelationsTheFactorsHaveLeastNorm) {  // row G3.II-compat
  const Model model = read(test::model_text("gallissot/point_same_relation_twice.lia") + "start y' = 1\n");
  const ReferenceTrajectory found = model.run(1);
  EXPECT_LT(difference(found[model["y"]].digits, "1"), 1e-30);
  EXPECT_LT(difference(found.factors[0].digits, "-0.2"), 1e-30);
  EXPECT_LT(difference(found.factors[1].digits, "-0.4"), 1e-30);
}

TEST(Reference, DependenceOnTheConstraintsOnlyIsSeen) {  // the third relation follows from the other two
  const Model model = read(
      "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential y\n"
      "constraint circle: x^2 + y^2 = 1\nconstraint plane: z = 0\nconstraint sphere: x^2 + y^2 + z^2 + x*z = "
      "1\n"
      "start x = 0.6, y = -0.8\n");
  const ReferenceTrajectory found = model.run(2);
  EXPECT_LT(found.level_residual, 1e-28);
  EXPECT_LT(std::abs(found.energy_change), 1e-28);
}

TEST(Reference, BothAssembliesGiveOneTrajectory) {
  for (const char* path :
       {"classics/rolling_disc.lia", "classics/sphere_sliding.lia", "classics/double_pendulum.lia",
        "classics/appell_hamel.lia", "gallissot/bead_on_turning_wire.lia"}) {
    Model model = read(test::model_text(path));
    const ReferenceTrajectory one = model.run(Rational(1, 10), {.second_run = false});
    model.equations = assemble_equations(*model.algebra, *model.system);
    const ReferenceTrajectory other = model.run(Rational(1, 10), {.second_run = false});
    ASSERT_EQ(one.symbols, other.symbols) << path;
    for (std::size_t i = 0; i < one.y.size(); ++i) {
      EXPECT_LT(difference(one.y[i].digits, other.y[i].digits), 1e-28) << path;
    }
    for (std::size_t h = 0; h < one.factors.size(); ++h) {
      EXPECT_LT(difference(one.factors[h].digits, other.factors[h].digits), 1e-26) << path;
    }
  }
}

TEST(Reference, FailuresSayWhatAndWhere) {
  const auto message = [](const std::string& text, const Rational& until, ErrorCode code) {
    const Model model = read(text);
    return message_of([&] { model.run(until); }, code);
  };
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  const ErrorCode no_value = ErrorCode::undefined_constant, limit = ErrorCode::limit_reached;
  std::string text = message("coord x, y\nkinetic (x'^2 + x^2*y'^2)/2\nstart y' = 1\n", 1, no_value);
  has(text, "mass matrix is singular");
  has(text, "t = 0");
  text = message("coord x\nkinetic x'^2/2\nforce x = log(x - 1)\nstart x = 1/2\n", 1, no_value);
  has(text, "log(x - 1)");
  text = message("coord x\nkinetic x'^2/2\nforce x = 6*x^2\nstart x = 1, x' = 2\n", 2, limit);  // 1/(1 - t)^2
  has(text, "steps fall to nothing");
  has(text, "t = 0.99");
  text = message(sliding_on_a_curve("x' = 1/2, y' = 1/2"), Rational(1, 5), limit);  // it stops: a jump
  has(text, "steps fall to nothing");
  text =
      message("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 1\nconstraint c: x' = 0  by y'\n", 1, no_value);
  has(text, "no factors keep the relation `c`");
  text = message("coord x, y\nkinetic (x'^2 + y'^2)/2\nreaction push: x'\n", 1, no_value);
  has(text, "do not determine the acceleration of `x'`");

  Model model = read(
      "param l = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint rod: x^2 + y^2 = l^2\nstart x = 1\n");
  model.start.insert_or_assign(model["x"], model.system->pool->number(Rational(11, 10)));
  has(message_of([&] { model.run(1); }, no_value), "`rod`");
  has(message_of([&] { model.run(1, {.digits = 1000}); }, limit), "1000 digits");
  model.start.erase(model["x"]);
  has(message_of([&] { model.run(1); }, ErrorCode::missing_value), "`x`");
  model.start.erase(model["l"]);
  has(message_of([&] { model.run(1); }, ErrorCode::missing_value), "l has no value");
}

}  // namespace
}  // namespace liaison
