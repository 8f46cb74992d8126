#pragma once

#include <cairo.h>

#include "expr/late_library.hpp"

/// Cairo, which loads the libraries of fonts and of X11, is opened with the first picture in pixels.
namespace liaison {

inline constexpr late::Module cairo_module{"liaison_cairo.so", "draws pictures in pixels",
                                           "pictures in .svg and .html need none"};

LIAISON_LATE(cairo_module, cairo_arc);
LIAISON_LATE(cairo_module, cairo_close_path);
LIAISON_LATE(cairo_module, cairo_create);
LIAISON_LATE(cairo_module, cairo_destroy);
LIAISON_LATE(cairo_module, cairo_fill);
LIAISON_LATE(cairo_module, cairo_fill_preserve);
LIAISON_LATE(cairo_module, cairo_font_options_create);
LIAISON_LATE(cairo_module, cairo_font_options_destroy);
LIAISON_LATE(cairo_module, cairo_font_options_set_antialias);
LIAISON_LATE(cairo_module, cairo_font_options_set_hint_metrics);
LIAISON_LATE(cairo_module, cairo_font_options_set_hint_style);
LIAISON_LATE(cairo_module, cairo_image_surface_create);
LIAISON_LATE(cairo_module, cairo_image_surface_get_data);
LIAISON_LATE(cairo_module, cairo_image_surface_get_height);
LIAISON_LATE(cairo_module, cairo_image_surface_get_stride);
LIAISON_LATE(cairo_module, cairo_image_surface_get_width);
LIAISON_LATE(cairo_module, cairo_line_to);
LIAISON_LATE(cairo_module, cairo_move_to);
LIAISON_LATE(cairo_module, cairo_new_path);
LIAISON_LATE(cairo_module, cairo_new_sub_path);
LIAISON_LATE(cairo_module, cairo_paint);
LIAISON_LATE(cairo_module, cairo_rectangle);
LIAISON_LATE(cairo_module, cairo_restore);
LIAISON_LATE(cairo_module, cairo_rotate);
LIAISON_LATE(cairo_module, cairo_save);
LIAISON_LATE(cairo_module, cairo_scale);
LIAISON_LATE(cairo_module, cairo_select_font_face);
LIAISON_LATE(cairo_module, cairo_set_antialias);
LIAISON_LATE(cairo_module, cairo_set_dash);
LIAISON_LATE(cairo_module, cairo_set_font_options);
LIAISON_LATE(cairo_module, cairo_set_font_size);
LIAISON_LATE(cairo_module, cairo_set_line_cap);
LIAISON_LATE(cairo_module, cairo_set_line_join);
LIAISON_LATE(cairo_module, cairo_set_line_width);
LIAISON_LATE(cairo_module, cairo_set_source_rgb);
LIAISON_LATE(cairo_module, cairo_set_source_rgba);
LIAISON_LATE(cairo_module, cairo_show_text);
LIAISON_LATE(cairo_module, cairo_status);
LIAISON_LATE(cairo_module, cairo_status_to_string);
LIAISON_LATE(cairo_module, cairo_stroke);
LIAISON_LATE(cairo_module, cairo_stroke_preserve);
LIAISON_LATE(cairo_module, cairo_surface_destroy);
LIAISON_LATE(cairo_module, cairo_surface_flush);
LIAISON_LATE(cairo_module, cairo_surface_write_to_png_stream);
LIAISON_LATE(cairo_module, cairo_text_extents);
LIAISON_LATE(cairo_module, cairo_text_path);
LIAISON_LATE(cairo_module, cairo_translate);

}  // namespace liaison
