#include "event_functions.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "liaison/algebra/switching.hpp"
#include "liaison/expr/domain.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

Expr without_flat_zeros(Algebra& algebra, Expr when) {
  constexpr std::size_t largest = 200;  // nodes
  if (when.is_constant() || postorder(when).size() > largest) return when;
  if (!natural_domain(std::array{when}).empty()) return when;
  const SignProduct product = sign_product(algebra, when);
  const auto is_power = [](const SignProduct::Factor& factor) {
    return factor.power.is_integer() && factor.power >= Rational(1);
  };
  const bool repeats = std::any_of(product.factors.begin(), product.factors.end(),
                                   [](const auto& factor) { return factor.power > Rational(2); });
  if (product.sign == 0 || !repeats || !std::all_of(product.factors.begin(), product.factors.end(), is_power))
    return when;
  std::vector<Expr> factors{when.pool().number(product.sign)};
  for (const SignProduct::Factor& factor : product.factors)
    factors.push_back(factor.is_odd ? factor.base : pow(factor.base, 2));
  return when.pool().mul(factors);
}

}  // namespace liaison
