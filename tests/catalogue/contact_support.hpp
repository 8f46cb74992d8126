#pragma once

#include <array>
#include <string>
#include <vector>

#include "liaison/algebra/matrix.hpp"
#include "liaison/model/contact.hpp"
#include "row.hpp"

/// Two solids in contact, for the rows G2.VI-*.
namespace liaison::test {

/// The state at which the catalogue gives the numbers of its contact rows.
inline constexpr const char* contact_state =
    "f = 0.4, delta = 0.05, varpi = 0.03, g1 = 0.3, g2 = -0.4, g3 = 0.7, g4 = -0.2, g5 = 0.5, g6 = -0.9, "
    "al1 = 1/2, al2 = -1/3, al3 = 181/600, al4 = -2/5, al5 = 1/7, al6 = 1/4, "
    "p1 = 3/5, p2 = -2/3, p3 = 1/2, p4 = -1/4, p5 = 1/6, p6 = 5/7";

/// The twelve velocity parameters al1..al6, p1..p6 as symbols, components on the contact trihedron.
struct ContactRows : ::testing::Test {
  Desk desk;
  Point at{desk, contact_state};
  const Triple arm1 = triple("g1 g2 g3"), arm2 = triple("g4 g5 g6");
  const ContactMotion motion = contact_motion({arm1, triple("al1 al2 al3"), triple("p1 p2 p3")},
                                              {arm2, triple("al4 al5 al6"), triple("p4 p5 p6")});
  const ContactSpeeds speeds = contact_speeds(motion, triple("0 0 1"));
  const ContactAngles angles = contact_angles(motion);
  const ContactCoefficients coefficients{desk("f"), desk("delta"), desk("varpi")};
  const std::vector<Expr> velocities =
      desk.list({"al1", "al2", "al3", "al4", "al5", "al6", "p1", "p2", "p3", "p4", "p5", "p6"});

  Triple triple(std::string_view text) {
    const std::vector<std::string> names = words(text);
    return {desk(names[0]), desk(names[1]), desk(names[2])};
  }
  std::array<Expr, 9> rows(std::string_view text) {
    std::array<Expr, 9> result;
    const std::vector<std::string> entries = words(text);
    for (std::size_t i = 0; i < 9; ++i) result[i] = desk(entries.at(i));
    return result;
  }
  ContactInertia inertia1() {
    return contact_inertia(desk("1.5"), rows("1.2 -0.1 0.05 -0.1 1.4 -0.15 0.05 -0.15 1.6"));
  }
  ContactInertia inertia2() {
    return contact_inertia(desk("2.5"), rows("2 0.2 -0.1 0.2 1.8 0.25 -0.1 0.25 2.2"));
  }
  ContactForm form() { return contact_form(inertia1(), arm1, inertia2(), arm2); }
  Verdict equal(Expr a, Expr b) { return desk.algebra.are_equal(a, b); }
};

/// The inverse inertias as symbols a1..f2, 1/m as n1, n2.
struct InverseInertiaRows : ContactRows {
  ContactInertia named(const std::string& i) {
    return {desk("n" + i), desk("a" + i), desk("b" + i), desk("c" + i),
            desk("d" + i), desk("e" + i), desk("h" + i)};
  }
  const ContactForm w = contact_form(named("1"), arm1, named("2"), arm2);
};

/// The 12 x 12 matrix of 2T, with al4 in the place of al3 if `printed`.
Matrix mass_matrix(Desk& desk, Expr m1, const std::array<Expr, 9>& J1, Expr m2, const std::array<Expr, 9>& J2,
                   bool printed = false);

/// k^2/GM^2 of a body of height 1 that touches with its apex M, the section at the height x of size x^n, with
/// the moment width*x^2 about a diameter for each unit of its mass.
Rational gyration_on_apex(long n, const Rational& width);

}  // namespace liaison::test
