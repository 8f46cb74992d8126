#include "liaison/report/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "liaison/expr/error.hpp"
#include "plot_html.hpp"
#include "plot_layout.hpp"
#include "plot_png.hpp"
#include "plot_svg.hpp"

namespace liaison {

namespace {

void require_data(const Figure& figure) {
  if (figure.x.empty())
    throw Error(ErrorCode::missing_value, "a plot needs at least one point, and this one has none",
                "run until a later time, or write more rows");
  if (std::none_of(figure.x.begin(), figure.x.end(), [](double x) { return std::isfinite(x); }))
    throw Error(
        ErrorCode::missing_value,
        fmt::format("no value of {} is finite, so that there is nothing to draw over", figure.x_label));
  if (figure.panels.empty())
    throw Error(ErrorCode::missing_value, "a plot needs at least one curve, and this one has none",
                "choose something to draw");
  for (const Panel& panel : figure.panels) {
    if (panel.series.empty())
      throw Error(ErrorCode::missing_value, fmt::format("panel '{}' has no curve", panel.title),
                  "leave the panel out");
    for (const Series& series : panel.series) {
      const std::size_t count = series.x.empty() ? figure.x.size() : series.x.size();
      if (series.values.size() == count) continue;
      throw Error(ErrorCode::not_square,
                  fmt::format("'{}' has {} values over {} of {}", series.name, series.values.size(), count,
                              figure.x_label),
                  "a series has one value for each x; NaN where there is none");
    }
  }
}

}  // namespace

std::string to_svg(const Figure& figure) {
  require_data(figure);
  return plot::write_svg(plot::make_layout(figure).scene, plot::SvgPlace::file);
}

std::string to_png(const Figure& figure, double scale) {
  require_data(figure);
  return plot::write_png(plot::make_layout(figure).scene, scale);
}

std::string to_html(const Figure& figure) {
  require_data(figure);
  return plot::write_html(figure);
}

std::optional<PlotFormat> plot_format(std::string_view file_name) {
  std::string name(file_name);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (name.ends_with(".svg")) return PlotFormat::svg;
  if (name.ends_with(".png")) return PlotFormat::png;
  if (name.ends_with(".html") || name.ends_with(".htm")) return PlotFormat::html;
  return std::nullopt;
}

std::string render_plot(const Figure& figure, PlotFormat format) {
  switch (format) {
    case PlotFormat::svg: return to_svg(figure);
    case PlotFormat::png: return to_png(figure);
    case PlotFormat::html: return to_html(figure);
  }
  return {};
}

}  // namespace liaison
