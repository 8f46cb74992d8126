#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/model/contact.hpp"
#include "liaison/model/kinematics.hpp"
#include "model_support.hpp"

// Contacts of bodies that can open: "contact NAME: ... unilateral [gap E]".
namespace liaison::test {

namespace {

const Unilateral& only(const System& system) {
  EXPECT_TRUE(system.constraints.empty());
  EXPECT_TRUE(system.contacts.empty());
  EXPECT_EQ(system.unilaterals.size(), 1u);
  return system.unilaterals.at(0);
}

void expect_round_trip(const System& system) {
  const std::string printed = to_lia(system);
  EXPECT_EQ(to_lia(read_system(printed)), printed);
}

System disc(const std::string& contact) {
  return read_system(
      "param m = 1, R = 0.5, J = 0.1, f = 0.2, s = 0.3, d = 0.01, e = 0.5, v = 2, al = 0.3\n"
      "coord x, y, phi\nbody B mass m inertia J at [x, y] angle phi\n" +
      contact + "\n");
}

const std::string sphere =
    "param a = 0.3, m = 2, J = 0.1, f = 0.2, d = 0.01, w = 0.02\ncoord x, y, z\nrotation (p, q, r) in space\n"
    "body S mass m inertia [J, J, J] at [x, y, z] rotation (p, q, r)\n";

}  // namespace

TEST(OpeningContact, has_its_gap_and_what_it_resists_from_its_geometry) {
  const System system = disc(
      "contact c: B on ground at [x, y - R] normal [0, 1] unilateral friction f sticking s rolling d "
      "sticking "
      "2*d restitution e");
  const Unilateral& contact = only(system);
  EXPECT_TRUE(same(system, contact.gap(), "y - R"));
  EXPECT_TRUE(contact.holonomic);
  EXPECT_EQ(contact.power_kind, PowerKind::ideal);
  ASSERT_EQ(contact.slip.size(), 1u);
  EXPECT_TRUE(same(system, contact.slip[0], "x' + R*phi'"));
  EXPECT_EQ(contact.friction, in(system, "f"));
  EXPECT_EQ(contact.sticking, in(system, "s"));
  EXPECT_EQ(contact.restitution, in(system, "e"));
  ASSERT_EQ(contact.turning.size(), 1u);
  EXPECT_EQ(contact.turning[0].kind, ResistedTurning::Kind::rolling);
  EXPECT_EQ(contact.turning[0].slipping, in(system, "d"));
  EXPECT_TRUE(same(system, contact.turning[0].sticking.value(), "2*d"));
  EXPECT_EQ(contact.turning[0].velocity, std::vector{in(system, "phi'")});
  ASSERT_TRUE(contact.contact.has_value());
  EXPECT_EQ(contact.contact->first, "B");
  EXPECT_EQ(contact.contact->second, "");
  EXPECT_NE(to_lia(system).find("unilateral gap"), std::string::npos);
  expect_round_trip(system);
}

TEST(OpeningContact, on_a_slope_and_on_a_belt) {
  const System slope = disc(
      "contact c: B on ground at [x + R*sin(al), y - R*cos(al)] normal [-sin(al), cos(al)] unilateral "
      "friction f");
  EXPECT_TRUE(same(slope, only(slope).gap(), "cos(al)*y - sin(al)*x - R"));
  EXPECT_TRUE(same(slope, only(slope).slip[0], "cos(al)*x' + sin(al)*y' + R*phi'"));
  // The belt is a body that is driven in time, over which the gap must be said.
  const System belt = read_system(
      "param v = 2, m = 1\ncoord x, y, u\nparticle P mass m at [x, y]\nbody L mass 1 inertia 1 at [u + v*t, "
      "0] angle 0*u\n"
      "contact c: P on L at [x, y] normal [0, 1] unilateral gap y friction 0.1\n");
  EXPECT_TRUE(same(belt, only(belt).slip[0], "x' - u' - v"));
  expect_round_trip(belt);
}

TEST(OpeningContact, in_space_resists_two_velocities_across_the_normal) {
  const System system = read_system(sphere +
                                    "contact c: S on ground at [x, y, z - a] normal [0, 0, 1] unilateral "
                                    "friction f rolling d pivoting w\n");
  const Unilateral& contact = only(system);
  EXPECT_TRUE(same(system, contact.gap(), "z - a"));
  ASSERT_EQ(contact.slip.size(), 2u);
  EXPECT_TRUE(same(system, contact.slip[0], "x' - a*q"));
  EXPECT_TRUE(same(system, contact.slip[1], "y' + a*p"));
  ASSERT_EQ(contact.turning.size(), 2u);
  EXPECT_EQ(contact.turning[0].velocity, (std::vector{in(system, "p"), in(system, "q")}));
  EXPECT_EQ(contact.turning[1].velocity, std::vector{in(system, "r")});
  EXPECT_EQ(contact.turning[1].kind, ResistedTurning::Kind::pivoting);
  expect_round_trip(system);
}

// |V|^2 = (n.V)^2 + slip^2 whatever the normal: the two axes are of length one, across it and each other.
TEST(OpeningContact, slips_along_any_plane) {
  for (const std::string normal :
       {"2/3, 1/3, 2/3", "0, 3/5, 4/5", "3/5, 0, -4/5", "0, 0, -1", "-1/3, 2/3, -2/3"}) {
    const System system = read_system(
        "coord x, y, z\nparticle P mass 1 at [x, y, z]\ncontact c: P on ground at [x, y, z] normal [" +
        normal + "] unilateral friction 0.1\n");
    const Unilateral& contact = only(system);
    const Expr rate = time_derivative(system, contact.gap());
    Algebra algebra(*system.pool);
    const Expr squares = pow(rate, 2) + pow(contact.slip.at(0), 2) + pow(contact.slip.at(1), 2);
    EXPECT_TRUE(algebra.are_equal(squares, in(system, "x'^2 + y'^2 + z'^2")).is_proved()) << normal;
  }
}

// Two discs: the normal is along the line of their centres.
TEST(OpeningContact, of_two_bodies_takes_the_gap_that_is_given) {
  const System system = read_system(
      "param a = 1, b = 2\ncoord x, y, phi, X, Y, Phi\nbody A mass 1 inertia 1 at [x, y] angle phi\n"
      "body B mass 1 inertia 1 at [X, Y] angle Phi\nlet d = sqrt((x - X)^2 + (y - Y)^2)\nlet n1 = (x - "
      "X)/d\nlet n2 = (y - Y)/d\n"
      "contact c: A on B at [X + b*n1, Y + b*n2] normal [n1, n2] unilateral gap d - a - b friction 0.1\n");
  const Unilateral& contact = only(system);
  EXPECT_EQ(contact.power_kind, PowerKind::ideal);
  // Along the normal, at the contact the discs slip by the difference of the rims alone.
  const Substitution above{{in(system, "x"), in(system, "0")},
                           {in(system, "X"), in(system, "0")},
                           {in(system, "y"), in(system, "a + b")},
                           {in(system, "Y"), in(system, "0")}};
  Algebra algebra(*system.pool);
  const Expr slip = substitute(contact.slip.at(0), above);
  const Substitution numbers{{in(system, "a"), in(system, "1")}, {in(system, "b"), in(system, "2")}};
  EXPECT_TRUE(
      algebra.are_equal(substitute(slip, numbers), in(system, "x' + phi' - X' + 2*Phi'")).is_proved());
  expect_round_trip(system);
}

// The two rates need to agree where the gap is zero, no more; the force is then that of the contact.
TEST(OpeningContact, agrees_with_its_gap_where_it_is_closed) {
  const System system =
      disc("contact c: B on ground at [x + y - R, y - R] normal [0, 1] unilateral gap y - R");
  const Unilateral& contact = only(system);
  EXPECT_EQ(contact.power_kind, PowerKind::along);
  ASSERT_EQ(contact.direction.size(), 3u);
  EXPECT_TRUE(same(system, contact.direction[2], "y - R"));
  // And where the constraints hold: a wheel whose centre is guided.
  const System guided = read_system(
      "param R = 1\ncoord x, y, phi\nbody B mass 1 inertia 1 at [x, y] angle phi\nconstraint guide: x' = "
      "phi'\n"
      "contact c: B on ground at [x + 1, y - R] normal [0, 1] unilateral gap y + x - R\n");
  EXPECT_EQ(guided.unilaterals.at(0).power_kind, PowerKind::along);
  EXPECT_TRUE(same(guided, guided.unilaterals[0].direction[0], "0"));
}

TEST(OpeningContact, with_units) {
  const std::string model =
      "param R = 50 [cm], mu = 0.2 [1], d = 1 [mm]\ncoord x [m], y [m], phi\nbody B mass 1 inertia 1 at [x, "
      "y] angle phi\n"
      "contact c: B on ground at [x, y - R] normal [0, 1] unilateral";
  EXPECT_EQ(read_system(model + " friction mu rolling d\n").unilaterals.size(), 1u);
  for (const std::string wrong : {" gap mu\n", " friction d\n", " friction mu sticking d\n", " rolling mu\n",
                                  " rolling d sticking mu\n", " restitution d\n", " gap (y - R)*d\n"}) {
    const Source source("model", model + wrong);
    const ParsedModel parsed = parse_model(source);
    ASSERT_FALSE(parsed.diagnostics.empty()) << wrong;
  }
}

}  // namespace liaison::test
