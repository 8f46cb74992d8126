#include "liaison/algebra/algebra.hpp"

namespace liaison {

Expr Algebra::readable(Expr e) {
  return canonical(e).value;
}

}  // namespace liaison
