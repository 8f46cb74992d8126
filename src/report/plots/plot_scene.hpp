#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What is drawn, before any file format. Lengths in pixels, x to the right, y down.
namespace liaison::plot {

struct Point {
  double x = 0, y = 0;
};

enum class Paint : std::uint8_t {
  paper,
  ink,
  soft,  ///< secondary text, axes
  grid,
  first_series,  ///< and seven colours from there on
};
constexpr std::size_t series_colours = 7;
constexpr std::size_t paint_count = static_cast<std::size_t>(Paint::first_series) + series_colours;
constexpr Paint series_paint(std::size_t series) {
  return static_cast<Paint>(static_cast<std::size_t>(Paint::first_series) + series % series_colours);
}

/// 0xRRGGBB, by paint. Curves: Okabe and Ito's colours for all kinds of colour vision, without the yellow,
/// which paper swallows; in the dark the same hues, lighter where they need it.
constexpr std::array<std::uint32_t, paint_count> light_colours{
    0xffffff, 0x1c1c1e, 0x5f6368, 0xe4e4e8,  // paper, ink, soft, grid
    0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x3a3a3c};
constexpr std::array<std::uint32_t, paint_count> dark_colours{0x17181b, 0xe6e6e3, 0xa0a4ab, 0x303338,  //
                                                              0x3a9fdc, 0xf07c2c, 0x1fbf93, 0xdc94bb,
                                                              0xf0b429, 0x8fd0f7, 0xd0d0cc};

struct Stroke {
  Paint paint = Paint::ink;
  double width = 1;
  std::vector<double> dashes = {};
};

struct Line {
  Point begin, end;
  Stroke stroke;
};
/// A curve.
struct Polyline {
  std::vector<Point> points;
  Stroke stroke;
};
struct Rectangle {
  Point corner;  ///< upper left
  double width = 0, height = 0;
  Paint paint = Paint::paper;
};
/// Filled polygons of one paint, their edges not smoothed: neighbours leave no seam.
struct Area {
  std::vector<std::vector<Point>> polygons;
  Paint paint = Paint::ink;
  double strength = 1;  ///< beside the paper, from 0 to 1
};
struct Disc {
  Point centre;
  double radius = 1;
  Paint paint = Paint::ink;
};

struct TextRun {
  std::string text;
  bool subscript = false;
};
enum class Anchor { start, middle, end };
struct Text {
  Point at;  ///< on the baseline
  std::vector<TextRun> runs;
  double size = 10;
  Anchor anchor = Anchor::start;
  Paint paint = Paint::ink;
  bool bold = false;
  bool upward = false;  ///< turned by a quarter, reading from below
};

/// What follows up to the next group belongs together: the curves and the legend entry of a series. `role`
/// may be empty; `note` is the full text of something shown shortened; `at` is where on the axis of x a mark
/// stands that moves with it.
struct Group {
  std::string role;
  std::size_t panel = 0, series = 0;
  std::string note = {};
  std::optional<double> at = {};
};

using Item = std::variant<Group, Rectangle, Line, Polyline, Area, Disc, Text>;

struct Scene {
  double width = 0, height = 0;
  std::string title;
  std::vector<Item> items;
};

constexpr double subscript_size = 0.72;  ///< of the size of the text
constexpr double subscript_drop = 0.22;
constexpr const char* font_family = "DejaVu Sans";

}  // namespace liaison::plot
