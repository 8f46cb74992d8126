#include <cmath>
#include <memory>

#include "liaison/expr/error.hpp"
#include "picture.hpp"
#include "report/look/cairo_functions.hpp"

namespace liaison::scene {

namespace {

struct SurfaceDeleter {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct ContextDeleter {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
using Surface = std::unique_ptr<cairo_surface_t, SurfaceDeleter>;

void set_colour(cairo_t* context, std::uint32_t c, double opacity = 1) {
  cairo_set_source_rgba(context, ((c >> 16) & 255) / 255.0, ((c >> 8) & 255) / 255.0, (c & 255) / 255.0,
                        opacity);
}

Surface draw(const Picture& picture, double scale) {
  const double w = picture.width * scale, h = picture.height * scale;
  if (!(w >= 1 && h >= 1 && w <= 16000 && h <= 16000))
    throw Error(ErrorCode::limit_reached, "a picture has between 1 and 16000 pixels on each side",
                "choose another scale");
  Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::ceil(w)),
                                             static_cast<int>(std::ceil(h))));
  const std::unique_ptr<cairo_t, ContextDeleter> context(cairo_create(surface.get()));
  cairo_t* c = context.get();
  cairo_scale(c, scale, scale);
  set_colour(c, 0xffffff);
  cairo_paint(c);
  cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(c, CAIRO_LINE_CAP_ROUND);
  for (const Piece& piece : picture.pieces) {
    cairo_new_path(c);
    for (const Place& place : piece.points) cairo_line_to(c, place.x, place.y);
    if (piece.closed) cairo_close_path(c);
    if (piece.opacity > 0) {
      set_colour(c, piece.fill, piece.opacity);
      cairo_fill_preserve(c);
    }
    if (piece.stroke.width > 0) {
      set_colour(c, piece.stroke.colour);
      cairo_set_line_width(c, piece.stroke.width);
      cairo_stroke_preserve(c);
    }
  }
  cairo_select_font_face(c, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  for (const Word& word : picture.words) {
    set_colour(c, word.colour);
    cairo_set_font_size(c, word.size);
    cairo_text_extents_t extents;
    cairo_text_extents(c, word.text.c_str(), &extents);
    const double x = word.at.x - (word.ends_there ? extents.x_advance : 0);
    cairo_new_path(c);  // of what was drawn last something is left
    if (word.stands_out) {
      cairo_move_to(c, x, word.at.y);
      cairo_text_path(c, word.text.c_str());
      set_colour(c, 0xffffff);
      cairo_set_line_width(c, 3);
      cairo_stroke(c);
      set_colour(c, word.colour);
    }
    cairo_move_to(c, x, word.at.y);
    cairo_show_text(c, word.text.c_str());
  }
  const cairo_status_t status = cairo_status(c);
  // a name that is no text in UTF-8 is left out, and nothing else
  if (status != CAIRO_STATUS_SUCCESS && status != CAIRO_STATUS_INVALID_STRING)
    throw Error(ErrorCode::limit_reached,
                std::string("the picture cannot be made: ") + cairo_status_to_string(status),
                "choose a smaller scale");
  cairo_surface_flush(surface.get());
  return surface;
}

}  // namespace

std::string write_png(const Picture& picture, double scale) {
  const Surface surface = draw(picture, scale);
  std::string bytes;
  const auto append = [](void* closure, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
  };
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append, &bytes);
  if (status != CAIRO_STATUS_SUCCESS)
    throw Error(ErrorCode::limit_reached,
                std::string("the picture cannot be made: ") + cairo_status_to_string(status),
                "choose a smaller scale");
  return bytes;
}

Pixels write_pixels(const Picture& picture, double scale) {
  const Surface surface = draw(picture, scale);
  Pixels pixels;
  pixels.width = static_cast<std::size_t>(cairo_image_surface_get_width(surface.get()));
  pixels.height = static_cast<std::size_t>(cairo_image_surface_get_height(surface.get()));
  const unsigned char* data = cairo_image_surface_get_data(surface.get());
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  for (std::size_t y = 0; y < pixels.height; ++y) {
    const auto* row = reinterpret_cast<const std::uint32_t*>(data + y * stride);
    for (std::size_t x = 0; x < pixels.width; ++x)
      for (const unsigned shift : {16U, 8U, 0U})
        pixels.rgb.push_back(static_cast<std::uint8_t>(row[x] >> shift));
  }
  return pixels;
}

}  // namespace liaison::scene
