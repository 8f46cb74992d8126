/// Row MP-A.1: kinetic constraints are integrable iff the Chetaev forms generate a differential ideal on A.
#include "massa_pagani_support.hpp"

namespace liaison {
namespace {

using test::Mechanism;
using test::State;

const std::string plane = "coord x, y\nkinetic x'^2 + y'^2\n";
const std::string space_and_sum = "coord x, y, z\nkinetic x'^2 + y'^2 + z'^2\nlet s = x*x' + y*y' + z*z'\n";

void expect_integrable(const std::string& text) {
  SCOPED_TRACE(text);
  const Mechanism f(text);
  const FrobeniusResult result = integrability(*f.algebra, *f.geometry);
  EXPECT_PROVED(result.integrable);
  for (const Form& torsion : result.torsions) EXPECT_PROVED(f.zero(torsion));
}

TEST(MassaPaganiIntegrability, integrable_sets) {
  CATALOGUE_ROW("MP-A.1");
  expect_integrable(plane + "constraint p1: x*x' + y*y' = 0\n");
  expect_integrable(space_and_sum + "constraint p2: s = 0\n");
  expect_integrable(
      space_and_sum +
      "constraint p3: s^3 + s*(1 + x'^2) = 0\nintrinsic a, b: x' = a, y' = b, z' = -(x*a + y*b)/z\n");
  expect_integrable(space_and_sum +
                    "constraint p4: exp(s - (1 + t)) - 1 = 0\n"
                    "intrinsic a, b: x' = a, y' = b, z' = (1 + t - x*a - y*b)/z\n");
  expect_integrable(test::model_text("f6_disc").substr(0, test::model_text("f6_disc").find("intrinsic")) +
                    "constraint p5: varphi' = 0\n");
}

TEST(MassaPaganiIntegrability, the_growing_sphere_has_a_closed_form) {
  CATALOGUE_ROW("MP-A.1");
  const Mechanism f(space_and_sum +
                    "constraint p4: exp(s - (1 + t)) - 1 = 0\n"
                    "intrinsic a, b: x' = a, y' = b, z' = (1 + t - x*a - y*b)/z\n");
  EXPECT_PROVED(f.equal(f.geometry->chetaev[0], f.form("x: dx; y: dy; z: dz; -(1 + t): dt")));
  EXPECT_PROVED(f.zero(d(f.geometry->chetaev[0])));
}

/// d nu ^ nu of one relation; the row gives it for nu with a chosen factor.
Form torsion_of(const Mechanism& f, const Form& nu) {
  EXPECT_PROVED(f.zero(wedge(nu, f.geometry->chetaev[0])));
  EXPECT_REFUTED(integrability(*f.algebra, *f.geometry).integrable);
  return wedge(d(nu), nu);
}

TEST(MassaPaganiIntegrability, linear_relations_that_are_not_integrable) {
  CATALOGUE_ROW("MP-A.1");
  const Mechanism knife(
      "coord x, y, theta\nkinetic x'^2 + y'^2 + theta'^2\nconstraint n1: x'*sin(theta) - y'*cos(theta) = "
      "0\n");
  const Form n1 = torsion_of(knife, knife.form("sin(theta): dx; -cos(theta): dy"));
  EXPECT_PROVED(knife.equal(n1, knife.form("-1: dx dy dtheta")));

  const Mechanism shear(plane + "constraint n2: x' - y = 0\n");
  const Form n2 = torsion_of(shear, shear.form("1: dx; -y: dt"));
  EXPECT_PROVED(shear.equal(n2, shear.form("-1: dt dx dy")));

  const Mechanism pursuit = Mechanism::file("f4_pursuit");
  const Form n3 = torsion_of(pursuit, pursuit.form("x - c*t: dy; -y: dx"));
  EXPECT_PROVED(pursuit.equal(n3, pursuit.form("-c*y: dt dx dy")));
  EXPECT_NUMBER(pursuit.number(n3.coefficient({"dt", "dx", "dy"}), pursuit.state(test::f4_state)), -1.35);
}

TEST(MassaPaganiIntegrability, relations_curved_in_the_velocities_are_never_integrable) {
  CATALOGUE_ROW("MP-A.1");
  const Mechanism cone = Mechanism::file("f2_appell_hamel");
  const Form n4 = torsion_of(cone, cone.form("cos(phi): dx; sin(phi): dy; -k: dz"));
  EXPECT_PROVED(cone.equal(n4, cone.form("-1: dx dy dphi; k*sin(phi): dx dz dphi; -k*cos(phi): dy dz dphi")));
  const State at_cone = cone.state(test::f2_state);
  EXPECT_NUMBER(cone.number(n4.coefficient({"dx", "dy", "dphi"}), at_cone), -1);
  EXPECT_NUMBER(cone.number(n4.coefficient({"dx", "dz", "dphi"}), at_cone), 0.846963710092553);
  EXPECT_NUMBER(cone.number(n4.coefficient({"dy", "dz", "dphi"}), at_cone), -1.23800342236452);

  const Mechanism speed = Mechanism::file("f3_speed");
  const Form n5 = torsion_of(speed, speed.form("cos(phi): dx; sin(phi): dy; -(v0 + acc*t): dt"));
  const State at_speed = speed.state(test::f3_state);
  EXPECT_NUMBER(speed.number(n5.coefficient({"dt", "dx", "dphi"}), at_speed), -0.895662187309896);
  EXPECT_NUMBER(speed.number(n5.coefficient({"dt", "dy", "dphi"}), at_speed), 2.11844028620664);
  EXPECT_NUMBER(speed.number(n5.coefficient({"dx", "dy", "dphi"}), at_speed), -1);
}

TEST(MassaPaganiIntegrability, several_relations) {
  CATALOGUE_ROW("MP-A.1");
  const Mechanism disc = Mechanism::file("f6_disc");
  const FrobeniusResult n6 = integrability(*disc.algebra, *disc.geometry);
  EXPECT_REFUTED(n6.integrable);
  const State at = disc.state(test::f6_state);
  EXPECT_NUMBER(disc.number(n6.torsions[0].coefficient({"dx", "dy", "dvarphi", "dtheta"}), at),
                0.305936874913795);
  EXPECT_NUMBER(disc.number(n6.torsions[1].coefficient({"dx", "dy", "dvarphi", "dtheta"}), at),
                0.257687074895076);

  const Mechanism pair(
      "coord x, y, z, theta\nkinetic x'^2 + y'^2 + z'^2 + theta'^2\n"
      "constraint first: x' - y*z' = 0\nconstraint second: theta' + x' - y*z' = 0\n");
  EXPECT_REFUTED(integrability(*pair.algebra, *pair.geometry).integrable);
  // Although theta is constant: dtheta is in the ideal, and closed.
  EXPECT_PROVED(is_in_ideal(*pair.algebra, pair.form("1: dtheta"), pair.geometry->chetaev));
}

}  // namespace
}  // namespace liaison
