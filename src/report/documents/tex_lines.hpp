#pragma once

#include <string>
#include <vector>

#include "liaison/report/document.hpp"
#include "line_breaks.hpp"
#include "tex_tree.hpp"

/// Formulas in LaTeX that fit a width, in em.
namespace liaison::report {

/// The formula as units between which a line may end, none wider than `limit` where that can be helped:
/// a wider bracket is opened, a wider fraction or matrix gets lines inside.
std::vector<Unit> tex_units(const Math& formula, double limit, TexStyle style);

/// Side by side the units from `first` to `last`, `first` at the start of a line.
std::string tex_line(std::span<const Unit> units, std::size_t first, std::size_t last);

double tex_width(const Math& formula, TexStyle style);

}  // namespace liaison::report
