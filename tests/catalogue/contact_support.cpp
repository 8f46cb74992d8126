#include "contact_support.hpp"

namespace liaison::test {

Matrix mass_matrix(Desk& desk, Expr m1, const std::array<Expr, 9>& J1, Expr m2, const std::array<Expr, 9>& J2,
                   bool printed) {
  Matrix M(desk.pool, 12, 12);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t first = printed && i == 2 ? 3 : i;
    M(first, first) = M(first, first) + m1;
    M(3 + i, 3 + i) = M(3 + i, 3 + i) + m2;
    for (std::size_t j = 0; j < 3; ++j) {
      M(6 + i, 6 + j) = J1[3 * i + j];
      M(9 + i, 9 + j) = J2[3 * i + j];
    }
  }
  return M;
}

Rational gyration_on_apex(long n, const Rational& width) {
  const auto moment = [n](long i) { return Rational(n + 1, n + i + 1); };  // mean of x^i
  const Rational gyration = moment(2) - moment(1) * moment(1) + width * moment(2);
  return gyration / (moment(1) * moment(1));
}

}  // namespace liaison::test
