#include "model_support.hpp"

// What a gap says as contacts: sides of corners, and factors that are repeated.
namespace liaison::test {

namespace {

const std::string start = "param k > 0 = 2, c = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n";

/// Names and gaps, as they are told.
void expect_gaps(const std::string& statement,
                 const std::vector<std::pair<std::string, std::string>>& expected) {
  const System system = read_system(start + statement + "\n");
  ASSERT_EQ(system.unilaterals.size(), expected.size()) << statement;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(system.unilaterals[i].name, expected[i].first) << statement;
    EXPECT_EQ(system.unilaterals[i].gap(), in(system, expected[i].second)) << statement;
  }
}

}  // namespace

TEST(Gaps, a_corner_where_sides_meet_is_a_contact_a_side) {
  expect_gaps("unilateral w: y >= abs(x)", {{"w_1", "y - x"}, {"w_2", "y + x"}});
  expect_gaps("unilateral w: y >= max(0, x)", {{"w_1", "y"}, {"w_2", "y - x"}});
  expect_gaps("unilateral w: min(x, y) >= 1", {{"w_1", "x - 1"}, {"w_2", "y - 1"}});
  expect_gaps("unilateral w: abs(x) <= 3", {{"w_1", "3 - x"}, {"w_2", "3 + x"}});
  expect_gaps("unilateral w: x >= max(0, t - 1)", {{"w_1", "x"}, {"w_2", "x - t + 1"}});
  expect_gaps("unilateral w: y >= k*abs(x)", {{"w_1", "y - k*x"}, {"w_2", "y + k*x"}});
  expect_gaps("unilateral w: x' >= abs(y')", {{"w_1", "x' - y'"}, {"w_2", "x' + y'"}});
  expect_gaps("unilateral w: y >= max(abs(x) - 1, 0)",
              {{"w_1", "y"}, {"w_2", "y - x + 1"}, {"w_3", "y + x + 1"}});
  expect_gaps("unilateral w: 5 >= abs(x) + abs(y)",
              {{"w_1", "5 - x - y"}, {"w_2", "5 - x + y"}, {"w_3", "5 + x - y"}, {"w_4", "5 + x + y"}});
}

TEST(Gaps, an_edge_that_may_be_passed_on_both_sides_stays_one_contact) {
  expect_gaps("unilateral w: y >= -abs(x)", {{"w", "y + abs(x)"}});
  expect_gaps("unilateral w: y >= min(0, x)", {{"w", "y - min(0, x)"}});
  expect_gaps("unilateral w: abs(x) >= 1", {{"w", "abs(x) - 1"}});
  expect_gaps("unilateral w: y >= c*abs(x)", {{"w", "y - c*abs(x)"}});  // c may be negative
  expect_gaps("unilateral w: y >= abs(x) - abs(y)", {{"w_1", "y - x + abs(y)"}, {"w_2", "y + x + abs(y)"}});
}

TEST(Gaps, repeated_factors_are_left_out) {
  expect_gaps("unilateral w: y^3 >= 0", {{"w", "y"}});
  expect_gaps("unilateral w: -2*y^3 >= 0", {{"w", "-y"}});
  expect_gaps("unilateral w: y^3 - 3*y^2*x + 3*y*x^2 - x^3 >= 0", {{"w", "y - x"}});
  expect_gaps("unilateral w: y*abs(y) >= 0", {{"w", "y"}});
  expect_gaps("unilateral w: c*y^3 >= 0", {{"w", "c*y"}});
  expect_gaps("unilateral w: y^(3/2) >= 0", {{"w", "y"}});
  expect_gaps("unilateral w: sin(y)^3 >= 0", {{"w", "sin(y)"}});
  expect_gaps("unilateral w: (y - abs(x))^3 >= 0", {{"w_1", "y - x"}, {"w_2", "y + x"}});
}

TEST(Gaps, what_has_a_gradient_stays_as_it_is_written) {
  expect_gaps("unilateral w: 2*y >= 0", {{"w", "2*y"}});
  expect_gaps("unilateral w: exp(x)*y >= 0", {{"w", "exp(x)*y"}});
  expect_gaps("unilateral w: x*y >= 0", {{"w", "x*y"}});
  expect_gaps("unilateral w: x^2 + y^2 >= c^2", {{"w", "x^2 + y^2 - c^2"}});
  expect_gaps("unilateral w: y^2 >= x^2", {{"w", "y^2 - x^2"}});
  expect_gaps("unilateral w: y/x >= 0", {{"w", "y/x"}});
}

TEST(Gaps, all_clauses_belong_to_each_side_with_its_own_factor) {
  const System system = read_system(start +
                                    "output force = lambda(w_1) + lambda(w_2)\n"
                                    "unilateral w: y >= abs(x) power y' - c*lambda(w)*x' restitution 0.5\n");
  ASSERT_EQ(system.unilaterals.size(), 2u);
  for (const Unilateral& side : system.unilaterals) {
    EXPECT_EQ(*side.restitution, in(system, "1/2"));
    EXPECT_EQ(side.power, in(system, "y'") - in(system, "c*x'") * side.factor);
  }
  const std::string printed = to_lia(system);
  EXPECT_EQ(to_lia(read_system(printed)), printed);
}

TEST(Gaps, sides_have_the_dimensions_of_what_they_are) {
  read_system(
      "param m = 1 [kg], h = 1 [m]\ncoord x [m], y [m]\nkinetic m*(x'^2 + y'^2)/2\n"
      "unilateral w: y >= abs(x)\nunilateral c: (y + h)^3 >= 0\noutput f = lambda(w_1) + lambda(c)\n");
}

}  // namespace liaison::test
