// A program that takes only the expressions, from the source tree.
#include <liaison/expr/differentiate.hpp>
#include <liaison/expr/expr.hpp>

int main() {
  liaison::Pool pool;
  const liaison::Expr x = pool.symbol("x");
  return derivative(x * sin(x), x) == sin(x) + x * cos(x) ? 0 : 1;
}
