// A program that takes every layer, from an installed copy: d d = 0 on a function of three coordinates.
#include <liaison/forms/calculus.hpp>
#include <vector>

int main() {
  using namespace liaison;
  Pool pool;
  Algebra algebra(pool);
  const std::vector<Expr> q{pool.symbol("x"), pool.symbol("y"), pool.symbol("z")};
  const CoframePtr space = Coframe::coordinates(pool, q);
  const Form df = d(space, q[0] * sin(q[1] * q[2]));
  return is_zero(algebra, d(df)).is_proved() ? 0 : 1;
}
