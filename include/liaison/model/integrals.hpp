#ifndef LIAISON_MODEL_INTEGRALS_HPP
#define LIAISON_MODEL_INTEGRALS_HPP

#include <string>
#include <vector>

#include "liaison/expr/expr.hpp"

namespace liaison {

/// `integral(e)` along a motion, from its begin on: the call of a function that belongs to what is
/// integrated, with this as its argument.
Expr integral_of(Expr e);
/// Whether e is such a call.
bool is_integral(Expr e);
bool holds_integral(Expr e);
/// Those in the expressions, each once.
std::vector<Expr> integrals_in(const std::vector<Expr>& expressions);
/// Whether it is the name of such a function, which a text spells `integral`.
bool is_name_of_integral(const std::string& name);

}  // namespace liaison

#endif  // LIAISON_MODEL_INTEGRALS_HPP
