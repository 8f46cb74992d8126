#include "liaison/expr/substitute.hpp"
#include "model_support.hpp"

namespace liaison::test {

namespace {

const std::string discs = R"(
param R = 1/10
for i in 1..40: coord x_{i}, y_{i}
for i in 1..40: kinetic (x_{i}'^2 + y_{i}'^2)/2
)";
const std::string pairs =
    "for i in 1..40, j in i+1..40: unilateral d_{i}_{j}: (x_{i} - x_{j})^2 + (y_{i} - y_{j})^2 >= 4*R^2\n";

}  // namespace

TEST(Repeat, a_statement_is_said_for_each_value_of_its_index) {
  const System system = read_system(
      "for i in 1..3: coord x_{i}, q{i}\n"
      "for i in 1..3: kinetic {i}*(x_{i}'^2 + q{i}'^2)/2\n"
      "for i in 1..2: constraint c_{i}: x_{i+1} - x_{i} = {2*i - 3}\n"
      "for i in 1..3, j in i..3: output d_{i}_{j} = x_{i} + x_{j}\n"
      "start x_2 = 5\n");
  ASSERT_EQ(system.directions.size(), 6u);
  EXPECT_EQ(system.directions[3].coordinate.symbol().name, "q2");
  EXPECT_TRUE(same(system, system.kinetic, "(x_1'^2 + q1'^2)/2 + x_2'^2 + q2'^2 + 3*(x_3'^2 + q3'^2)/2"));
  ASSERT_EQ(system.constraints.size(), 2u);
  EXPECT_TRUE(same(system, system.constraints[0].relation, "x_2 - x_1 + 1"));
  EXPECT_TRUE(same(system, system.constraints[1].relation, "x_3 - x_2 - 1"));
  EXPECT_EQ(system.outputs.size(), 6u);
}

TEST(Repeat, places_are_those_of_the_text) {
  const std::string text =
      "for i in 1..3: coord x_{i}\nkinetic x_1'^2\n"
      "for i in 1..3: constraint c_{i}: x_{i} = wrong + x_{i}^2\n";
  const std::string errors = read_errors(text);
  EXPECT_NE(errors.find(":3:42: error: "), std::string::npos) << errors;
  EXPECT_NE(errors.find("`wrong`"), std::string::npos) << errors;
  EXPECT_EQ(errors.find("error:"), errors.rfind("error:")) << errors;  // said three times, wrong once
  const Source source("text",
                      "for i in 1..2: coord x_{i}\nkinetic (x_1'^2 + x_2'^2)/2\n"
                      "for i in 1..2:  constraint c_{i}: x_{i} = 0\n");
  const System system = parse_model(source).system;
  ASSERT_EQ(system.constraints.size(), 2u);
  const Source::Place place = source.place(system.constraints[1].relation_span.begin);
  EXPECT_EQ(place.line, 3u);
  EXPECT_EQ(place.column, 35u);
}

/// 40 discs have 780 pairs, which are one contact with other symbols.
TEST(Repeat, many_contacts_are_kept_as_one) {
  const System system = read_system(discs + pairs);
  EXPECT_TRUE(system.unilaterals.empty());
  ASSERT_EQ(system.families.size(), 1u);
  const ContactFamilyMembers& members = *system.families[0].members;
  ASSERT_EQ(members.size(), 780u);
  ASSERT_EQ(members.slots.size(), 4u);
  EXPECT_EQ(members.name_of(0), "d_1_2");
  EXPECT_EQ(members.name_of(779), "d_39_40");
  std::vector<std::string> names;
  for (std::size_t s = 0; s < 4; ++s) names.push_back(members.symbol(779, s).symbol().name);
  EXPECT_EQ(names, (std::vector<std::string>{"x_39", "x_40", "y_39", "y_40"}));
  EXPECT_TRUE(same(system, system.families[0].contact.gap(), "(x_1 - x_2)^2 + (y_1 - y_2)^2 - 4*R^2"));
}

/// Written out or kept, a contact is the same.
TEST(Repeat, what_is_kept_is_what_would_be_written_out) {
  const System kept = read_system(discs + pairs);
  const ContactFamilyMembers& members = *kept.families[0].members;
  for (std::size_t k = 0; k < members.size(); ++k) {
    if (members.name_of(k) != "d_7_31") continue;
    Substitution to;
    for (std::size_t s = 0; s < members.slots.size(); ++s) to[members.slots[s]] = members.symbol(k, s);
    const Expr gap = substitute(kept.families[0].contact.gap(), to);
    EXPECT_TRUE(same(kept, gap, "(x_7 - x_31)^2 + (y_7 - y_31)^2 - 4*R^2"));
    return;
  }
  FAIL() << "no d_7_31";
}

TEST(Repeat, kept_contacts_print_and_are_read_again) {
  const std::string friction =
      "for i in 1..40, j in i+1..40: unilateral d_{i}_{j}: (x_{i} - x_{j})^2 + (y_{i} - y_{j})^2 >= 4*R^2 "
      "friction 1/3 on x_{i}' - x_{j}' restitution R\n";
  const std::string printed = to_lia(read_system(discs + friction));
  EXPECT_NE(printed.find("for i in 1..40, j in i+1..40: unilateral d_{i}_{j}: "), std::string::npos)
      << printed;
  EXPECT_EQ(to_lia(read_system(printed)), printed);
}

TEST(Repeat, what_cannot_be_said_for_many_is_refused) {
  const auto expect = [](const std::string& text, const std::string& message) {
    const std::string errors = read_errors(text);
    EXPECT_NE(errors.find(message), std::string::npos) << text << errors;
  };
  expect("for i in 1..3 coord x\n", "`:` behind the indices is missing [L0443]");
  expect("for i in 3..1: coord x_{i}\n", "no number is from 3 to 1 [L0443]");
  expect("for i in 1..k: coord x_{i}\n", "`k` is not a whole number here [L0443]");
  expect("for i in 1..3: coord x_{k}\n", "`k` is no sum of indices [L0443]");
  expect("for i in 1..3: coord x_{i-2}\n", "a name would hold the number -1 [L0443]");
  expect("for i in 1..3: for j in 1..2: coord x_{i}\n", "a `for` within another [L0443]");
  expect("for i in 1..3, i in 1..2: coord x_{i}\n", "the index `i` is there twice [L0443]");
  expect("for i in 1..1000000: coord x_{i}\n", "this is said more than 100000 times [L0443]");
  expect("for i in 1..3: coord x_{i\n", "`}` is missing [L0443]");
  expect(discs + "for i in 1..40, j in 1..40: unilateral d_{i}_{j}: x_{i} + x_{j} >= 0\n",
         "in `d_1_2` `x_{i}` and `x_{j}` are different, unlike in `d_1_1` [L0442]");
  expect(discs + "for i in 1..40, j in i+1..41: unilateral d_{i}_{j}: x_{i} - x_{j} >= 0\n",
         "there is no `x_41`, which this is at i = 1, j = 41 [L0442]");
  expect(discs + "for i in 1..40, j in i+1..40: unilateral d_{i}_{j}: x_{i} - x_{j} >= {i}\n",
         "the number `i` is no name [L0443]");
  expect(discs + "for i in 1..40, j in i+1..40: unilateral d_{i}: x_{i} - x_{j} >= 0\n",
         "does not tell them apart [L0443]");
  expect(discs +
             "for i in 1..40: let a_{i} = x_{i}^2\n"
             "for i in 1..40, j in i+1..40: unilateral d_{i}_{j}: a_{i} - x_{j} >= 0\n",
         "`a_1` is");
  expect(discs +
             "for i in 1..40: param p_{i} = {i} [m]\nfor i in 41..80: param p_{i} = 1\n"
             "for i in 1..80, j in 1..40: unilateral d_{i}_{j}: x_{j} >= p_{i}\n",
         "in `d_41_1` `p_41` is of another kind, unit or sign than `p_1` in `d_1_1` [L0442]");
  expect(discs + "for i in 1..40, j in i+1..40: unilateral d_{i}_{j}: x_{i} - x_{j} + x_1/2 >= 0\n",
         "`d_39_40` is not `d_1_2` with other names [L0442]");
  expect(
      discs + "let first = x_1\nfor i in 1..40, j in i+1..40: unilateral d_{i}_{j}: x_{i} - first >= x_{j}\n",
      "`d_39_40` is not `d_1_2` with other names [L0442]");
  expect(discs +
             "for i in 1..1: param p_{i} > 0 = 1\nfor i in 2..40: param p_{i} = -1\n"
             "for i in 1..40, j in 1..40: unilateral d_{i}_{j}: x_{j} >= sqrt(p_{i}^2)\n",
         "of another kind, unit or sign");
  expect("for i in 1..1000000000, j in 2..1: coord y_{i}\n", "this is said more than 100000 times [L0443]");
  expect(discs + pairs + "output pull = lambda(d_1_2)\n", "d_1_2");
}

}  // namespace liaison::test
