#include "picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "geometry.hpp"
#include "report/look/text_lines.hpp"

namespace liaison::scene {

namespace {

/// Okabe and Ito's colours for all kinds of colour vision, then ink and soft.
constexpr std::array<std::uint32_t, 9> paints{0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00,
                                              0x56b4e9, 0x8a8a8e, 0x3a3a3c, 0x5f6368};
constexpr std::uint32_t ink = 0x1c1c1e, soft = 0x5f6368, grid_colour = 0xe2e2e7;
constexpr std::uint32_t velocity_colour = paints[2], reaction_colour = paints[1];
constexpr double margin = 26, title_size = 12, title_line = 16;

std::uint32_t tinted(std::uint32_t colour, double brightness) {
  const double target = brightness < 1 ? 0 : 255, part = std::min(1.0, std::abs(1 - brightness));
  std::uint32_t out = 0;
  for (const unsigned shift : {16U, 8U, 0U}) {
    const double x = (colour >> shift) & 255;
    out |= static_cast<std::uint32_t>(std::lround(x + (target - x) * part)) << shift;
  }
  return out;
}

/// 1, 2 or 5 times a power of ten, at most this.
double round_step(double range) {
  const double power = std::pow(10, std::floor(std::log10(range))), lead = range / power;
  return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

std::array<Vector3, 3> camera_of(const SceneView& view) {
  const double a = view.azimuth * std::numbers::pi / 180, e = view.elevation * std::numbers::pi / 180;
  const Vector3 forward{-std::cos(a) * std::cos(e), -std::sin(a) * std::cos(e), -std::sin(e)};
  const Vector3 right{-std::sin(a), std::cos(a), 0};
  return {right, cross(right, forward), forward};
}

bool is_line(const SceneSolid& solid) {
  return solid.kind == "spring" || solid.kind == "damper" || solid.kind == "line";
}

}  // namespace

/// One picture in the making.
class PaintedInstant {
 public:
  PaintedInstant(const Painter& painter, double t)
      : p_(painter), scene_(painter.scene_), now_(painter.scene_, t) {
    picture_.width = p_.width_;
    picture_.height = p_.height_;
    picture_.title = scene_.title;
  }

  Picture run() {
    if (scene_.in_space) {
      draw_grid();
      draw_traces();
      draw_space();
    } else {
      draw_grounds();
      draw_traces();
      draw_plane();
    }
    draw_contacts();
    draw_arrows();
    draw_words();
    if (p_.view_.names) draw_names();
    return std::move(picture_);
  }

 private:
  struct Seen {
    double x, y, depth;
    bool is_finite() const { return std::isfinite(x) && std::isfinite(y); }
  };

  Seen project(const Vector3& point) const {
    const Vector3 d = point - p_.centre_;
    if (!scene_.in_space) return {p_.width_ / 2 + p_.scale_ * d[0], p_.middle_ - p_.scale_ * d[1], 0};
    const double depth = dot(d, p_.camera_[2]), away = 4 * p_.radius_, near = away / (away + depth);
    return {p_.width_ / 2 + p_.scale_ * near * dot(d, p_.camera_[0]),
            p_.middle_ - p_.scale_ * near * dot(d, p_.camera_[1]), depth};
  }

  void add_line(const std::vector<Seen>& points, std::uint32_t colour, double width) {
    Piece piece;
    for (const Seen& seen : points)
      if (seen.is_finite()) piece.points.push_back({seen.x, seen.y});
    if (piece.points.size() < 2) return;
    piece.stroke = {colour, width};
    picture_.pieces.push_back(std::move(piece));
  }

  void draw_grounds() {
    for (const SceneGround& ground : scene_.grounds) {
      const Vector3& n = ground.normal;
      const Vector3 foot = p_.centre_ + (ground.height - dot(p_.centre_, n)) * n, along{n[1], -n[0], 0};
      const double reach = (p_.width_ + p_.height_) / p_.scale_, gap = 9 / p_.scale_;
      const auto inside = [&](const Seen& seen) {
        return seen.x >= -10 && seen.x <= p_.width_ + 10 && seen.y >= -10 && seen.y <= p_.height_ + 10;
      };
      add_line({project(foot - reach * along), project(foot + reach * along)}, soft, 1.5);
      for (double s = -reach; s < reach; s += gap) {
        const Seen from = project(foot + s * along),
                   to = project(foot + (s - 0.7 * gap) * along - (0.8 * gap) * n);
        if (inside(from) || inside(to)) add_line({from, to}, 0xa8abb0, 0.8);
      }
    }
  }

  void draw_grid() {
    const SceneGround ground = floor();
    const Vector3& n = ground.normal;
    const Vector3 reference = std::abs(n[2]) > 0.5 && std::abs(n[0]) < 0.9 ? Vector3{1, 0, 0}
                              : std::abs(n[2]) < 0.9                       ? Vector3{0, 0, 1}
                                                                           : Vector3{1, 0, 0};
    const Vector3 side = reference - dot(reference, n) * n, e = (1 / length(side)) * side, f = cross(n, e);
    const Vector3 c = p_.centre_ + (ground.height - dot(p_.centre_, n)) * n;
    const double gap = round_step(p_.radius_ / 2.5);
    const int count = static_cast<int>(std::ceil(1.25 * p_.radius_ / gap));
    const double u = std::round(dot(c, e) / gap) * gap, v = std::round(dot(c, f) / gap) * gap;
    const double reach = count * gap;
    const auto on = [&](double a, double b) { return project(ground.height * n + a * e + b * f); };
    for (int i = -count; i <= count; ++i) {
      add_line({on(u + i * gap, v - reach), on(u + i * gap, v + reach)}, grid_colour, 1);
      add_line({on(u - reach, v + i * gap), on(u + reach, v + i * gap)}, grid_colour, 1);
    }
  }

  SceneGround floor() const {
    return scene_.grounds.empty() ? SceneGround{{0, 0, 1}, p_.floor_} : scene_.grounds.front();
  }

  void draw_traces() {
    if (scene_.t.size() < 2) return;
    const auto end = static_cast<std::size_t>(
        std::upper_bound(scene_.t.begin(), scene_.t.end(), now_.time()) - scene_.t.begin());
    const std::size_t stride = std::max<std::size_t>(1, end / 1500);
    for (const SceneTrack& track : scene_.tracks) {
      if (!track.traced) continue;
      std::vector<Seen> way;
      const auto number = [&](const SceneValue& v, std::size_t row) {
        return v.column ? scene_.columns[*v.column][row] : v.constant;
      };
      for (std::size_t i = 0; i < end; i += stride)
        way.push_back(project({number(track.at[0], i), number(track.at[1], i), number(track.at[2], i)}));
      way.push_back(project(now_.point(track.at)));
      add_line(way, tinted(paints[track.paint], 1.35), 1.2);
    }
  }

  Placement placement(const SceneSolid& solid) const {
    Placement place = now_.placement(solid);
    if (!is_dot(solid)) return place;
    double reach = 0;
    for (const Vector3& v : solid.mesh.vertices) reach = std::max(reach, length(v));
    const double pixels = reach * p_.scale_;
    if (!(pixels > 0)) return place;
    for (Vector3& axis : place.axes) axis = (std::clamp(pixels, 3.5, 7.0) / pixels) * axis;
    return place;
  }

  void draw_plane() {
    for (const SceneSolid& solid : scene_.solids) {
      const Placement place = placement(solid);
      std::vector<Seen> seen;
      for (const Vector3& v : solid.mesh.vertices) seen.push_back(project(place.to_space(v)));
      if (!std::all_of(seen.begin(), seen.end(), [](const Seen& s) { return s.is_finite(); })) continue;
      for (const SceneMesh::Face& face : solid.mesh.faces) {
        Piece piece;
        for (const std::size_t v : face.corners) piece.points.push_back({seen[v].x, seen[v].y});
        piece.closed = true;
        piece.fill = tinted(paints[solid.paint], face.tone);
        piece.opacity = solid.kind == "joint" || solid.kind == "particle" ? 1 : 0.62;
        picture_.pieces.push_back(std::move(piece));
      }
      for (const auto& line : solid.mesh.lines) {
        std::vector<Seen> points;
        for (const std::size_t v : line) points.push_back(seen[v]);
        add_line(points, is_line(solid) ? paints[solid.paint] : tinted(paints[solid.paint], 0.7),
                 is_line(solid) ? 1.8 : 1.3);
      }
    }
  }

  void draw_space() {
    struct Sorted {
      double depth;
      Piece piece;
    };
    std::vector<Sorted> sorted;
    const Vector3 light = (1 / length({0.35, 0.55, -0.76})) * Vector3{0.35, 0.55, -0.76};
    for (const SceneSolid& solid : scene_.solids) {
      const Placement place = placement(solid);
      std::vector<Vector3> points;
      std::vector<Seen> seen;
      for (const Vector3& v : solid.mesh.vertices) {
        points.push_back(place.to_space(v));
        seen.push_back(project(points.back()));
      }
      if (!std::all_of(seen.begin(), seen.end(), [](const Seen& s) { return s.is_finite(); })) continue;
      for (const SceneMesh::Face& face : solid.mesh.faces) {
        Sorted item{0, {}};
        for (const std::size_t v : face.corners) {
          item.depth += seen[v].depth / static_cast<double>(face.corners.size());
          item.piece.points.push_back({seen[v].x, seen[v].y});
        }
        Vector3 normal{0, 0, 0};  // Newell's: also where two corners are one
        for (std::size_t k = 1; k + 1 < face.corners.size(); ++k)
          normal = normal + cross(points[face.corners[k]] - points[face.corners[0]],
                                  points[face.corners[k + 1]] - points[face.corners[0]]);
        const double size = std::max(length(normal), 1e-300);
        const Vector3 on_camera{dot(normal, p_.camera_[0]) / size, dot(normal, p_.camera_[1]) / size,
                                dot(normal, p_.camera_[2]) / size};
        item.piece.closed = true;
        item.piece.fill =
            tinted(paints[solid.paint], (0.62 + 0.42 * std::abs(dot(on_camera, light))) * face.tone);
        item.piece.opacity = 1;
        item.piece.stroke = {item.piece.fill, 0.6};
        sorted.push_back(std::move(item));
      }
      for (const auto& line : solid.mesh.lines) {
        for (std::size_t i = 0; i + 1 < line.size(); ++i) {
          const Seen &a = seen[line[i]], &b = seen[line[i + 1]];
          Piece piece{{{a.x, a.y}, {b.x, b.y}}, false, 0, 0, {}};
          piece.stroke = {is_line(solid) ? paints[solid.paint] : tinted(paints[solid.paint], 0.6),
                          is_line(solid) ? 2.0 : 1.0};
          sorted.push_back({(a.depth + b.depth) / 2 - 0.01 * p_.radius_, std::move(piece)});
        }
      }
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Sorted& a, const Sorted& b) { return a.depth > b.depth; });
    for (Sorted& item : sorted) picture_.pieces.push_back(std::move(item.piece));
  }

  void draw_contacts() {
    for (const SceneContact& contact : scene_.contacts) {
      const Seen at = project(now_.point(contact.at));
      if (!at.is_finite()) continue;
      std::string mode;
      for (const SceneContact::Span& span : contact.modes)
        if (now_.time() >= span.begin && now_.time() <= span.end) mode = span.mode;
      Piece ring;
      for (int i = 0; i < 20; ++i)
        ring.points.push_back({at.x + 4.5 * std::cos(0.1 * i * std::numbers::pi),
                               at.y + 4.5 * std::sin(0.1 * i * std::numbers::pi)});
      ring.closed = true;
      const std::uint32_t colour = mode == "slips"                        ? paints[1]
                                   : mode == "sticks" || mode == "closed" ? paints[2]
                                   : mode.empty() || mode == "open"       ? soft
                                                                          : paints[0];
      ring.stroke = {colour, 1.6};
      ring.fill = colour;
      ring.opacity = mode.empty() || mode == "open" ? 0 : 1;
      picture_.pieces.push_back(std::move(ring));
    }
  }

  void draw_arrows() {
    const double reach = 0.2 * std::min(p_.width_, p_.drawn_) / p_.scale_;
    for (const SceneArrow& arrow : scene_.arrows) {
      const ArrowScale& scale = arrow.reaction ? p_.reactions_ : p_.velocities_;
      if (!(arrow.reaction ? p_.view_.reactions : p_.view_.velocities)) continue;
      const Vector3 at = now_.point(arrow.at), vector = now_.point(arrow.vector);
      const double size = length(vector);
      if (!(size > 0) || !std::isfinite(size)) continue;
      const Seen from = project(at), to = project(at + (reach * scale.part(size) / size) * vector);
      if (!from.is_finite() || !to.is_finite()) continue;
      const std::uint32_t colour = arrow.reaction ? reaction_colour : velocity_colour;
      add_arrow({from.x, from.y}, {to.x, to.y}, colour);
      if (!p_.view_.names) continue;
      // beyond the tip; where two lie side by side the one above the other
      const double dx = to.x - from.x, dy = to.y - from.y, length = std::max(std::hypot(dx, dy), 1e-9);
      const double aside = std::abs(dy) < 0.6 * length ? (arrow.reaction ? -6 : 6) : 0;
      add_word({to.x + (dx < 0 ? -6 : 6), to.y + 4 + 9 * dy / length + aside},
               size_in_words(size, unit_of_arrows(scene_, arrow.reaction)), colour, dx < 0);
    }
  }

  void add_arrow(const Place& from, const Place& to, std::uint32_t colour) {
    const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    if (!(length > 1.5)) return;
    const double head = std::min(9.0, 0.45 * length), x = dx / length, y = dy / length;
    const Place neck{to.x - head * x, to.y - head * y};
    picture_.pieces.push_back(
        {{from, {to.x - 0.8 * head * x, to.y - 0.8 * head * y}}, false, 0, 0, {colour, 2}});
    picture_.pieces.push_back({{to,
                                {neck.x - 0.45 * head * y, neck.y + 0.45 * head * x},
                                {neck.x + 0.45 * head * y, neck.y - 0.45 * head * x}},
                               true,
                               colour,
                               1,
                               {}});
  }

  void add_word(const Place& at, std::string text, std::uint32_t colour, bool ends_there = false) {
    picture_.words.push_back({at, std::move(text), 12, colour, ends_there, true});
  }

  void draw_names() {
    for (const SceneTrack& track : scene_.tracks) {
      const Seen at = project(now_.point(track.at));
      if (at.is_finite()) add_word({at.x + 7, at.y - 7}, track.name, ink);
    }
  }

  void draw_words() {
    const std::string unit = scene_.time_unit.empty() ? "" : " m";
    if (!scene_.t.empty() && scene_.t.size() > 1)
      picture_.words.push_back(
          {{10, p_.height_ - 10},
           fmt::format("t = {:.4g}{}", now_.time(), scene_.time_unit.empty() ? "" : " " + scene_.time_unit),
           12,
           ink});
    for (std::size_t i = 0; i < p_.title_.size(); ++i)
      picture_.words.push_back({{10, 18 + title_line * static_cast<double>(i)},
                                p_.title_[i].text,
                                title_size,
                                p_.title_[i].colour,
                                false,
                                true});
    if (scene_.in_space) {
      picture_.words.push_back({{p_.width_ - 10, p_.height_ - 10},
                                fmt::format("grid {:.3g}{}", round_step(p_.radius_ / 2.5), unit),
                                11,
                                soft,
                                true});
      draw_triad();
      return;
    }
    const double range = round_step(0.28 * p_.width_ / p_.scale_), wide = range * p_.scale_;
    const double x = p_.width_ - 12 - wide, y = p_.height_ - 10;
    Piece bar{{{x, y - 4}, {x, y}, {x + wide, y}, {x + wide, y - 4}}, false, 0, 0, {soft, 1.4}};
    picture_.pieces.push_back(std::move(bar));
    picture_.words.push_back({{x + 3, y - 4}, fmt::format("{:.3g}{}", range, unit), 11, soft});
  }

  void draw_triad() {
    const Place corner{34, p_.height_ - 44};
    for (std::size_t k = 0; k < 3; ++k) {
      const Place tip{corner.x + 21 * p_.camera_[0][k], corner.y - 21 * p_.camera_[1][k]};
      picture_.pieces.push_back({{corner, tip}, false, 0, 0, {soft, 1.4}});
      picture_.words.push_back(
          {{tip.x - 3 + 0.35 * (tip.x - corner.x), tip.y + 4 + 0.35 * (tip.y - corner.y)},
           std::string(1, "xyz"[k]),
           11,
           soft});
    }
  }

  const Painter& p_;
  const MovingScene& scene_;
  Instant now_;
  Picture picture_;
};

Painter::Painter(const MovingScene& scene, const SceneView& view)
    : scene_(scene),
      view_(view),
      velocities_(arrow_scale(scene, false)),
      reactions_(arrow_scale(scene, true)),
      camera_(camera_of(view)) {
  const Bounds bounds = bounds_of(scene);
  low_ = bounds.low;
  floor_ = low_[2];
  high_ = bounds.high;
  const double least =
      std::max(0.3 * std::max({high_[0] - low_[0], high_[1] - low_[1], high_[2] - low_[2]}), 1e-12);
  for (std::size_t k = 0; k < (scene.in_space ? 3 : 2); ++k) {
    const double missing = least - (high_[k] - low_[k]);
    if (missing <= 0) continue;
    low_[k] -= missing / 2;
    high_[k] += missing / 2;
  }
  centre_ = 0.5 * (low_ + high_);
  radius_ = std::max(length(high_ - low_) / 2, 1e-12);
  const double w = high_[0] - low_[0], h = high_[1] - low_[1];
  for (std::string& line : look::wrap(scene.title, title_size, false, width_ - 20))
    title_.push_back({std::move(line), ink});
  const auto tell = [&](bool is_shown, bool reactions, const ArrowScale& scale) {
    if (!is_shown || !(scale.longest > 0)) return;
    title_.push_back({fmt::format("{}: {}", reactions ? "reactions" : "velocities",
                                  scale.in_words(unit_of_arrows(scene, reactions))),
                      reactions ? reaction_colour : velocity_colour});
  };
  tell(view.velocities, false, velocities_);
  tell(view.reactions, true, reactions_);
  const double more = title_line * static_cast<double>(std::max<std::size_t>(title_.size(), 1) - 1);
  if (!scene.in_space) {
    height_ = width_ * std::clamp(h / w, 0.38, 0.8);
    scale_ = std::min((width_ - 2 * margin) / w, (height_ - 2 * margin) / h);
    drawn_ = height_;
    middle_ = more + height_ / 2;
    height_ += more;
    return;
  }
  double wide = 0, tall = 0;
  for (const Vector3& point : bounds.points) {
    const Vector3 d = point - centre_;
    const double near = 4 * radius_ / (4 * radius_ + dot(d, camera_[2]));
    wide = std::max(wide, std::abs(near * dot(d, camera_[0])));
    tall = std::max(tall, std::abs(near * dot(d, camera_[1])));
  }
  wide = std::max(wide, 0.3 * radius_);
  tall = std::max(tall, 0.3 * radius_);
  scale_ = std::min((width_ / 2 - margin) / wide, (height_ / 2 - margin) / tall);
  drawn_ = height_;
  middle_ = more + height_ / 2;
  height_ += more;
}

Picture Painter::at(double t) const {
  return PaintedInstant(*this, t).run();
}

Picture picture_at(const MovingScene& scene, double t, const SceneView& view) {
  return Painter(scene, view).at(t);
}

}  // namespace liaison::scene
