#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "liaison/expr/evaluate.hpp"

namespace liaison {

class Algebra;

/// Holds tanh, exp, sinh, cosh or atan, whose values come nearer to a constant, or to each other, than any
/// precision tells.
bool may_saturate(Expr e);

/// Enclosures of expressions at one point; nothing where one has no value.
using ValuesAt = std::function<std::optional<std::vector<Ball>>(std::span<const Expr> es, long bits)>;

/// An enclosure of e at a point at which such functions have large arguments: 1 - tanh(u) is computed as
/// 2/(exp(2*u) + 1), where the 1 has left. Nothing where no argument is large, or nothing is gained.
std::optional<Ball> value_without_saturation(Algebra& algebra, Expr e, const ValuesAt& values);

}  // namespace liaison
