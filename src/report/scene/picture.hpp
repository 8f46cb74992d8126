#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrows.hpp"
#include "liaison/report/scene.hpp"

/// A scene at one instant as polygons, lines and words, before any file format: x to the right, y down.
namespace liaison::scene {

struct Place {
  double x = 0, y = 0;
};
struct Stroke {
  std::uint32_t colour = 0;
  double width = 0;  ///< 0: none
};
struct Piece {
  std::vector<Place> points;
  bool closed = false;
  std::uint32_t fill = 0;
  double opacity = 0;  ///< of the fill; 0: none
  Stroke stroke = {};
};
struct Word {
  Place at;  ///< on the baseline
  std::string text;
  double size = 11;
  std::uint32_t colour = 0;
  bool ends_there = false;  ///< else it begins there
  bool stands_out = false;  ///< with paper around its letters, over what is drawn
};
struct Picture {
  double width = 0, height = 0;
  std::string title;
  std::vector<Piece> pieces;
  std::vector<Word> words;
};

Picture picture_at(const MovingScene& scene, double t, const SceneView& view);
/// The same with a frame that was computed for the whole run, for a film.
class Painter {
 public:
  Painter(const MovingScene& scene, const SceneView& view);
  Picture at(double t) const;

 private:
  friend class PaintedInstant;
  const MovingScene& scene_;
  SceneView view_;
  ArrowScale velocities_, reactions_;
  std::array<Vector3, 3> camera_;  ///< right, up, forward
  Vector3 low_, high_, centre_;
  double floor_ = 0, radius_ = 1, scale_ = 1, width_ = 800, height_ = 480;
  double middle_ = 240, drawn_ = 480;  ///< of what is drawn, below the title: its middle and its height
  struct Line {
    std::string text;
    std::uint32_t colour;
  };
  std::vector<Line> title_;  ///< and below it what the arrows are
};

std::string write_svg(const Picture& picture);
std::string write_png(const Picture& picture, double scale);
using Pixels = ScenePixels;
Pixels write_pixels(const Picture& picture, double scale);
/// A film of pictures of one size, so many in a second, that begins again at its end. Delays are whole
/// hundredths of a second and add up to its length.
std::string write_gif(const std::vector<Pixels>& frames, double rate);

}  // namespace liaison::scene
