#ifndef LIAISON_MODEL_QUANTITY_HPP
#define LIAISON_MODEL_QUANTITY_HPP

#include <optional>
#include <string_view>

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

/// What to say about a value of a parameter that is declared positive.
Diagnostic not_positive(Expr parameter, Span value);

}  // namespace liaison

#endif  // LIAISON_MODEL_QUANTITY_HPP
