#include "liaison/model/kinematics.hpp"

#include <cmath>

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/evaluate.hpp"

#include "model_support.hpp"

namespace liaison::test {

TEST(Kinematics, time_derivatives_hold_everything_that_moves) {
  const System system = read_system(
      "param a\ncoord x, y\nrotation R (p, q, r) in body\nkinetic x'^2 + y'^2 + p^2 + q^2 + r^2\n");
  EXPECT_TRUE(same(system, time_derivative(system, in(system, "a*x*y + t^2")), "a*x'*y + a*x*y' + 2*t"));
  acceleration_symbol(in(system, "x'"));
  acceleration_symbol(in(system, "p"));
  EXPECT_TRUE(same(system, time_derivative(system, in(system, "x'*p + x")), "x''*p + x'*p' + x'"));
  EXPECT_TRUE(same(system, time_derivative(system, in(system, "a")), "0*a"));
}

// R' = R*(w as a cross product) on body axes, (w as a cross product)*R in space; both keep the length of e.
TEST(Kinematics, the_matrix_of_a_quaternion_turns_with_its_rates) {
  for (const std::string axes : {"body", "space"}) {
    const System system = read_system("rotation R (p, q, r) in " + axes + "\nkinetic p^2 + q^2 + r^2\n");
    const Rotation& rotation = system.rotations[0];
    const std::array<Expr, 9> R = rotation_matrix(rotation.quaternion);
    const std::array<Expr, 3> w{in(system, "p"), in(system, "q"), in(system, "r")};
    Algebra algebra(*system.pool);
    const Expr zero = system.pool->number(0);
    const std::array<Expr, 9> cross{zero, -w[2], w[1], w[2], zero, -w[0], -w[1], w[0], zero};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        Expr expected = zero;
        for (std::size_t k = 0; k < 3; ++k) {
          expected += axes == "body" ? R[3 * i + k] * cross[3 * k + j] : cross[3 * i + k] * R[3 * k + j];
        }
        const Verdict verdict = algebra.are_equal(time_derivative(system, R[3 * i + j]), expected);
        EXPECT_TRUE(verdict.is_proved()) << axes << " " << i << j << ": " << describe(verdict);
      }
    }
    const Expr length = in(system, "R_e0^2 + R_e1^2 + R_e2^2 + R_e3^2");
    EXPECT_TRUE(algebra.is_zero(time_derivative(system, length)).is_proved());
  }
}

TEST(Kinematics, the_matrix_is_a_rotation_from_body_to_space) {
  const System system = read_system("rotation R (p, q, r) in body\nkinetic p^2 + q^2 + r^2\n");
  const std::array<Expr, 9> R = rotation_matrix(system.rotations[0].quaternion);
  // a turn by alpha about the third axis: e = (cos(alpha/2), 0, 0, sin(alpha/2))
  const double c = std::cos(0.3), s = std::sin(0.3);
  const DoublePoint point{
      {in(system, "R_e0"), c}, {in(system, "R_e1"), 0}, {in(system, "R_e2"), 0}, {in(system, "R_e3"), s}};
  EXPECT_NEAR(evaluate(R[0], point), std::cos(0.6), 1e-15);
  EXPECT_NEAR(evaluate(R[1], point), -std::sin(0.6), 1e-15);
  EXPECT_NEAR(evaluate(R[3], point), std::sin(0.6), 1e-15);
  EXPECT_NEAR(evaluate(R[8], point), 1, 1e-15);
}

}  // namespace liaison::test
