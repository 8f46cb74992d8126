#pragma once

#include <string>

#include "plot_scene.hpp"

namespace liaison::plot {

enum class SvgPlace {
  file,     ///< a file of its own
  in_page,  ///< an element of a page in HTML
};
/// `group`: the id of what is drawn, by which a page can show it again.
std::string write_svg(const Scene& scene, SvgPlace place, const std::string& group = {});

/// "#0072b2"
std::string colour_text(std::uint32_t colour);
/// The class of everything drawn in this paint: "paper", "ink", "s0".
std::string paint_class(Paint paint);

}  // namespace liaison::plot
