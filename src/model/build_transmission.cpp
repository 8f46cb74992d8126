#include <fmt/format.h>

#include <algorithm>

#include "builder.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "text.hpp"

/// What passes motions on: gears, racks and ropes; wheels that roll; drag; momenta.
namespace liaison {

namespace {

const Context measure_context{"what a gear or rack moves", true, false};
const Context ratio_context{
    "the ratio of a gear or the radius of a wheel", false, false, false, false, false, false};
const Context rope_context{"the length of a rope", true, false};
const Context drag_context{"the coefficient of a drag", true, false};
const Context wind_context{"a wind", true, false};

Triple column(const std::array<Expr, 9>& matrix, std::size_t k) {
  return {matrix[k], matrix[3 + k], matrix[6 + k]};
}

Triple times(Expr factor, const Triple& v) {
  return {factor * v[0], factor * v[1], factor * v[2]};
}

Triple turned(const std::array<Expr, 9>& matrix, const Triple& v) {
  Triple result;
  for (std::size_t i = 0; i < 3; ++i)
    result[i] = matrix[3 * i] * v[0] + matrix[3 * i + 1] * v[1] + matrix[3 * i + 2] * v[2];
  return result;
}

}  // namespace

/// An ideal constraint of its own, `relation = 0`.
void Builder::add_relation(const syntax::Name& name, Expr relation, Span span, const Statement& statement) {
  Constraint constraint;
  constraint.name = name.text;
  constraint.span = statement.span;
  constraint.relation_span = span;
  constraint.relation = relation;
  constraint.holonomic = !has_velocity(relation);
  if (!name_constraint(name) || !check_moves(relation, span, name.text)) return;
  constraint.factor = scope_.factor(constraint.name);
  require_power(constraint, relation, span);
  system_.constraints.push_back(std::move(constraint));
}

/// A gear and a rack are relations between rates: how they are put together is the start's to say. A rope is
/// one between points, and its factor the pull.
void Builder::build(const syntax::Transmission& syntax, const Statement& statement) {
  using Kind = syntax::Transmission::Kind;
  if (syntax.kind != Kind::rope) {
    const Expr first = scope_.read(syntax.measures[0], measure_context);
    const Expr second = scope_.read(syntax.measures[1], measure_context);
    Expr ratio = scope_.read(syntax.size, ratio_context);
    if (first.empty() || second.empty() || ratio.empty()) return;
    if (syntax.kind == Kind::rack) ratio = measured(ratio);
    const Expr moved = time_derivative(system_, first), mover = ratio * time_derivative(system_, second);
    return add_relation(syntax.name, moved - mover, syntax.span, statement);
  }
  const Expr length = measured(scope_.read(syntax.size, rope_context));
  std::vector<Expr> parts;
  bool known = !length.empty();
  for (std::size_t k = 0; k + 1 < syntax.points.size(); ++k) {
    const Expr squared = squared_distance(syntax.points[k], syntax.points[k + 1]);
    known = known && !squared.empty();
    if (squared.empty()) continue;
    if (squared.is_zero()) {
      reports_.add("L0418", syntax.points[k + 1].span, "two points of the rope one behind the other are one",
                   "leave one of them out");
      known = false;
    }
    parts.push_back(sqrt(squared));
  }
  if (!known) {
    scope_.declare_element(syntax.name, {});  // what asks for it is not reported again
    return;
  }
  const Expr way = system_.pool->add(parts);
  if (!scope_.declare_element(syntax.name, {way, scope_.factor(syntax.name.text), {}})) return;
  SceneShape drawn;
  drawn.kind = ShapeKind::line;
  drawn.name = syntax.name.text;
  for (const syntax::Place& place : syntax.points) {
    drawn.points.push_back(*find_point(place));
    attach(place);
  }
  scenery_.shapes.push_back(std::move(drawn));
  if (!length.is_number())
    obligations_.is(length, syntax.size, fmt::format("the length of the rope `{}`", syntax.name.text),
                    base_dimension(1, 0, 0));
  obligations_.consistent(way, syntax.span);
  add_relation(syntax.name, length - way, syntax.span, statement);
}

/// The point of the wheel that touches has the velocity of the ground there, and stays on it.
std::optional<std::vector<Builder::JointRelation>> Builder::rolling_in_plane(const BodyAxes& wheel,
                                                                             const BodyAxes& ground,
                                                                             Expr radius) const {
  const Expr zero = system_.pool->number(0);
  const Expr c = cos(ground.angle), s = sin(ground.angle);
  const Triple normal{-s, c, zero}, along{c, s, zero};
  const Expr w = time_derivative(system_, wheel.angle), v = time_derivative(system_, ground.angle);
  Triple between{zero, zero, zero}, speed{zero, zero, zero};
  for (std::size_t k = 0; k < 2; ++k) {
    between[k] = wheel.origin[k] - ground.origin[k];
    speed[k] = time_derivative(system_, between[k]);
  }
  // w x (-r n) of the wheel, less v x (p - r n - o) of the ground
  const Triple to_contact = times(-radius, normal);
  for (std::size_t k = 0; k < 2; ++k) {
    const std::size_t other = 1 - k;
    const Expr turn = w * to_contact[other] - v * (between[other] + to_contact[other]);
    speed[k] += k == 0 ? -turn : turn;
  }
  const Triple none{zero, zero, zero};
  return std::vector<JointRelation>{{"n", dot(normal, between) - radius, normal, none},
                                    {"f", dot(along, speed), along, none}};
}

std::optional<std::vector<Builder::JointRelation>> Builder::rolling_in_space(const BodyAxes& wheel,
                                                                             const BodyAxes& ground,
                                                                             const Triple& axle,
                                                                             Expr radius) const {
  const Expr zero = system_.pool->number(0), one = system_.pool->number(1);
  const Triple normal = column(orientation_matrix(system_, ground.turns), 2);
  const Triple axis = turned(orientation_matrix(system_, wheel.turns), axle);
  const Expr lean = dot(normal, axis);
  const bool upright = holds_by_itself(lean);
  if (!upright && holds_by_itself(one - pow(lean, 2))) return std::nullopt;
  const Expr height = upright ? one : sqrt(one - pow(lean, 2));  // of a wheel of radius one
  Triple up = normal, side = axis, between, to_contact, speed;
  for (std::size_t k = 0; k < 3 && !upright; ++k) {
    up[k] = (normal[k] - lean * axis[k]) / height;
    side[k] = (axis[k] - lean * normal[k]) / height;
  }
  const Triple ahead = times(one / height, cross(axis, normal));
  for (std::size_t k = 0; k < 3; ++k) {
    between[k] = wheel.origin[k] - ground.origin[k];
    to_contact[k] = -radius * up[k];
    speed[k] = time_derivative(system_, between[k]);
  }
  Triple from_origin;
  for (std::size_t k = 0; k < 3; ++k) from_origin[k] = between[k] + to_contact[k];
  const Triple of_wheel = cross(rates_in_space(system_, wheel.turns), to_contact);
  const Triple of_ground = cross(rates_in_space(system_, ground.turns), from_origin);
  for (std::size_t k = 0; k < 3; ++k) speed[k] += of_wheel[k] - of_ground[k];
  const Triple none{zero, zero, zero};
  return std::vector<JointRelation>{{"n", dot(normal, between) - radius * height, normal, none},
                                    {"f", dot(ahead, speed), ahead, none},
                                    {"s", dot(side, speed), side, none}};
}

void Builder::build(const syntax::WheelDeclaration& syntax, const Statement& statement) {
  const bool named = name_object(syntax.name, "the wheel");
  JointReaction& reaction = joints_[syntax.name.text];
  const auto body = placed_.find(syntax.mount.parent.text);
  if (body == placed_.end()) {
    if (syntax.mount.parent.text != "ground") return report_unknown_place(syntax.mount.parent);
    reports_.add("L0418", syntax.mount.parent.span, "the ground does not roll",
                 "name the body that is the wheel: `wheel W: B radius r`");
    return;
  }
  const bool plane = body->second.origin.size() == 2;
  const auto wheel = read_mount(syntax.mount, plane ? 2 : 3);
  const syntax::Mount place{syntax.on.value_or(syntax::Name{"ground", syntax.span}), {}, {}};
  const auto ground = read_mount(place, plane ? 2 : 3);
  Expr radius = scope_.read(syntax.radius, ratio_context);
  if (!wheel || !ground || radius.empty() || !named) return;
  if (radius.is_number() && radius.number().sign() <= 0) {
    reports_.add("L0434", syntax.radius, "the radius of a wheel is not positive", "write `radius 0.2`");
    return;
  }
  radius = measured(radius);
  obligations_.is(radius, syntax.radius, "the radius of a wheel", base_dimension(1, 0, 0));
  if (ground->origin.size() != wheel->origin.size()) {
    reports_.add("L0421", syntax.on->span, "the wheel is in the plane and what it rolls on is not",
                 "both in the plane, or both in space");
    return;
  }
  if (plane == syntax.axis.has_value()) {
    reports_.add("L0450", plane ? syntax.axis->span : Span{syntax.span.end, syntax.span.end},
                 plane ? "a wheel in the plane has no axis to choose" : "the axis of the wheel is missing",
                 plane ? "write `wheel W: B radius r`"
                       : "write `wheel W: B axis [0, 1, 0] radius r`, on the axes of the body");
    return;
  }
  const auto axle = plane ? std::optional(Triple{}) : read_axis(*syntax.axis);
  if (!axle) return;
  const auto relations =
      plane ? rolling_in_plane(*wheel, *ground, radius) : rolling_in_space(*wheel, *ground, *axle, radius);
  if (!relations) {
    reports_.add("L0450", syntax.axis->span,
                 "the axis of the wheel is normal to the plane: no point of it touches",
                 "a wheel may lean, not lie: choose another axis, or turn the body");
    return;
  }
  reaction.plane = plane;
  draw_wheel(syntax, *wheel, *axle, radius, statement);
  syntax::JointDeclaration as_joint;
  as_joint.name = syntax.name;
  as_joint.span = syntax.span;
  add_joint_relations(as_joint, statement, *relations, reaction);
}

/// -c |v| v at the point, v its velocity against the wind.
void Builder::build(const syntax::Drag& syntax, const Statement&) {
  const auto point = find_point(syntax.at);
  const Expr coefficient = scope_.read(syntax.coefficient, drag_context);
  std::vector<Expr> wind;
  if (syntax.wind) {
    if (!point || !check_length(*syntax.wind, {point->size()}, "a wind")) return;
    wind = read_vector(*syntax.wind, wind_context);
    if (wind.empty()) return;
  }
  if (!point || coefficient.empty()) return;
  std::vector<Expr> velocity, against, squares, force;
  for (std::size_t k = 0; k < point->size(); ++k) {
    velocity.push_back(time_derivative(system_, (*point)[k]));
    against.push_back(wind.empty() ? velocity[k] : velocity[k] - wind[k]);
    if (!wind.empty())
      obligations_.is(wind[k], syntax.wind->components[k], "a wind", base_dimension(1, 0, -1));
    squares.push_back(pow(against[k], 2));
  }
  const Expr moving = system_.pool->add(velocity);
  if (!has_velocity(moving) && std::none_of(velocity.begin(), velocity.end(), has_velocity)) {
    reports_.add("L0418", syntax.at.span, "nothing that moves stands here: there is no drag",
                 "name a particle or a point of a body: `drag at P coefficient c`");
    return;
  }
  obligations_.is(coefficient, syntax.coefficient, "the coefficient of a drag", base_dimension(-1, 1, 0));
  const Expr speed = sqrt(system_.pool->add(squares));
  for (Expr component : against) force.push_back(-coefficient * speed * component);
  add_work(force.size(), force, velocity);
}

// ---- as expressions ask for them ----

std::vector<Expr> Builder::momentum_of(const syntax::Name& name, bool spin) {
  const Body* body = find_body(name);
  const auto particle = std::find_if(system_.particles.begin(), system_.particles.end(),
                                     [&](const Particle& known) { return known.name == name.text; });
  const bool is_particle = body == nullptr && particle != system_.particles.end();
  if (body == nullptr && (!is_particle || spin)) {
    if (is_particle || placed_.contains(name.text)) {
      reports_.add("L0404", name.span,
                   is_particle ? fmt::format("`{}` is a particle: it has no spin", excerpt(name.text))
                               : fmt::format("`{}` is a frame: it has no mass", excerpt(name.text)),
                   is_particle ? "the moment of its momentum: `P.x*P.momentum.y - P.y*P.momentum.x`"
                               : "name a body or a particle");
    } else {
      report_unknown_object(name, false);
    }
    return {};
  }
  std::vector<Expr> result;
  if (!spin) {
    const Expr mass = is_particle ? particle->mass : body->mass;
    for (Expr component : is_particle ? particle->position : body->centre)
      result.push_back(mass * time_derivative(system_, component));
    return result;
  }
  if (!body->in_space()) return {body->inertia[0] * time_derivative(system_, body->angle)};
  const Triple on_body = inertia_times(*body, rates_on_body(system_, body->turns));
  const Triple in_space = turned(orientation_matrix(system_, body->turns), on_body);
  return {in_space.begin(), in_space.end()};
}

}  // namespace liaison
