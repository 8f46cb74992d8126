#include "plot_svg.hpp"

#include <fmt/format.h>

#include <cmath>

#include "liaison/expr/print_mathml.hpp"

namespace liaison::plot {

namespace {

/// A hundredth of a pixel is enough; "12.5", "-0.07", "3".
void append_number(std::string& out, double value) {
  const auto hundredths = static_cast<long long>(std::llround(value * 100));
  if (hundredths < 0) out += '-';
  const long long size = std::llabs(hundredths);
  fmt::format_to(std::back_inserter(out), "{}", size / 100);
  if (size % 100 == 0) return;
  fmt::format_to(std::back_inserter(out), ".{:02}", size % 100);
  if (out.back() == '0') out.pop_back();
}

std::string number(double value) {
  std::string out;
  append_number(out, value);
  return out;
}

std::string fill(Paint paint) {
  return fmt::format("class=\"{}\" fill=\"{}\"", "f-" + paint_class(paint),
                     colour_text(light_colours[static_cast<std::size_t>(paint)]));
}

class SvgWriter {
 public:
  std::string write(const Scene& scene, SvgPlace place, const std::string& group) {
    const std::string w = number(scene.width), h = number(scene.height);
    out_ = "<svg ";
    if (place == SvgPlace::file) out_ += "xmlns=\"http://www.w3.org/2000/svg\" ";
    out_ += fmt::format("viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" ", w, h);
    out_ += fmt::format("font-family=\"{}, Verdana, Helvetica, Arial, sans-serif\"", font_family);
    const std::string title = escape_xml(scene.title);
    // In a page a <title> would come up wherever the pointer rests.
    if (place == SvgPlace::in_page) out_ += " aria-label=\"" + title + "\"";
    out_ += ">\n";
    if (place == SvgPlace::file && !title.empty()) out_ += "<title>" + title + "</title>\n";
    if (!group.empty()) out_ += "<g id=\"" + group + "\">\n";
    for (const Item& item : scene.items) std::visit([this](const auto& each) { write_item(each); }, item);
    close_group();
    out_ += group.empty() ? "</svg>\n" : "</g>\n</svg>\n";
    return std::move(out_);
  }

 private:
  void write_item(const Group& group) {
    close_group();
    if (group.role.empty()) return;
    out_ += fmt::format("<g class=\"{}\"", group.role);
    if (group.role != "mark" && group.role != "span")
      out_ += fmt::format(" data-key=\"{}-{}\"", group.panel, group.series);
    if (group.at) out_ += " data-x=\"" + number(*group.at) + "\"";
    out_ += ">";
    if (!group.note.empty()) out_ += "<title>" + escape_xml(group.note) + "</title>";
    out_ += "\n";
    open_ = true;
  }

  void close_group() {
    if (open_) out_ += "</g>\n";
    open_ = false;
  }

  void write_item(const Rectangle& r) {
    out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>\n", number(r.corner.x),
                        number(r.corner.y), number(r.width), number(r.height), fill(r.paint));
  }

  void write_item(const Disc& disc) {
    out_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}/>\n", number(disc.centre.x),
                        number(disc.centre.y), number(disc.radius), fill(disc.paint));
  }

  void write_item(const Line& line) {
    out_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"", number(line.begin.x),
                        number(line.begin.y), number(line.end.x), number(line.end.y));
    write_stroke(line.stroke);
    out_ += "/>\n";
  }

  void write_points(const std::vector<Point>& points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i > 0) out_ += ' ';
      append_number(out_, points[i].x);
      out_ += ',';
      append_number(out_, points[i].y);
    }
  }

  void write_item(const Area& area) {
    out_ += "<path d=\"";
    for (const std::vector<Point>& polygon : area.polygons) {
      out_ += 'M';
      write_points(polygon);
      out_ += 'Z';
    }
    out_ += "\" " + fill(area.paint);
    if (area.strength != 1) out_ += fmt::format(" fill-opacity=\"{}\"", number(area.strength));
    out_ += " shape-rendering=\"crispEdges\"/>\n";
  }

  void write_item(const Polyline& polyline) {
    out_ += "<polyline points=\"";
    write_points(polyline.points);
    out_ += "\" fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\"";
    write_stroke(polyline.stroke);
    out_ += "/>\n";
  }

  void write_stroke(const Stroke& stroke) {
    out_ += fmt::format(" class=\"{}\" stroke=\"{}\"", paint_class(stroke.paint),
                        colour_text(light_colours[static_cast<std::size_t>(stroke.paint)]));
    if (stroke.width != 1) out_ += " stroke-width=\"" + number(stroke.width) + "\"";
    if (stroke.dashes.empty()) return;
    std::string dashes;
    for (const double dash : stroke.dashes) dashes += (dashes.empty() ? "" : " ") + number(dash);
    out_ += " stroke-dasharray=\"" + dashes + "\"";
  }

  void write_item(const Text& text) {
    const std::string x = number(text.at.x), y = number(text.at.y);
    out_ += "<text ";
    if (text.upward) {
      out_ += fmt::format("transform=\"translate({},{}) rotate(-90)\"", x, y);
    } else {
      out_ += fmt::format("x=\"{}\" y=\"{}\"", x, y);
    }
    out_ += " font-size=\"" + number(text.size) + "\"";
    if (text.anchor != Anchor::start)
      out_ += text.anchor == Anchor::middle ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
    if (text.bold) out_ += " font-weight=\"bold\"";
    out_ += " " + fill(text.paint) + ">";
    bool below = false;
    const std::string drop = number(text.size * subscript_drop);
    for (const TextRun& run : text.runs) {
      if (run.subscript) {
        out_ += fmt::format("<tspan dy=\"{}\" font-size=\"{}\">{}</tspan>", drop,
                            number(text.size * subscript_size), escape_xml(run.text));
      } else if (below) {
        out_ += fmt::format("<tspan dy=\"-{}\">{}</tspan>", drop, escape_xml(run.text));
      } else {
        out_ += escape_xml(run.text);
      }
      below = run.subscript;
    }
    out_ += "</text>\n";
  }

  std::string out_;
  bool open_ = false;
};

}  // namespace

std::string colour_text(std::uint32_t colour) {
  return fmt::format("#{:06x}", colour);
}

std::string paint_class(Paint paint) {
  switch (paint) {
    case Paint::paper: return "paper";
    case Paint::ink: return "ink";
    case Paint::soft: return "soft";
    case Paint::grid: return "grid";
    default: return fmt::format("s{}", static_cast<int>(paint) - static_cast<int>(Paint::first_series));
  }
}

std::string write_svg(const Scene& scene, SvgPlace place, const std::string& group) {
  return SvgWriter().write(scene, place, group);
}

}  // namespace liaison::plot
