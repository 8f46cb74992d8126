#pragma once

#include <string>

#include "liaison/report/plot.hpp"
#include "plot_scene.hpp"

namespace liaison::plot {

/// A page with the picture in two widths, the values, and the script that shows them, looks closer and hides
/// curves.
std::string write_html(const Figure& figure);
/// The picture alone.
std::string write_page(const Scene& scene);

}  // namespace liaison::plot
