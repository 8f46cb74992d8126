#pragma once

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/domain.hpp"
#include "liaison/expr/written_sums.hpp"

namespace liaison {

/// The candidate is certain to have a value wherever everything in `given` holds: each of its denominators,
/// radicands and arguments is, factor by factor, one of the given ones. False means "not seen".
bool keeps_domain(Algebra& algebra, const Domain& given, Expr candidate);

/// Each sign(u) of the given form stands in the candidate too, unless u cannot be zero: |u|/u and 1 are no
/// forms of sign(u) and sign(u)^2.
bool keeps_signs(Algebra& algebra, const Domain& domain, Expr given, Expr candidate);

/// At points of several scales the candidate has a value in doubles where the given form has one, and loses
/// at most six digits more. Only points at which the domain holds count.
bool keeps_doubles(Expr given, Expr candidate, const Domain& domain = {});
bool keeps_doubles(const WrittenText& given, const WrittenText& candidate, const Domain& domain);

}  // namespace liaison
