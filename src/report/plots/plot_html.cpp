#include "plot_html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "liaison/expr/print_mathml.hpp"
#include "plot_layout.hpp"
#include "plot_page.hpp"
#include "plot_svg.hpp"
#include "plot_text.hpp"
#include "report/look/page_look.hpp"

namespace liaison::plot {

namespace {

constexpr double small_screen = 440;

constexpr std::string_view tools = R"(<div class="tools" role="toolbar" aria-label="view">
<button type="button" data-do="in" title="closer">+</button><button type="button" data-do="out" title="farther">&#8722;</button>
<button type="button" data-do="left" title="earlier">&#9664;</button><button type="button" data-do="right" title="later">&#9654;</button>
<button type="button" data-do="all" title="all of it">all</button>
<span>drag to look closer, shift-drag to move, double-click for all; names hide curves</span>
</div>
)";

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

/// Of the rows in each of so many columns the first, the lowest, the highest and the last, and the rows at
/// the ends of a gap: no extremum is lost.
std::vector<std::size_t> choose_rows(std::span<const double> x, const std::vector<double>& y,
                                     const Axis& axis, std::size_t columns) {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> bucket;
  double column = -1;
  const auto flush = [&] {
    if (bucket.empty()) return;
    const auto [low, high] = std::minmax_element(bucket.begin(), bucket.end(),
                                                 [&](std::size_t a, std::size_t b) { return y[a] < y[b]; });
    std::array<std::size_t, 4> kept{bucket.front(), *low, *high, bucket.back()};
    std::sort(kept.begin(), kept.end());
    for (const std::size_t row : kept)
      if (rows.empty() || rows.back() != row) rows.push_back(row);
    bucket.clear();
  };
  bool in_gap = false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i])) continue;
    if (!std::isfinite(y[i])) {
      flush();
      if (!in_gap) rows.push_back(i);
      in_gap = true;
      continue;
    }
    in_gap = false;
    const double now = std::floor(static_cast<double>(columns) * axis.position(x[i]));
    if (now != column) flush();
    column = now;
    bucket.push_back(i);
  }
  flush();
  return rows;
}

/// All digits where an offset hides those in front.
std::string value_text(double value, const Axis& axis) {
  if (!std::isfinite(value)) return "null";
  return axis.offset != 0 ? fmt::format("{}", value) : fmt::format("{:.7g}", value);
}

std::string number(long double value) {
  static constexpr long double most = std::numeric_limits<double>::max();
  return fmt::format("{}", static_cast<double>(std::clamp(value, -most, most)));
}

std::string list(std::span<const double> values, const std::vector<std::size_t>& rows, const Axis& axis) {
  std::string out = "[";
  for (const std::size_t row : rows) out += (out.size() > 1 ? "," : "") + value_text(values[row], axis);
  return out + "]";
}

/// So many that a page of many curves stays small: four rows a column, some twenty characters a row.
std::size_t columns_of(const Figure& figure) {
  constexpr std::size_t page = 4'000'000, most = 1500, least = 100;
  std::size_t count = 0;
  for (const Panel& panel : figure.panels) count += panel.series.size();
  return std::clamp(page / (std::max<std::size_t>(1, count) * 4 * 24), least, most);
}

std::string series_data(const Figure& figure, const Series& series, std::size_t look, const PanelBox& box,
                        std::size_t columns) {
  const std::span<const double> x = series.x.empty() ? figure.x : series.x;
  const std::vector<std::size_t> rows = choose_rows(x, series.values, box.x, columns);
  return fmt::format("{{\"name\":{},\"unit\":{},\"paint\":\"{}\",\n\"x\":{},\n\"values\":{}}}",
                     quoted(valid(plain_label(series.name))), quoted(valid(make_unit(series.unit))),
                     paint_class(series_paint(look)), list(x, rows, box.x), list(series.values, rows, box.y));
}

/// Where the panels of a picture lie, and where the labels of x hang.
std::string picture_data(const Layout& layout) {
  std::string out = "{\"boxes\":[";
  for (std::size_t p = 0; p < layout.boxes.size(); ++p) {
    const PanelBox& box = layout.boxes[p];
    out += fmt::format("{}[{},{},{},{}]", p > 0 ? "," : "", box.left, box.top, box.width, box.height);
  }
  return out + fmt::format("],\"axis\":{}}}", layout.axis_at);
}

std::string page_data(const Figure& figure, const Layout& wide, const Layout& narrow) {
  const Axis& x = wide.boxes.front().x;
  std::string out =
      fmt::format("{{\"name\":{},\"unit\":{},\"x\":[{},{},{}],\"pictures\":[{},{}],\"panels\":[",
                  quoted(valid(plain_label(figure.x_label))), quoted(valid(make_unit(figure.x_unit))),
                  number(x.low), number(x.high), x.offset, picture_data(wide), picture_data(narrow));
  const std::size_t columns = columns_of(figure);
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    const PanelBox& box = wide.boxes[p];
    out += fmt::format("{}\n{{\"scale\":[{},{},{}],\"series\":[", p > 0 ? "," : "", number(box.y.low),
                       number(box.y.high), box.y.offset);
    const std::vector<Series>& series = figure.panels[p].series;
    for (std::size_t s = 0; s < series.size(); ++s)
      out += (s > 0 ? ",\n" : "\n") + series_data(figure, series[s], box.looks[s], box, columns);
    out += "]}";
  }
  return out + "]}";
}

/// On paper a page may end between two panels: each is a picture of its own, of the same curves.
std::string paper_strips(const Layout& layout) {
  constexpr double below = 7;  // ticks, and half of the lowest label
  std::string out;
  double top = 0;
  for (std::size_t p = 0; p < layout.boxes.size(); ++p) {
    const PanelBox& box = layout.boxes[p];
    const double end = p + 1 == layout.boxes.size() ? layout.scene.height : box.top + box.height + below;
    out += fmt::format(
        "<svg class=\"strip\" viewBox=\"0 {:g} {:g} {:g}\" font-family=\"{}, Verdana, Helvetica, Arial, "
        "sans-serif\" aria-hidden=\"true\"><use href=\"#curves\"/></svg>\n",
        top, layout.scene.width, end - top, font_family);
    top = end;
  }
  return out;
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
  out += report::page_look;
  out += page_style;
  out += colour_rules(light_colours);
  out += "@media (prefers-color-scheme: dark) {\n" + colour_rules(dark_colours) + "}\n";
  out += ".f-paper { fill: var(--page); }\n";
  return out + "@media print {\n" + colour_rules(light_colours) + "}\n</style>\n</head>\n<body>\n<figure>\n";
}

}  // namespace

std::string write_html(const Figure& figure) {
  const Layout wide = make_layout(figure), narrow = make_narrow_layout(figure, small_screen);
  std::string out = page_head(figure.title);
  out += "<div class=\"picture wide\">" + write_svg(wide.scene, SvgPlace::in_page, "curves") + "</div>\n";
  out += "<div class=\"sheets\">\n" + paper_strips(wide) + "</div>\n";
  out += "<div class=\"picture narrow\">" + write_svg(narrow.scene, SvgPlace::in_page) + "</div>\n";
  out += tools;
  out += "<div id=\"values\" hidden></div>\n</figure>\n<script type=\"application/json\" id=\"data\">";
  out += page_data(figure, wide, narrow);
  out += "</script>\n<script>\n";
  out += page_script;
  return out + "</script>\n</body>\n</html>\n";
}

std::string write_page(const Scene& scene) {
  return page_head(scene.title) + write_svg(scene, SvgPlace::in_page) + "</figure>\n</body>\n</html>\n";
}

}  // namespace liaison::plot
