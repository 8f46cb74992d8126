#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "builder.hpp"
#include "joint_kinds.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/model/orientation.hpp"
#include "text.hpp"

namespace liaison {

namespace {

const Context position_context{"a position", true, false};
const Context angle_context{"an angle", true, false};
const Context axis_context{"an axis", false, false, false, false, false, false};
const Context pitch_context{"the pitch of a screw", false, false, false, false, false, false};

}  // namespace

Expr Builder::read_angle(Span span) {
  const Expr angle = scope_.read(span, angle_context);
  if (!angle.empty()) obligations_.is(angle, span, "an angle", Dimension{});
  return angle;
}

std::optional<Triple> Builder::read_axis(const syntax::Vector& vector) {
  if (!check_length(vector, {3}, "an axis")) return std::nullopt;
  const std::vector<Expr> given = read_vector(vector, axis_context);
  if (given.empty()) return std::nullopt;
  return unit_axis({given[0], given[1], given[2]}, vector.span);
}

bool Builder::vanishes(Expr e) const {
  return e.is_zero() || (e.is_constant() && Algebra(*system_.pool).is_zero(e).holds());
}

/// Of length one: numbers are divided by theirs, what holds parameters has to have it.
std::optional<Triple> Builder::unit_axis(Triple axis, Span span) {
  const Expr square = dot(axis, axis);
  if (vanishes(square)) {
    reports_.add("L0450", span, "an axis of length zero has no direction", "write `axis [0, 0, 1]`");
    return std::nullopt;
  }
  if (!square.is_constant()) {
    if (!check_unit_length({axis.begin(), axis.end()}, span, "axis")) return std::nullopt;
    return axis;
  }
  if (square == system_.pool->number(1)) return axis;
  for (Expr& component : axis) component = component / sqrt(square);
  return axis;
}

std::optional<Turn> Builder::read_turn(const syntax::TurnPart& part) {
  if (part.rotation || !part.rates.empty()) {
    const auto found = find_rotation(part);
    if (!found) return std::nullopt;
    return Turn{*found, {}, {}};
  }
  Turn turn;
  if (part.letter) {
    const Expr zero = system_.pool->number(0);
    turn.axis = {zero, zero, zero};
    turn.axis[static_cast<std::size_t>(part.letter->text[0] - 'x')] = system_.pool->number(1);
  } else if (part.axis) {
    const auto axis = read_axis(*part.axis);
    if (!axis) return std::nullopt;
    turn.axis = *axis;
  } else {
    reports_.add("L0428", part.span, "the axis of this turn is missing", "write `z phi` or `[0, 0, 1] phi`");
    return std::nullopt;
  }
  turn.angle = read_angle(part.angle);
  if (turn.angle.empty()) return std::nullopt;
  return turn;
}

/// A turn by nothing is left out.
std::optional<std::vector<Turn>> Builder::read_turns(const std::vector<syntax::TurnPart>& parts) {
  std::vector<Turn> turns;
  for (const syntax::TurnPart& part : parts) {
    const auto turn = read_turn(part);
    if (!turn) return std::nullopt;
    if (turn->rotation || !turn->angle.is_zero()) turns.push_back(*turn);
  }
  return turns;
}

/// By its name or by its three rates.
std::optional<std::size_t> Builder::find_rotation(const syntax::TurnPart& part) {
  for (std::size_t i = 0; i < system_.rotations.size(); ++i) {
    const Rotation& rotation = system_.rotations[i];
    if (part.rotation && !rotation.name.empty() && rotation.name == part.rotation->text) return i;
    bool same = part.rates.size() == 3;
    for (std::size_t k = 0; same && k < 3; ++k)
      same = rates_of(system_, rotation)[k].symbol().name == part.rates[k].text;
    if (same) return i;
  }
  const std::string hint =
      part.rotation ? fmt::format("declare it above: `rotation {} (p, q, r) in body`", part.rotation->text)
                    : "declare it above: `rotation (p, q, r) in body`";
  reports_.add("L0428", part.span, "there is no such rotation", hint);
  return std::nullopt;
}

/// PARENT [at [..]] [turned ..]; `dimension` is that of what is put there, for the ground has none.
std::optional<BodyAxes> Builder::read_mount(const syntax::Mount& syntax, std::size_t dimension) {
  BodyAxes placed;
  const auto known = placed_.find(syntax.parent.text);
  if (known != placed_.end()) {
    placed = known->second;
  } else if (syntax.parent.text == "ground") {
    placed.origin.assign(dimension, system_.pool->number(0));
    if (dimension == 2) placed.angle = system_.pool->number(0);
  } else {
    report_unknown_place(syntax.parent);
    return std::nullopt;
  }
  const bool plane = placed.origin.size() == 2;
  if (syntax.at) {
    if (!check_length(*syntax.at, {placed.origin.size()}, "a place")) return std::nullopt;
    const std::vector<Expr> at = read_place(*syntax.at);
    if (at.empty()) return std::nullopt;
    require_lengths(at, *syntax.at, "a place");
    placed.origin = point_of(system_, placed, at);
  }
  if (!syntax.turned) return placed;
  if (plane) {
    if (syntax.turned->turns.size() != 1) {
      reports_.add("L0428", syntax.turned->span, "in the plane there is one angle", "write `turned phi`");
      return std::nullopt;
    }
    const Expr angle = read_angle(syntax.turned->turns.front().span);
    if (angle.empty()) return std::nullopt;
    placed.angle += angle;
    return placed;
  }
  const auto turns = read_turns(syntax.turned->turns);
  if (!turns) return std::nullopt;
  placed.turns.insert(placed.turns.end(), turns->begin(), turns->end());
  return placed;
}

void Builder::report_unknown_place(const syntax::Name& name) {
  if (joints_.contains(name.text)) return report_unknown_object(name, false);
  if (objects_.contains(name.text) &&
      std::none_of(system_.particles.begin(), system_.particles.end(),
                   [&](const Particle& particle) { return particle.name == name.text; }))
    return;  // its declaration has been reported
  std::vector<std::string> names{"ground"};
  for (const auto& [known, placed] : placed_) names.push_back(known);
  const auto near = nearest_name(name.text, names);
  reports_.add("L0431", name.span, fmt::format("there is no body or frame `{}`", excerpt(name.text)),
               near ? fmt::format("did you mean `{}`?", *near) : "declare it above, or name the `ground`");
}

void Builder::build(const syntax::FrameDeclaration& syntax, const Statement&) {
  const bool named = name_object(syntax.name, "the frame");
  if (syntax.mount.parent.text == "ground" && !placed_.contains("ground") && !syntax.mount.at) {
    reports_.add("L0402", syntax.mount.parent.span, "`at` and a place on the ground are missing",
                 "write `frame F on ground at [0, 0, 0]`: it tells the plane from space");
    return;
  }
  const std::size_t dimension = syntax.mount.at ? syntax.mount.at->components.size() : 3;
  const auto placed = read_mount(syntax.mount, dimension == 2 ? 2 : 3);
  if (!named || !placed) return;
  placed_.emplace(syntax.name.text, *placed);
  frames_.emplace(syntax.name.text, root_of(syntax.mount.parent.text));
  scenery_.frames.push_back({syntax.name.text, placed->origin, placed->turns, placed->angle});
  attach(syntax.name.text, placed->origin);
}

/// on PARENT [at [..]] [turned ..] by KIND VALUES [axis [..]]: where the joint lets the body be.
std::optional<BodyAxes> Builder::read_jointed(const syntax::BodyDeclaration& syntax) {
  const auto& [mount, joint] = *syntax.joint;
  auto placed = read_mount(mount, syntax.inertia.components.size() == 1 ? 2 : 3);
  if (placed) mounted_ = *placed;
  if (!placed || !add_joint(joint, *placed)) return std::nullopt;
  return placed;
}

bool Builder::add_joint(const syntax::Joint& joint, BodyAxes& placed) {
  const JointKind* kind = find_joint_kind(joint.kind.text);
  if (kind == nullptr) {
    reports_.add("L0450", joint.kind.span, fmt::format("`{}` is no joint", excerpt(joint.kind.text)),
                 "the joints are " + list_of_joint_kinds());
    return false;
  }
  const bool plane = placed.origin.size() == 2;
  const std::string form =
      fmt::format("write `{}`", plane && kind->name == "hinge"    ? "by hinge phi"
                                : plane && kind->name == "slider" ? "by slider s axis [1, 0]"
                                                                  : kind->form);
  const auto refuse = [&](Span span, std::string message, std::string hint) {
    reports_.add("L0450", span, std::move(message), std::move(hint));
    return false;
  };
  if (plane && !is_joint_of_the_plane(*kind))
    return refuse(joint.kind.span, fmt::format("there is no `{}` in the plane", kind->name),
                  "the joints of the plane are `hinge`, `slider`, `weld`");
  const auto check_count = [&](std::size_t expected, std::size_t given, std::string_view one,
                               std::string_view many) {
    if (expected == given) return true;
    return refuse(joint.span,
                  fmt::format("the joint `{}` has {} {}, {} given", kind->name,
                              expected == 0 ? "no" : std::to_string(expected), expected == 1 ? one : many,
                              given == 0   ? "none is"
                              : given == 1 ? "1 is"
                                           : fmt::format("{} are", given)),
                  form);
  };
  const std::size_t axes = plane && kind->name == "hinge" ? 0 : kind->axes;
  if (!check_count(kind->slides + kind->turns, joint.values.size(), "coordinate", "coordinates") ||
      !check_count(axes, joint.axes.size(), "axis", "axes"))
    return false;
  if ((kind->name == "screw") != joint.pitch.has_value())
    return refuse(joint.span,
                  joint.pitch ? fmt::format("the joint `{}` has no pitch", kind->name)
                              : std::string("a screw has a pitch: how far it goes in one turn"),
                  form);
  if ((kind->name == "ball") != joint.rotation.has_value())
    return refuse(joint.span, "a ball joint has a rotation", form);
  return plane ? add_plane_joint(joint, placed) : add_space_joint(joint, kind->slides, placed);
}

/// A length by which something slides, or a pitch.
Expr Builder::read_slide(Span span, bool is_pitch) {
  const Expr value = scope_.read(span, is_pitch ? pitch_context : position_context);
  if (!value.empty()) obligations_.is(value, span, is_pitch ? "a pitch" : "a slide", base_dimension(1, 0, 0));
  return value;
}

bool Builder::add_plane_joint(const syntax::Joint& joint, BodyAxes& placed) {
  if (joint.values.empty()) return true;
  if (joint.axes.empty()) {
    const Expr angle = read_angle(joint.values[0]);
    if (!angle.empty()) placed.angle += angle;
    return !angle.empty();
  }
  // the axis of a slider: in space it would have a third component
  if (!check_length(joint.axes[0], {2}, "an axis")) return false;
  const std::vector<Expr> given = read_vector(joint.axes[0], axis_context);
  const Expr slide = read_slide(joint.values[0], false);
  if (given.empty() || slide.empty()) return false;
  const auto axis = unit_axis({given[0], given[1], system_.pool->number(0)}, joint.axes[0].span);
  if (!axis) return false;
  const std::array along{slide * (*axis)[0], slide * (*axis)[1]};
  placed.origin = point_of(system_, placed, along);
  return true;
}

bool Builder::add_space_joint(const syntax::Joint& joint, std::size_t slides, BodyAxes& placed) {
  if (joint.rotation) {
    const auto turn = read_turn(*joint.rotation);
    if (turn) placed.turns.push_back(*turn);
    return turn.has_value();
  }
  const Expr zero = system_.pool->number(0), one = system_.pool->number(1);
  std::vector<Triple> axes;
  for (const syntax::Vector& vector : joint.axes) {
    const auto axis = read_axis(vector);
    if (!axis) return false;
    axes.push_back(*axis);
  }
  if (axes.size() == 2) {
    const Triple across = cross(axes[0], axes[1]);
    if (vanishes(dot(across, across))) {
      reports_.add("L0450", joint.axes[1].span, "the two axes of a universal joint are parallel",
                   "its second axis lies across the first: `axis [1, 0, 0] axis [0, 1, 0]`");
      return false;
    }
  }
  // planar: along x and y, about z; its coordinates are (x, y, phi). Cylindrical: (phi, s).
  const bool planar = slides == 2;
  std::vector<Expr> lengths, angles;
  for (std::size_t k = 0; k < joint.values.size(); ++k) {
    const bool is_length = planar ? k < 2 : slides == 1 && k + 1 == joint.values.size();
    (is_length ? lengths : angles)
        .push_back(is_length ? read_slide(joint.values[k], false) : read_angle(joint.values[k]));
  }
  if (joint.pitch) {
    const Expr pitch = read_slide(*joint.pitch, true);
    if (pitch.empty() || angles[0].empty()) return false;
    lengths.push_back(pitch * angles[0] / (Rational(2) * system_.pool->pi()));
  }
  for (const auto* values : {&lengths, &angles}) {
    if (std::any_of(values->begin(), values->end(), [](Expr e) { return e.empty(); })) return false;
  }
  if (!lengths.empty()) {
    Triple along{zero, zero, zero};
    if (planar)
      along = {lengths[0], lengths[1], zero};
    else
      for (std::size_t k = 0; k < 3; ++k) along[k] = axes[0][k] * lengths[0];
    placed.origin = point_of(system_, placed, along);
  }
  for (std::size_t k = 0; k < angles.size(); ++k)
    placed.turns.push_back({{}, planar ? Triple{zero, zero, one} : axes[k], angles[k]});
  return true;
}

}  // namespace liaison
