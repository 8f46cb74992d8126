#ifndef LIAISON_ROBOT_ROBOT_HPP
#define LIAISON_ROBOT_ROBOT_HPP

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "liaison/expr/diagnostic.hpp"
#include "liaison/expr/rational.hpp"

/// Robots as files say them, in whatever format: links, joints that hold them in a tree, what closes loops,
/// and what drives. Every number stands as in the file, or is exact arithmetic on such numbers.
namespace liaison {

/// A number: its digits, as both the file and the language write them, and its exact value.
struct Decimal {
  std::string text = "0";  ///< or an expression of numbers: "5*pi/6", "(0.1 + 2*sqrt(5))*pi"
  Rational value;
  bool times_pi = false;  ///< the number is value*pi
  bool exact = true;      ///< else `value` is near the number, and has its sign
};
using DecimalVector = std::array<Decimal, 3>;

/// A turn by an angle about an axis of any length.
struct RobotTurn {
  DecimalVector axis;
  Decimal angle;
  std::optional<std::array<Rational, 4>> quaternion;  ///< of any length, where it is rational
};

/// Where axes stand on other axes: moved by `xyz`, and turned by `turns`, each about axes as they have been
/// turned before.
struct RobotPose {
  DecimalVector xyz;
  std::vector<RobotTurn> turns;
};

/// Mass, centre and the entries of the inertia matrix about the centre, on the axes of `origin`.
struct RobotInertia {
  RobotPose origin;
  Decimal mass, xx, xy, xz, yy, yz, zz;
  bool is_zero() const;
};

enum class RobotShapeKind { box, cylinder, capsule, sphere, mesh };

/// What a link looks like.
struct RobotShape {
  RobotPose origin;
  RobotShapeKind kind = RobotShapeKind::box;
  /// Sides; radius and length (of a capsule without its ends); radius; of a mesh its scale.
  std::vector<Decimal> sizes;
  std::string file;                 ///< of a mesh, as it is written
  std::vector<DecimalVector> ends;  ///< of a capsule, where its ends are round, if they are known
};

struct RobotLink {
  std::string name;
  std::optional<RobotInertia> inertia;
  std::vector<RobotShape> shapes;
  bool has_other_shapes = false;  ///< shapes that the language does not have, or only those of collisions
  Span span;
  bool is_part = false;  ///< of another link: not one of the file by itself
  Decimal lift;          ///< the part of its weight that is held up
};

enum class RobotJointKind { revolute, continuous, prismatic, fixed, floating, planar, ball };
/// "revolute".
std::string name_of(RobotJointKind kind);
/// Moves by one coordinate: an angle about the axis, or a way along it.
bool has_one_coordinate(RobotJointKind kind);
/// Moves by a rotation, with its rates on the axes of the child.
bool has_rotation(RobotJointKind kind);

/// The coordinate is multiplier * (that of `joint`) + offset.
struct RobotMimic {
  std::size_t joint = 0;
  Decimal multiplier{"1", 1}, offset;
};

struct RobotJoint {
  std::string name;
  RobotJointKind kind = RobotJointKind::fixed;
  std::size_t parent = 0, child = 0;  ///< links
  RobotPose origin;                   ///< of the child at rest, on the axes of the parent
  DecimalVector axis;                 ///< on the axes of the joint
  std::optional<Decimal> lower, upper;
  Decimal damping, friction;
  std::optional<RobotMimic> mimic;
  Span span;
  Decimal rest;                          ///< the coordinate where the child stands as `origin` says
  Decimal stiffness, relaxed, armature;  ///< of a spring; where it does not pull; inertia of what drives
  std::optional<std::array<Decimal, 2>> motor_range;  ///< of the sum of what drives it
  /// Of a floating one: the place and the turn with which it starts.
  std::optional<RobotPose> start;
};

/// Two places of links that are held together.
struct RobotLoop {
  std::string name;
  bool is_weld = false;  ///< else the points are held together
  std::array<std::size_t, 2> links{};
  std::array<RobotPose, 2> places;
};

/// (coordinate of `joint`) - rest = sum_k polynomial[k]*((coordinate of `other`) - rest)^k.
struct RobotCoupling {
  std::string name;
  std::size_t joint = 0;
  std::optional<std::size_t> other;
  std::vector<Decimal> polynomial;
};

/// What drives a joint: gear * F along its coordinate, where F = gain*input + constant + by_length*(gear*q) +
/// by_rate*(gear*q'), within the limits. Joints with several coordinates have a gear for each velocity.
struct RobotMotor {
  std::string name;
  std::size_t joint = 0;
  std::vector<Decimal> gear{{"1", 1}};
  Decimal gain{"1", 1}, constant, by_length, by_rate;
  std::optional<std::array<Decimal, 2>> input_range, force_range;
  bool is_damper = false;  ///< F = by_rate*(gear*q')*input
};

struct RobotModel {
  std::string name;
  std::vector<RobotLink> links;
  std::vector<RobotJoint> joints;
  std::size_t root = 0;            ///< the link without a parent
  std::vector<std::size_t> order;  ///< joints, from the root outwards; each child behind its parent
  DecimalVector gravity;
  /// Expressions that texts of its numbers name: ("mass_scale", "14/(2 + 3*pi)").
  std::vector<std::pair<std::string, std::string>> lets;
  bool root_may_float = true;  ///< else the root is the world
  std::vector<RobotLoop> loops;
  std::vector<RobotCoupling> couplings;
  std::vector<RobotMotor> motors;
  /// What the file has and the model has not: sentences without their full stop; those that would move it
  /// otherwise, and all others.
  std::vector<std::string> missing, left_out;
  std::vector<Diagnostic> problems;  ///< L07xx; where there are some the rest is not to be used
  /// The text in which the problems are, where it is another than that which was read.
  std::shared_ptr<const Source> problem_source;
  bool ok() const { return problems.empty(); }
};

/// The text of a file that another includes, by its path as it is written there; nothing where it cannot be
/// read.
using RobotFileLoader = std::function<std::optional<std::string>(const std::string& path)>;

/// By its first element, <mujoco> or <robot>.
RobotModel read_robot(const Source& source, const RobotFileLoader& load = {});

}  // namespace liaison

#endif  // LIAISON_ROBOT_ROBOT_HPP
