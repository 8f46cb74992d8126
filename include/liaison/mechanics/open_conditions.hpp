#ifndef LIAISON_MECHANICS_OPEN_CONDITIONS_HPP
#define LIAISON_MECHANICS_OPEN_CONDITIONS_HPP

#include <span>
#include <vector>

#include "liaison/expr/expr.hpp"

/// Which conditions of a derivation say something.
namespace liaison {

/// Certain from the signs of parameters, squares and the range of sines; false: it may vanish.
bool never_zero(Expr e);
/// The factors of conditions e != 0 that may vanish, each once and without its sign.
std::vector<Expr> factors_that_may_vanish(std::span<const Expr> conditions);

/// Parameters or unknown functions are in it: their values may make it vanish at all states at once.
bool may_vanish_for_all_states(Expr e);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_OPEN_CONDITIONS_HPP
