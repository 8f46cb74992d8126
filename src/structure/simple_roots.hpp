#pragma once

#include <vector>

#include "liaison/expr/rational.hpp"

namespace liaison {

/// Coefficients by powers of one variable, lowest first.
using UnivariatePolynomial = std::vector<Rational>;

/// Whether p has a simple complex zero at which none of the others vanishes. A zero polynomial has none.
bool has_own_simple_root(const UnivariatePolynomial& p, const std::vector<UnivariatePolynomial>& others);

}  // namespace liaison
