#include "plot_png.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <span>

#include "liaison/expr/error.hpp"
#include "report/look/cairo_functions.hpp"

namespace liaison::plot {

namespace {

struct SurfaceDeleter {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct ContextDeleter {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
struct OptionsDeleter {
  void operator()(cairo_font_options_t* options) const { cairo_font_options_destroy(options); }
};

/// The dots above a letter: no font places them well on every letter, so they are drawn.
std::size_t dots_at(std::string_view text, std::size_t at, std::size_t& length) {
  constexpr std::array<std::string_view, 4> marks{"\u0307", "\u0308", "\u20DB", "\u20DC"};
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (!text.substr(at).starts_with(marks[i])) continue;
    length = marks[i].size();
    return i + 1;
  }
  return 0;
}

/// One character of UTF-8; what is none, and what has no picture, is �.
std::string next_character(std::string_view text, std::size_t& at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  const std::size_t length = byte < 0x80   ? 1
                             : byte < 0xC2 ? 0
                             : byte < 0xE0 ? 2
                             : byte < 0xF0 ? 3
                             : byte < 0xF5 ? 4
                                           : 0;
  bool valid = length > 0 && at + length <= text.size() && byte >= 0x20 && byte != 0x7F;
  for (std::size_t i = 1; valid && i < length; ++i)
    valid = (static_cast<unsigned char>(text[at + i]) & 0xC0) == 0x80;
  if (valid && length >= 3) {  // too long, or half of a pair of UTF-16
    const auto second = static_cast<unsigned char>(text[at + 1]);
    valid = !(byte == 0xE0 && second < 0xA0) && !(byte == 0xED && second > 0x9F) &&
            !(byte == 0xF0 && second < 0x90) && !(byte == 0xF4 && second > 0x8F);
  }
  const std::string character = valid ? std::string(text.substr(at, length)) : std::string("\uFFFD");
  at += valid ? length : 1;
  return character;
}

class PngWriter {
 public:
  PngWriter(const Scene& scene, double scale)
      : surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(scene.width, scale),
                                            pixels(scene.height, scale))),
        context_(cairo_create(surface_.get())) {
    const std::unique_ptr<cairo_font_options_t, OptionsDeleter> options(cairo_font_options_create());
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(context_.get(), options.get());
    cairo_scale(context_.get(), scale, scale);
    paint(Paint::paper);
    cairo_paint(context_.get());
  }

  std::string write(const Scene& scene) {
    for (const Item& item : scene.items) std::visit([this](const auto& each) { draw(each); }, item);
    std::string bytes;
    const auto append = [](void* closure, const unsigned char* data, unsigned int length) {
      static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
      return CAIRO_STATUS_SUCCESS;
    };
    cairo_status_t status = cairo_status(context_.get());
    if (status == CAIRO_STATUS_SUCCESS)
      status = cairo_surface_write_to_png_stream(surface_.get(), append, &bytes);
    if (status != CAIRO_STATUS_SUCCESS) {
      throw Error(ErrorCode::limit_reached,
                  std::string("the picture cannot be made: ") + cairo_status_to_string(status),
                  "choose a smaller scale");
    }
    return bytes;
  }

 private:
  static int pixels(double length, double scale) {
    constexpr double most = 32000;  // what cairo can address
    if (!(length * scale >= 1 && length * scale <= most)) {
      throw Error(ErrorCode::limit_reached, "a picture has between 1 and 32000 pixels on each side",
                  "choose another scale, or draw fewer panels");
    }
    return static_cast<int>(std::ceil(length * scale));
  }

  void paint(Paint which) {
    const std::uint32_t c = light_colours[static_cast<std::size_t>(which)];
    cairo_set_source_rgb(context_.get(), ((c >> 16) & 255) / 255.0, ((c >> 8) & 255) / 255.0,
                         (c & 255) / 255.0);
  }

  void draw(const Group&) {}

  void draw(const Rectangle& r) {
    paint(r.paint);
    cairo_rectangle(context_.get(), r.corner.x, r.corner.y, r.width, r.height);
    cairo_fill(context_.get());
  }

  void draw(const Area& area) {
    const std::uint32_t c = light_colours[static_cast<std::size_t>(area.paint)];
    const auto part = [&](unsigned shift) {
      return 1 - area.strength * (1 - ((c >> shift) & 255) / 255.0);  // paper is white
    };
    cairo_set_source_rgb(context_.get(), part(16), part(8), part(0));
    cairo_new_path(context_.get());
    for (const std::vector<Point>& polygon : area.polygons) {
      cairo_new_sub_path(context_.get());
      for (const Point& p : polygon) cairo_line_to(context_.get(), p.x, p.y);
      cairo_close_path(context_.get());
    }
    cairo_set_antialias(context_.get(), CAIRO_ANTIALIAS_NONE);
    cairo_fill(context_.get());
    cairo_set_antialias(context_.get(), CAIRO_ANTIALIAS_DEFAULT);
  }

  void draw(const Disc& disc) {
    paint(disc.paint);
    dot(disc.centre, disc.radius);
  }

  void dot(Point centre, double radius) {
    cairo_new_path(context_.get());
    cairo_arc(context_.get(), centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
    cairo_fill(context_.get());
  }

  void draw(const Line& line) {
    const std::array ends{line.begin, line.end};
    stroke(ends, line.stroke, CAIRO_LINE_CAP_BUTT);
  }

  void draw(const Polyline& polyline) { stroke(polyline.points, polyline.stroke, CAIRO_LINE_CAP_ROUND); }

  void stroke(std::span<const Point> points, const Stroke& style, cairo_line_cap_t cap) {
    paint(style.paint);
    cairo_set_line_width(context_.get(), style.width);
    cairo_set_line_join(context_.get(), CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(context_.get(), cap);
    cairo_set_dash(context_.get(), style.dashes.data(), static_cast<int>(style.dashes.size()), 0);
    cairo_new_path(context_.get());
    for (const Point& p : points) cairo_line_to(context_.get(), p.x, p.y);
    cairo_stroke(context_.get());
  }

  void draw(const Text& text) {
    cairo_select_font_face(context_.get(), font_family, CAIRO_FONT_SLANT_NORMAL,
                           text.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    paint(text.paint);
    cairo_save(context_.get());
    cairo_translate(context_.get(), text.at.x, text.at.y);
    if (text.upward) cairo_rotate(context_.get(), -std::numbers::pi / 2);
    const double width = set_text(text, 0, false);
    const double shift = text.anchor == Anchor::start ? 0 : text.anchor == Anchor::middle ? width / 2 : width;
    set_text(text, -shift, true);
    cairo_restore(context_.get());
  }

  /// From x on, at the baseline 0; the place behind.
  double set_text(const Text& text, double x, bool visible) {
    for (const TextRun& run : text.runs) {
      const double size = run.subscript ? text.size * subscript_size : text.size;
      const double y = run.subscript ? text.size * subscript_drop : 0;
      cairo_set_font_size(context_.get(), size);
      for (std::size_t at = 0; at < run.text.size();) {
        const std::string character = next_character(run.text, at);
        cairo_text_extents_t extents;
        cairo_text_extents(context_.get(), character.c_str(), &extents);
        if (visible) {
          cairo_move_to(context_.get(), x, y);
          cairo_show_text(context_.get(), character.c_str());
        }
        std::size_t length = 0;
        const std::size_t dots = dots_at(run.text, at, length);
        at += length;
        if (visible && dots > 0) {
          const double middle = x + extents.x_bearing + extents.width / 2;
          const double top = y + extents.y_bearing - 0.14 * size;
          for (std::size_t i = 0; i < dots; ++i) {
            const double aside = (static_cast<double>(i) - 0.5 * static_cast<double>(dots - 1)) * 0.22 * size;
            dot({middle + aside, top}, 0.066 * size);
          }
        }
        x += extents.x_advance;
      }
    }
    return x;
  }

  std::unique_ptr<cairo_surface_t, SurfaceDeleter> surface_;
  std::unique_ptr<cairo_t, ContextDeleter> context_;
};

}  // namespace

std::string write_png(const Scene& scene, double scale) {
  return PngWriter(scene, scale).write(scene);
}

}  // namespace liaison::plot
