#include <fmt/format.h>

#include "liaison/expr/print.hpp"
#include "liaison/model/language.hpp"
#include "liaison/model/scenery.hpp"

namespace liaison {

namespace {

std::string vector(const std::vector<Expr>& components) {
  std::string out = "[";
  for (Expr component : components) out += (out.size() > 1 ? ", " : "") + to_infix(component);
  return out + "]";
}

bool is_zero(const std::vector<Expr>& components) {
  for (Expr component : components)
    if (!component.is_zero()) return false;
  return true;
}

class ShapePrinter {
 public:
  explicit ShapePrinter(const System& system) : system_(system) {}

  std::string write(const SceneShape& shape) const {
    std::string line = "shape ";
    if (!is_solid(shape.kind)) {
      line += name_of(shape.kind);
      for (std::size_t k = 0; k < shape.points.size(); ++k)
        line += (k > 0 ? " to " : " ") + vector(shape.points[k]);
      return line + (shape.sizes.empty() ? "" : " radius " + to_infix(shape.sizes[0])) + "\n";
    }
    const bool known = is_known(shape.object);
    line += (known ? shape.object : "ground") + " " + name_of(shape.kind) + sizes(shape);
    if (!known || !is_zero(shape.offset)) line += " at " + vector(known ? shape.offset : shape.place);
    const std::string turned =
        known ? turns(shape.own_turns, shape.own_angle) : turns(shape.turns, shape.angle);
    if (!turned.empty() && shape.axis && !known)
      return line + " turned " + turned + ", " + along(*shape.axis) + "\n";
    if (!turned.empty()) line += " turned " + turned;
    if (shape.axis) line += " axis " + vector({shape.axis->begin(), shape.axis->end()});
    return line + "\n";
  }

 private:
  /// Frames are not printed: what is on one stands on the axes of space, where it is.
  bool is_known(const std::string& object) const {
    for (const Body& body : system_.bodies)
      if (body.name == object) return true;
    for (const Particle& particle : system_.particles)
      if (particle.name == object) return true;
    return false;
  }

  static std::string sizes(const SceneShape& shape) {
    switch (shape.kind) {
      case ShapeKind::disc:
      case ShapeKind::ring:
      case ShapeKind::ball: return " radius " + to_infix(shape.sizes[0]);
      case ShapeKind::cylinder:
      case ShapeKind::cone:
        return " radius " + to_infix(shape.sizes[0]) + " length " + to_infix(shape.sizes[1]);
      case ShapeKind::box: return " " + vector(shape.sizes);
      case ShapeKind::polygon: {
        std::string out;
        for (const std::vector<Expr>& point : shape.points) out += " " + vector(point);
        return out;
      }
      case ShapeKind::mesh:
        return fmt::format(" \"{}\"", shape.written_file) +
               (shape.sizes[0].is_one() ? "" : " scale " + to_infix(shape.sizes[0]));
      default: return "";
    }
  }

  std::string turns(const std::vector<Turn>& turns, Expr angle) const {
    if (!angle.empty()) return angle.is_zero() ? "" : to_infix(angle);
    std::string out;
    for (const Turn& turn : turns) {
      if (!out.empty()) out += ", ";
      if (turn.rotation) {
        const std::size_t first = system_.rotations[*turn.rotation].first_direction;
        out += fmt::format("({}, {}, {})", to_infix(system_.directions[first].velocity),
                           to_infix(system_.directions[first + 1].velocity),
                           to_infix(system_.directions[first + 2].velocity));
      } else {
        out += vector({turn.axis.begin(), turn.axis.end()}) + " " + to_infix(turn.angle);
      }
    }
    return out;
  }

  /// A turn that brings z to an axis: half a turn about what lies between the two.
  std::string along(const Triple& axis) const {
    const Expr one = system_.pool->number(1);
    if ((axis[2] + one).is_zero()) return "[1, 0, 0] pi";
    const Expr square = pow(axis[0], 2) + pow(axis[1], 2) + pow(axis[2] + one, 2);
    std::vector<Expr> unit{axis[0], axis[1], axis[2] + one};
    for (Expr& component : unit) component = component / sqrt(square);
    return vector(unit) + " pi";
  }

  const System& system_;
};

}  // namespace

std::string to_lia(const System& system, const Scenery& scenery) {
  std::string out = to_lia(system);
  const ShapePrinter printer(system);
  for (const SceneShape& shape : scenery.shapes) out += printer.write(shape);
  return out;
}

}  // namespace liaison
