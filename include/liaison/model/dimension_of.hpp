#ifndef LIAISON_MODEL_DIMENSION_OF_HPP
#define LIAISON_MODEL_DIMENSION_OF_HPP

#include <map>
#include <optional>
#include <string>

#include "liaison/model/system.hpp"

/// Units of values, as far as the declared units of coordinates and parameters tell them.
namespace liaison {

/// Nothing where a symbol in it has no declared unit, or where its terms have several.
std::optional<Dimension> dimension_of(const System& system, Expr value);
/// In the base units or their usual name: "N", "m/s"; "" where it is not known, or a plain number.
std::string unit_of_value(const System& system, Expr value);
/// Of the outputs and the factors that use tables, by name: the columns of a table have units, which the
/// values of a system show no more. Nothing where the text tells none.
struct ToldDimensions {
  std::map<std::string, std::optional<Dimension>> outputs, factors;
};
/// Reads the text of a system again.
ToldDimensions told_dimensions(const Source& source, const System& system);

std::string unit_of_output(const System& system, const Output& output, const ToldDimensions& told = {});
/// Of lambda(NAME): power over the rate of the relation.
std::string unit_of_factor(const System& system, const std::string& constraint,
                           const ToldDimensions& told = {});

/// Whether the model gives any units: then energies are in joules.
bool has_units(const System& system);

}  // namespace liaison

#endif  // LIAISON_MODEL_DIMENSION_OF_HPP
