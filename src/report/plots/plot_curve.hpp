#pragma once

#include <functional>
#include <span>
#include <vector>

#include "plot_scene.hpp"

namespace liaison::plot {

/// The connected pieces of a curve, in pixels, with no more points than can be seen: of all points in a
/// column of half a pixel the first, the lowest, the highest and the last stay, and of these those on a
/// straight line go. Nothing moves by more than `curve_tolerance`. A piece of one point is a lone value.
constexpr double curve_tolerance = 0.03;
std::vector<std::vector<Point>> make_curve(std::span<const double> x, std::span<const double> y,
                                           const std::function<Point(double x, double y)>& place);
/// The same for a path that goes back and forth: only points on a straight line go.
std::vector<std::vector<Point>> make_path(std::span<const double> x, std::span<const double> y,
                                          const std::function<Point(double x, double y)>& place);

}  // namespace liaison::plot
