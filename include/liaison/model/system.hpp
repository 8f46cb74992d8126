#ifndef LIAISON_MODEL_SYSTEM_HPP
#define LIAISON_MODEL_SYSTEM_HPP

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "liaison/expr/diagnostic.hpp"
#include "liaison/expr/domain.hpp"
#include "liaison/expr/expr.hpp"
#include "liaison/forms/coframe.hpp"
#include "liaison/model/contact.hpp"
#include "liaison/model/contact_family.hpp"
#include "liaison/model/unit.hpp"

/// A mechanical system as data: what a person wrote, resolved and checked, before any mechanics.
/// Everything is in the system's pool. Symbols: parameters, coordinates q, velocities q' (named "x'"), rates
/// of rotations, the time t, constraint factors "lambda(name)" as multiplier symbols (named lambda_NAME),
/// accelerations "x''" in claims.
namespace liaison {

struct Parameter {
  Expr symbol;
  std::optional<Rational> value;  ///< in SI units; what is no fraction is rounded to 40 digits
  Expr constant;                  ///< the same without rounding, where it is no fraction: 90 [deg] is pi/2
  std::optional<Unit> unit;
  Span span;

  /// Its value without rounding; empty where it has none.
  Expr exact() const {
    if (!value || !constant.empty()) return constant;
    return symbol.pool().number(*value);
  }
};

/// One degree of freedom of the configuration: a coordinate with its differential dx and velocity x', or one
/// of the three Pfaff forms of a rotation with its rate. All directions of a system, in order of declaration,
/// index the generalised forces, momenta and velocities.
struct Direction {
  std::string form;                     ///< "dx", "w_p"
  Expr velocity;                        ///< the symbol x' or p: the form's value on the motion
  Expr coordinate;                      ///< the symbol x; empty for a rotation
  std::optional<std::size_t> rotation;  ///< index into System::rotations
  std::optional<Unit> unit;             ///< of the coordinate
  Span span;
};

/// SO(3): three directions, and a unit quaternion (e0, e1, e2, e3) as state; R = R(e) takes body axes to
/// space axes. Body axes: rates and forms are components on the body; e' = e*(0, w)/2. Space axes: e' = (0,
/// w)*e/2.
struct Rotation {
  std::string name;  ///< "" if not named; entries of its matrix are NAME11..NAME33
  Axes axes;
  std::size_t first_direction;     ///< of the three
  std::array<Expr, 4> quaternion;  ///< coordinate symbols
  Span span;
};

/// Velocity parameters other than the q': each velocity as a function of them. Empty: the parameters are the
/// velocities. Where there is a chart, the energy, forces and relations of the system may use both the
/// velocities and the parameters.
struct VelocityChart {
  std::vector<Expr>
      parameters;  ///< as many as directions; the chosen ones first, then the velocities not spoken of
  std::vector<Expr> velocities;  ///< one a direction, in (q, parameters, t)
};

/// A chosen rheonomic coordinate q^0 = value(t). Everything in the system has it replaced by its value,
/// except for `kinetic_extended` and `potential_extended`.
struct Rheonomic {
  std::string name;
  Expr symbol;    ///< s, an auxiliary symbol
  Expr velocity;  ///< s'
  Expr value;
};

struct Particle {
  std::string name;
  Expr mass;
  std::vector<Expr> position;  ///< 2 or 3 components in (q, t)
  Span span;
};

/// A part of an orientation: a rotation of the system, or a turn by an angle about an axis of length one.
struct Turn {
  std::optional<std::size_t> rotation;  ///< index into System::rotations
  Triple axis;                          ///< constant; the same before and behind the turn
  Expr angle;
};

/// A rigid body, in space or in the plane.
struct Body {
  std::string name;
  Expr mass;
  std::vector<Expr> inertia;  ///< plane: {J}; space: A, B, C, D, E, F with J =
                              ///< [[A,-F,-E],[-F,B,-D],[-E,-D,C]] at the centre
  std::vector<Expr> centre;   ///< 2 or 3 components
  std::vector<Turn> turns;    ///< in space: one behind the other, from the axes of space to those of the body
  Expr angle;                 ///< in the plane; empty otherwise
  Span span;

  bool in_space() const { return centre.size() == 3; }
};

/// How a constraint is maintained: the direction l of its force, from the power lambda*l_i v^i.
enum class PowerKind {
  ideal,     ///< Chetaev: l = da/dv
  given,     ///< "power X": l_i from X, homogeneous of degree one in the velocities (Euler on each norm,
             ///< G2.VI-ThI)
  actuated,  ///< "by X": the same with X naming what the actuator moves (servo)
  along,     ///< "along A*dx + B*dy": l itself, component by component
};

struct Constraint {
  std::string name;
  Expr relation;           ///< as written, left minus right: holonomic a(q, t) or kinematic a(q, v, t)
  bool holonomic = false;  ///< written without velocities; enters by its time derivative and keeps its level
  PowerKind power_kind = PowerKind::ideal;
  Expr power;                   ///< X of "power X" or "by X"; of "along", l_i v^i; empty if ideal
  std::vector<Expr> direction;  ///< of "along": l_i, one a direction; else empty
  Expr factor;                  ///< the multiplier symbol lambda_NAME
  Span span;
  Span relation_span;
};

/// "reaction NAME: X": a further unknown force of power lambda(NAME)*X that no relation of its own determines
/// (row G3.ex6).
struct Reaction {
  std::string name;
  Expr power;
  Expr factor;  ///< lambda_NAME
  Span span;
};

/// "contact NAME: A on B at M normal n ...": two solids that touch, as they were given. Its constraint says
/// that they do not approach along n; the factor of it is the normal reaction N on A, along n, and it holds
/// as long as N is positive.
struct Contact {
  std::size_t constraint = 0;       ///< index into System::constraints
  std::string first, second;        ///< bodies; `second` empty: the ground
  std::vector<Expr> point, normal;  ///< 2 or 3 components, in space
  ContactMotion motion;             ///< of the first seen from the second, at M, on the axes of space
  ContactSpeeds speeds;
  ContactCoefficients coefficients;
  Span span;
};

/// "contact NAME: ... unilateral": what a contact that can open was given as.
struct OpeningContact {
  std::string first, second;        ///< bodies or particles; `second` empty: the ground
  std::vector<Expr> point, normal;  ///< 2 or 3 components, in space
};

/// What a contact resists besides slip: rolling or pivoting, by at most a moment of its coefficient times N.
struct ResistedTurning {
  enum class Kind { rolling, pivoting } kind = Kind::rolling;
  Expr slipping;                 ///< a length
  std::optional<Expr> sticking;  ///< the same if it is not given
  std::vector<Expr> velocity;    ///< relative rotation, one component, or two across the normal
};

/// "unilateral NAME: L >= R ...": a constraint of class U (row G4.I-class-U). While it is kept it is the
/// constraint that it derives from, with relation = gap and a factor >= 0; where it is not, the gap grows.
struct Unilateral : Constraint {
  Expr gap() const { return relation; }  ///< >= 0; a speed where it is not holonomic

  std::optional<Expr> friction;  ///< Coulomb's coefficient of what slips
  std::optional<Expr> sticking;  ///< and of what sticks; the same if it is not given
  std::vector<Expr> slip;        ///< velocity along the surface, one component, two in space; empty: not said
  std::optional<Expr> restitution;
  std::vector<ResistedTurning> turning;
  std::optional<OpeningContact> contact;
};

/// "for i in ..., j in ...: unilateral NAME_{i}_{j}: ...": one contact with other names, many times. They are
/// not among the unilateral constraints of the system; only runs by time steps follow them.
struct ContactFamily {
  Unilateral contact;  ///< the first
  std::shared_ptr<const ContactFamilyMembers> members;
};

struct Output {
  std::string name;
  Expr value;
};

struct InitialValue {
  Expr symbol;
  Expr value;  ///< constant, may use parameters
  Span span;
};

/// "event NAME: LEFT = RIGHT [rising | falling] [then ACTION]": a moment of a motion, where left - right
/// changes its sign.
enum class EventDirection { either, rising, falling };
enum class EventAction {
  record,  ///< a row of its own, and its place in the list of events
  stop,    ///< the motion ends here
  reset,   ///< values of the state jump
};
struct Event {
  std::string name;
  Expr when;  ///< left - right; may use accelerations and factors
  EventDirection direction = EventDirection::either;
  EventAction action = EventAction::record;
  std::vector<InitialValue> resets;  ///< in terms of the state before
  Span span;
};

/// Where a derivative that a text asks for may have no value: u' of `let u = abs(x)` at x = 0.
struct Corner {
  Expr of;  ///< what is differentiated by the time; empty: f'(x) of a function f, by its argument
  Expr at;  ///< an argument of its pieces
};

enum class ClaimKind {
  equality,     ///< left == right on the constraint manifold
  compatible,   ///< det r != 0
  holonomic,    ///< the named constraints are integrable
  conserved,    ///< i(E + lambda e) d(expression) = 0
  independent,  ///< the named constraints are independent
  equations,    ///< a whole system equivalent to the motion
  motions,      ///< how many motions a state has, or whether the motion that begins there is stable
};

/// One claim. `expected` false: "misprint", the claim must be refuted, or a predicate "== false".
struct Claim {
  std::string name;
  ClaimKind kind = ClaimKind::equality;
  bool expected = true;
  bool misprint = false;
  Expr left, right;                      ///< equality
  std::vector<std::string> constraints;  ///< predicates; empty: all
  std::vector<std::pair<Expr, Expr>> equations;
  std::string motions;  ///< "unique", "several", "none", "stable", "unstable" or "asymptotically stable"
  std::vector<InitialValue> at;    ///< a state at which it is claimed; empty: everywhere
  Expr after;                      ///< a time after which it is claimed, on the motion from `at` or the start
  std::optional<Rational> within;  ///< relative tolerance of a numerical claim
  Expr conserved;                  ///< the expression of `conserved`
  std::string text;                ///< as written
  Domain domain;                   ///< where its own text has a value
  std::vector<Expr> written;       ///< symbols in its text, also those that 0*x'' has lost
  std::vector<Corner> corners;     ///< of what its text differentiates
  Span span;
};

/// What a claim or an output asks of the mechanics: a symbol that stands for a derived quantity.
enum class QueryKind {
  r,  ///< r(h, k) = i(e^h)da^k of two constraints
  det_r,
  drive,      ///< drive(h) = i(E)da^h
  free,       ///< free(x''): a component of E
  direction,  ///< dir(h, x''): a component of e^h
  power,      ///< power(h): lambda_h l_i v^i
  omega,  ///< omega(a, b): the coefficient of d a ^ d b in Omega; names x, x', t, or w_p for the form of a
          ///< rate
  omega_r,
  omega_s,
  kinetic,    ///< T
  potential,  ///< V
};
struct Query {
  QueryKind kind;
  std::vector<std::string> names;
  Expr symbol;  ///< auxiliary
};

struct System {
  std::shared_ptr<Pool> pool;
  std::string name;
  Expr time;
  std::vector<Parameter> parameters;
  std::vector<Direction> directions;
  std::vector<Rotation> rotations;
  VelocityChart chart;
  VelocityChart
      intrinsic;  ///< "intrinsic": the admissible velocities q' = psi(t, q, z), fewer z than directions
  std::vector<Rheonomic> rheonomic;
  std::vector<Particle> particles;
  std::vector<Body> bodies;
  Expr kinetic;           ///< all of it: bodies, particles and `kinetic` statements, in (q, v, t)
  Expr potential;         ///< V(q, t); 0 if none
  Expr kinetic_extended;  ///< the same with the rheonomic coordinates and their velocities kept
  Expr potential_extended;
  std::vector<Expr> forces;  ///< applied generalised forces Q_i without the potential, one a direction
  std::vector<Constraint> constraints;
  std::vector<Contact> contacts;
  std::vector<Reaction> reactions;
  std::vector<Unilateral> unilaterals;
  std::vector<ContactFamily> families;
  std::vector<Output> outputs;
  std::vector<Event> events;
  std::vector<InitialValue> start;
  std::vector<Claim> claims;
  std::vector<Query> queries;
  std::vector<const FunctionInfo*> unknown_functions;
  Domain domain;  ///< where everything that defines the motion (not claims, outputs, events) has a value
  std::vector<Corner> corners;  ///< of what these texts differentiate
};

}  // namespace liaison

#endif  // LIAISON_MODEL_SYSTEM_HPP
