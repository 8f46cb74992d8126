#ifndef LIAISON_REPORT_PLOT_HPP
#define LIAISON_REPORT_PLOT_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Figures of quantities over time: one picture, written as SVG, PNG or a page that shows values.
namespace liaison {

/// One curve. Names are those of a model: theta' is shown as θ̇, lambda(rod) as λ(rod). Where a value is not
/// finite the curve has a gap.
struct Series {
  std::string name = {};
  std::string unit = {};  ///< shown with the name where it is not the panel's
  std::vector<double> values = {};
  std::vector<double> x = {};  ///< its own, as of another run; empty: those of the figure
};

/// Curves on one scale.
struct Panel {
  std::string title = {};
  std::string label = {};  ///< of the scale; may hold names of a model
  std::string unit = {};   ///< "m/s^2" is shown as m/s²; empty: none
  std::vector<Series> series = {};
};

/// A vertical line through all panels, as of an event.
struct Mark {
  double x = 0;
  std::string label = {};
};

/// What something did when, below the panels: a bar, coloured by its modes, and ticks on it.
struct ModeSpan {
  double begin = 0, end = 0;
  std::string mode = {};  ///< "open", "slips"
};
struct ModeBar {
  std::string name = {};
  std::vector<ModeSpan> spans = {};
  std::vector<double> ticks = {};  ///< as of impacts
};

/// Panels one below the other, over the same x.
struct Figure {
  std::string title = {};
  std::string subtitle = {};
  std::string x_label = "t";
  std::string x_unit = {};  ///< "s" if there are units
  std::vector<double> x = {};
  std::vector<Panel> panels = {};
  std::vector<Mark> marks = {};
  std::vector<ModeBar> bars = {};
};

/// Each throws missing_value where there is nothing to draw (no points, no finite x, no series) and
/// not_square where a series has another length than x. The same figure gives the same bytes; those of a PNG
/// depend on the fonts of the machine.
std::string to_svg(const Figure& figure);
/// The bytes of a PNG file; `scale` pixels a unit of the SVG.
std::string to_png(const Figure& figure, double scale = 2);
/// One file, offline, light and dark: the SVG, with values under the pointer and curves that can be hidden;
/// without script the picture alone.
std::string to_html(const Figure& figure);

enum class PlotFormat { svg, png, html };
/// By the ending of a file's name: .svg, .png, .html or .htm, in small or capital letters.
std::optional<PlotFormat> plot_format(std::string_view file_name);
std::string render_plot(const Figure& figure, PlotFormat format);

}  // namespace liaison

#endif  // LIAISON_REPORT_PLOT_HPP
