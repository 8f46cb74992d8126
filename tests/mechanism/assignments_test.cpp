#include "liaison/mechanism/assignments.hpp"

#include <gtest/gtest.h>

#include "liaison/expr/print.hpp"
#include "liaison/mechanism/parts.hpp"

namespace liaison {
namespace {

struct AssignmentsTest : ::testing::Test {
  MechanismParts parts{
      "m.lia", "param m > 0 = 1 [kg], l = 50 [cm], a\ncoord x [m], phi\nkinetic m/2*(x'^2 + l^2*phi'^2)\n"};

  Assignments read(const std::string& text, Assignable assignable, const Assignments& known = {}) {
    return read_assignments(parts.system(), "--at", text, assignable, known);
  }
  std::string code_of(const std::string& text, Assignable assignable, const Assignments& known = {}) {
    try {
      read(text, assignable, known);
    } catch (const Refused& refused) {
      return refused.messages.front().code;
    }
    return "";
  }
};

TEST_F(AssignmentsTest, a_hint_says_what_was_meant) {
  const auto said = [this](const std::string& text, Assignable assignable) {
    try {
      read(text, assignable);
    } catch (const Refused& refused) {
      std::string all;
      for (const auto& message : refused.messages) all += message.code + " " + message.hint + "\n";
      return all;
    }
    return std::string();
  };
  EXPECT_EQ(said("x = 20 cm", Assignable::state), "L0107 write `20 [cm]`\n");
  EXPECT_EQ(said("x = 20cm", Assignable::state), "L0104 write `20 [cm]`\n");
  EXPECT_EQ(said("x' = 2 m/s", Assignable::state), "L0107 write `2 [m/s]`, or `2*m` for a product\n");
  EXPECT_EQ(said("x = 1 m", Assignable::state), "L0107 write `1 [m]`, or `1*m` for a product\n");
  EXPECT_EQ(said("x = 2 phi", Assignable::state), "L0107 write `2*phi`\n");  // no unit
  EXPECT_EQ(said("m=2 l=3", Assignable::parameters), "L0402 write \"x = 1, x' = 2\"\n");
  EXPECT_EQ(said("x = 3", Assignable::parameters),
            "L0424 it is a part of the state: give it with `--start` or `--at`\n");
  EXPECT_EQ(said("m = 3", Assignable::state), "L0424 it is a parameter: give it with `--set`\n");
  EXPECT_EQ(said("c = 3", Assignable::parameters), "L0424 there are m, l, a\n");
}

TEST_F(AssignmentsTest, values_are_exact) {
  const Assignments given = read("a = 0.1*3, l = a", Assignable::parameters);
  ASSERT_EQ(given.size(), 2u);
  EXPECT_EQ(to_infix(given[0].exact), "3/10");
  EXPECT_EQ(given[0].value, 0.3);  // 0.1*3 in doubles is not
  EXPECT_EQ(to_infix(given[1].exact), "3/10");
  const Assignments angle = read("phi = pi/6, x = sin(pi/6)", Assignable::state);
  EXPECT_EQ(to_infix(angle[0].exact), "pi/6");
  EXPECT_DOUBLE_EQ(angle[1].value, 0.5);
}

TEST_F(AssignmentsTest, a_number_is_in_the_unit_of_its_parameter_or_the_one_behind_it) {
  const Assignments given = read("l = 20, x = 20 [mm]", Assignable::everything);
  EXPECT_EQ(to_infix(given[0].exact), "1/5");
  EXPECT_EQ(to_infix(given[1].exact), "1/50");
}

TEST_F(AssignmentsTest, states_use_the_parameters_that_were_set) {
  const Assignments set = read("l = 2 [m]", Assignable::parameters);
  EXPECT_EQ(to_infix(read("x = l/3", Assignable::state, set)[0].exact), "2/3");
  EXPECT_EQ(to_infix(read("x = l/3", Assignable::state)[0].exact), "1/6");
  Assignments all = read("x = 1, m = 3", Assignable::everything);
  const Assignments parameters = take_parameters(parts.system(), all);
  ASSERT_EQ(parameters.size(), 1u);
  EXPECT_EQ(parameters[0].value, 3);
  EXPECT_EQ(all.size(), 1u);
}

TEST_F(AssignmentsTest, what_cannot_be_given) {
  EXPECT_EQ(code_of("x 1", Assignable::state), "L0402");
  EXPECT_EQ(code_of("x = 1, x = 2", Assignable::state), "L0407");
  EXPECT_EQ(code_of("m = 1", Assignable::everything, read("m = 2", Assignable::parameters)), "L0407");
  EXPECT_EQ(code_of("m = 1", Assignable::state), "L0424");
  EXPECT_EQ(code_of("x'' = 1", Assignable::state), "L0424");
  EXPECT_EQ(code_of("x = 1 [kg]", Assignable::state), "L0412");
  EXPECT_EQ(code_of("x = a", Assignable::state), "L0425");  // a has no value
  EXPECT_EQ(code_of("x = 1/0", Assignable::state), "L0001");
  EXPECT_EQ(code_of("x = 1/(l - 1/2)", Assignable::state), "L0425");
  EXPECT_EQ(code_of("x = 1e400", Assignable::state), "L0425");
  EXPECT_EQ(code_of("x = 1e-400", Assignable::state), "L0425");
  EXPECT_EQ(code_of("x = log(-1)", Assignable::state), "L0002");
  EXPECT_EQ(code_of("x = log(-l)", Assignable::state), "L0425");
  EXPECT_EQ(code_of("m = 0", Assignable::parameters), "L0434");
}

}  // namespace
}  // namespace liaison
