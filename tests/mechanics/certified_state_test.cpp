#include "liaison/mechanics/certified_state.hpp"

#include <fmt/format.h>

#include <random>

#include "expr/raw.hpp"
#include "liaison/mechanics/claims.hpp"
#include "mechanics_support.hpp"

namespace liaison::test {
namespace {

struct Decided {
  std::vector<std::string> statuses;
  std::vector<std::string> reasons;
};

/// The claims of a model, in order.
Decided decide(const std::string& text) {
  const Derived model = derive(text);
  ClaimChecker checker(*model.algebra, *model.motion);
  Decided result;
  for (const Claim& claim : model.system->claims) {
    const ClaimResult found = checker.check(claim);
    result.statuses.push_back(word_for(found.verdict.grade));
    result.reasons.push_back(found.verdict.reason);
  }
  return result;
}

std::vector<std::string> statuses(const std::string& text) {
  return decide(text).statuses;
}

using List = std::vector<std::string>;
const List true_and_false{"checked", "refuted"};

TEST(ClaimsAtAState, SurviveStiffness) {
  EXPECT_EQ(statuses("param m = 1, k = 2e11\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\npotential k/2*(x - y)^2\n"
                     "claim x'' == -20000 at (x = 1.0000001, y = 1)\n"
                     "claim x'' == -20000.0001 at (x = 1.0000001, y = 1)\n"),
            true_and_false);
}

TEST(ClaimsAtAState, SurviveAMassMatrixThatIsNearlySingular) {
  EXPECT_EQ(statuses("coord x, y\nkinetic (x'^2 + y'^2)/2 + (1 - 1e-10)*x'*y'\nforce x = 1\n"
                     "claim x'' == 1/(1 - (1 - 1e-10)^2) at (x = 0)\n"
                     "claim x'' == (1 + 1e-9)/(1 - (1 - 1e-10)^2) at (x = 0)\n"),
            true_and_false);
}

TEST(ClaimsAtAState, OfTinyMassesMeetNoFixedThreshold) {
  EXPECT_EQ(statuses("param m = 1e-13\ncoord x\nkinetic m/2*x'^2\nforce x = 3*m\n"
                     "claim T == 5e-14 at (x' = 1)\nclaim T == 5.000000005e-14 at (x' = 1)\n"
                     "claim T == 0 at (x' = 1)\nclaim T == 0 at (x' = 0)\nclaim m*x'' == 3e-13 at (x = 0)\n"
                     "claim m*x'' == 0 at (x = 0)\n"),
            (List{"checked", "refuted", "refuted", "checked", "checked", "refuted"}));
}

/// A chain of particles on massless rods of length one, by angles.
std::string chain(int links) {
  std::string text = "param g = 9.81\ncoord ", x, y, state;
  for (int i = 1; i <= links; ++i) text += (i > 1 ? ", th" : "th") + std::to_string(i);
  text += "\n";
  for (int i = 1; i <= links; ++i) {
    const std::string angle = "th" + std::to_string(i);
    x += " + sin(" + angle + ")";
    y += " - cos(" + angle + ")";
    text += "particle P" + std::to_string(i) + " mass 1 at [" + x.substr(3) + ", " + y + "]\n";
    state += (i > 1 ? ", " : "") + angle + " = 0." + std::to_string(i) + ", " + angle + "' = -0.3";
  }
  text += "gravity [0, -g]\n";
  return text + "claim conserved(T + V) at (" + state + ")\nclaim conserved(T + V + 1e-9*th1) at (" + state +
         ")\nclaim th8'' == 0 at (th1 = 0)\nclaim th8'' == 0 at (th8 = 1e-9)\n";
}

TEST(ClaimsAtAState, SurviveLongChains) {
  EXPECT_EQ(statuses(chain(8)), (List{"checked", "refuted", "checked", "refuted"}));
}

const std::string pendulum =
    "param g = 9.81\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -g\nconstraint rod: x^2 + y^2 = 1\n";

TEST(ClaimsAtAState, SpeakOfTheCompletedState) {
  EXPECT_EQ(statuses(pendulum + "claim y' == 0.75 at (x = 0.6, y = -0.8, x' = 1)\n"
                                "claim y' == 0.75000000001 at (x = 0.6, y = -0.8, x' = 1)\n"
                                "claim y == sqrt(8)/3 at (x = 1/3, x' = 1)\n"
                                "claim y == 0.9428090415 at (x = 1/3, x' = 1)\n"
                                "claim x*x'' + y*y'' == -9/8 at (x = 1/3, x' = 1)\n"
                                "claim x*x'' + y*y'' == -1.12500001 at (x = 1/3, x' = 1)\n"),
            // x alone leaves two values of y: what is claimed may be true of the other one
            (List{"checked", "refuted", "unknown", "refuted", "checked", "refuted"}));
}

TEST(ClaimsAtAState, TakeGivenExpressionsExactly) {
  EXPECT_EQ(statuses(pendulum + "claim lambda(rod) == -g*cos(pi/6)/2 at (x = sin(pi/6), y = -cos(pi/6))\n"
                                "claim lambda(rod) == -4.2478 at (x = sin(pi/6), y = -cos(pi/6))\n"
                                "claim x'' == -g*sqrt(3)/4 at (x = 1/2, y = -sqrt(3)/2)\n"),
            (List{"checked", "refuted", "checked"}));
}

TEST(ClaimsAtAState, AreNotRefutedWhereGivenValuesAreRounded) {
  const Decided found = decide(pendulum +
                               "claim x'' == -9.81*sqrt(3)/4 at (x = 0.5, y = -0.8660254037844386)\n"
                               "claim x'' == -4 at (x = 0.5, y = -0.8660254037844386)\n"
                               "claim x'' == 0 at (x = 0.5, y = -0.866)\n");
  EXPECT_EQ(found.statuses, (List{"checked", "unknown", "unknown"}));
  EXPECT_EQ(found.reasons[1].substr(0, 53), "the given values are rounded: they are off `rod` by -");
  EXPECT_EQ(found.reasons[2],
            "the state is not on `rod`: x^2 + y^2 - 1 = -4.4e-05, not 0; give fewer values, and the "
            "constraints determine the rest");
}

TEST(ClaimsAtAState, HoldForUnitQuaternions) {
  EXPECT_EQ(statuses("coord x\nrotation R (p, q, r) in body\nkinetic x'^2/2 + (p^2 + 2*q^2 + 3*r^2)/2\n"
                     "claim R33 == -0.28 at (R_e0 = 0.6, R_e1 = 0.8)\n"
                     "claim R33 == -0.2800000001 at (R_e0 = 0.6, R_e1 = 0.8)\n"
                     "claim R11 == 1 at (p = 1)\n"
                     "claim p' == -2 at (q = 1, r = 2)\nclaim p' == -2.00000001 at (q = 1, r = 2)\n"),
            (List{"checked", "refuted", "checked", "checked", "refuted"}));
}

TEST(ClaimsAtAState, SeeWhatRedundantConstraintsDetermine) {
  const std::string twice =
      "param m = 1\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\nforce y = -m*sqrt(2)\n"
      "constraint a: y' = 0\nconstraint b: 3*y' = 0\n";
  EXPECT_EQ(statuses(twice + "claim y'' == 0 at (x = 1)\nclaim y'' == 1e-9 at (x = 1)\n"
                             "claim lambda(a) + 3*lambda(b) == sqrt(2) at (x = 1)\n"
                             "claim lambda(a) + 3*lambda(b) == 1.41421356 at (x = 1)\n"
                             "claim lambda(a) == 1 at (x = 1)\nclaim det_r == 0 at (x = 1)\n"
                             "claim compatible at (x = 1)\nclaim independent(a, b) at (x = 1)\n"
                             "claim independent(a) at (x = 1)\n"),
            (List{"checked", "refuted", "checked", "refuted", "unknown", "checked", "refuted", "refuted",
                  "proved"}));
}

TEST(ClaimsAtAState, SeeRedundantConstraintsAtVelocitiesThatAreNotRational) {
  const std::string twice =
      "param m = 1\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\n"
      "constraint a: y' - x'*sin(x) = 0\nconstraint b: 2*y' - 2*x'*sin(x) = 0\n";
  EXPECT_EQ(
      statuses(twice + "claim y' == sin(0.3) at (x = 0.3, x' = 1)\nclaim y' == 0.2955 at (x = 0.3, x' = 1)\n"
                       "claim y'' - x''*sin(0.3) == cos(0.3) at (x = 0.3, x' = 1)\n"
                       "claim y'' - x''*sin(0.3) == 0.95533648 at (x = 0.3, x' = 1)\n"
                       "claim lambda(a) == 0 at (x = 0.3, x' = 1)\nclaim compatible at (x = 0.3, x' = 1)\n"),
      (List{"checked", "refuted", "checked", "refuted", "unknown", "refuted"}));
}

TEST(ClaimsAtAState, SeeADeterminantThatIsSmallButNotZero) {
  const std::string crossing =
      "param e = 1e-11\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 1\nconstraint a: y' = 0\n"
      "constraint b: y' + e*x' = 0\n";
  EXPECT_EQ(statuses(crossing + "claim compatible at (x = 1)\nclaim det_r == 1e-22 at (x = 1)\n"
                                "claim det_r == 0 at (x = 1)\nclaim compatible at (e = 0)\n"
                                "claim lambda(b) == -1e11 at (x = 1)\n"),
            (List{"proved", "checked", "refuted", "refuted", "checked"}));
}

TEST(ClaimsAtAState, HonourTheStateInEveryKind) {
  const std::string blade =
      "param m = 1, J = 2\ncoord x, y, phi\nkinetic m/2*(x'^2 + y'^2) + J/2*phi'^2\n"
      "constraint blade: x'*sin(phi) - y'*cos(phi) = 0\n";
  const Decided found =
      decide(blade +
             "claim conserved(x') at (x' = 1, phi' = 0)\nclaim conserved(x') at (phi = 1, x' = 1, phi' = 1)\n"
             "claim holonomic(blade) at (x = 0)\n"
             "claim equations { x'' == 0; y'' == 0; phi'' == 0 } at (x' = 1)\n"
             "claim equations { x'' == 0; phi'' == 0 } at (x' = 1)\n"
             "claim equations { x'' == 0; phi'' == 1 } at (x' = 1)\n");
  EXPECT_EQ(found.statuses, (List{"checked", "refuted", "unknown", "checked", "checked", "refuted"}));
  EXPECT_EQ(found.reasons[2], "whether constraints are integrable is not a question about one state");
}

TEST(ClaimsAtAState, AreNotRefutedByAValueThatWasChosen) {
  const Decided found = decide(
      "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: x' + y' + z' = 0\n"
      "claim y' + z' == -1 at (x' = 1)\nclaim y' == -1 at (x' = 1)\nclaim y' == -1 at (x' = 1, z' = 0)\n"
      "claim y' == -2 at (x' = 1, z' = 0)\nclaim y' == 0 at (x = 1)\nclaim y' == 1 at (x = 1)\n");
  EXPECT_EQ(found.statuses, (List{"checked", "unknown", "checked", "refuted", "checked", "refuted"}));
  EXPECT_EQ(found.reasons[1], "the given values do not determine `z'`: one of many values was chosen");
}

TEST(ClaimsAtAState, DoNotOverrideADeclaredSign) {
  const Derived model = derive("param m > 0 = 1\ncoord x\nkinetic m/2*x'^2\nclaim x'' == 0 at (m = 1)\n");
  Claim claim = model.system->claims[0];
  claim.at[0].value = model("-1");  // the language refuses it; so does the checker
  ClaimChecker checker(*model.algebra, *model.motion);
  EXPECT_EQ(checker.check(claim).verdict.reason, "`m` is declared positive");
}

TEST(ClaimsAtAState, NeedTheDomainOfTheirText) {
  const Derived model = derive("coord x\nkinetic x'^2/2\nclaim x'' == 0 at (x = 0)\n");
  ClaimChecker checker(*model.algebra, *model.motion);
  Claim claim = model.system->claims[0];
  claim.domain = {{model("x - 1/3"), Bound::nonzero}, {model("sin(x)^2"), Bound::nonnegative}};
  EXPECT_EQ(word_for(checker.check(claim).verdict.grade), "checked");
  claim.domain = {{model("x"), Bound::nonzero}};
  EXPECT_EQ(checker.check(claim).verdict.reason,
            "the claim has no value at this state: x != 0 does not hold");
}

TEST(ClaimsAtAState, UseTheToleranceThatIsGiven) {
  EXPECT_EQ(statuses(pendulum + "claim y' == 0.7501 at (x = 0.6, y = -0.8, x' = 1) within 1e-3\n"
                                "claim y' == 0.7501 at (x = 0.6, y = -0.8, x' = 1) within 1e-6\n"),
            true_and_false);
}

/// A system that is made from its solution: coefficients, accelerations u and factors are drawn, the last
/// coefficient of each relation is such that u keeps it, and the forces are M u - sum lambda_h l^h.
std::string system_from_solution(unsigned seed) {
  std::mt19937_64 random(seed);
  const auto draw = [&] {
    const long numerator = std::uniform_int_distribution<long>(1, 9)(random);
    const long sign = std::uniform_int_distribution<long>(0, 1)(random) == 0 ? -1 : 1;
    return Rational(sign * numerator, std::uniform_int_distribution<long>(1, 7)(random));
  };
  const std::size_t n = 2 + seed % 3, relations = seed % 2 + seed % 3 / 2;
  const Rational mass_scale = power(Rational(10), seed % 5 == 0 ? -13 : seed % 5 == 1 ? 12 : 0);
  const Rational weak = seed % 4 == 0 ? power(Rational(10), -6) : Rational(1);
  std::vector<std::vector<Rational>> root(n, std::vector<Rational>(n)), relation(relations);
  std::vector<Rational> u(n), force(n), factor(relations);
  for (std::size_t i = 0; i < n; ++i) {
    u[i] = draw();
    for (std::size_t j = 0; j < n; ++j)
      root[i][j] = (i == j ? draw() + 20 : draw()) * (i + 1 == n ? weak : Rational(1));
  }
  std::string kinetic, constraints, claims, forces, coordinates;
  for (std::size_t i = 0; i < n; ++i) {
    coordinates += fmt::format("{}x{}", i > 0 ? ", " : "", i);
    for (std::size_t j = 0; j < n; ++j) {
      Rational mass;
      for (std::size_t k = 0; k < n; ++k) mass += mass_scale * root[k][i] * root[k][j];
      force[i] += mass * u[j];
      kinetic += fmt::format(" + ({})*x{}'*x{}'/2", mass.to_string(), i, j);
    }
  }
  const auto claim = [&](const std::string& what, const Rational& value) {
    claims += fmt::format("claim {} == {} at (x0 = 1)\n", what, value.to_string());
    claims += fmt::format("claim {} == {} at (x0 = 1)\n", what,
                          (value + value * power(Rational(10), -9)).to_string());
  };
  for (std::size_t k = 0; k < relations; ++k) {
    factor[k] = mass_scale * draw();
    Rational left;
    constraints += fmt::format("constraint c{}: 0", k);
    for (std::size_t i = 0; i < n; ++i) {
      const Rational entry = i + 1 < n ? draw() : -left / u[i];
      left += entry * u[i];
      force[i] += -factor[k] * entry;
      constraints += fmt::format(" + ({})*x{}'", entry.to_string(), i);
    }
    constraints += " = 0\n";
    claim(fmt::format("lambda(c{})", k), factor[k]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    forces += fmt::format("force x{} = {}\n", i, force[i].to_string());
    claim(fmt::format("x{}''", i), u[i]);
  }
  return fmt::format("coord {}\nkinetic {}\n{}{}{}", coordinates, kinetic.substr(3), forces, constraints,
                     claims);
}

TEST(ClaimsAtAState, FindTheSolutionThatASystemIsMadeFrom) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const std::string text = system_from_solution(seed);
    const List found = statuses(text);
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_EQ(found[i], true_and_false[i % 2]) << "seed " << seed << ", claim " << i << "\n" << text;
  }
}

TEST(CertifiedState, HasAsManyDigitsAsAreAskedFor) {
  const Derived model = derive(pendulum + "claim y == 0 at (x = 1/3, x' = 1)\n");
  const CertifiedState state = certify_state(*model.algebra, *model.motion, model.system->claims[0]);
  ASSERT_TRUE(state.is_certified()) << state.uncertain;
  EXPECT_FALSE(state.is_exact());
  for (long bits : {128L, 1024L, 4096L}) {
    const auto point = state.at(bits);
    ASSERT_TRUE(point) << bits;
    const Ball& y = point->at(model("y"));
    EXPECT_GT(y.digits(), static_cast<long>(0.25 * static_cast<double>(bits)));
    Ball square;
    arb_sqr(square.raw(), y.raw(), bits);
    EXPECT_TRUE(arb_contains_fmpq(square.raw(), Rational(8, 9).raw()));
  }
}

TEST(CertifiedState, IsExactWhereItIsRational) {
  const Derived model = derive(pendulum + "claim y == 0 at (x = 0.6, y = -0.8, x' = 1)\n");
  const CertifiedState state = certify_state(*model.algebra, *model.motion, model.system->claims[0]);
  ASSERT_TRUE(state.is_exact());
  EXPECT_EQ(state.exact().at(model("y'")), model("3/4"));
}

}  // namespace
}  // namespace liaison::test
