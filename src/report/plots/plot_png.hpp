#pragma once

#include <string>

#include "plot_scene.hpp"

namespace liaison::plot {

/// The bytes of a PNG file, `scale` of its pixels for one of the scene.
std::string write_png(const Scene& scene, double scale);

}  // namespace liaison::plot
