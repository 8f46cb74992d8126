#pragma once

#include <array>
#include <optional>
#include <vector>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// c2 lambda^2 + c1 lambda + c0 = 0 (row G2.IV-degenerate): at a point of a = 0 where i(e)da and i(E)da
/// vanish together, c2 = e(ea), c1 = e(Ea) + E(ea), c0 = E(Ea); the last along E, where the source prints e.
struct SecondOrderEquation {
  double c2 = 0, c1 = 0, c0 = 0;
  std::vector<double> roots() const;  ///< real ones, a double one once
  /// All three vanish: it asks nothing.
  bool is_empty() const { return c2 == 0 && c1 == 0 && c0 == 0; }
};
/// c2, c1, c0 as expressions on (q, u, t); for one constraint with a closed form.
std::array<Expr, 3> second_order_coefficients(const Motion& motion);

/// Nothing if the constraint is not alone, there is no closed form, or a coefficient has no value.
std::optional<SecondOrderEquation> second_order_equation(Algebra& algebra, const Motion& motion,
                                                         const DoublePoint& state);

/// The first derivative of the relation along the motion, from the third on, that does not vanish, where the
/// first two do for all factors. `depends`: on the factor or its rates, which it may determine; else nothing
/// keeps the relation.
struct HigherDerivative {
  int order = 0;
  bool depends = false;
  double value = 0;
};
constexpr int highest_derivative = 6;
/// Order 0: all vanish up to the highest. Nothing: the constraint is not alone, there is no closed form, or a
/// derivative is too long or has no value.
std::optional<HigherDerivative> higher_derivative(const Motion& motion, const DoublePoint& state);

/// The only constraint asks nothing, whatever the state is: k*(x - y) = 0 where k is 0 (proved). No
/// derivative of it says more, and its factor is open.
bool asks_nothing(Algebra& algebra, const Motion& motion, const Substitution& parameters);

}  // namespace liaison
