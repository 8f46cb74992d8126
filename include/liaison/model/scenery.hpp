#ifndef LIAISON_MODEL_SCENERY_HPP
#define LIAISON_MODEL_SCENERY_HPP

#include <optional>
#include <string>
#include <vector>

#include "liaison/expr/diagnostic.hpp"
#include "liaison/model/system.hpp"

/// What a model says about places: nothing of it enters the motion, all of it is there to be drawn.
namespace liaison {

/// What `shape` can draw.
enum class ShapeKind {
  disc,
  ring,
  ball,
  cylinder,
  cone,
  box,
  polygon,
  mesh,
  none,  ///< the object is not drawn
  rod,
  line,
  spring,
  damper,
  point,
};
/// "disc", as in the language.
std::string name_of(ShapeKind kind);
std::optional<ShapeKind> shape_kind_named(const std::string& name);
/// Drawn on the axes of an object; the others are drawn between places.
bool is_solid(ShapeKind kind);

/// Something solid on the axes of an object, or something between places.
struct SceneShape {
  ShapeKind kind = ShapeKind::point;
  std::string name;             ///< of a spring or damper that is a statement of its own
  std::string object;           ///< body, particle or frame; empty: the axes of space
  std::vector<Expr> place;      ///< of the middle, in space
  std::vector<Expr> offset;     ///< of a body: the same from its centre, on its axes
  std::vector<Turn> turns;      ///< in space: from its axes to those of the shape
  std::vector<Turn> own_turns;  ///< the last of them: those of the shape against the object
  Expr angle;                   ///< in the plane; empty otherwise
  Expr own_angle;
  std::optional<Triple> axis;             ///< of a disc, ring, cylinder or cone in space; its z if not given
  std::vector<Expr> sizes;                ///< radius; radius and length; sides of a box; scale of a mesh
  std::vector<std::vector<Expr>> points;  ///< of a polygon, on its axes; of what is between places, in space
  std::string file;                       ///< of a mesh, as it is to be opened
  std::string written_file;               ///< as it was written
  Span span;
};

/// A joint, by coordinates or by constraints.
struct SceneJoint {
  std::string name;  ///< empty: of a body on a joint
  std::string kind;
  std::string first, second;  ///< bodies; empty: the ground
  std::vector<Expr> place;    ///< in space
  std::vector<Expr> axis;     ///< in space; empty where the joint has none
  std::vector<Expr> force;    ///< on the second body, in space; empty where it is not determined
};

/// A point of a body at which something acts or sits.
struct SceneAttachment {
  std::string body;
  std::vector<Expr> place;  ///< in space
};

struct SceneFrame {
  std::string name;
  std::vector<Expr> place;
  std::vector<Turn> turns;
  Expr angle;
};

struct Scenery {
  std::vector<SceneShape> shapes;
  std::vector<SceneJoint> joints;
  std::vector<SceneAttachment> attachments;
  std::vector<SceneFrame> frames;
};

/// Of the system that was read from this text, in its pool.
Scenery scenery_of(const Source& source, const System& system);

/// The shapes as statements that stand behind those of to_lia(system): springs and dampers too, which are
/// potentials and forces there.
std::string to_lia(const System& system, const Scenery& scenery);

}  // namespace liaison

#endif  // LIAISON_MODEL_SCENERY_HPP
