#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <random>

#include "liaison/mechanics/state.hpp"
#include "liaison/simulate/evaluator.hpp"
#include "simulate_support.hpp"

namespace liaison {
namespace {

/// A model without its constraints, and these.
struct Sample {
  const char* name;
  const char* text;
  std::vector<const char*> constraints;
};

const Sample samples[] = {
    {"two rods with drag",
     R"(param m = 1.3, M = 0.7, g = 9.81, k = 0.2
coord x, y, u, v
kinetic m/2*(x'^2 + y'^2) + M/2*(u'^2 + v'^2)
potential m*g*y + M*g*v
force x = -k*x'
force v = -k*v'
)",
     {"constraint rod: x^2 + y^2 = 1", "constraint link: (u - x)^2 + (v - y)^2 = 2",
      "constraint line: u - 2*v = t"}},
    {"a rolling disc",
     R"(param m = 1, R = 0.5, g = 9.81
coord x, y, phi, theta
kinetic m/2*(x'^2 + y'^2) + m*R^2/8*phi'^2 + m*R^2/4*theta'^2
force theta = 0.3*sin(t)
)",
     {"constraint roll_x: x' + R*theta'*sin(phi) = 0", "constraint roll_y: y' - R*theta'*cos(phi) = 0",
      "constraint turn: phi' = 1 + 0.1*x"}},
    {"a servo, and friction at a guide",
     R"(param m = 2, w = 0.4, f = 0.3
coord x, y, u
kinetic m/2*(x'^2 + y'^2 + u'^2) + m/5*x'*u'
potential m*y
)",
     {"constraint hold: x' - w*y = 0 by u'", "constraint guide: y' = 0 power y' - f*sqrt(x'^2 + u'^2)",
      "constraint tie: u' + y' = x*x'"}},
    {"a rolling sphere",
     R"(param M = 2, a = 0.3, k = 0.19, g = 9.81
coord xi, eta, zeta
rotation (p, q, r) in space
kinetic M/2*(xi'^2 + eta'^2 + zeta'^2) + M*k^2/2*(p^2 + q^2 + r^2)
force zeta = -M*g
)",
     {"constraint floor: zeta = a", "constraint roll_x: xi' - a*q = 0", "constraint roll_y: eta' + a*p = 0",
      "constraint spin: r = 0.1*xi"}},
};

std::string text_with(const Sample& sample, const std::vector<bool>& active) {
  std::string text = sample.text;
  for (std::size_t k = 0; k < active.size(); ++k)
    if (active[k]) text += std::string(sample.constraints[k]) + "\n";
  return text;
}

/// Values for the names of the state, so that they can be given to models of different pools.
using NamedState = std::map<std::string, double>;

NamedState random_state(const Evaluator& evaluator, std::mt19937& random) {
  std::uniform_real_distribution<double> number(0.3, 1.3);
  NamedState result;
  double length = 0;
  for (std::size_t i = 0; i < evaluator.size(); ++i) {
    const std::string& name = evaluator.symbols()[i].symbol().name;
    result[name] = number(random) * (i % 2 == 0 ? 1 : -1);
    if (name.find('(') != std::string::npos) length += result[name] * result[name];  // of a quaternion
  }
  for (auto& [name, value] : result)
    if (name.find('(') != std::string::npos) value /= std::sqrt(length);
  return result;
}

DoublePoint point_of(const System& system, const NamedState& state, double t) {
  DoublePoint point;
  for (const Parameter& parameter : system.parameters) point[parameter.symbol] = parameter.value->to_double();
  for (const auto& [name, value] : state) point[system.pool->find_symbol(name)] = value;
  point[system.time] = t;
  return point;
}

double size_of(const std::vector<double>& values) {
  double size = 1;
  for (double value : values) size = std::max(size, std::abs(value));
  return size;
}

/// The closed forms of `mechanics` for exactly the active relations, at a state.
struct ClosedForm {
  StateValues values;
  std::vector<double> acceleration, factors;
};

/// A system with its motion, derived once for each set of relations.
struct Derived {
  std::unique_ptr<System> system;
  std::unique_ptr<Algebra> algebra;
  Motion motion;
};
const Derived& derived(const std::string& text) {
  static std::map<std::string, Derived> all;
  auto found = all.find(text);
  if (found == all.end()) {
    auto system = test::read_system(text);
    auto algebra = std::make_unique<Algebra>(*system->pool);
    Motion motion = derive_motion(*algebra, *system);
    found = all.emplace(text, Derived{std::move(system), std::move(algebra), std::move(motion)}).first;
  }
  return found->second;
}

ClosedForm closed_form(const Sample& sample, const std::vector<bool>& active, const NamedState& state,
                       double t) {
  const auto& [system, algebra, motion] = derived(text_with(sample, active));
  ClosedForm result{evaluate_state(*algebra, motion, point_of(*system, state, t)), {}, {}};
  EXPECT_EQ(result.values.motions.size(), 1u) << sample.name << ": " << result.values.failure;
  if (result.values.motions.empty()) return result;
  result.acceleration = result.values.motions[0].acceleration;
  std::size_t next = 0;
  for (const bool is_active : active)
    result.factors.push_back(is_active ? result.values.motions[0].factors[next++] : 0.0);
  return result;
}

class ActiveSets : public ::testing::TestWithParam<Engine> {};

TEST_P(ActiveSets, RatesAndCouplingsAreThoseOfTheClosedForms) {
  std::mt19937 random(20);
  for (const Sample& sample : samples) {
    const std::size_t count = sample.constraints.size();
    const std::vector<bool> all(count, true);
    const auto system = test::read_system(text_with(sample, all));
    Algebra algebra(*system->pool);
    const AssembledEquations equations = assemble_equations(algebra, *system);
    Evaluator evaluator(equations, point_of(*system, {}, 0), {.engine = GetParam()});
    ASSERT_EQ(evaluator.relation_count(), count) << sample.name;
    for (int round = 0; round < 12; ++round) {
      const double t = 0.1 * round;
      const NamedState state = random_state(evaluator, random);
      const std::vector<double> y = evaluator.pack(point_of(*system, state, t));
      std::vector<bool> active(count);
      for (std::size_t k = 0; k < count; ++k) active[k] = round < 2 ? round == 1 : random() % 2 == 0;
      std::string where = sample.name;
      for (const bool is_active : active) where += is_active ? " +" : " -";

      const ClosedForm expected = closed_form(sample, active, state, t);
      std::vector<double> dy(y.size());
      ASSERT_TRUE(evaluator.active_rates(t, y.data(), active, dy.data())) << where << evaluator.failure();
      for (std::size_t a = 0; a < expected.acceleration.size(); ++a) {
        EXPECT_NEAR(dy[evaluator.position_count() + a], expected.acceleration[a],
                    1e-11 * size_of(expected.acceleration))
            << where << ", direction " << a;
      }
      for (std::size_t k = 0; k < count; ++k)
        EXPECT_NEAR(evaluator.factors()[k], expected.factors[k], 1e-11 * size_of(expected.factors)) << where;

      // all relations, whatever was active before
      const ClosedForm whole = closed_form(sample, all, state, t);
      Evaluator::Couplings couplings;
      ASSERT_TRUE(evaluator.couplings(t, y.data(), {}, couplings)) << where << evaluator.failure();
      ASSERT_EQ(couplings.r.size(), count * count);
      ASSERT_EQ(couplings.drive.size(), count);
      for (std::size_t h = 0; h < count; ++h) {
        EXPECT_NEAR(couplings.drive[h], whole.values.drive[h], 1e-11 * size_of(whole.values.drive)) << where;
        for (std::size_t k = 0; k < count; ++k)
          EXPECT_NEAR(couplings.r[h * count + k], whole.values.r[h][k], 1e-11 * size_of(whole.values.r[h]))
              << where << " r(" << h << ", " << k << ")";
      }
      // and with all of them the rates are the ordinary ones
      std::vector<double> ordinary(y.size()), with_all(y.size());
      ASSERT_TRUE(evaluator.rates(t, y.data(), ordinary.data()));
      ASSERT_TRUE(evaluator.active_rates(t, y.data(), all, with_all.data()));
      for (std::size_t i = 0; i < y.size(); ++i)
        EXPECT_NEAR(ordinary[i], with_all[i], 1e-10 * size_of(ordinary)) << where;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, ActiveSets, ::testing::Values(Engine::compiled, Engine::interpreted));

TEST(ActiveSet, NeedsOneFlagForEachRelation) {
  const auto model = test::read_runnable(text_with(samples[0], {true, true, true}));
  Evaluator evaluator(*model.equations, model.start);
  const std::vector<double> y = evaluator.pack(model.start);
  std::vector<double> dy(y.size());
  EXPECT_THROW(evaluator.active_rates(0, y.data(), {true}, dy.data()), Error);
}

TEST(ActiveSet, RelationsThatContradictEachOtherAreNamedOnlyWhereBothAreActive) {
  const auto model = test::read_runnable(R"(coord x, y
kinetic x'^2/2 + y'^2/2
constraint one: x' = 0
constraint other: x' = t by x'
)");
  Evaluator evaluator(*model.equations, model.start);
  const std::vector<double> y(4, 0.0);
  std::vector<double> dy(4);
  EXPECT_FALSE(evaluator.active_rates(0, y.data(), {true, true}, dy.data()));
  EXPECT_NE(evaluator.failure().find("no factors keep the relations"), std::string::npos)
      << evaluator.failure();
  ASSERT_TRUE(evaluator.active_rates(0, y.data(), {false, true}, dy.data())) << evaluator.failure();
  EXPECT_EQ(dy[2], 1.0);
  ASSERT_TRUE(evaluator.active_rates(0, y.data(), {true, false}, dy.data()));
  EXPECT_EQ(dy[2], 0.0);
}

}  // namespace
}  // namespace liaison
