#ifndef LIAISON_FORMS_CALCULUS_HPP
#define LIAISON_FORMS_CALCULUS_HPP

#include <span>

#include "liaison/forms/form.hpp"
#include "liaison/forms/vector_field.hpp"

/// Cartan's calculus (rows G6.I-*). Conventions, numbered in docs/reference/conventions.md:
///   (dx^dy)(U, V) = U_x V_y - U_y V_x;  i(X) contracts the first slot: i(X)(dx^dy) = X_x dy - X_y dx;
///   i(X^Y) = i(X) i(Y) as operators, the source's convention;  [X, Y] f = X(Y f) - Y(X f).
/// All throw mixed_coframes when their arguments are not on one coframe.
namespace liaison {

Form wedge(const Form& a, const Form& b);
/// a^a^...^a, n factors; degree 0 for n = 0.
Form power(const Form& a, unsigned n);

/// The exterior derivative (G6.I-d): antiderivation of degree +1, d d = 0.
Form d(const Form& a);
Form d(const CoframePtr& coframe, Expr f);

/// The interior product i(X) (G1.III-i, G6.I-i): antiderivation of degree -1; 0 on functions.
Form interior(const VectorField& x, const Form& a);
/// The Lie derivative theta(X) = i(X) d + d i(X) (G6.I-theta): derivation of degree 0.
Form lie(const VectorField& x, const Form& a);
/// epsilon(X) = d i(X) - i(X) d (G6.I-epsilon): anticommutes with d, not a derivation.
Form epsilon(const VectorField& x, const Form& a);
/// epsilon(X^Y) = d i(X)i(Y) - i(X)i(Y) d (G6.I-VI4).
Form epsilon(const VectorField& x, const VectorField& y, const Form& a);

/// [X, Y]; in a moving frame theta^k([X,Y]) = X(Y^k) - Y(X^k) - d theta^k(X, Y).
VectorField bracket(const VectorField& x, const VectorField& y);
/// The value of a form of degree n on n fields, in order.
Expr evaluate_on(const Form& a, std::span<const VectorField> fields);

}  // namespace liaison

#endif  // LIAISON_FORMS_CALCULUS_HPP
