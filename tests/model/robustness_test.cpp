#include "model_support.hpp"

namespace liaison::test {

TEST(Robustness, a_million_lines_end_well) {
  std::string text = "coord x\nkinetic x'^2\n";
  for (int i = 0; i < 100'000; ++i) {
    text += "param a" + std::to_string(i) + " = 1\n\n# a comment\n";
    for (int k = 0; k < 7; ++k) text += "  \n";
  }
  const ParsedModel model = parse_model(Source("large", text));
  EXPECT_TRUE(model.ok());
  EXPECT_EQ(model.system.parameters.size(), 100'000u);
}

TEST(Robustness, a_million_wrong_lines_end_at_twenty_reports) {
  std::string text = "coord x\n";  // a text without any statement is one error
  for (int i = 0; i < 1'000'000; ++i) text += "nonsense\n";
  EXPECT_EQ(parse_model(Source("wrong", text)).diagnostics.size(), 20u);
}

TEST(Robustness, a_statement_of_a_million_lines_ends_well) {
  std::string text = "coord x\nkinetic x'^2\npotential x\n";
  for (int i = 0; i < 300'000; ++i) text += "  + x\n";
  const System system = read_system(text);
  EXPECT_TRUE(same(system, system.potential, "300001*x"));
}

TEST(Robustness, bytes_that_are_no_text_are_reported) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += static_cast<char>((i * 7919) % 255 + 1);
  EXPECT_FALSE(parse_model(Source("binary", text)).ok());
  EXPECT_FALSE(parse_model(Source("binary", std::string(1000, '\xFF'))).ok());
  EXPECT_FALSE(parse_model(Source("empty", "")).ok());
}

TEST(Robustness, brackets_without_end_are_reported) {
  for (const std::string open : {"(", "[", "{"}) {
    std::string text = "coord x\nkinetic ";
    for (int i = 0; i < 100'000; ++i) text += open;
    EXPECT_FALSE(parse_model(Source("deep", text)).ok());
    EXPECT_FALSE(parse_model(Source("deep", "claim " + text)).ok());
    EXPECT_FALSE(parse_model(Source("deep", "claim equations {" + text)).ok());
  }
}

TEST(Robustness, functions_of_functions_do_not_recur) {
  std::string text = "coord x\nfunction f(a) = a + 1\nkinetic x'^2\npotential ";
  for (int i = 0; i < 5000; ++i) text += "f(";
  text += "x" + std::string(5000, ')') + "\n";
  const System system = read_system(text);
  EXPECT_TRUE(same(system, system.potential, "x + 5000"));
}

TEST(Robustness, line_ends_of_all_systems_are_read) {
  const System system = read_system(
      "\xEF\xBB\xBF"
      "coord x\r\nkinetic x'^2 \\\r\n+ 1\r\n");
  EXPECT_TRUE(same(system, system.kinetic, "x'^2 + 1"));
}

}  // namespace liaison::test
