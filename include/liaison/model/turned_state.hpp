#ifndef LIAISON_MODEL_TURNED_STATE_HPP
#define LIAISON_MODEL_TURNED_STATE_HPP

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "liaison/expr/diagnostic.hpp"
#include "liaison/model/system.hpp"

/// The state of a rotation by angles: `R angles (a, b, c) order zxz`, `R axis [1, 0, 0] angle a`, the same in
/// `start`, `at (...)` and on the command line.
namespace liaison {

/// A turn by a given angle about an axis of length one.
struct GivenTurn {
  Triple axis;
  Expr angle;
};

/// The unit quaternion of turns one behind the other, each about axes as they have been turned before: the
/// product of (cos(a/2), u*sin(a/2)).
std::array<Expr, 4> quaternion_of(Pool& pool, std::span<const GivenTurn> turns);

/// Whether a value of a state is of this form: a name, then `angles` or `axis`.
bool is_turned_state(std::string_view text, Span part);

struct TurnedState {
  std::array<Expr, 4> symbols, values;
  Span name;
};
/// The rotation is named by its own name, as `rot1` where it has none, or by the body that it alone turns.
/// `value` reads a number in a text and reports what is wrong with it. Empty where something was reported.
std::optional<TurnedState> read_turned_state(const System& system, std::string_view text, Span part,
                                             const std::function<Expr(Span)>& value,
                                             std::vector<Diagnostic>& problems);

}  // namespace liaison

#endif  // LIAISON_MODEL_TURNED_STATE_HPP
