#ifndef LIAISON_ROBOT_URDF_HPP
#define LIAISON_ROBOT_URDF_HPP

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "liaison/expr/diagnostic.hpp"
#include "liaison/expr/rational.hpp"

/// Robot files (URDF): links and joints as a file says them, every number as it stands there.
namespace liaison {

/// A decimal number: its digits, as both the file and the language write them, and its exact value.
struct Decimal {
  std::string text = "0";
  Rational value;
};
using DecimalVector = std::array<Decimal, 3>;

/// Where axes stand on other axes: moved by `xyz`, and turned by R = Rz(yaw) Ry(pitch) Rx(roll); `rpy` is
/// roll, pitch, yaw.
struct UrdfPose {
  DecimalVector xyz, rpy;
};

/// Mass, centre and the entries of the inertia matrix about the centre, on the axes of `origin`.
struct UrdfInertia {
  UrdfPose origin;
  Decimal mass, xx, xy, xz, yy, yz, zz;
  bool is_zero() const;
};

enum class UrdfShapeKind { box, cylinder, sphere, mesh };

/// What a link looks like.
struct UrdfShape {
  UrdfPose origin;
  UrdfShapeKind kind = UrdfShapeKind::box;
  std::vector<Decimal> sizes;  ///< sides; radius and length; radius; of a mesh its scale
  std::string file;            ///< of a mesh, as it is written
};

struct UrdfLink {
  std::string name;
  std::optional<UrdfInertia> inertia;
  std::vector<UrdfShape> shapes;  ///< its visuals
  bool has_other_shapes = false;  ///< visuals without a geometry that is known, or only those of collisions
  Span span;
};

enum class UrdfJointKind { revolute, continuous, prismatic, fixed, floating, planar };
/// "revolute".
std::string name_of(UrdfJointKind kind);
/// Moves by one coordinate: an angle about the axis, or a way along it.
bool has_one_coordinate(UrdfJointKind kind);

/// The coordinate is multiplier * (that of `joint`) + offset.
struct UrdfMimic {
  std::size_t joint = 0;
  Decimal multiplier{"1", 1}, offset;
};

struct UrdfJoint {
  std::string name;
  UrdfJointKind kind = UrdfJointKind::fixed;
  std::size_t parent = 0, child = 0;  ///< links
  UrdfPose origin;                    ///< of the child at rest, on the axes of the parent
  DecimalVector axis;                 ///< on the axes of the joint
  std::optional<Decimal> lower, upper;
  Decimal damping, friction;
  std::optional<UrdfMimic> mimic;
  Span span;
};

struct UrdfModel {
  std::string name;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  std::size_t root = 0;              ///< the link without a parent
  std::vector<std::size_t> order;    ///< joints, from the root outwards; each child behind its parent
  std::vector<Diagnostic> problems;  ///< L07xx; where there are some the rest is not to be used
  bool ok() const { return problems.empty(); }
};

/// Reads the text of a robot file; at most 20 problems. Elements that say nothing about the motion (shapes
/// of collisions, materials, transmissions, those of simulators) are passed over.
UrdfModel read_urdf(const Source& source);

}  // namespace liaison

#endif  // LIAISON_ROBOT_URDF_HPP
