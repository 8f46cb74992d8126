#ifndef LIAISON_EXPR_DOMAIN_HPP
#define LIAISON_EXPR_DOMAIN_HPP

#include <span>
#include <string>
#include <vector>

#include "liaison/expr/expr.hpp"

/// Where a text has a value. Light canonical form loses places: sqrt(x)*sqrt(x) is built as x, x/x as 1. The
/// parser therefore keeps, beside the expression, what each operation of the text needs of its operands.
namespace liaison {

enum class Bound {
  nonzero,      ///< e != 0: a denominator, cos(u) under tan(u), y^2 + x^2 under atan2(y, x)
  nonnegative,  ///< e >= 0: under a root; 1 - u^2 under asin(u) and acos(u)
  positive,     ///< e > 0: under log, under a root in a denominator, the base of a general power
};

struct Requirement {
  Expr e;
  Bound bound = Bound::nonzero;
  friend bool operator==(const Requirement&, const Requirement&) = default;
};

/// All of them must hold. Each stands once, in the order in which the text needs them.
using Domain = std::vector<Requirement>;

/// Adds e to the domain unless it is there already or is seen to hold everywhere (a number, exp(x), a sum of
/// squares and positive symbols). A requirement that never holds (sqrt(-1 - x^2)) stays: the domain is empty.
void add_requirement(Domain& domain, Expr e, Bound bound);
void add_requirements(Domain& domain, const Domain& others);

/// What the nodes of expressions need as they are built, arguments of unknown functions included.
Domain natural_domain(std::span<const Expr> es);

/// "x != 0", "x - 20 >= 0", joined by ", "
std::string to_infix(const Domain& domain);

}  // namespace liaison

#endif  // LIAISON_EXPR_DOMAIN_HPP
