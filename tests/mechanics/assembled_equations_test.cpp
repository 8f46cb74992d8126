#include "liaison/mechanics/assembled_equations.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <sstream>

#include "liaison/mechanics/initial_state.hpp"
#include "liaison/model/language.hpp"

namespace liaison::test {
namespace {

/// Two expressions that are to have one value, and what they are.
struct Pair {
  std::string what;
  Expr assembled, derived;
};

void add_pairs(std::vector<Pair>& pairs, const std::string& what, const std::vector<Expr>& assembled,
               const std::vector<Expr>& derived) {
  ASSERT_EQ(assembled.size(), derived.size()) << what;
  for (std::size_t i = 0; i < assembled.size(); ++i) {
    ASSERT_EQ(assembled[i].empty(), derived[i].empty()) << what << i;
    if (!assembled[i].empty()) pairs.push_back({fmt::format("{} {}", what, i), assembled[i], derived[i]});
  }
}

/// Entries that only one of the two has are compared with zero.
void add_pairs(std::vector<Pair>& pairs, const std::string& what, const SparseMatrix& assembled,
               const SparseMatrix& derived, Expr zero) {
  EXPECT_EQ(assembled.rows, derived.rows) << what;
  EXPECT_EQ(assembled.columns, derived.columns) << what;
  std::map<std::pair<std::size_t, std::size_t>, std::pair<Expr, Expr>> entries;
  std::pair<std::size_t, std::size_t> last;
  for (const SparseEntry& entry : assembled.entries) {
    const std::pair place(entry.row, entry.column);
    EXPECT_TRUE(entries.empty() || last < place) << what << ": by row, then by column";
    EXPECT_FALSE(entry.value.is_zero()) << what;
    last = place;
    entries[place] = {entry.value, zero};
  }
  for (const SparseEntry& entry : derived.entries) {
    const auto [place, is_new] = entries.try_emplace({entry.row, entry.column}, zero, zero);
    place->second.second = entry.value;
  }
  for (const auto& [place, values] : entries) {
    pairs.push_back({fmt::format("{} {} {}", what, place.first, place.second), values.first, values.second});
  }
}

std::vector<Pair> pairs_of(const AssembledEquations& a, const AssembledEquations& b) {
  const Expr zero = a.system->pool->number(0);
  std::vector<Pair> pairs;
  add_pairs(pairs, "rate", a.position_rates, b.position_rates);
  add_pairs(pairs, "mass", a.mass, b.mass, zero);
  add_pairs(pairs, "load", a.load, b.load);
  add_pairs(pairs, "direction", a.directions, b.directions, zero);
  add_pairs(pairs, "gradient", a.gradients, b.gradients, zero);
  add_pairs(pairs, "bias", a.bias, b.bias);
  add_pairs(pairs, "relation", a.relations, b.relations);
  add_pairs(pairs, "level", a.levels, b.levels);
  add_pairs(pairs, "energy", {a.kinetic, a.potential}, {b.kinetic, b.potential});
  return pairs;
}

/// A state on the constraints, or anywhere where Newton's method finds none: the two roads agree everywhere.
DoublePoint state_for(const Motion& motion, const AssembledEquations& equations, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> draw(0.2, 1);
  DoublePoint point;
  for (const Parameter& parameter : equations.system->parameters) point[parameter.symbol] = draw(random);
  point[equations.system->time] = draw(random);
  for (Expr symbol : equations.positions) point[symbol] = draw(random);
  for (Expr symbol : equations.parameters) point[symbol] = draw(random);
  if (const auto on_constraints = random_state(motion, seed)) point = *on_constraints;
  for (Expr factor : equations.factors) point[factor] = draw(random);
  return point;
}

/// At three states in double precision; nothing is compared where something has no value.
void compare_numbers(const Motion& motion, const AssembledEquations& equations,
                     const std::vector<Pair>& pairs) {
  std::vector<Expr> both;
  for (const Pair& pair : pairs) both.push_back(pair.assembled);
  for (const Pair& pair : pairs) both.push_back(pair.derived);
  int compared = 0;
  for (unsigned seed = 1; seed <= 20 && compared < 3; ++seed) {
    const DoubleValues values = evaluate(both, state_for(motion, equations, seed));
    if (values.status != EvaluationStatus::ok) continue;
    ++compared;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const double a = values.values[i], b = values.values[pairs.size() + i];
      EXPECT_NEAR(a, b, 1e-10 * std::max({1.0, std::abs(a), std::abs(b)})) << pairs[i].what;
    }
  }
  EXPECT_EQ(compared, 3) << "no states at which everything has a value";
}

/// A model read from a text, and its equations by both roads.
struct BothRoads {
  explicit BothRoads(const std::string& text, const std::string& name = "model.lia") {
    const Source source(name, text);
    ParsedModel parsed = parse_model(source);
    if (!parsed.ok()) throw std::runtime_error(render(parsed.diagnostics, source));
    system = std::make_unique<System>(std::move(parsed.system));
    algebra = std::make_unique<Algebra>(*system->pool);
    equations = assemble_equations(*algebra, *system);
    motion = std::make_unique<Motion>(derive_motion(*algebra, *system, {.max_directions = 0}));
    derived = assembled(*motion);
  }

  void compare() const {
    EXPECT_EQ(equations.positions, derived.positions);
    EXPECT_EQ(equations.parameters, derived.parameters);
    EXPECT_EQ(equations.names, derived.names);
    EXPECT_EQ(equations.factors, derived.factors);
    EXPECT_EQ(equations.relation_count, derived.relation_count);
    EXPECT_EQ(equations.implicit, derived.implicit);
    EXPECT_EQ(equations.ideal, derived.ideal);
    const std::vector<Pair> pairs = pairs_of(equations, derived);
    EXPECT_GE(pairs.size(), 2 * equations.parameters.size());
    if (system->unknown_functions.empty()) {
      compare_numbers(*motion, equations, pairs);
      return;
    }
    for (const Pair& pair : pairs) {  // an unknown function has no values
      const Verdict verdict = algebra->are_equal(pair.assembled, pair.derived);
      EXPECT_TRUE(verdict.holds()) << pair.what << ": " << describe(verdict);
    }
  }

  std::unique_ptr<System> system;
  std::unique_ptr<Algebra> algebra;
  std::unique_ptr<Motion> motion;
  AssembledEquations equations, derived;
};

class AssembledModels : public ::testing::TestWithParam<const char*> {};

TEST_P(AssembledModels, LagrangesEquationsAndOmegaGiveTheSameEntries) {  // G1.II-Lagrange
  const std::filesystem::path folder = std::string(LIAISON_SOURCE_DIR) + "/models/" + GetParam();
  std::size_t models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".lia") continue;
    SCOPED_TRACE(entry.path().filename().string());
    std::ifstream file(entry.path());
    std::ostringstream text;
    text << file.rdbuf();
    BothRoads(text.str(), entry.path().string()).compare();
    ++models;
  }
  EXPECT_GT(models, 0u);
}

INSTANTIATE_TEST_SUITE_P(Folders, AssembledModels,
                         ::testing::Values("bodies", "classics", "contacts", "driven", "gallissot",
                                           "integrable", "massa_pagani", "morera", "taylor", "tutorial",
                                           "vujicic"),
                         [](const auto& test) { return std::string(test.param); });

TEST(AssembledModels, EveryFolderOfModelsIsCompared) {
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(LIAISON_SOURCE_DIR) + "/models")) {
    if (entry.is_directory()) folders.push_back(entry.path().filename().string());
  }
  std::sort(folders.begin(), folders.end());
  std::erase(folders,
             "mbs");  // loops of many bodies have no closed forms; their motions are compared with known ones
  std::erase(folders, "robots");  // robot files, which `import` makes models of
  EXPECT_EQ(folders,
            (std::vector<std::string>{"bodies", "classics", "contacts", "driven", "gallissot", "integrable",
                                      "massa_pagani", "morera", "taylor", "tutorial", "vujicic"}));
}

/// What the models have little of, all at once: a rotation in space axes whose inertia and potential depend
/// on the quaternion, a mass and a relation that depend on the time, a force beside them.
TEST(AssembledEquations, RotationsInSpaceAxesAndTimeAgreeWithOmega) {
  for (const char* axes : {"space", "body"}) {
    SCOPED_TRACE(axes);
    const BothRoads model(
        fmt::format("param A > 0 = 1, B > 0 = 2, C > 0 = 3, m > 0 = 2, k = 3, w = 0.7\ncoord x, y, z\n"
                    "rotation Q (p, q, r) in {}\n"
                    "kinetic m*(1 + t^2)/2*(x'^2 + y'^2 + z'^2) + k*x'*Q11*sin(w*t) + x'*p*Q12 + z*q*r/9\n"
                    "body S mass m inertia [A, B, C] at [x + Q13, y, z*cos(t)] rotation (p, q, r)\n"
                    "potential k*Q33*x + t*Q21*y\nforce x = -k*x'*t\n"
                    "constraint c: x*Q11 + y*sin(t) - z = 0\n"
                    "constraint d: p*x + y'*Q23 + t*q = 0 power p - y'*lambda(c)\n",
                    axes));
    model.compare();
    EXPECT_TRUE(model.equations.implicit);
    EXPECT_FALSE(model.equations.ideal);
  }
}

TEST(AssembledEquations, EntriesFollowTheirTerms) {
  std::string text = "param m > 0 = 1, k = 2\n";
  constexpr int n = 40;
  for (int i = 0; i < n; ++i) text += fmt::format("coord x{0}\nkinetic m/2*x{0}'^2\n", i);
  for (int i = 1; i < n; ++i) text += fmt::format("constraint c{0}: x{0} - x{1} = {0}\n", i, i - 1);
  const BothRoads model(text);
  const AssembledEquations& equations = model.equations;
  EXPECT_EQ(equations.mass.entries.size(), static_cast<std::size_t>(n));
  EXPECT_EQ(equations.gradients.entries.size(), static_cast<std::size_t>(2 * (n - 1)));
  EXPECT_TRUE(equations.ideal);
  EXPECT_FALSE(equations.implicit);
}

}  // namespace
}  // namespace liaison::test
