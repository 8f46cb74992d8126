#include <fmt/format.h>

#include "liaison/mechanics/claims.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

/// A model with one claim, decided.
ClaimResult check(const std::string& text) {
  static std::vector<Derived> kept;  // results point into their systems
  kept.push_back(derive(text));
  const Derived& model = kept.back();
  return ClaimChecker(*model.algebra, *model.motion).check(model.system->claims.front());
}

void expect(Grade grade, const std::string& text) {
  const ClaimResult result = check(text);
  EXPECT_EQ(result.verdict.grade, grade) << text << describe(result.verdict);
}

const std::string oscillator = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 2*x^2\n";

TEST(ClaimsEverywhere, a_quantity_that_jumps_is_not_conserved) {
  expect(Grade::refuted, oscillator + "claim conserved(sign(x'))\n");
  expect(Grade::refuted, oscillator + "claim conserved(sign(x - 3000))\n");
  expect(Grade::refuted, oscillator + "claim conserved(atan2(x', 2*x) + 2*t)\n");
  EXPECT_EQ(check(oscillator + "claim conserved(sign(x'))\n").detail,
            "it jumps where a motion crosses x' = 0");
}

TEST(ClaimsEverywhere, a_surface_that_no_motion_crosses_is_no_jump) {
  expect(Grade::proved, oscillator + "claim conserved(sign(y'))\n");
  expect(Grade::proved, oscillator + "claim conserved(abs(y'))\n");
  expect(Grade::proved, oscillator + "claim conserved(sign(x^2 + 1))\n");
}

TEST(ClaimsEverywhere, within_without_a_state_is_a_tolerance_at_every_state) {
  expect(Grade::proved, oscillator + "claim x'' == -4.0001*x within 1e-3\n");
  expect(Grade::refuted, oscillator + "claim x'' == -4.0001*x within 1e-6\n");
  expect(Grade::proved, oscillator + "claim sin(x)^2 == 0 within 1\n");
  expect(Grade::checked, oscillator + "claim 3 + sin(x)*cos(y) == 3 within 0.4\n");
  expect(Grade::refuted, oscillator + "claim 1 + exp(-(x - 1000)^2) == 1 within 0.49\n");
  expect(Grade::refuted, oscillator + "claim 1 + 1/(1 + (x - 12345678)^2) == 1 within 0.49\n");
}

TEST(ClaimsEverywhere, a_small_error_is_an_error) {
  expect(Grade::refuted, oscillator + "claim x'' == -4*x + 1e-40*y\n");
  expect(Grade::refuted, oscillator + "claim conserved(T + V + 1e-30*x)\n");
}

TEST(ClaimsEverywhere, parameters_belong_to_the_state) {
  const std::string guide = "param a\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: a*x' = 0\n";
  expect(Grade::refuted, guide + "claim x' == 0\n");
  expect(Grade::proved, guide + "claim a*x' == 0\n");
  expect(Grade::proved,
         "param a > 0\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: a*x' = 0\nclaim x' == 0\n");
}

TEST(ClaimsEverywhere, conditions_that_signs_or_relations_exclude_are_not_shown) {
  const std::string geared =
      "param m > 0, M > 0, k > 0, l > 0, J > 0\ncoord x, y, phi\n"
      "kinetic m/2*(x'^2 + y'^2) + (J + M*l^2)*phi'^2/2\npotential k/2*(x^2 + y^2)\n"
      "constraint roll: x' = l*phi'\nconstraint up: (m + M)*y' = k*l*x'\nclaim phi'' == x''/l\n";
  const std::string circle =
      "param l > 0\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x^2 + y^2 = l^2\n"
      "claim x*x'' + y*y'' == -x'^2 - y'^2\n";
  for (const std::string& model : {geared, circle}) {
    const ClaimResult result = check(model);
    EXPECT_TRUE(result.verdict.is_proved()) << describe(result.verdict);
    EXPECT_TRUE(result.verdict.conditions.empty()) << describe(result.verdict);
  }
  const ClaimResult open = check(
      "param l\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x^2 + y^2 = l^2\n"
      "claim lambda(c) == -(x'^2 + y'^2)/(2*l^2)\n");
  EXPECT_FALSE(open.verdict.conditions.empty()) << "l = 0 leaves a point that rests";
}

TEST(ClaimsEverywhere, of_no_state_nothing_passes) {
  const std::string nowhere = "coord x\nkinetic x'^2/2\nconstraint c: x^2 + 1 = 0\n";
  expect(Grade::empty, nowhere + "claim x == 0\n");
  expect(Grade::empty, nowhere + "claim x == 1 within 1e-3\n");
  expect(Grade::empty, nowhere + "claim conserved(T)\n");
  expect(Grade::empty, nowhere + "claim conserved(T) == false\n");
}

/// Rods between points in a plane, in Cartesian coordinates: as many levels as rods.
std::string chain(int rods) {
  std::string coordinates, kinetic, potential, levels;
  for (int i = 1; i <= rods; ++i) {
    coordinates += fmt::format("{}x{}, y{}", i == 1 ? "" : ", ", i, i);
    kinetic += fmt::format("{}m/2*(x{}'^2 + y{}'^2)", i == 1 ? "" : " + ", i, i);
    potential += fmt::format("{}m*g*y{}", i == 1 ? "" : " + ", i);
    levels += i == 1 ? "constraint rod1: x1^2 + y1^2 = l^2\n"
                     : fmt::format("constraint rod{0}: (x{0} - x{1})^2 + (y{0} - y{1})^2 = l^2\n", i, i - 1);
  }
  return "param m > 0, g, l > 0\ncoord " + coordinates + "\nkinetic " + kinetic + "\npotential " + potential +
         "\n" + levels;
}

TEST(ClaimsEverywhere, the_energy_of_a_long_chain_follows_from_its_power_balance) {
  expect(Grade::proved, chain(4) + "claim conserved(T + V)\n");
  expect(Grade::proved, chain(4) + "claim power(rod3) == 0\n");
}

TEST(ClaimsEverywhere, friction_breaks_the_power_balance) {
  expect(Grade::refuted,
         "param m > 0, c > 0\ncoord x\nkinetic m/2*x'^2\nforce x = -c*x'\nclaim conserved(T)\n");
}

}  // namespace
}  // namespace liaison::test
