#ifndef LIAISON_MODEL_QUANTITY_HPP
#define LIAISON_MODEL_QUANTITY_HPP

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "liaison/expr/diagnostic.hpp"
#include "liaison/model/system.hpp"

/// Values that a text gives to names: the same in `param`, `start`, `at (...)` and on the command line.
namespace liaison {

/// "5 [cm]": the value, and the unit between the brackets at its end.
struct QuantityText {
  Span value;
  std::optional<Span> unit;
};
QuantityText split_unit(std::string_view text, Span span);

/// The size of a unit in SI units: pi/180 for a degree.
Expr exact_scale(Pool& pool, const Unit& unit);

/// A value in SI units, or what is wrong with it.
struct Quantity {
  Expr value;  ///< empty if there is a problem
  std::optional<Diagnostic> problem;
};

/// A number is in the unit behind it; without one it is in the unit of the parameter's declaration, and in SI
/// units for anything else. A value that uses parameters has theirs.
Quantity in_si_units(const System& system, Expr symbol, Expr value, const Source& source,
                     const QuantityText& text);

/// `30 deg`: what was reported as two operands is told as a unit without its brackets, and what was said of
/// the name of the unit is left out. `value`: a unit may stand there; else names that the model declares are
/// no units.
void explain_bare_units(std::vector<Diagnostic>& reports, std::string_view text, Span part, bool value,
                        const std::function<bool(const std::string&)>& is_declared);

/// A unit as it was perhaps meant: `N*m` for `Nm`.
std::optional<std::string> unit_with_products(std::string_view text);

/// What to say about a value of a parameter that is declared positive.
Diagnostic not_positive(Expr parameter, Span value);

}  // namespace liaison

#endif  // LIAISON_MODEL_QUANTITY_HPP
