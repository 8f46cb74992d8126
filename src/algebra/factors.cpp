#include "liaison/algebra/factors.hpp"

#include <array>

#include "memory.hpp"
#include "rewrite.hpp"

namespace liaison {

std::vector<Expr> factors_of(Algebra& algebra, Expr e) {
  const CallScope scope(algebra);
  try {
    const std::array es{rewrite(algebra, e)};
    Field field = make_field(algebra, es);
    const Fraction value = field.convert(es[0]);
    if (value.is_zero()) return {e};
    std::vector<Expr> factors;
    for (const PolyFactor& part : factor_if_small(value.num).factors)
      factors.push_back(field.to_expr(part.base));
    return factors;
  } catch (const LimitReached&) {
    return {e};
  } catch (const NotCanonical&) {
    return {e};
  }
}

}  // namespace liaison
