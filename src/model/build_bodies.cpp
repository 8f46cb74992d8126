#include <fmt/format.h>

#include <algorithm>

#include "builder.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "text.hpp"

namespace liaison {

namespace {

const Context kinetic_context{"the kinetic energy", true, true};
const Context potential_context{"the potential energy", true, false};
const Context dissipation_context{"the dissipation", true, true};
const Context force_context{"a force", true, true};
const Context position_context{"a position", true, false};
const Context constant_context{"a mass or an inertia", false, false, false, false, false, false};
const Context gravity_context{"the gravity", false, false};

std::string plural(std::size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

}  // namespace

// ---- energies ----

void Builder::build(const syntax::Energy& syntax, const Statement& statement) {
  using Kind = syntax::Energy::Kind;
  const Context& context = syntax.kind == Kind::kinetic     ? kinetic_context
                           : syntax.kind == Kind::potential ? potential_context
                                                            : dissipation_context;
  if (syntax.kind == Kind::kinetic) {
    has_kinetic_ = true;
    kinetic_span_ = syntax.value;
  }
  const Expr value = scope_.read(syntax.value, context);
  if (value.empty()) return;
  switch (syntax.kind) {
    case Kind::kinetic:
      kinetic_.push_back(value);
      obligations_.energy(value, syntax.value, "the kinetic energy");
      return;
    case Kind::potential:
      potential_.push_back(value);
      obligations_.energy(value, syntax.value, "the potential energy");
      return;
    case Kind::dissipation: break;
  }
  obligations_.energy(value, syntax.value, "the dissipation", {}, base_dimension(0, 0, -1));
  for (Expr symbol : symbols_in(value)) {
    if (symbol.symbol().kind != SymbolKind::velocity || direction_of_velocity_.contains(symbol) ||
        is_rheonomic_velocity(symbol))
      continue;
    reports_.add("L0414", statement.span,
                 fmt::format("the dissipation uses the velocity parameter `{}`", symbol.symbol().name),
                 "write it with the velocities `x'` of coordinates or the rates of a rotation");
    return;
  }
  add_dissipation(value);
}

/// Rayleigh: Q_i = -dD/dv^i, also on what is driven.
void Builder::add_dissipation(Expr value) {
  for (Expr symbol : symbols_in(value)) {
    if (is_rheonomic_velocity(symbol)) carried_forces_[symbol].push_back(-derivative(value, symbol));
    if (direction_of_velocity_.contains(symbol)) add_force(symbol, -derivative(value, symbol));
  }
}

// ---- forces ----

void Builder::add_force(Expr velocity, Expr value) {
  forces_[direction_of_velocity_.at(velocity)].push_back(value);
}

bool Builder::is_rheonomic_velocity(Expr symbol) const {
  return std::any_of(system_.rheonomic.begin(), system_.rheonomic.end(),
                     [&](const Rheonomic& chosen) { return chosen.velocity == symbol; });
}

/// Q_i = F . dr'/dv^i for the velocity r' of the point of application; the first n components. Those on what
/// is driven too, and on the time by what is left of r' at rest.
void Builder::add_work(std::size_t n, const std::vector<Expr>& force, const std::vector<Expr>& velocity) {
  for (std::size_t k = 0; k < n; ++k) {
    Substitution at_rest;
    for (Expr symbol : symbols_in(velocity[k])) {
      const Expr component = force[k] * derivative(velocity[k], symbol);
      const bool is_driven = is_rheonomic_velocity(symbol);
      if (direction_of_velocity_.contains(symbol)) add_force(symbol, component);
      if (is_driven) carried_forces_[symbol].push_back(component);
      if (is_driven || symbol.symbol().kind == SymbolKind::velocity)
        at_rest.emplace(symbol, system_.pool->number(0));
    }
    carried_forces_[system_.time].push_back(force[k] * substitute(velocity[k], at_rest));
  }
}

void Builder::build(const syntax::GeneralisedForce& syntax, const Statement&) {
  const auto& [name, span] = syntax.assignment;
  const Expr value = scope_.read(span, force_context);
  const NameEntry* entry = scope_.find(name.text);
  Expr velocity;
  if (entry != nullptr && entry->kind == NameKind::coordinate) velocity = scope_.find(name.text + "'")->value;
  if (entry != nullptr && entry->kind == NameKind::rate) velocity = entry->value;
  if (velocity.empty()) {
    Diagnostic& diagnostic =
        reports_.add("L0420", name.span,
                     fmt::format("a force on `{}`, which is no direction of motion", excerpt(name.text)));
    std::vector<std::string> names;
    for (const Direction& direction : system_.directions) {
      names.push_back(direction.coordinate.empty() ? direction.velocity.symbol().name
                                                   : direction.coordinate.symbol().name);
    }
    if (entry != nullptr)
      diagnostic.label = fmt::format("`{}` is {}", excerpt(name.text), describe(entry->kind));
    if (entry != nullptr && entry->kind == NameKind::velocity) {
      diagnostic.hint =
          fmt::format("name the coordinate: `force {} = ...`", name.text.substr(0, name.text.size() - 1));
    } else if (const auto near = nearest_name(name.text, names)) {
      diagnostic.hint = fmt::format("did you mean `{}`?", *near);
    } else {
      diagnostic.hint = "name a coordinate or a rate of a rotation, declared above";
    }
    return;
  }
  if (value.empty()) return;
  add_force(velocity, value);
  obligations_.energy(value, span, fmt::format("the force on `{}`", name.text),
                      entry->kind == NameKind::coordinate ? pow(entry->value, -1) : Expr());
}

void Builder::build(const syntax::PointForce& syntax, const Statement&) {
  if (!check_length(syntax.force, {2, 3}, "a force")) return;
  const std::vector<Expr> force = read_vector(syntax.force, force_context);
  const auto point = find_point(syntax.at);
  if (force.empty() || !point) return;
  if (point->size() != force.size()) {
    reports_.add(
        "L0421", syntax.force.span,
        fmt::format("the force has {} and its point {}", plural(force.size(), "component"), point->size()),
        "give both two or three components");
    return;
  }
  std::vector<Expr> velocity;
  for (Expr component : *point) velocity.push_back(time_derivative(system_, component));
  add_work(force.size(), force, velocity);
  for (std::size_t k = 0; k < force.size(); ++k) {
    obligations_.energy(force[k], syntax.force.components[k], "a force", {}, base_dimension(-1, 0, 0));
  }
}

/// A particle, a centre, a point of a body or a point in space.
std::optional<std::vector<Expr>> Builder::find_point(const syntax::Place& place) {
  if (!place.object) {
    if (!check_length(*place.point, {2, 3}, "a position")) return std::nullopt;
    std::vector<Expr> position = read_vector(*place.point, position_context);
    if (position.empty()) return std::nullopt;
    return position;
  }
  for (const Particle& particle : system_.particles) {
    if (particle.name != place.object->text) continue;
    if (!place.point) return particle.position;
    reports_.add("L0404", place.point->span,
                 fmt::format("`{}` is a particle: it has no points", particle.name),
                 fmt::format("write `at {}`", particle.name));
    return std::nullopt;
  }
  const Body* body = find_body(*place.object);
  if (body == nullptr) {
    report_unknown_object(*place.object, false);
    return std::nullopt;
  }
  if (!place.point) return body->centre;
  if (!check_length(*place.point, {body->centre.size()}, "a point of the body")) return std::nullopt;
  const std::vector<Expr> point = read_vector(*place.point, position_context);
  if (point.empty()) return std::nullopt;
  return point_of_body(system_, *body, point);
}

void Builder::build(const syntax::Moment& syntax, const Statement&) {
  const Body* body = find_body(syntax.body);
  if (body == nullptr) return report_unknown_object(syntax.body, true);
  if (!check_length(syntax.moment, {body->rotation ? 3u : 1u},
                    body->rotation ? "a moment" : "a moment in the plane"))
    return;
  const std::vector<Expr> moment = read_vector(syntax.moment, force_context);
  if (moment.empty()) return;
  for (std::size_t k = 0; k < moment.size(); ++k) {
    obligations_.energy(moment[k], syntax.moment.components[k], "a moment");
  }
  if (!body->rotation) return add_work(1, moment, {time_derivative(system_, body->angle)});
  const std::size_t first = system_.rotations[*body->rotation].first_direction;
  for (std::size_t k = 0; k < 3; ++k) add_force(system_.directions[first + k].velocity, moment[k]);
}

void Builder::build(const syntax::Gravity& syntax, const Statement& statement) {
  if (!check_length(syntax.acceleration, {2, 3}, "gravity")) return;
  std::vector<Expr> acceleration = read_vector(syntax.acceleration, gravity_context);
  if (acceleration.empty()) return;
  if (gravity_) {
    Diagnostic& diagnostic =
        reports_.add("L0407", statement.span, "gravity is given twice", "keep one of the two");
    diagnostic.notes.push_back({gravity_->second, "the first one is"});
    return;
  }
  for (std::size_t k = 0; k < acceleration.size(); ++k) {
    obligations_.is(acceleration[k], syntax.acceleration.components[k], "gravity", base_dimension(1, 0, -2));
  }
  gravity_.emplace(std::move(acceleration), statement.span);
}

// ---- particles and bodies ----

bool Builder::name_object(const syntax::Name& name, std::string_view what) {
  const auto [known, is_new] = objects_.emplace(name.text, name.span);
  if (is_new) return true;
  Diagnostic& diagnostic =
      reports_.add("L0407", name.span, fmt::format("{} `{}` is declared twice", what, excerpt(name.text)),
                   "choose another name");
  diagnostic.notes.push_back({known->second, "it was declared"});
  return false;
}

bool Builder::check_length(const syntax::Vector& vector, const std::vector<std::size_t>& lengths,
                           std::string_view what) {
  const std::size_t n = vector.components.size();
  if (std::find(lengths.begin(), lengths.end(), n) != lengths.end()) return true;
  const std::string expected =
      lengths.size() == 2 ? fmt::format("{} or {}", lengths[0], lengths[1]) : std::to_string(lengths[0]);
  reports_.add("L0421", vector.span,
               fmt::format("{} has {}, {} expected", what, plural(n, "component"), expected),
               lengths.back() == 1   ? "write one expression"
               : lengths.back() == 2 ? "write `[a, b]`"
               : lengths[0] == 3     ? "write `[a, b, c]`"
                                     : "write `[x, y]` in the plane or `[x, y, z]` in space");
  return false;
}

/// Empty if one of the components has been reported.
std::vector<Expr> Builder::read_vector(const syntax::Vector& vector, const Context& context) {
  std::vector<Expr> components;
  bool complete = true;
  for (Span span : vector.components) {
    components.push_back(scope_.read(span, context));
    complete = complete && !components.back().empty();
  }
  if (!complete) components.clear();
  return components;
}

void Builder::build(const syntax::ParticleDeclaration& syntax, const Statement& statement) {
  Particle particle;
  particle.name = syntax.name.text;
  particle.span = statement.span;
  const bool named = name_object(syntax.name, "the particle");
  particle.mass = scope_.read(syntax.mass, constant_context);
  if (!check_length(syntax.position, {2, 3}, "a position")) return;
  particle.position = read_vector(syntax.position, position_context);
  if (!named || particle.mass.empty() || particle.position.empty()) return;
  obligations_.is(particle.mass, syntax.mass, "a mass", base_dimension(0, 1, 0));
  for (std::size_t k = 0; k < particle.position.size(); ++k) {
    obligations_.is(particle.position[k], syntax.position.components[k], "a position",
                    base_dimension(1, 0, 0));
  }
  has_kinetic_ = true;
  system_.particles.push_back(std::move(particle));
}

void Builder::build(const syntax::BodyDeclaration& syntax, const Statement& statement) {
  Body body;
  body.name = syntax.name.text;
  body.span = statement.span;
  const bool named = name_object(syntax.name, "the body");
  body.mass = scope_.read(syntax.mass, constant_context);
  if (!check_length(syntax.centre, {2, 3}, "a position")) return;
  body.centre = read_vector(syntax.centre, position_context);
  const bool oriented = read_orientation(syntax, body);
  const bool heavy = oriented && read_inertia(syntax, body);
  if (!named || !heavy || body.mass.empty() || body.centre.empty()) return;
  obligations_.is(body.mass, syntax.mass, "a mass", base_dimension(0, 1, 0));
  for (std::size_t k = 0; k < body.centre.size(); ++k) {
    obligations_.is(body.centre[k], syntax.centre.components[k], "a position", base_dimension(1, 0, 0));
  }
  has_kinetic_ = true;
  system_.bodies.push_back(std::move(body));
}

/// Plane: J. Space: A, B, C, or A, B, C, D, E, F with the products of inertia.
bool Builder::read_inertia(const syntax::BodyDeclaration& syntax, Body& body) {
  const std::size_t n = syntax.inertia.components.size();
  const bool fits = body.rotation ? n == 3 || n == 6 : n == 1;
  if (!fits) {
    reports_.add("L0422", syntax.inertia.span,
                 fmt::format("{} given for a body {}", plural(n, "moment") + " of inertia",
                             body.rotation ? "in space" : "in the plane"),
                 body.rotation
                     ? "write `inertia [A, B, C]`, or `[A, B, C, D, E, F]` with the products yz, zx, xy"
                     : "write `inertia J`: one moment about the centre");
    return false;
  }
  body.inertia = read_vector(syntax.inertia, constant_context);
  if (body.inertia.empty()) return false;
  for (std::size_t k = 0; k < n; ++k) {
    obligations_.is(body.inertia[k], syntax.inertia.components[k], "a moment of inertia",
                    base_dimension(2, 1, 0));
  }
  if (n == 3) body.inertia.resize(6, system_.pool->number(0));
  return true;
}

bool Builder::read_orientation(const syntax::BodyDeclaration& syntax, Body& body) {
  const bool plane = syntax.angle.has_value();
  const std::size_t expected = plane ? 2 : 3;
  if (syntax.centre.components.size() != expected) {
    reports_.add("L0428", syntax.orientation,
                 plane ? "an angle turns a body in the plane, and its centre has 3 coordinates"
                       : "a rotation turns a body in space, and its centre has 2 coordinates",
                 plane ? "give the centre as `[x, y]`, or the orientation as `rotation (p, q, r)`"
                       : "give the centre as `[x, y, z]`, or the orientation as `angle phi`");
    return false;
  }
  if (plane) {
    body.angle = scope_.read(*syntax.angle, position_context);
    if (!body.angle.empty()) obligations_.is(body.angle, *syntax.angle, "an angle", Dimension{});
    return !body.angle.empty();
  }
  body.rotation = find_rotation(syntax);
  return body.rotation.has_value();
}

/// By its name or by its three rates.
std::optional<std::size_t> Builder::find_rotation(const syntax::BodyDeclaration& syntax) {
  for (std::size_t i = 0; i < system_.rotations.size(); ++i) {
    const Rotation& rotation = system_.rotations[i];
    if (syntax.rotation && !rotation.name.empty() && rotation.name == syntax.rotation->text) return i;
    bool same = syntax.rates.size() == 3;
    for (std::size_t k = 0; same && k < 3; ++k) {
      same = system_.directions[rotation.first_direction + k].velocity.symbol().name == syntax.rates[k].text;
    }
    if (same) return i;
  }
  const std::string hint = syntax.rotation ? fmt::format("declare it above: `rotation {} (p, q, r) in body`",
                                                         syntax.rotation->text)
                                           : "declare it above: `rotation (p, q, r) in body`";
  reports_.add("L0428", syntax.orientation, "there is no such rotation", hint);
  return std::nullopt;
}

const Body* Builder::find_body(const syntax::Name& name) {
  for (const Body& body : system_.bodies) {
    if (body.name == name.text) return &body;
  }
  return nullptr;
}

void Builder::report_unknown_object(const syntax::Name& name, bool bodies_only) {
  std::vector<std::string> names;
  for (const Body& body : system_.bodies) names.push_back(body.name);
  if (!bodies_only) {
    for (const Particle& particle : system_.particles) names.push_back(particle.name);
  }
  if (objects_.contains(name.text) && !bodies_only) return;  // its declaration has been reported
  Diagnostic& diagnostic = reports_.add(
      "L0431", name.span,
      fmt::format("there is no {} `{}`", bodies_only ? "body" : "particle or body", excerpt(name.text)));
  const auto near = nearest_name(name.text, names);
  diagnostic.hint = near ? fmt::format("did you mean `{}`?", *near) : "declare it above";
}

}  // namespace liaison
