#include <fmt/format.h>

#include <algorithm>

#include "builder.hpp"
#include "liaison/model/kinematics.hpp"
#include "text.hpp"

namespace liaison {

namespace {

const Context position_context{"a position", true, false};
const Context constant_context{"a mass or an inertia", false, false, false, false, false, false};

std::string plural(std::size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

}  // namespace

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

std::vector<Expr> Builder::read_place(const syntax::Vector& vector) {
  return in_metres(read_vector(vector, position_context), vector);
}

/// A number alone in a clause takes the unit that its use needs, where the model has units.
Expr Builder::measured(Expr value) {
  if (!has_units_ || value.empty() || !value.is_constant() || value.is_zero()) return value;
  return value * unit_of_number();
}

/// The same where the unit is known: one symbol for all, so that equal numbers stay equal.
Expr Builder::measured(Expr value, const char* what, const Dimension& dimension, Span span) {
  if (!has_units_ || value.empty() || !value.is_constant() || value.is_zero()) return value;
  const Expr unit = system_.pool->symbol(fmt::format("{}__unit", what), SymbolKind::parameter, true);
  if (table_units_.emplace(unit, system_.pool->number(1)).second)
    obligations_.is(unit, span, fmt::format("a {}", what), dimension);
  return value * unit;
}

std::vector<Expr> Builder::in_metres(std::vector<Expr> components, const syntax::Vector& vector) {
  for (std::size_t k = 0; k < components.size(); ++k)
    components[k] = measured(components[k], "place", base_dimension(1, 0, 0), vector.components[k]);
  return components;
}

/// A particle, a centre, the origin of a frame, a point of a body or frame in its axes, or a point in space.
std::optional<std::vector<Expr>> Builder::find_point(const syntax::Place& place) {
  if (!place.object) {
    if (!check_length(*place.point, {2, 3}, "a position")) return std::nullopt;
    std::vector<Expr> position = read_place(*place.point);
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
  const auto placed = placed_.find(place.object->text);
  if (placed == placed_.end()) {
    report_unknown_object(*place.object, false);
    return std::nullopt;
  }
  if (!place.point) {
    const Body* body = find_body(*place.object);
    return body != nullptr ? body->centre : placed->second.origin;
  }
  if (!check_length(*place.point, {placed->second.origin.size()}, "a point of the body")) return std::nullopt;
  const std::vector<Expr> point = read_place(*place.point);
  if (point.empty()) return std::nullopt;
  return point_of(system_, placed->second, point);
}

// ---- as expressions ask for them ----

bool Builder::knows(const std::string& name) const {
  return objects_.contains(name);
}

std::vector<Expr> Builder::point_at(const syntax::Place& place) {
  return find_point(place).value_or(std::vector<Expr>());
}

std::vector<Expr> Builder::turning_of(const syntax::Name& name) {
  const auto placed = placed_.find(name.text);
  if (placed == placed_.end()) {
    const auto is_it = [&](const Particle& particle) { return particle.name == name.text; };
    if (std::any_of(system_.particles.begin(), system_.particles.end(), is_it)) {
      reports_.add("L0404", name.span, fmt::format("`{}` is a particle: it does not turn", name.text),
                   "name a body or a frame");
    } else {
      report_unknown_object(name, false);
    }
    return {};
  }
  if (!placed->second.angle.empty()) return {time_derivative(system_, placed->second.angle)};
  const Triple rates = rates_in_space(system_, placed->second.turns);
  return {rates.begin(), rates.end()};
}

Expr Builder::distance(const syntax::Place& one, const syntax::Place& other) {
  const Expr squared = squared_distance(one, other);
  return squared.empty() ? squared : sqrt(squared);
}

void Builder::build(const syntax::ParticleDeclaration& syntax, const Statement& statement) {
  Particle particle;
  particle.name = syntax.name.text;
  particle.span = statement.span;
  particle.mass =
      measured(scope_.read(syntax.mass, constant_context), "mass", base_dimension(0, 1, 0), syntax.mass);
  auto position = find_point(syntax.at);  // before it has its name: it does not lie at itself
  const bool named = name_object(syntax.name, "the particle");
  if (!named || particle.mass.empty() || !position) return;
  particle.position = std::move(*position);
  obligations_.is(particle.mass, syntax.mass, "a mass", base_dimension(0, 1, 0));
  if (syntax.at.point) require_lengths(particle.position, *syntax.at.point, "a position");
  has_kinetic_ = true;
  system_.particles.push_back(std::move(particle));
  attach(syntax.at);
}

void Builder::build(const syntax::BodyDeclaration& syntax, const Statement& statement) {
  Body body;
  body.name = syntax.name.text;
  body.span = statement.span;
  const bool named = name_object(syntax.name, "the body");
  body.mass =
      measured(scope_.read(syntax.mass, constant_context), "mass", base_dimension(0, 1, 0), syntax.mass);
  const std::optional<BodyAxes> placed = syntax.joint ? read_jointed(syntax) : read_placed(syntax);
  if (!placed) return;
  body.turns = placed->turns;
  body.angle = placed->angle;
  body.centre = placed->origin;
  if (syntax.centre) {
    if (!check_length(*syntax.centre, {placed->origin.size()}, "the centre")) return;
    const std::vector<Expr> centre = in_metres(read_vector(*syntax.centre, constant_context), *syntax.centre);
    if (centre.empty()) return;
    require_lengths(centre, *syntax.centre, "the centre");
    body.centre = point_of(system_, *placed, centre);
    centres_.emplace(body.name, centre);
  }
  if (!read_inertia(syntax, body) || !named || body.mass.empty()) return;
  obligations_.is(body.mass, syntax.mass, "a mass", base_dimension(0, 1, 0));
  has_kinetic_ = true;
  placed_.emplace(body.name, *placed);
  if (syntax.orientation.is_rotation) rotated_.insert(body.name);
  system_.bodies.push_back(std::move(body));
  if (syntax.joint) draw_joint(syntax, *placed);
}

/// Plane: J. Space: A, B, C, or A, B, C, D, E, F with the products of inertia.
bool Builder::read_inertia(const syntax::BodyDeclaration& syntax, Body& body) {
  const std::size_t n = syntax.inertia.components.size();
  const bool fits = body.in_space() ? n == 3 || n == 6 : n == 1;
  if (!fits) {
    reports_.add("L0422", syntax.inertia.span,
                 fmt::format("{} given for a body {}", plural(n, "moment") + " of inertia",
                             body.in_space() ? "in space" : "in the plane"),
                 body.in_space()
                     ? "write `inertia [A, B, C]`, or `[A, B, C, D, E, F]` with the products yz, zx, xy"
                     : "write `inertia J`: one moment about the centre");
    return false;
  }
  body.inertia = read_vector(syntax.inertia, constant_context);
  if (body.inertia.empty()) return false;
  for (std::size_t k = 0; k < n; ++k) {
    body.inertia[k] =
        measured(body.inertia[k], "inertia", base_dimension(2, 1, 0), syntax.inertia.components[k]);
    obligations_.is(body.inertia[k], syntax.inertia.components[k], "a moment of inertia",
                    base_dimension(2, 1, 0));
  }
  if (n == 3) body.inertia.resize(6, system_.pool->number(0));
  return true;
}

/// at [x, y, z] ORIENTATION
std::optional<BodyAxes> Builder::read_placed(const syntax::BodyDeclaration& syntax) {
  if (!check_length(*syntax.position, {2, 3}, "a position")) return std::nullopt;
  BodyAxes placed;
  placed.origin = read_place(*syntax.position);
  const bool plane = syntax.orientation.angle.has_value();
  if (syntax.position->components.size() != (plane ? 2 : 3)) {
    reports_.add("L0428", syntax.orientation.span,
                 plane ? "an angle turns a body in the plane, and its centre has 3 coordinates"
                       : "a rotation turns a body in space, and its centre has 2 coordinates",
                 plane ? "give the centre as `[x, y]`, or the orientation as `rotation (p, q, r)`"
                       : "give the centre as `[x, y, z]`, or the orientation as `angle phi`");
    return std::nullopt;
  }
  if (plane) {
    placed.angle = read_angle(*syntax.orientation.angle);
    if (placed.angle.empty()) return std::nullopt;
  } else {
    auto turns = read_turns(syntax.orientation.turns);
    if (!turns) return std::nullopt;
    placed.turns = std::move(*turns);
  }
  if (placed.origin.empty()) return std::nullopt;
  require_lengths(placed.origin, *syntax.position, "a position");
  return placed;
}

void Builder::require_lengths(const std::vector<Expr>& values, const syntax::Vector& vector,
                              std::string_view what) {
  for (std::size_t k = 0; k < values.size(); ++k)
    obligations_.is(values[k], vector.components[k], std::string(what), base_dimension(1, 0, 0));
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
    for (const auto& [frame, axes] : placed_) names.push_back(frame);
  }
  if (joints_.contains(name.text)) {
    reports_.add("L0431", name.span, fmt::format("`{}` is a joint: it has no points", excerpt(name.text)),
                 fmt::format("write `{0}.force.x` or `{0}.moment.x` for its reaction", excerpt(name.text)));
    return;
  }
  if (objects_.contains(name.text) && !bodies_only) return;  // its declaration has been reported
  Diagnostic& diagnostic = reports_.add(
      "L0431", name.span,
      fmt::format("there is no {} `{}`", bodies_only ? "body" : "particle or body", excerpt(name.text)));
  const auto near = nearest_name(name.text, names);
  diagnostic.hint = name.text == "ground" ? "a place on the ground is a point in space: `[0, 0]`"
                    : near                ? fmt::format("did you mean `{}`?", *near)
                                          : "declare it above";
}

}  // namespace liaison
