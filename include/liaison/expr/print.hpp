#ifndef LIAISON_EXPR_PRINT_HPP
#define LIAISON_EXPR_PRINT_HPP

#include <string>
#include <vector>

#include "liaison/expr/expr.hpp"

namespace liaison {

/// Terms and factors as a person orders them: numbers and parameters, then symbols, then functions; highest
/// powers first. Structural, so the same expression prints the same in every pool.

/// Parses back to the same expression: "m*l^2*theta'^2/2".
std::string to_infix(Expr e);
/// For the terminal: "½ m l² θ̇²".
std::string to_unicode(Expr e);
/// "\frac{1}{2} m l^{2} \dot\theta^{2}"
std::string to_latex(Expr e);
/// A C99 expression in doubles; integer powers as products, rationals as exact decimal quotients.
std::string to_c(Expr e);

/// One name for each printer: theta' -> θ̇, \dot{\theta}, theta_dot.
std::string unicode_name(const std::string& name);
std::string latex_name(const std::string& name);
std::string c_name(const std::string& name);

}  // namespace liaison

#endif  // LIAISON_EXPR_PRINT_HPP
