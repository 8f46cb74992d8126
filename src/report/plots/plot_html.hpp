#pragma once

#include <string>

#include "plot_layout.hpp"

namespace liaison::plot {

/// A page with the picture, the values at about every pixel of it, and the script that shows them.
std::string write_html(const Figure& figure, const Layout& layout);
/// The picture alone.
std::string write_page(const Scene& scene);

}  // namespace liaison::plot
