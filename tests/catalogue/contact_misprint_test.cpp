/// Rows G2.VI-*: what is printed wrongly about two solids in contact.
#include "contact_support.hpp"
#include "liaison/expr/substitute.hpp"
#include "misprint.hpp"

namespace liaison {
namespace {

using test::ContactRows;
using test::InverseInertiaRows;
using test::Misprint;
using test::refute;
using test::sides_at;

const std::string notation =
    ", with al the velocities of the centres, p the rotations, g the vectors from the contact point to the "
    "centres";

TEST_F(ContactRows, misprints_of_the_speeds) {
  CATALOGUE_ROW("G2.VI-kinematics");
  CATALOGUE_ROW("G2.VI-power");
  const auto refute_formula = [&](const Misprint& misprint, Expr right, std::string_view printed) {
    refute(misprint, sides_at(at, right, desk(printed)));
  };
  refute_formula({"G2.VI-kinematics", "Velocity of the contact point",
                  "u1 = al1 - al4 + g2 p3 - g3 p2 - (g5 p6 - g6 p3)", "... - (g5 p6 - g6 p5)",
                  "u1 == al1 - al4 + g2*p3 - g3*p2 - (g5*p6 - g6*p3)" + notation},
                 motion.velocity[0], "al1 - al4 + g2*p3 - g3*p2 - (g5*p6 - g6*p3)");
  refute_formula(
      {"G2.VI-power", "Rolling speed, index", "a rolling vector with the component p1 - p2", "p1 - p4",
       "|rolling| == sqrt((p1 - p2)^2 + (p2 - p5)^2), p1..p3 and p4..p6 the two rotations"},
      speeds.rolling, "sqrt((p1 - p2)^2 + (p2 - p5)^2)");
  refute_formula({"G2.VI-power", "Rolling speed, sign of the second rotation",
                  "a relative rotation with the sum of the two rotations", "with their difference",
                  "|rolling| == sqrt((p1 + p4)^2 + (p2 + p5)^2), p1..p3 and p4..p6 the two rotations"},
                 speeds.rolling, "sqrt((p1 + p4)^2 + (p2 + p5)^2)");
}

// cos s, sin s of the slip, cos sg, sin sg of the rolling, and the sign eps of the pivoting have names.
TEST_F(ContactRows, misprints_of_the_components_of_the_force) {
  CATALOGUE_ROW("G2.VI-l-components");
  const std::vector<Expr> l = contact_direction(speeds, coefficients, velocities);
  const auto put_in = [&](const std::string& formula) {
    return substitute(desk(formula), {{desk("cos_s"), angles.cos_slip},
                                      {desk("sin_s"), angles.sin_slip},
                                      {desk("cos_sg"), angles.cos_rolling},
                                      {desk("sin_sg"), angles.sin_rolling},
                                      {desk("eps"), angles.pivoting}});
  };
  const auto refute_component = [&](std::size_t i, const std::string& right, const std::string& printed) {
    const Expr component = l[6 + i - 1];  // after al1..al6
    EXPECT_PROVED(equal(component, put_in(right)));
    const std::string name = "l_p" + std::to_string(i);
    refute({"G2.VI-l-components", "Component " + name + " of the contact force", name + " = " + printed,
            name + " = " + right,
            name + " == " + printed + notation +
                ", s and sg the angles of slip and rolling, eps the sign of pivoting"},
           sides_at(at, component, put_in(printed)));
  };
  refute_component(2, "g1 + f*cos_s*g3 - delta*sin_sg", "g2 + f*sin_s*g1 - eps*varpi");
  refute_component(3, "f*sin_s*g1 - f*cos_s*g2 - eps*varpi", "-f*cos_s*g2 - f*sin_s*g3 - delta*cos_sg");
  refute_component(4, "g5 + f*sin_s*g6 + delta*cos_sg", "g5 - f*sin_s*g6 + delta*cos_sg");
  refute_component(5, "-g4 - f*cos_s*g6 + delta*sin_sg", "-g4 + f*sin_s*g6 + delta*cos_sg");
}

TEST_F(InverseInertiaRows, misprints_of_the_coefficients) {
  CATALOGUE_ROW("G2.VI-ThII");
  std::string values = test::contact_state;
  const std::array<ContactInertia, 2> inertias{inertia1(), inertia2()};
  for (std::size_t solid = 0; solid < 2; ++solid) {
    const ContactInertia& I = inertias[solid];
    const std::array<std::pair<const char*, Expr>, 7> entries{
        {{"n", I.inverse_mass}, {"a", I.a}, {"b", I.b}, {"c", I.c}, {"d", I.d}, {"e", I.e}, {"h", I.f}}};
    for (const auto& [name, value] : entries)
      values += ", " + std::string(name) + std::to_string(solid + 1) + " = " + to_infix(value);
  }
  const test::Point here(desk, values);
  const auto refute_term = [&](const std::string& title, const std::string& name, Expr right,
                               const std::string& printed, const std::string& term,
                               const std::string& formula) {
    EXPECT_PROVED(equal(right - desk(formula), desk(term + " - (" + printed + ")")));
    refute(
        {"G2.VI-ThII", "Contact invariant, " + title, printed + " in " + name, term,
         name + " == " + formula +
             ", a, b, d, e, h the entries 11, 22, 23, 13, 12 of the inverse inertias, n = 1/m, g the vectors "
             "from the contact point to the centres"},
        sides_at(here, right, desk(formula)));
  };
  refute_term("coefficient A", "A", w.A, "a2*g4^2 + b2*g5^2", "a2*g5^2 + b2*g4^2",
              "n1 + n2 + a1*g2^2 + b1*g1^2 - 2*h1*g1*g2 + a2*g4^2 + b2*g5^2 - 2*h2*g4*g5");
  refute_term("first body in the coefficient B", "B", w.B, "a1*g2*g4", "a1*g2*g3",
              "a1*g2*g4 + d1*g1^2 - e1*g1*g2 - h1*g1*g3 + a2*g5*g6 + d2*g4^2 - e2*g4*g5 - h2*g4*g6");
  refute_term("second body in the coefficient B", "B", w.B, "-e1*g4*g5", "-e2*g4*g5",
              "a1*g2*g3 + d1*g1^2 - e1*g1*g2 - h1*g1*g3 + a2*g5*g6 + d2*g4^2 - e1*g4*g5 - h2*g4*g6");
  refute_term("coefficient C", "C", w.C, "b2*g4*g5", "b2*g4*g6",
              "b1*g1*g3 - d1*g1*g2 + e1*g2^2 - h1*g2*g3 + b2*g4*g5 - d2*g4*g5 + e2*g5^2 - h2*g5*g6");
}

// Nothing would resist al3.
TEST_F(ContactRows, misprint_of_the_kinetic_energy) {
  CATALOGUE_ROW("G2.VI-ThII");
  const std::array<Expr, 9> J1 = rows("4 -1/2 1/3 -1/2 5 1/4 1/3 1/4 3"), J2 = rows("3 0 1 0 4 1/2 1 1/2 5");
  const auto rank_of = [&](bool printed) {
    return static_cast<double>(
        rank(desk.algebra, mass_matrix(desk, desk("3/2"), J1, desk("5/2"), J2, printed)).rank);
  };
  EXPECT_EQ(rank_of(false), static_cast<double>(velocities.size()));
  refute({"G2.VI-ThII", "Kinetic energy of two solids", "2T with m1 (al1^2 + al2^2 + al4^2)",
          "m1 (al1^2 + al2^2 + al3^2)",
          "the rank of the mass matrix for al1..al6, p1..p6 == that of the printed one"},
         test::Sides{"for masses 3/2 and 5/2", rank_of(false), rank_of(true)});
}

TEST(BodyOnItsApex, misprint_of_the_bound_for_all_bodies) {
  CATALOGUE_ROW("G2.VI-bar-4-3");
  const Rational bar = test::gyration_on_apex(0, 0), cone = test::gyration_on_apex(2, 0);
  EXPECT_LT(cone, bar);
  test::Desk desk;
  const auto least = [&](const Rational& ratio) {
    return test::Point(desk, "f = 1")(degenerate_friction(sqrt(desk.pool.number(ratio)), desk("1")));
  };
  refute({"G2.VI-bar-4-3", "Least friction at which the contact invariant vanishes",
          "for every homogeneous body k/GM >= 1/sqrt(3), hence f >= 4/3 as for a bar on its end",
          "not for all: a slender cone on its apex has k^2/GM^2 = " + cone.to_string() +
              ", and a triangular plate is between the two",
          "the least f of the body >= that of a bar on its end"},
         test::Sides{"for a slender homogeneous cone on its apex", least(cone), least(bar)});
}

}  // namespace
}  // namespace liaison
