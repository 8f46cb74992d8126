#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plot_scene.hpp"
#include "report/look/text_lines.hpp"

namespace liaison::plot {

/// Names of a model in a text become letters: "theta', x1" is "θ̇, x" with 1 below. What stands in brackets
/// behind lambda is the name of a constraint and stays.
std::vector<TextRun> make_label(std::string_view text);
/// The same on one level: "θ̇, x₁".
std::string plain_label(std::string_view text);
/// "kg*m^2/s" is "kg·m²/s".
std::string make_unit(std::string_view text);
/// "name [unit]", or what there is of it.
std::vector<TextRun> with_unit(std::vector<TextRun> label, std::string_view unit);

/// Width in pixels, by the advances of DejaVu Sans; wide enough for the fonts a reader may have in its place.
double text_width(const std::vector<TextRun>& runs, double size, bool bold = false);
/// What fits into the width: the middle gives way to "…".
std::vector<TextRun> shorten(std::vector<TextRun> runs, double size, double width);
using look::wrap;

}  // namespace liaison::plot
