#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <random>

#include "liaison/compile/program.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/assembled_equations.hpp"
#include "liaison/mechanics/initial_state.hpp"
#include "liaison/model/language.hpp"

namespace liaison::test {
namespace {

/// What tools/make_chain.py prints.
std::string chain(int rods, const std::string& shape = "") {
  const std::string command =
      fmt::format("'{}' '{}/tools/make_chain.py' {} {}", LIAISON_PYTHON, LIAISON_SOURCE_DIR, rods, shape);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  if (!pipe) throw std::runtime_error("no python");
  std::string text;
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe.get()))
    text.append(buffer, count);
  return text;
}

struct Large {
  explicit Large(const std::string& text) {
    const Source source("large.lia", text);
    ParsedModel parsed = parse_model(source);
    if (!parsed.ok()) throw std::runtime_error(render(parsed.diagnostics, source));
    system = std::make_unique<System>(std::move(parsed.system));
    algebra = std::make_unique<Algebra>(*system->pool);
    equations = assemble_equations(*algebra, *system);
  }

  Expr symbol(const std::string& name) const { return system->pool->find_symbol(name); }
  double largest(const std::vector<Expr>& residuals, const DoublePoint& at) const {
    std::vector<Expr> there;
    for (Expr residual : residuals) {
      if (!residual.empty()) there.push_back(residual);
    }
    const DoubleValues values = evaluate(there, at);
    EXPECT_EQ(values.status, EvaluationStatus::ok) << values.reason();
    double result = 0;
    for (double value : values.values) result = std::max(result, std::abs(value));
    return result;
  }
  /// y = matrix * x at a state.
  std::vector<double> times(const SparseMatrix& matrix, const std::vector<double>& x,
                            const DoublePoint& at) const {
    std::vector<Expr> entries;
    for (const SparseEntry& entry : matrix.entries) entries.push_back(entry.value);
    const DoubleValues values = evaluate(entries, at);
    std::vector<double> result(matrix.rows);
    for (std::size_t k = 0; k < entries.size(); ++k)
      result[matrix.entries[k].row] += values.values[k] * x[matrix.entries[k].column];
    return result;
  }

  std::unique_ptr<System> system;
  std::unique_ptr<Algebra> algebra;
  AssembledEquations equations;
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Given velocities, the same for the same seed.
StateRequest random_velocities(const Large& model, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> draw(-1, 1);
  StateRequest request;
  request.project = true;
  for (Expr velocity : model.equations.parameters) request.given.emplace_back(velocity, draw(random));
  return request;
}

std::size_t instruction_count(const Large& model) {
  std::vector<Expr> inputs = model.equations.positions, outputs = model.equations.load;
  inputs.insert(inputs.end(), model.equations.parameters.begin(), model.equations.parameters.end());
  for (const Parameter& parameter : model.system->parameters) inputs.push_back(parameter.symbol);
  for (const SparseMatrix* matrix :
       {&model.equations.mass, &model.equations.directions, &model.equations.gradients}) {
    for (const SparseEntry& entry : matrix->entries) outputs.push_back(entry.value);
  }
  for (const auto* list : {&model.equations.bias, &model.equations.relations, &model.equations.levels})
    outputs.insert(outputs.end(), list->begin(), list->end());
  return make_program(inputs, outputs).instructions.size();
}

class LargeSystems : public ::testing::TestWithParam<const char*> {};

TEST_P(LargeSystems, WhatIsAssembledGrowsWithTheBodies) {
  const Large one(chain(100, GetParam())), two(chain(200, GetParam())), four(chain(400, GetParam()));
  const auto is_linear = [](std::size_t a, std::size_t b, std::size_t c) {
    EXPECT_NEAR(static_cast<double>(c - b), 2 * static_cast<double>(b - a), 0.02 * static_cast<double>(c));
  };
  is_linear(one.system->pool->size(), two.system->pool->size(), four.system->pool->size());
  is_linear(one.equations.gradients.entries.size(), two.equations.gradients.entries.size(),
            four.equations.gradients.entries.size());
  is_linear(instruction_count(one), instruction_count(two), instruction_count(four));
  EXPECT_EQ(four.equations.mass.entries.size(), 1200u);  // diagonal in absolute coordinates
  EXPECT_TRUE(four.equations.ideal);
}

TEST_P(LargeSystems, AThousandRodsStartOnTheirJoints) {
  const Large model(chain(1000, GetParam()));
  const CompletedState state = complete_state(model.equations, {});
  ASSERT_TRUE(state.ok()) << state.problems[0].message;
  EXPECT_LT(model.largest(model.equations.levels, state.values), 1e-10);
  EXPECT_EQ(model.largest(model.equations.relations, state.values), 0);  // at rest
}

INSTANTIATE_TEST_SUITE_P(Shapes, LargeSystems, ::testing::Values("", "--loop", "--tree"),
                         [](const auto& test) {
                           const std::string option = test.param;
                           return option.empty() ? "chain" : option.substr(2);
                         });

TEST(LargeSystem, TheCentresOfAChainFollowFromItsAngles) {
  const Large model(chain(500));
  const CompletedState state = complete_state(model.equations, {});
  ASSERT_TRUE(state.ok());
  for (int i : {1, 2, 250, 500}) {
    EXPECT_NEAR(state.values.at(model.symbol(fmt::format("x{}", i))), (i - 0.5) * std::cos(1.2), 1e-9);
    EXPECT_NEAR(state.values.at(model.symbol(fmt::format("y{}", i))), -(i - 0.5) * std::sin(1.2), 1e-9);
  }
}

/// The least change dv in the mass metric is normal to what the relations allow: w*M*dv = 0 for G*w = 0.
TEST(LargeSystem, TheSparseProjectionIsTheLeastChangeInTheMassMetric) {
  for (int rods : {20, 150}) {  // dense and sparse factorisation
    const Large model(chain(rods));
    const StateRequest request = random_velocities(model, 1);
    const CompletedState moved = complete_state(model.equations, request),
                         other = complete_state(model.equations, random_velocities(model, 2));
    ASSERT_TRUE(moved.ok() && other.ok());
    EXPECT_FALSE(moved.moved.empty());
    EXPECT_LT(model.largest(model.equations.relations, moved.values), 1e-10);
    std::vector<double> change, allowed;
    for (const auto& [velocity, given] : request.given) {
      change.push_back(moved.values.at(velocity) - given);
      allowed.push_back(other.values.at(velocity));
    }
    const std::vector<double> force = model.times(model.equations.mass, change, moved.values);
    EXPECT_GT(dot(force, change), 0.1);
    EXPECT_NEAR(dot(force, allowed), 0, 1e-9);
  }
}

TEST(LargeSystem, RelationsThatSayTheSameTwiceAreNoObstacle) {
  std::string text = chain(120);
  for (int i = 1; i <= 120; ++i)
    text += fmt::format("constraint again{0}: 2*x{0} - l*cos(phi{0}) = 2*{1}\n", i,
                        i > 1 ? fmt::format("(x{0} + l/2*cos(phi{0}))", i - 1) : "0");
  const Large model(text);
  const CompletedState state = complete_state(model.equations, random_velocities(model, 3));
  ASSERT_TRUE(state.ok()) << state.problems[0].message;
  EXPECT_LT(model.largest(model.equations.levels, state.values), 1e-9);
  EXPECT_LT(model.largest(model.equations.relations, state.values), 1e-9);
}

TEST(LargeSystem, AGivenValueOffTheJointsIsReportedByName) {
  const Large model(chain(150));
  StateRequest request;
  for (int i = 1; i <= 150; ++i) {
    request.given.emplace_back(model.symbol(fmt::format("phi{}", i)), -1.2);
    request.given.emplace_back(model.symbol(fmt::format("y{}", i)), -(i - 0.5) * std::sin(1.2));
  }
  request.given.back().second += 0.25;
  const CompletedState state = complete_state(model.equations, request);
  ASSERT_EQ(state.problems.size(), 1u);
  EXPECT_EQ(state.problems[0].constraint, "hy150");
  EXPECT_NEAR(state.problems[0].residual, 0.25, 1e-6);
}

TEST(LargeSystem, TheStartOfTheModelGivesWayToAGivenValue) {
  const Large model(chain(150));
  StateRequest request;
  request.given.emplace_back(model.symbol("phi150"), -1.0);
  request.given.emplace_back(model.symbol("y149"), -148.5 * std::sin(1.2) + 0.25);
  const CompletedState state = complete_state(model.equations, request);
  ASSERT_TRUE(state.ok()) << state.problems.front().message;
  EXPECT_LT(model.largest(model.equations.levels, state.values), 1e-9);
  EXPECT_EQ(state.values.at(model.symbol("phi150")), -1.0);
}

/// Springs between neighbours, forces, moments, names and units: no statement looks at all the others.
TEST(LargeSystem, ManyStatementsOfEveryKindAreRead) {
  constexpr int n = 1500;
  std::string text = "param m > 0 = 1 [kg], J > 0 = 2 [kg*m^2], k = 3 [N/m], f = 0.1, l = 1 [m]\n";
  for (int i = 0; i < n; ++i) {
    text += fmt::format(
        "coord x{0} [m], y{0}, phi{0} [rad]\nbody b{0} mass m inertia J at [x{0}, y{0}] angle phi{0}\n"
        "force [k*l, 0] at b{0}\nmoment k*l^2*phi{0} on b{0}\nlet u{0} = x{0} + l*phi{0}\n"
        "constraint c{0}: u{0}' = 0\n"
        "constraint d{0}: y{0}' = 0 power y{0}' - f*abs(x{0}')\nstart phi{0}' = 1\n",
        i);
    if (i > 0) text += fmt::format("potential k/2*(x{} - x{})^2\n", i, i - 1);
  }
  const Large model(text);
  EXPECT_EQ(model.equations.gradients.entries.size(), static_cast<std::size_t>(3 * n));
  EXPECT_EQ(model.equations.directions.entries.size(), static_cast<std::size_t>(4 * n));
  EXPECT_FALSE(model.equations.ideal);
  const CompletedState state = complete_state(model.equations, {});
  ASSERT_TRUE(state.ok());
  EXPECT_NEAR(state.values.at(model.symbol("x7'")), -1, 1e-12);
  EXPECT_NEAR(evaluate(model.equations.load[3 * 7], state.values), 3, 1e-12);
}

}  // namespace
}  // namespace liaison::test
