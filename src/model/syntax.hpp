#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "liaison/expr/diagnostic.hpp"
#include "liaison/model/system.hpp"

/// A model as it is written: statements with names and the places of their expressions, nothing resolved.
namespace liaison::syntax {

struct Name {
  std::string text;  ///< in ASCII, with primes
  Span span;
};

/// "x = EXPR"
struct Assignment {
  Name name;
  Span value;
};

/// "[a, b, c]", or one expression without brackets
struct Vector {
  std::vector<Span> components;
  Span span;
};

struct Title {
  std::string text;
};
struct Params {
  struct Item {
    Name name;
    bool positive = false;
    std::optional<Span> value;
    std::optional<Span> unit;
  };
  std::vector<Item> items;
};
struct Coords {
  struct Item {
    Name name;
    std::optional<Span> unit;
  };
  std::vector<Item> items;
};
struct RotationDeclaration {
  std::optional<Name> name;
  std::vector<Name> rates;
  Axes axes = Axes::body;
};
/// velocity, intrinsic
struct Chart {
  bool intrinsic = false;
  std::vector<Name> parameters;
  std::vector<Assignment> velocities;
};
struct Function {
  Name name;
  std::vector<Name> parameters;
  std::optional<Span> body;
};
/// A function by points: of a file, or given here
struct TableDeclaration {
  Name name;
  std::optional<std::pair<std::string, Span>> file;
  std::vector<std::pair<Span, Span>> points;
  std::vector<std::pair<std::string, Span>> columns;  ///< two, by name or by number; or none
  std::vector<Span> units;                            ///< two, or none
  std::string kind = "linear";
  bool is_extended = false;  ///< beyond its ends by its slopes there; else by its values
  Span span;                 ///< behind the name
};
/// let, rheonomic, output
struct Definition {
  enum class Kind { let, rheonomic, output } kind = Kind::let;
  Assignment assignment;
};
struct Energy {
  enum class Kind { kinetic, potential, dissipation, lagrangian } kind = Kind::kinetic;
  Span value;
};
/// A function of the time: given, or open
struct Input {
  Name name;
  std::optional<Span> value;
};
struct GeneralisedForce {
  Assignment assignment;
};
/// A point: "P" or "B [..]", or "[..]" in space
struct Place {
  std::optional<Name> object;
  std::optional<Vector> point;
  Span span;
};
struct PointForce {
  Vector force;
  Place at;
};
/// spring, damper
struct ElementDeclaration {
  Name name;
  bool is_spring = true;
  std::optional<std::pair<Place, Place>> ends;  ///< "P to Q"; or
  Span measure;                                 ///< a length or an angle; of ends: their text
  std::optional<Span> stiffness, length, damping, law;
};
/// A motor with a given force or moment; one with a given motion is a constraint
struct MotorDeclaration {
  Name name;
  Span measure;  ///< a length or an angle
  Span effort;
};
/// What passes a motion on: gear and rack between two measures, a rope through points
struct Transmission {
  enum class Kind { gear, rack, rope } kind = Kind::gear;
  Name name;
  std::vector<Span> measures;  ///< two; of a rope none
  std::vector<Place> points;   ///< of a rope
  Span size;                   ///< the ratio, the radius, the length
  Span span;                   ///< behind the name
};
/// A force against the square of the speed
struct Drag {
  Place at;
  Span coefficient;
  std::optional<Vector> wind;
};
struct Moment {
  Vector moment;
  Name body;
};
struct Gravity {
  Vector acceleration;
};
struct ParticleDeclaration {
  Name name;
  Span mass;
  Place at;
};
/// "z psi", "[a, b, c] psi", or a rotation "R" or "(p, q, r)"
struct TurnPart {
  std::optional<Name> letter;    ///< x, y, z; or
  std::optional<Vector> axis;    ///< a vector; with
  Span angle;                    ///< an angle; or
  std::optional<Name> rotation;  ///< a rotation by its name
  std::vector<Name> rates;       ///< or by its rates
  Span span;
};
/// How something is turned: in the plane an angle, in space turns one behind the other.
struct Orientation {
  std::optional<Span> angle;
  std::vector<TurnPart> turns;
  bool is_rotation = false;  ///< "rotation R"
  Span span;
};
/// "A at [..] turned ..": a place on a body, on a frame or on the ground
struct Mount {
  Name parent;
  std::optional<Vector> at;
  std::optional<Orientation> turned;
};
/// "by KIND VALUES axis [..]"
struct Joint {
  Name kind;
  std::vector<Span> values;
  std::optional<TurnPart> rotation;  ///< of a ball joint
  std::vector<Vector> axes;
  std::optional<Span> pitch;
  Span span;
};
struct BodyDeclaration {
  Name name;
  Span mass;
  Vector inertia;
  std::optional<Vector> position;  ///< of the origin in space, with
  Orientation orientation;
  std::optional<std::pair<Mount, Joint>> joint;  ///< or a joint
  std::optional<Vector> centre;                  ///< from the origin, on the axes of the body
};
struct FrameDeclaration {
  Name name;
  Mount mount;
};
/// Springs and dampers along and about the axes of a place, between it and another
struct Bushing {
  Name name;
  Mount first, second;
  Vector stiffness;
  std::optional<Vector> damping;
  Span span;  ///< behind the name
};
/// A disc that rolls on the ground or on a plane of a frame
struct WheelDeclaration {
  Name name;
  Mount mount;
  std::optional<Vector> axis;  ///< in space
  Span radius;
  std::optional<Name> on;
  Span span;  ///< behind the name
};
/// "MOUNT to MOUNT KIND axis [..]": a joint by constraints
struct JointDeclaration {
  Name name;
  Mount first, second;
  Name kind;
  std::vector<Vector> axes;
  std::optional<Span> pitch;
  std::optional<Name> frame;  ///< on whose axes the reaction is given
  Span span;                  ///< behind the name
};
struct ConstraintDeclaration {
  Name name;
  Span left;
  Span right;
  PowerKind power_kind = PowerKind::ideal;
  std::optional<Span> power;
};
struct ReactionDeclaration {
  Name name;
  Span power;
};
struct UnilateralDeclaration : ConstraintDeclaration {  ///< left >= right
  std::optional<Span> friction;
  std::optional<Span> sticking;
  std::optional<Vector> slip;
  std::optional<Span> restitution;
};
struct ContactDeclaration {
  struct Resistance {
    std::optional<Span> slipping;
    std::optional<Span> sticking;  ///< behind `sticking`
  };
  Name name;
  Name first;   ///< a body or a particle
  Name second;  ///< the same, or `ground`
  Vector point;
  Vector normal;
  Resistance friction, rolling, pivoting;
  std::optional<Span> unilateral;  ///< the word
  std::optional<Span> gap;
  std::optional<Span> restitution;
};
/// OBJECT KIND ..., drawn on its axes; or KIND PLACE to PLACE ...
struct ShapeDeclaration {
  std::optional<Name> object;
  Name kind;
  std::vector<Place> places;
  std::vector<Vector> vectors;  ///< the sides of a box, the corners of a polygon
  std::optional<std::pair<std::string, Span>> file;
  std::optional<Span> radius, length, scale;
  std::optional<Vector> at, axis;
  std::optional<Orientation> turned;
  Span span;  ///< behind the word
};
struct EventDeclaration {
  Name name;
  Span left;
  Span right;
  EventDirection direction = EventDirection::either;
  EventAction action = EventAction::record;
  std::vector<Assignment> resets;
};
/// "R angles (a, b, c) order zxz", "R axis [..] angle a": the state of a rotation
struct Turned {
  Name name;
  std::vector<TurnPart> turns;
  Span span;
};
struct Start {
  std::vector<Assignment> values;
  std::vector<Turned> turned;
};
struct ClaimStatement {
  bool misprint = false;
  std::optional<Name> name;
  ClaimKind kind = ClaimKind::equality;
  Span left;  ///< equality; left alone: conserved
  Span right;
  bool truth = true;  ///< "== false" behind a predicate
  std::vector<Name> constraints;
  std::vector<std::pair<Span, Span>> equations;
  std::string motions;
  std::vector<Assignment> at;
  std::vector<Turned> turned;  ///< at too
  std::optional<Span> after;
  std::optional<Span> within;
  Span text;
};

/// The statements of another file: no statement of its own, it is written out before statements are read.
struct Import {
  std::pair<std::string, Span> file;
  Name name;
  std::vector<Assignment> values;
};

struct Statement {
  std::optional<std::size_t> repeated = {};  ///< among the statements that stand for many
  std::string part = {};                     ///< that says it, by its name in the model
  std::string positive = {};                 ///< the parameter of the part in whose place this `let` is
  Span span;
  Span keyword;
  std::variant<Title, Params, Coords, RotationDeclaration, Chart, Function, TableDeclaration, Definition,
               Energy, Input, GeneralisedForce, PointForce, ElementDeclaration, Bushing, MotorDeclaration,
               Transmission, WheelDeclaration, Drag, Moment, Gravity, ParticleDeclaration, BodyDeclaration,
               FrameDeclaration, JointDeclaration, ConstraintDeclaration, ReactionDeclaration,
               UnilateralDeclaration, ContactDeclaration, EventDeclaration, ShapeDeclaration, Start,
               ClaimStatement>
      data;
};

/// The words that begin a clause inside a statement: no name of the model may be one of them.
bool is_clause_word(const std::string& word);

}  // namespace liaison::syntax
