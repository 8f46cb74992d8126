#include "liaison/model/turned_state.hpp"

#include <fmt/format.h>

#include "liaison/expr/evaluate.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/model/orientation.hpp"
#include "model_support.hpp"

namespace liaison::test {

namespace {

const std::string solid =
    "param m = 1, J = 2, a = 0.3\nrotation R (p, q, r) in body\nrotation (u, v, w) in space\n"
    "body B mass m inertia [J, J, 2*J] at [0, 0, 0] rotation R\n"
    "body C mass m inertia [J, J, 2*J] at [0, 0, 0] turned z a, (u, v, w)\n";

std::vector<double> numbers(const std::vector<Expr>& es) {
  const DoubleValues found = evaluate(es, {});
  EXPECT_EQ(found.status, EvaluationStatus::ok);
  return found.values;
}

}  // namespace

// The matrix of the quaternion, and the product of the matrices of the turns.
TEST(TurnedState, quaternion_has_the_matrix_of_the_turns) {
  const System system = read_system(solid);
  Pool& pool = *system.pool;
  const auto number = [&](int n) { return pool.number(Rational(n, 10)); };
  for (int seed = 0; seed < 40; ++seed) {
    std::vector<GivenTurn> given;
    std::vector<Turn> turns;
    for (int k = 0; k < 1 + seed % 4; ++k) {
      const int x = (7 * seed + 3 * k) % 11 - 5, y = (5 * seed + k) % 9 - 4, z = 1 + (seed + k) % 3;
      const Expr length = sqrt(pool.number(x * x + y * y + z * z));
      const Triple axis{pool.number(x) / length, pool.number(y) / length, pool.number(z) / length};
      const Expr angle = number((13 * seed + 29 * k) % 130 - 60);
      given.push_back({axis, angle});
      turns.push_back({{}, axis, angle});
    }
    const auto e = quaternion_of(pool, given);
    const auto from_quaternion = rotation_matrix(e), from_turns = orientation_matrix(system, turns);
    const auto left = numbers({from_quaternion.begin(), from_quaternion.end()});
    const auto right = numbers({from_turns.begin(), from_turns.end()});
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(left[i], right[i], 1e-14) << seed << " " << i;
  }
}

TEST(TurnedState, a_start_is_read_in_each_form) {
  const auto start = [](const std::string& text) {
    const System system = read_system(solid + "start " + text + "\n");
    std::string result;
    std::vector<Expr> values;
    for (const InitialValue& value : system.start) {
      result += value.symbol.symbol().name + " ";
      values.push_back(value.value);
    }
    for (const double value : numbers(values)) result += fmt::format("{:.6f} ", value);
    return result;
  };
  EXPECT_EQ(start("R axis [0, 0, 2] angle pi/3"), "R_e0 R_e1 R_e2 R_e3 0.866025 0.000000 0.000000 0.500000 ");
  EXPECT_EQ(start("R angles (60 [deg], 0, 0) order zxz"), start("R axis [0, 0, 2] angle pi/3"));
  EXPECT_EQ(start("B angles (0, pi/3) order xz"), start("R axis [0, 0, 1] angle pi/3"));
  EXPECT_EQ(start("rot2 angles (pi/2, pi/2) order xy"),
            "rot2_e0 rot2_e1 rot2_e2 rot2_e3 0.500000 0.500000 0.500000 0.500000 ");
  EXPECT_EQ(start("R axis [1, 2, 2] angle 2, p = 1").substr(0, 22), "p R_e0 R_e1 R_e2 R_e3 ");
}

TEST(TurnedState, may_use_parameters) {
  const System system = read_system(
      "param m = 1, a = 0.6\nrotation R (p, q, r) in body\nbody B mass m inertia [1, 1, 2] at [0, 0, 0] "
      "rotation R\n"
      "start R angles (0, a, 0) order zxz\nclaim R_e1 == sin(a/2) at (R angles (0, a) order zx)\n");
  EXPECT_TRUE(same(system, system.start[0].value, "cos(a/2)"));
  EXPECT_TRUE(same(system, system.start[1].value, "sin(a/2)"));
  ASSERT_EQ(system.claims.size(), 1u);
  EXPECT_EQ(system.claims[0].at.size(), 4u);
  const std::string printed = to_lia(system);
  EXPECT_EQ(to_lia(read_system(printed)), printed);
}

TEST(TurnedState, what_is_wrong_is_said_where_it_stands) {
  const auto code = [](const std::string& text) {
    const std::string said = read_errors(solid + "start " + text + "\n");
    const std::size_t open = said.find("[L");
    return open == std::string::npos ? said : said.substr(open + 1, 5);
  };
  EXPECT_EQ(code("S angles (1, 2, 3) order zxz"), "L0424");
  EXPECT_EQ(code("C angles (1, 2, 3) order zxz"), "L0424");  // turned by an angle and a rotation
  EXPECT_EQ(code("R angles (1, 2) order zxz"), "L0428");
  EXPECT_EQ(code("R angles (1, 2, 3) order abc"), "L0428");
  EXPECT_EQ(code("R angles (1, 2, 3)"), "L0402");
  EXPECT_EQ(code("R angles (1 [m], 2, 3) order zxz"), "L0412");
  EXPECT_EQ(code("R axis [0, 0, 0] angle 1"), "L0450");
  EXPECT_EQ(code("R axis [1, 0] angle 1"), "L0421");
  EXPECT_EQ(code("R axis [1, 0, 0]"), "L0402");
  EXPECT_EQ(code("R axis [1, 0, 0] angle p"), "L0414");
  EXPECT_EQ(code("R axis [1, 0, 0] angle 1, R_e0 = 1"), "L0407");
}

}  // namespace liaison::test
