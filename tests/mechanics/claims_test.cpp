#include "liaison/mechanics/claims.hpp"

#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

/// The status of each claim of a model, in order: "proved", "refuted", ...
std::vector<std::string> statuses(const std::string& text, std::vector<ClaimResult>* results = nullptr) {
  static std::vector<Derived> kept;  // results point into their systems
  kept.push_back(derive(text));
  const Derived& model = kept.back();
  ClaimChecker checker(*model.algebra, *model.motion);
  std::vector<std::string> names;
  for (const Claim& claim : model.system->claims) {
    ClaimResult result = checker.check(claim);
    names.push_back(word_for(result.verdict.grade) + (result.passed ? "" : " (not passed)"));
    if (results != nullptr) results->push_back(std::move(result));
  }
  return names;
}

const std::string blade =
    "param m > 0, J > 0\ncoord x, y, phi\nkinetic m/2*(x'^2 + y'^2) + J/2*phi'^2\n"
    "constraint blade: x'*sin(phi) - y'*cos(phi) = 0\n";

TEST(Claims, HoldOnTheConstraintManifoldOnly) {
  EXPECT_EQ(statuses(blade + "claim y' == x'*tan(phi)\nclaim y' == 0\n"),
            (std::vector<std::string>{"proved", "refuted (not passed)"}));
}

TEST(Claims, PredicatesMayBeClaimedFalse) {
  EXPECT_EQ(statuses(blade + "claim holonomic(blade) == false\nclaim holonomic(blade)\nclaim compatible\n"
                             "claim compatible == false\nclaim conserved(T)\nclaim conserved(x') == false\n"),
            (std::vector<std::string>{"proved", "refuted (not passed)", "proved", "refuted (not passed)",
                                      "proved", "proved"}));
}

TEST(Claims, AMisprintPassesWhereItIsRefuted) {
  EXPECT_EQ(statuses(blade + "misprint phi'' == 1\nmisprint phi'' == 0\n"),
            (std::vector<std::string>{"refuted", "proved (not passed)"}));
}

TEST(Claims, EquationsMustHoldAndDetermineTheMotion) {
  const std::string all = "m*x'' == lambda(blade)*sin(phi); m*y'' == -lambda(blade)*cos(phi); phi'' == 0";
  const std::string eliminated = "x''*cos(phi) + y''*sin(phi) == 0; phi'' == 0";
  const std::string too_few = "phi'' == 0";
  const std::string wrong = "x'' == 0; y'' == 0; phi'' == 0";
  std::vector<ClaimResult> results;
  EXPECT_EQ(statuses(blade + "claim equations { " + all + " }\nclaim equations { " + eliminated +
                         " }\nclaim equations { " + too_few + " }\nclaim equations { " + wrong + " }\n",
                     &results),
            (std::vector<std::string>{"proved", "proved", "refuted (not passed)", "refuted (not passed)"}));
  EXPECT_EQ(results[2].detail, "the equations leave accelerations open");
  EXPECT_EQ(results[3].detail, "equation 1 does not hold on the motion: x'' == 0");
}

TEST(Claims, SignsNeedManyPoints) {
  EXPECT_EQ(statuses("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nclaim sign(x' + z')*y == sign(x')*y\n"),
            std::vector<std::string>{"refuted (not passed)"});
}

TEST(Claims, AnEliminatedFormIsNotZero) {
  std::vector<ClaimResult> results;
  statuses(
      "param M > 0, R > 0\ncoord xi, theta\nkinetic M/2*(xi'^2 + theta'^2)\nconstraint roll: xi' + R*theta' "
      "= 0\n"
      "misprint omega_s(theta', theta) == M\n",
      &results);
  EXPECT_FALSE(results[0].passed);
  EXPECT_EQ(results[0].verdict.reason,
            "dtheta' is eliminated from the reduced form, which is written on dxi dxi' dt");
}

TEST(Claims, AnOpenFactorHasNoValue) {
  EXPECT_EQ(
      statuses(
          "param m > 0 = 1\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\nforce y = -m\nconstraint floor: y' = 0\n"
          "reaction second: y'\nclaim lambda(floor) + lambda(second) == 1 at (x = 0)\n"
          "claim lambda(floor) == 0.5 at (x = 0)\nclaim y'' == 0 at (x = 0)\n"),
      (std::vector<std::string>{"checked", "unknown (not passed)", "checked"}));
}

TEST(Claims, NothingIsProvedOfAMotionThatDoesNotExist) {
  EXPECT_EQ(statuses("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = 1\nconstraint a: x = 0\n"
                     "constraint b: y' = 0 by x*y' + x'\nclaim compatible == false\nclaim y'' == 0\n"),
            (std::vector<std::string>{"proved", "empty (not passed)"}));
}

TEST(Claims, BothBranchesOfARootCount) {
  EXPECT_EQ(statuses("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint speed: x'^2 + y'^2 = 1\n"
                     "claim x'*x'' + y'*y'' == 0\nclaim y' == sqrt(1 - x'^2)\n"),
            (std::vector<std::string>{"proved", "refuted (not passed)"}));
}

TEST(Claims, AStateThatIsNotOnTheConstraintsDecidesNothing) {
  std::vector<ClaimResult> results;
  statuses(
      "param m > 0 = 1\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\nconstraint c: x = 1\nclaim y'' == 0 at (x = "
      "2)\n",
      &results);
  EXPECT_FALSE(results[0].passed);
  EXPECT_EQ(
      results[0].verdict.reason,
      "the state is not on `c`: x - 1 = 1, not 0; give fewer values, and the constraints determine the rest");
}

}  // namespace
}  // namespace liaison::test
