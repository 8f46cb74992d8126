#include <algorithm>
#include <filesystem>

#include "liaison/mechanics/formulation.hpp"
#include "mechanics_support.hpp"

/// Roads on which a drive is a direction: each gives R_0, and that is compared too.
namespace liaison::test {
namespace {

constexpr Formulation extended_roads[] = {
    Formulation::extended,      Formulation::dalembert,      Formulation::extended_hamilton,
    Formulation::extended_form, Formulation::extended_gauss, Formulation::extended_gibbs_appell,
    Formulation::reactions,     Formulation::perturbation,
};

FormulationResult go(const Derived& system, Formulation road) {
  return derive_formulation(*system.algebra, *system.motion, road, system.extended.get());
}
Verdict judge(const Derived& system, const FormulationResult& result) {
  return agrees(*system.algebra, *system.motion, result, system.extended.get());
}

/// Every road that applies agrees; a wrong R_0 is refuted on each.
void expect_agreement(const Derived& system, const std::vector<Formulation>& roads) {
  for (Formulation road : roads) {
    SCOPED_TRACE(name_of(road));
    FormulationResult result = go(system, road);
    ASSERT_TRUE(result.applicable) << result.reason;
    EXPECT_TRUE(judge(system, result).is_proved()) << describe(judge(system, result));
    ASSERT_EQ(result.drive_forces.size(), system.system->rheonomic.size());
    result.drive_forces[0] += system("1");
    EXPECT_TRUE(judge(system, result).is_refuted());
  }
}

const char* const lift =
    "param m > 0, g, l > 0, A, w\ncoord th\nrheonomic s = A*sin(w*t)\nparticle P mass m at "
    "[l*sin(th), s - l*cos(th)]\ngravity [0, -g]\n";

TEST(ExtendedRoads,
     AgreeOnForcesOfDrives) {  // V10.hamilton, V8.dalembert-lagrange, V6.gallissot-map, V9.gauss
  const Derived system = derive(lift);
  expect_agreement(system, {Formulation::extended, Formulation::dalembert, Formulation::extended_hamilton,
                            Formulation::extended_form, Formulation::extended_gauss,
                            Formulation::extended_gibbs_appell, Formulation::perturbation});
  EXPECT_FALSE(go(system, Formulation::reactions).applicable);
}

TEST(ExtendedRoads, AConstraintThatHoldsTheDrivePushesIt) {
  const Derived circle = derive(
      "param m > 0, M > 0\ncoord x, y\nrheonomic r = 1 + t^2\nparticle P mass m at [x + r, y]\nparticle Q "
      "mass M at [r, 0]\nconstraint c: x^2 + y^2 = r^2\n");
  expect_agreement(
      circle, {Formulation::extended, Formulation::dalembert, Formulation::extended_hamilton,
               Formulation::extended_form, Formulation::extended_gauss, Formulation::extended_gibbs_appell});
  const FormulationResult extended = go(circle, Formulation::extended);
  EXPECT_TRUE(circle.equal(extended.equations[3].first - extended.equations[3].second,
                           "m*x'' + 2*m + 2*M + 2*(1 + t^2)*lambda_c - R_r"));
}

TEST(ExtendedRoads, AForceOnTheDriveIsNoPartOfIt) {
  const Derived drag = derive(
      "param m > 0, M > 0, c\ncoord x\nrheonomic s = t^3\nparticle P mass m at [x + s, 0]\nparticle Q mass M "
      "at [s, 0]\nforce [-c*s', 0] at Q\n");
  expect_agreement(drag, {Formulation::extended, Formulation::dalembert, Formulation::extended_hamilton,
                          Formulation::extended_form, Formulation::extended_gauss,
                          Formulation::extended_gibbs_appell, Formulation::perturbation});
  EXPECT_TRUE(drag.equal(go(drag, Formulation::extended).drive_forces[0], "6*M*t + 3*c*t^2"));
}

TEST(ExtendedRoads, SurfacesThatMoveHaveNormalComponents) {  // V6.multipliers, V2.normal-reaction, V2.sphere
  const Derived sphere = derive(
      "param m > 0, g\ncoord x, y, z\nrheonomic r = 1 + t/2\nparticle P mass m at [x, y, z]\ngravity [0, 0, "
      "-g]\nconstraint c: x^2 + y^2 + z^2 = r^2\n");
  expect_agreement(sphere, {Formulation::extended, Formulation::dalembert, Formulation::extended_gauss,
                            Formulation::extended_gibbs_appell, Formulation::reactions});
  const FormulationResult result = go(sphere, Formulation::reactions);
  EXPECT_TRUE(sphere.equal(result.equations[4].second, "lambda_c*sqrt(4*x^2 + 4*y^2 + 4*z^2)"));
  // the drive has no inertia of its own: no inverse, and that is said
  for (Formulation road : {Formulation::extended_form, Formulation::extended_hamilton}) {
    const FormulationResult singular = go(sphere, road);
    EXPECT_FALSE(singular.applicable);
    EXPECT_NE(singular.reason.find("singular"), std::string::npos) << singular.reason;
  }
  const Derived fixed = derive(
      "param m > 0, g, a > 0\ncoord x, y\nparticle P mass m at [x, y]\ngravity [0, -g]\nconstraint c: x^2 + "
      "y^2 = a^2\n");
  EXPECT_TRUE(judge(fixed, go(fixed, Formulation::reactions)).is_proved());  // V9.reactions-fixed
}

TEST(ExtendedRoads, RelationsBetweenVelocitiesHoldTheDrive) {  // V4.ball-driven-cylinder: a_0i = 0
  const Derived ball = derive(
      "param m > 0, r > 0, R > 0, I > 0\nfunction a(t)\ncoord chi, psi\nrheonomic q0 = a(t)\n"
      "kinetic m*(R - r)^2*chi'^2/2 + I*psi'^2/2\nconstraint roll: (R - r)*chi' + r*psi' = R*q0'\n");
  const FormulationResult result = go(ball, Formulation::extended);
  ASSERT_TRUE(judge(ball, result).is_proved());
  EXPECT_TRUE(ball.algebra->are_equal(result.drive_forces[0], ball("R") * result.factors[0]).is_proved());
  EXPECT_FALSE(go(ball, Formulation::extended_form).applicable);
}

TEST(ExtendedRoads, SeveralDrivesAndASingularTensor) {
  const Derived pendulum = derive(
      "param m > 0, g\ncoord phi\nrheonomic h = sin(3*t)/5\nrheonomic l = 1 + t/10\nparticle P mass m at [h "
      "+ "
      "l*cos(phi), l*sin(phi)]\ngravity [g, 0]\n");
  expect_agreement(pendulum, {Formulation::extended, Formulation::dalembert, Formulation::extended_gauss,
                              Formulation::extended_gibbs_appell, Formulation::perturbation});
  EXPECT_FALSE(go(pendulum, Formulation::extended_form).applicable);
}

TEST(ExtendedRoads, GaussFunctionIsSplitByTheComplementOfSchur) {  // V9.gauss-split
  const Derived system = derive(lift);
  FormulationResult gauss = go(system, Formulation::extended_gauss);
  ASSERT_EQ(gauss.statements.size(), 1u);
  ASSERT_TRUE(judge(system, gauss).is_proved());
  // the printed split: s^-1 on the covariant component of the drive
  gauss.statements[0].second = system("u_th^2/(2*m*l^2) + u_s^2/(2*m)");
  EXPECT_TRUE(judge(system, gauss).is_refuted());
}

TEST(ExtendedRoads, DeviationsComeFromOneFunction) {  // V10.perturbation
  const Derived pendulum = derive(
      "param m > 0, l > 0, g, c\ncoord q\nkinetic m*l^2*q'^2/2\npotential -m*g*l*cos(q)\nforce q = -c*q'\n");
  FormulationResult result = go(pendulum, Formulation::perturbation);
  ASSERT_TRUE(result.applicable) << result.reason;
  EXPECT_TRUE(judge(pendulum, result).is_proved());
  EXPECT_TRUE(pendulum.equal(result.equations[2].second, "eta_q/(m*l^2)"));
  EXPECT_TRUE(pendulum.equal(result.equations[3].second, "-m*g*l*cos(q)*xi_q - c*eta_q/(m*l^2)"));
  result.statements[0].first += pendulum("xi_q");
  EXPECT_TRUE(judge(pendulum, result).is_refuted());
}

TEST(ExtendedRoads, NamesOfTheModelAreLeftAlone) {
  const Derived taken = derive(
      "param m > 0, g, R_s, R_t, Z\ncoord th\nrheonomic s = sin(3*t)\nparticle P mass m at [R_s*sin(th), s - "
      "R_t*cos(th)]\ngravity [0, -g*Z]\n");
  for (Formulation road : extended_roads) {
    const FormulationResult result = go(taken, road);
    if (!result.applicable) continue;
    EXPECT_TRUE(judge(taken, result).is_proved()) << name_of(road);
  }
}

// ---- the models ----

std::vector<std::string> driven_models() {
  std::vector<std::string> names;
  for (const char* folder : {"driven", "vujicic"})
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(LIAISON_SOURCE_DIR) + "/models/" + folder))
      if (entry.path().extension() == ".lia")
        names.push_back(std::string(folder) + "/" + entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

class DrivenModels : public ::testing::TestWithParam<std::string> {};

TEST_P(DrivenModels, AllRoadsWithDrivesAgree) {
  const Derived system = derive_file(GetParam());
  for (Formulation road : extended_roads) {
    SCOPED_TRACE(name_of(road));
    const FormulationResult result = go(system, road);
    if (!result.applicable) {
      EXPECT_FALSE(result.reason.empty());
      continue;
    }
    const Verdict verdict = judge(system, result);
    EXPECT_TRUE(verdict.holds()) << describe(verdict);
    if (!result.acceleration.empty() && system.extended && road != Formulation::perturbation) {
      EXPECT_EQ(result.drive_forces.size(), system.system->rheonomic.size());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, DrivenModels, ::testing::ValuesIn(driven_models()), [](const auto& model) {
  std::string name = model.param.substr(0, model.param.size() - 4);
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
});

}  // namespace
}  // namespace liaison::test
