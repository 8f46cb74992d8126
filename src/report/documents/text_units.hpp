#pragma once

#include <string>
#include <vector>

#include "liaison/report/document.hpp"
#include "line_breaks.hpp"

/// Words and formulas of a text as units between which a line may end.
namespace liaison::report {

/// Tall pieces (matrices) stand as such where they are at most `tall_width` columns wide; 0: never.
std::vector<Unit> text_units(const Math& formula, std::size_t tall_width);
std::vector<Unit> text_units(const Inline& text);

double line_width(std::span<const Unit> units);
double widest(std::span<const Unit> units);
/// The units of one line, several lines where one is tall.
std::vector<std::string> written(std::span<const Unit> units);
/// All lines; the later ones indented by `hang` within `width`.
std::vector<std::string> wrapped(std::span<const Unit> units, std::size_t width, std::size_t hang = 0);

}  // namespace liaison::report
