#include "model_support.hpp"

namespace liaison::test {

TEST(Text, lines_continue_by_indentation_backslash_and_braces) {
  const System system = read_system(
      "coord x, \\\n y   # two of them\n"
      "kinetic x'^2   # the first\n"
      "\t+ y'^2\n"
      "# between\n"
      "potential x^2\n"
      "  # a comment inside\n"
      "  + y^2 \\\n"
      "+ x*y\n"
      "\n"
      "  start x = 1\n");
  EXPECT_EQ(system.directions.size(), 2u);
  EXPECT_TRUE(same(system, system.kinetic, "x'^2 + y'^2"));
  EXPECT_TRUE(same(system, system.potential, "x^2 + y^2 + x*y"));
  EXPECT_EQ(system.start.size(), 1u);
}

TEST(Text, a_sign_in_quotes_is_no_comment) {
  EXPECT_EQ(read_system("system \"No. #1, a = b: c\"\ncoord x\nkinetic x'^2\n").name, "No. #1, a = b: c");
}

TEST(Text, greek_and_dots_are_names) {
  const System system = read_system("param λ = 1\ncoord θ, ξ₁\nkinetic θ̇² + λ·ξ₁′²\nclaim θ'' == lambda\n");
  EXPECT_TRUE(same(system, system.kinetic, "theta'^2 + lambda*xi1'^2"));
}

TEST(Text, words_of_statements_may_be_names) {
  const System system = read_system(
      "param mass = 1, force = 2, angle = 3\ncoord x\nparticle P mass mass at [x, angle]\nforce x = force\n");
  EXPECT_TRUE(same(system, system.forces[0], "force"));
}

}  // namespace liaison::test
