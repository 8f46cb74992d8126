#include "liaison/model/turned_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/model/quantity.hpp"
#include "reader.hpp"
#include "text.hpp"

namespace liaison {

namespace {

Diagnostic problem(std::string code, Span span, std::string message, std::string hint) {
  return {std::move(code), std::move(message), span, "", {}, std::move(hint)};
}

/// Hamilton's product.
std::array<Expr, 4> product(const std::array<Expr, 4>& p, const std::array<Expr, 4>& q) {
  return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
          p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
          p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
          p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}

/// R of R_e0, or rot1.
std::string name_of(const Rotation& rotation) {
  const std::string first = rotation.quaternion[0].symbol().name;
  return first.substr(0, first.size() - std::string_view("_e0").size());
}

const Rotation* find_rotation(const System& system, const std::string& name) {
  for (const Rotation& rotation : system.rotations)
    if (name_of(rotation) == name) return &rotation;
  for (const Body& body : system.bodies)
    if (body.name == name && body.turns.size() == 1 && body.turns.front().rotation)
      return &system.rotations[*body.turns.front().rotation];
  return nullptr;
}

Diagnostic no_rotation(const System& system, const syntax::Name& name) {
  const bool is_body = std::any_of(system.bodies.begin(), system.bodies.end(),
                                   [&](const Body& body) { return body.name == name.text; });
  std::vector<std::string> names;
  for (const Rotation& rotation : system.rotations) names.push_back(name_of(rotation));
  const auto near = nearest_name(name.text, names);
  const std::string shown = excerpt(name.text);
  return problem("L0424", name.span,
                 is_body ? fmt::format("the body `{}` is not turned by one rotation alone", shown)
                         : fmt::format("`{}` is not a rotation", shown),
                 near            ? fmt::format("did you mean `{}`?", *near)
                 : names.empty() ? "give values to its coordinates; `rotation R (p, q, r) in body` declares "
                                   "a rotation"
                                 : fmt::format("there are {}", fmt::join(names, ", ")));
}

std::optional<Triple> axis_of(Pool& pool, const syntax::TurnPart& part,
                              const std::function<Expr(Span)>& value, std::vector<Diagnostic>& problems) {
  if (part.letter) {
    Triple axis{pool.number(0), pool.number(0), pool.number(0)};
    axis[static_cast<std::size_t>(part.letter->text[0] - 'x')] = pool.number(1);
    return axis;
  }
  const std::vector<Span>& components = part.axis->components;
  if (components.size() != 3) {
    problems.push_back(problem("L0421", part.axis->span,
                               fmt::format("an axis has 3 components, here are {}", components.size()),
                               "write `axis [0, 0, 1]`"));
    return std::nullopt;
  }
  Triple axis;
  for (std::size_t k = 0; k < 3; ++k) {
    axis[k] = value(components[k]);
    if (axis[k].empty()) return std::nullopt;
  }
  const Expr square = pow(axis[0], 2) + pow(axis[1], 2) + pow(axis[2], 2);
  if (square.is_zero() || (square.is_constant() && Algebra(pool).is_zero(square).holds())) {
    problems.push_back(problem("L0450", part.axis->span, "an axis of length zero has no direction",
                               "write `axis [0, 0, 1]`"));
    return std::nullopt;
  }
  if (square == pool.number(1)) return axis;
  for (Expr& component : axis) component = component / sqrt(square);
  return axis;
}

}  // namespace

std::array<Expr, 4> quaternion_of(Pool& pool, std::span<const GivenTurn> turns) {
  std::array<Expr, 4> result{pool.number(1), pool.number(0), pool.number(0), pool.number(0)};
  for (const GivenTurn& turn : turns) {
    const Expr half = turn.angle / 2, s = sin(half);
    const std::array<Expr, 4> one{cos(half), turn.axis[0] * s, turn.axis[1] * s, turn.axis[2] * s};
    result = &turn == turns.data() ? one : product(result, one);
  }
  return result;
}

bool is_turned_state(std::string_view text, Span part) {
  part = trim(text, part);
  const std::string_view whole = text.substr(0, part.end);
  const auto name = scan_name(whole, part.begin);
  if (!name) return false;
  const auto word = scan_name(whole, trim(text, {name->end, part.end}).begin);
  return word && (word->text == "angles" || word->text == "axis");
}

std::optional<TurnedState> read_turned_state(const System& system, std::string_view text, Span part,
                                             const std::function<Expr(Span)>& value,
                                             std::vector<Diagnostic>& problems) {
  syntax::Turned given;
  try {
    given = syntax::Reader(text, part).read_turned();
  } catch (const syntax::Fault& fault) {
    problems.push_back(fault.diagnostic);
    return std::nullopt;
  }
  const Rotation* rotation = find_rotation(system, given.name.text);
  if (rotation == nullptr) {
    problems.push_back(no_rotation(system, given.name));
    return std::nullopt;
  }
  std::vector<GivenTurn> turns;
  for (const syntax::TurnPart& turn : given.turns) {
    const auto axis = axis_of(*system.pool, turn, value, problems);
    const auto bracket = split_unit(text, turn.angle).unit;
    const auto unit = bracket ? parse_unit(text_at(text, trim(text, *bracket))) : std::nullopt;
    if (unit && unit->dimension != Dimension{}) {
      problems.push_back(problem("L0412", *bracket, "an angle is in `rad` or `deg`", "write `30 [deg]`"));
      return std::nullopt;
    }
    const Expr angle = value(turn.angle);
    if (!axis || angle.empty()) return std::nullopt;
    turns.push_back({*axis, angle});
  }
  return TurnedState{rotation->quaternion, quaternion_of(*system.pool, turns), given.name.span};
}

}  // namespace liaison
