#ifndef LIAISON_MECHANISM_ASSIGNMENTS_HPP
#define LIAISON_MECHANISM_ASSIGNMENTS_HPP

#include <string>
#include <utility>
#include <vector>

#include "liaison/expr/expr.hpp"
#include "liaison/mechanism/message.hpp"
#include "liaison/model/system.hpp"

/// "x = 1, l = 30 [cm]": the one reader of values that are given to names of a model from outside of its
/// text.
namespace liaison {

/// A value for a symbol, in SI units.
struct Assignment {
  Expr symbol;
  Expr exact;  ///< without symbols: 3/10 of "30 [cm]", pi/6
  double value = 0;
};
using Assignments = std::vector<Assignment>;

/// What a text may give values to.
enum class Assignable { parameters, state, everything };

/// Names of the model's state or of its parameters, and constants, which may use parameters with the values
/// `known` instead of the model's own. `option` is what the text was given to, "--at": the place in messages.
/// Throws Refused with bad_input.
Assignments read_assignments(const System& system, const std::string& option, const std::string& text,
                             Assignable assignable, const Assignments& known = {});
/// Takes the parameters out of assignments to everything.
Assignments take_parameters(const System& system, Assignments& from);

/// As the mechanics takes them.
std::vector<std::pair<Expr, double>> in_doubles(const Assignments& assignments);

}  // namespace liaison

#endif  // LIAISON_MECHANISM_ASSIGNMENTS_HPP
