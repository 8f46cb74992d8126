#ifndef LIAISON_ALGEBRA_TEXT_FORMS_HPP
#define LIAISON_ALGEBRA_TEXT_FORMS_HPP

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/domain.hpp"
#include "liaison/expr/written_sums.hpp"

/// Forms of a text, which is said where its own domain holds and nowhere else.
namespace liaison {

/// The same wherever the domain holds, without the pieces that have one side there: x for abs(x) beside
/// sqrt(x).
Expr on_domain(Expr e, const Domain& domain);

/// The more readable one of the readable forms of e and of what it is on the domain. It has the value of e
/// wherever the domain holds, and neither overflows nor cancels in doubles where e does not.
Expr readable(Algebra& algebra, Expr e, const Domain& domain);
/// The same of a text: where that would lose what the sums of the text keep, a form with these sums.
WrittenText readable(Algebra& algebra, const WrittenText& text, const Domain& domain);

}  // namespace liaison

#endif  // LIAISON_ALGEBRA_TEXT_FORMS_HPP
