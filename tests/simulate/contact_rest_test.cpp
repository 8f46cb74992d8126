#include <string>
#include <utility>
#include <vector>

#include "contact_model.hpp"

// What sticks is at rest exactly, for as long as a run is: also beside what moves, where friction holds it in
// many ways, and where forces that cancel are all that keeps it.
namespace liaison {
namespace {

struct RestCase {
  std::string name, text;
  std::size_t resting;  ///< positions, the first ones
  std::size_t moving;   ///< velocities of what moves beside it, the last ones
  double until = 1000;
};
void PrintTo(const RestCase& one, std::ostream* out) {
  *out << one.name;
}

/// A block on two feet, which hold it by four forces in three directions.
const std::string block = R"(
coord x, y, th
body B mass 2 inertia 1/5 at [x, y] angle th
gravity [0, -10]
contact L: B on ground at [x - 3/10*cos(th) + 2/5*sin(th), y - 3/10*sin(th) - 2/5*cos(th)] normal [0, 1] unilateral friction 1/2
contact R: B on ground at [x + 1/2*cos(th) + 2/5*sin(th), y + 1/2*sin(th) - 2/5*cos(th)] normal [0, 1] unilateral friction 1/2
force x = 7/3
)";

std::string table(const std::string& push, double third_x, double third_y) {
  std::string text = R"(
param m = 10, b = 0.8, h = 0.7, g = 9.81
coord x, y, z
rotation R (p, q, r) in body
body T1 mass m inertia [1, 1, 1.5] at [x, y, z] rotation R
gravity [0, 0, -g]
)";
  const std::vector<std::pair<double, double>> feet{{0.5, 0.5}, {0.5, -0.5}, {third_x, third_y}};
  for (std::size_t i = 0; i < feet.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    text += "frame F" + number + " on T1 at [" + std::to_string(feet[i].first) + "*b, " +
            std::to_string(feet[i].second) + "*b, -h]\ncontact leg" + number + ": T1 on ground at [F" +
            number + ".x, F" + number + ".y, F" + number + ".z] normal [0, 0, 1] unilateral friction 0.4\n";
  }
  return text + push + "\n";
}

const std::string oscillator = "coord w\nkinetic w'^2\npotential w^2/10000\n";

class ContactRest : public ::testing::TestWithParam<RestCase> {};

TEST_P(ContactRest, IsExact) {
  test::ContactModel contacts(GetParam().text);
  const std::vector<double> start = contacts.run.evaluator().pack(contacts.model.start);
  const SimulationResult result = contacts.until(GetParam().until);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  for (std::size_t i = 0; i < GetParam().resting; ++i) EXPECT_EQ(result.y[i], start[i]) << i;
  const std::size_t velocities = contacts.run.evaluator().direction_count();
  for (std::size_t i = result.y.size() - velocities; i < result.y.size() - GetParam().moving; ++i)
    EXPECT_EQ(result.y[i], 0) << i;
  for (std::size_t i = result.y.size() - GetParam().moving; i < result.y.size(); ++i)
    EXPECT_NE(result.y[i], 0) << i;
}

/// One foot has friction, the other none: the forces are determined, as these methods want them.
const std::string one_rough_foot = R"(
coord x, y, th
body B mass 2 inertia 1/5 at [x, y] angle th
gravity [0, -10]
contact L: B on ground at [x - 3/10*cos(th) + 2/5*sin(th), y - 3/10*sin(th) - 2/5*cos(th)] normal [0, 1] unilateral friction 1/2
contact R: B on ground at [x + 1/2*cos(th) + 2/5*sin(th), y + 1/2*sin(th) - 2/5*cos(th)] normal [0, 1] unilateral
force x = 7/3
)";
const std::string balanced_rod = R"(
coord x, y, th
body rod mass 1 inertia 1/3 at [x, y] angle th
gravity [0, -10]
contact foot: rod on ground at [x - cos(th) + 3/10*sin(th), y - sin(th) - 3/10*cos(th)] normal [0, 1] unilateral friction 1/2
start th = pi/2 - atan(3/10), y = sqrt(109)/10
)";

void expect_rest(const std::string& text, const std::string& method) {
  test::ContactModel contacts(text, method, 1e-9);
  const std::vector<double> start = contacts.run.evaluator().pack(contacts.model.start);
  const SimulationResult result = contacts.until(200, 1);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method << ": " << result.message;
  for (const Row& row : contacts.rows) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(row.y[i], start[i]) << method << ", t = " << row.t;
  }
}

TEST(ContactRestByMethods, IsExactByEveryMethod) {
  for (const std::string& method : test::adaptive_methods)
    expect_rest(one_rough_foot + oscillator + "start y = 2/5, w = 1\n", method);
  for (const char* method : {"dop853", "taylor"}) expect_rest(balanced_rod, method);
}

INSTANTIATE_TEST_SUITE_P(
    All, ContactRest,
    ::testing::Values(
        RestCase{"ABlockBesideAnOscillator", block + oscillator + "start y = 2/5, w = 1\n", 3, 1},
        RestCase{"ATableBesideAnOscillator",
                 table("force [20, 0, 0] at T1", -0.5, 0) + oscillator + "start z = h, w = 1\n", 3, 1, 20},
        // its centre over the edge between two legs, so that the third one carries nothing
        RestCase{"ATableOverAnEdge", table("start z = h", -0.5, 0.5), 7, 0},
        RestCase{"ARodThatIsBalanced", balanced_rod, 3, 0}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace liaison
