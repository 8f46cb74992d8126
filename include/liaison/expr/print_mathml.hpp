#ifndef LIAISON_EXPR_PRINT_MATHML_HPP
#define LIAISON_EXPR_PRINT_MATHML_HPP

#include <string>
#include <string_view>

#include "liaison/expr/expr.hpp"

namespace liaison {

/// MathML Core, as browsers show it without a script: the children of an <mrow>, well-formed and escaped.
/// Terms and factors stand as in `to_latex`.
std::string to_mathml(Expr e);

/// One element: theta_1' is <msub> of <mover> of θ and a dot.
std::string mathml_name(const std::string& name);

/// & < > " as entities; what no XML document may hold as U+FFFD.
std::string escape_xml(std::string_view text);

}  // namespace liaison

#endif  // LIAISON_EXPR_PRINT_MATHML_HPP
