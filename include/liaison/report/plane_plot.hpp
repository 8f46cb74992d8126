#ifndef LIAISON_REPORT_PLANE_PLOT_HPP
#define LIAISON_REPORT_PLANE_PLOT_HPP

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "liaison/report/plot.hpp"

/// One quantity of a motion over another: paths, phase curves, sections.
namespace liaison {

/// Names of a model as in a figure.
struct PlaneAxis {
  std::string label = {};
  std::string unit = {};
};
/// A curve in the order of its points, with a gap where one is not finite.
struct PlaneCurve {
  std::string name = {};  ///< shown where there are several
  std::vector<double> x = {}, y = {};
};
struct PlaneFigure {
  std::string title = {};
  std::string subtitle = {};
  PlaneAxis x, y;
  std::vector<PlaneCurve> curves = {};
  bool dots = false;        ///< points that no line joins
  bool same_scale = false;  ///< for both axes: a circle is round
};

/// Throws missing_value where there is nothing to draw, not_square where x and y differ in length.
std::string render_plane(const PlaneFigure& figure, PlotFormat format);

/// Where a quantity that was sampled at the times `t` goes through zero.
enum class Passage { rising, falling, either };
/// Times of these, from the cubic through the four samples around each; straight lines where there are not so
/// many, or where t does not increase.
std::vector<double> crossings(std::span<const double> t, std::span<const double> values, Passage kind);
/// Values at these times, by the same curves.
std::vector<double> sampled_at(std::span<const double> t, std::span<const double> values,
                               std::span<const double> times);

}  // namespace liaison

#endif  // LIAISON_REPORT_PLANE_PLOT_HPP
