#include "plot_html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "liaison/expr/print_mathml.hpp"
#include "plot_page.hpp"
#include "plot_svg.hpp"
#include "plot_text.hpp"

namespace liaison::plot {

namespace {

/// A string of JSON that can stand in a script: no <, which could end it.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || c == '<' || c == '>' || c == '&') {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// Bytes that are no text become U+FFFD, as in the picture.
std::string valid(const std::string& text) {
  std::string out;
  const std::string escaped = escape_xml(text);
  constexpr std::array<std::pair<std::string_view, char>, 4> entities{
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}}};
  for (std::size_t i = 0; i < escaped.size();) {
    bool found = false;
    for (const auto& [entity, character] : entities) {
      if (found || !std::string_view(escaped).substr(i).starts_with(entity)) continue;
      out += character;
      i += entity.size();
      found = true;
    }
    if (!found) out += escaped[i++];
  }
  return out;
}

/// The rows that the pointer can find: the first in each column of pixels, and the last.
std::vector<std::size_t> choose_rows(const Figure& figure, const PanelBox& box) {
  std::vector<std::size_t> rows;
  double column = -1;
  for (std::size_t i = 0; i < figure.x.size(); ++i) {
    if (!std::isfinite(figure.x[i])) continue;
    const double now = std::floor(box.width * box.x.position(figure.x[i]));
    if (now == column && i + 1 < figure.x.size()) continue;
    column = now;
    rows.push_back(i);
  }
  return rows;
}

/// All digits where an offset hides those in front.
std::string value_text(double value, const Axis& axis) {
  if (!std::isfinite(value)) return "null";
  return axis.offset != 0 ? fmt::format("{}", value) : fmt::format("{:.7g}", value);
}

std::string scale_text(const Axis& axis) {
  static constexpr long double most = std::numeric_limits<double>::max();
  const auto number = [](long double value) { return static_cast<double>(std::clamp(value, -most, most)); };
  return fmt::format("[{},{},{}]", number(axis.low), number(axis.high), axis.offset);
}

std::string list(const std::vector<double>& values, const std::vector<std::size_t>& rows, const Axis& axis) {
  std::string out = "[";
  for (const std::size_t row : rows) out += (out.size() > 1 ? "," : "") + value_text(values[row], axis);
  return out + "]";
}

std::string series_data(const Series& series, std::size_t look, const std::vector<std::size_t>& rows,
                        const Axis& axis) {
  return fmt::format("{{\"name\":{},\"unit\":{},\"paint\":\"{}\",\"values\":{}}}",
                     quoted(valid(plain_label(series.name))), quoted(valid(make_unit(series.unit))),
                     paint_class(series_paint(look)), list(series.values, rows, axis));
}

std::string page_data(const Figure& figure, const Layout& layout) {
  const PanelBox& first = layout.boxes.front();
  const std::vector<std::size_t> rows = choose_rows(figure, first);
  std::string x = "[";
  for (const std::size_t row : rows)
    x += fmt::format("{}{:.{}g}", x.size() > 1 ? "," : "", figure.x[row], first.x.offset != 0 ? 17 : 9);
  std::string out = fmt::format("{{\"name\":{},\"unit\":{},\"scale\":{},\"x\":{}],\"panels\":[",
                                quoted(valid(plain_label(figure.x_label))),
                                quoted(valid(make_unit(figure.x_unit))), scale_text(first.x), x);
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    const PanelBox& box = layout.boxes[p];
    out += fmt::format("{}\n{{\"box\":[{},{},{},{}],\"scale\":{},\"series\":[", p > 0 ? "," : "", box.left,
                       box.top, box.width, box.height, scale_text(box.y));
    const std::vector<Series>& series = figure.panels[p].series;
    for (std::size_t s = 0; s < series.size(); ++s)
      out += (s > 0 ? ",\n" : "\n") + series_data(series[s], box.looks[s], rows, box.y);
    out += "]}";
  }
  return out + "]}";
}

/// The colours of a page: each paint by its class, for lines and for areas and text.
std::string colour_rules(const std::array<std::uint32_t, paint_count>& colours) {
  std::string out;
  for (std::size_t i = 0; i < paint_count; ++i) {
    const std::string name = paint_class(static_cast<Paint>(i)), colour = colour_text(colours[i]);
    out += fmt::format(".{0} {{ stroke: {1}; color: {1}; }} .f-{0} {{ fill: {1}; }}\n", name, colour);
  }
  return out;
}

/// Everything in front of the picture.
std::string page_head(const std::string& title) {
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += "<title>" + escape_xml(title.empty() ? "Plot" : title) + "</title>\n<style>\n";
  out += page_style;
  out += colour_rules(light_colours);
  out += "@media (prefers-color-scheme: dark) {\n" + colour_rules(dark_colours) + "}\n";
  return out + "@media print {\n" + colour_rules(light_colours) + "}\n</style>\n</head>\n<body>\n<figure>\n";
}

}  // namespace

std::string write_html(const Figure& figure, const Layout& layout) {
  std::string out = page_head(figure.title);
  out += write_svg(layout.scene, SvgPlace::in_page);
  out += "<div id=\"values\" hidden></div>\n</figure>\n<script type=\"application/json\" id=\"data\">";
  out += page_data(figure, layout);
  out += "</script>\n<script>\n";
  out += page_script;
  return out + "</script>\n</body>\n</html>\n";
}

std::string write_page(const Scene& scene) {
  return page_head(scene.title) + write_svg(scene, SvgPlace::in_page) + "</figure>\n</body>\n</html>\n";
}

}  // namespace liaison::plot
