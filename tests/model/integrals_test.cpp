#include "liaison/model/integrals.hpp"

#include "liaison/model/dimension_of.hpp"
#include "liaison/model/unit.hpp"
#include "model_support.hpp"

namespace liaison::test {

namespace {

constexpr const char* cart =
    "param m = 2 [kg], F = 3 [N]\ncoord x [m]\nkinetic m/2*x'^2\nforce x = F\nconstraint c: x' = 0\n";

}  // namespace

TEST(Integrals, are_calls_that_print_and_read_back) {
  const std::string text =
      std::string(cart) + "let work = integral(F*x')\noutput all = T - work + integral(lambda(c)*x')\n";
  const Source source("cart.lia", text);
  const ParsedModel model = parse_model(source);
  ASSERT_TRUE(model.ok()) << render(model.diagnostics, source);
  const std::string printed = to_lia(model.system);
  EXPECT_NE(printed.find("integral(lambda(c)*x')"), std::string::npos) << printed;
  EXPECT_EQ(printed.find("__"), std::string::npos) << printed;
  const Source again("again.lia", printed);
  const ParsedModel second = parse_model(again);
  ASSERT_TRUE(second.ok()) << render(second.diagnostics, again);
  EXPECT_EQ(to_lia(second.system), printed);
  EXPECT_EQ(integrals_in({second.system.outputs[0].value}).size(), 2u);
}

TEST(Integrals, have_the_unit_of_what_is_integrated_times_a_second) {
  const Source source("cart.lia",
                      std::string(cart) + "output work = integral(F*x')\noutput push = integral(F)\n");
  const ParsedModel model = parse_model(source);
  ASSERT_TRUE(model.ok()) << render(model.diagnostics, source);
  EXPECT_EQ(unit_of_value(model.system, model.system.outputs[0].value), "N·m");
  EXPECT_EQ(dimension_of(model.system, model.system.outputs[1].value), parse_unit("N*s")->dimension);
  const Source wrong("cart.lia", std::string(cart) + "output sum = T + integral(F)\n");
  const ParsedModel refused = parse_model(wrong);
  ASSERT_EQ(refused.diagnostics.size(), 1u);
  EXPECT_EQ(refused.diagnostics[0].code, "L0412");
}

TEST(Integrals, of_the_same_are_one) {
  const Source source("cart.lia", std::string(cart) + "output a = integral(x)*(T + V)/integral(x)^2\n");
  const ParsedModel model = parse_model(source);
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(integrals_in({model.system.outputs[0].value}).size(), 1u);
}

}  // namespace liaison::test
