#ifndef LIAISON_MODEL_DIMENSION_OF_HPP
#define LIAISON_MODEL_DIMENSION_OF_HPP

#include <optional>
#include <string>

#include "liaison/model/system.hpp"

/// Units of values, as far as the declared units of coordinates and parameters tell them.
namespace liaison {

/// Nothing where a symbol in it has no declared unit, or where its terms have several.
std::optional<Dimension> dimension_of(const System& system, Expr value);
/// In the base units or their usual name: "N", "m/s"; "" where it is not known, or a plain number.
std::string unit_of_value(const System& system, Expr value);
/// Of lambda(NAME): power over the rate of the relation.
std::string unit_of_factor(const System& system, const std::string& constraint);

/// Whether the model gives any units: then energies are in joules.
bool has_units(const System& system);

}  // namespace liaison

#endif  // LIAISON_MODEL_DIMENSION_OF_HPP
