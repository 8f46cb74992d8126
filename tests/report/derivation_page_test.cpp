#include <gtest/gtest.h>

#include "liaison/mechanics/motion.hpp"
#include "liaison/model/language.hpp"
#include "liaison/report/derivation.hpp"

namespace liaison {
namespace {

std::string derived(const std::string& text, const DerivationOptions& options = {}) {
  const Source source("m.lia", text);
  ParsedModel parsed = parse_model(source);
  EXPECT_TRUE(parsed.ok());
  const System system = std::move(parsed.system);
  Algebra algebra(*system.pool, {});
  const Motion motion = derive_motion(algebra, system);
  return render_text(derivation_of(algebra, motion, options));
}

bool says(const std::string& page, const std::string& words) {
  return page.find(words) != std::string::npos;
}

const char* const names_of_the_page = R"(param m = 2, r = 1/2, Omega = 3, E = 4, a = 5
coord theta, x
kinetic m/2*(x'^2 + r^2*theta'^2)
potential E*x + a*theta*Omega
constraint roll: x' - r*theta' = 0
claim conserved(T + V)
)";

TEST(DerivationPage, letters_of_the_page_give_way_to_those_of_the_model) {
  const std::string page = derived(names_of_the_page);
  EXPECT_TRUE(says(page, "Ψ = d(pᵢ ωⁱ − (pᵢ vⁱ − T) dt) + Qᵢ ωⁱ ∧ dt")) << page;
  EXPECT_TRUE(says(page, "The characteristic field X with i(X)Ψ = 0")) << page;
  EXPECT_TRUE(says(page, "ρʰᵏ = i(eʰ)dαᵏ")) << page;
  EXPECT_TRUE(says(page, "α_roll = ")) << page;
  EXPECT_FALSE(says(page, "θⁱ"));
  const std::string plain = derived("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x' - y' = 0\n");
  EXPECT_TRUE(says(plain, "Ω = d(pᵢ θⁱ − (pᵢ vⁱ − T) dt)")) << plain;
  EXPECT_TRUE(says(plain, "rʰᵏ = i(eʰ)daᵏ")) << plain;
}

TEST(DerivationPage, freedom_values_and_claims_are_said) {
  const std::string page = derived(names_of_the_page);
  EXPECT_TRUE(says(page, "1 degree of freedom: 2 directions of motion, 1 constraint.")) << page;
  EXPECT_TRUE(says(page, "What the model claims")) << page;
  EXPECT_TRUE(says(page, "conserved(T + V)")) << page;
  EXPECT_TRUE(says(page, "parameter  value")) << page;
  EXPECT_TRUE(says(page, "r          0.5")) << page;
}

TEST(DerivationPage, a_large_matrix_is_written_by_entries) {
  const std::string page = derived(R"(param first_mass = 1, second_mass = 2, third_mass = 3, fourth_mass = 4
coord x, y, z, w
kinetic (first_mass*x'^2 + second_mass*y'^2 + third_mass*z'^2 + fourth_mass*w'^2)/2
constraint one: x' - y' = 0
constraint two: y' - z' = 0
constraint three: z' - w' = 0
)");
  EXPECT_TRUE(says(page, "The matrix has 3 rows and 3 columns; entries that are zero are left out:")) << page;
  EXPECT_TRUE(says(page, "r_one, two = ")) << page;
  EXPECT_FALSE(says(page, "r_one, three = ")) << page;
}

TEST(DerivationPage, what_is_too_long_is_left_out_with_a_word) {
  DerivationOptions short_page;
  short_page.readable_limit = 0;
  const std::string page = derived(names_of_the_page, short_page);
  EXPECT_TRUE(says(page, "too long to be read; `derive --full` shows them")) << page;
}

}  // namespace
}  // namespace liaison
