#include "characteristic.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_hurwitz = 6;

Matrix canonical(Algebra& algebra, Matrix matrix) {
  for (Expr& entry : matrix.entries) entry = algebra.canonical(entry).value;
  return matrix;
}

/// Leverrier's way, as Faddeev has it: M_k = A M_(k-1) + c_(n-k+1), c_(n-k) = -trace(A M_k)/k.
void find_polynomial(Algebra& algebra, SteadyMotion& motion) {
  Pool& pool = algebra.pool();
  const Matrix& a = *motion.a;
  const std::size_t n = a.rows;
  std::vector<Expr> c(n + 1, pool.number(1));
  Matrix m(pool, n, n);
  for (std::size_t k = 1; k <= n; ++k) {
    m = canonical(algebra, a * m);
    for (std::size_t i = 0; i < n; ++i) m(i, i) = algebra.canonical(m(i, i) + c[n - k + 1]).value;
    const Matrix product = a * m;
    std::vector<Expr> trace;
    for (std::size_t i = 0; i < n; ++i) trace.push_back(product(i, i));
    c[n - k] = algebra.readable(pool.add(trace) * Rational(-1, static_cast<long>(k)));
    if (algebra.is_zero(c[n - k]).is_proved()) c[n - k] = pool.number(0);
  }
  motion.polynomial = std::move(c);
  while (motion.zeros < n && motion.polynomial[motion.zeros].is_zero()) ++motion.zeros;
}

void find_hurwitz(Algebra& algebra, SteadyMotion& motion) {
  Pool& pool = algebra.pool();
  const std::vector<Expr> c(motion.polynomial.begin() + static_cast<std::ptrdiff_t>(motion.zeros),
                            motion.polynomial.end());
  const std::size_t n = c.size() - 1;
  bool is_even = true;
  for (std::size_t k = 1; k <= n; ++k) is_even = is_even && ((n - k) % 2 == n % 2 || c[n - k].is_zero());
  if (n == 0 || n > max_hurwitz || is_even) return;
  for (std::size_t size = 1; size <= n; ++size) {
    Matrix matrix(pool, size, size);  // entry (i, j) is a_(2j - i), a_k the coefficient of x^(n - k)
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        const auto k = static_cast<std::ptrdiff_t>(2 * (j + 1)) - static_cast<std::ptrdiff_t>(i + 1);
        if (k >= 0 && k <= static_cast<std::ptrdiff_t>(n)) matrix(i, j) = c[n - static_cast<std::size_t>(k)];
      }
    }
    motion.hurwitz.push_back(algebra.readable(determinant(algebra, matrix).value));
  }
}

}  // namespace

void add_characteristic(Algebra& algebra, SteadyMotion& motion) {
  find_polynomial(algebra, motion);
  find_hurwitz(algebra, motion);
}

}  // namespace liaison
