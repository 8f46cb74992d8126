#include <fmt/format.h>

#include <algorithm>

#include "mjcf_reader.hpp"

/// Joints of a body of MuJoCo, one behind the other: each turns what those behind it have moved, about a
/// place of the body.
namespace liaison::robot {

void MjcfReader::collect_joints(const XmlElement& xml, const std::string& class_name, const RobotPose& frame,
                                std::vector<MjcfJoint>& out, int depth) {
  constexpr int deepest = 200;
  if (depth > deepest) return;  // said where its content is read
  for (const XmlElement& child : xml.children) {
    if (child.name == "joint" || child.name == "freejoint") {
      if (auto joint = read_joint(child, class_name, frame)) out.push_back(std::move(*joint));
    } else if (child.name == "frame") {
      const MjcfElement element = checked(child);
      const auto outer = rotation_matrix(frame.turns);
      const RobotPose own{vector(element, "pos"), orientation(element)};
      RobotPose inner;
      if (outer) inner.xyz = sum(frame.xyz, turned_vector(*outer, own.xyz));
      inner.turns = frame.turns;
      inner.turns.insert(inner.turns.end(), own.turns.begin(), own.turns.end());
      collect_joints(child, element.text("childclass", class_name), inner, out, depth + 1);
    }
  }
}

std::optional<MjcfJoint> MjcfReader::read_joint(const XmlElement& xml, const std::string& class_name,
                                                const RobotPose& frame) {
  if (xml.name == "freejoint") return MjcfJoint{checked(xml), "free", {}, {}};
  MjcfJoint out{with_class(xml, class_name), {}, {}, {}};
  out.type = out.element.text("type", "hinge");
  const std::vector<std::string> types{"hinge", "slide", "ball", "free"};
  if (std::find(types.begin(), types.end(), out.type) == types.end()) {
    add("L0708", out.element.find("type")->span,
        fmt::format("there is no joint of the type `{}`", quoted(out.type)),
        hint_for(out.type, types, "types"));
    return std::nullopt;
  }
  out.axis = vector(out.element, "axis", {Decimal{}, Decimal{}, Decimal{"1", 1}});
  if (is_null(out.axis)) {
    add("L0706", out.element.find("axis")->span, "the axis of a joint has no direction", "axis=\"0 0 1\"");
    return std::nullopt;
  }
  out.pos = vector(out.element, "pos");
  if (frame.turns.empty()) {
    out.pos = sum(out.pos, frame.xyz);
    return out;
  }
  const auto turn = rotation_matrix(frame.turns);
  if (!turn) {
    refuse(xml.span, "a joint in a frame that is turned by this is not read",
           "write it into the body itself, with its axis there");
    return std::nullopt;
  }
  out.pos = sum(turned_vector(*turn, out.pos), frame.xyz);
  out.axis = turned_vector(*turn, out.axis);
  return out;
}

bool MjcfReader::check_joints(const std::vector<MjcfJoint>& joints, const MjcfPlace& parent, Span span) {
  bool has_ball = false;
  std::size_t freedoms = 0;
  for (const MjcfJoint& joint : joints) {
    const Span where = joint.element.span;
    if (joint.type == "free" && (joints.size() > 1 || parent.moves)) {
      add("L0708", where,
          joints.size() > 1 ? "a free joint stands beside others"
                            : "a free joint in a body that others carry",
          "a body with a free joint has no other, and stands in the world");
      return false;
    }
    if (has_ball && (joint.type == "ball" || joint.type == "hinge")) {
      add("L0708", where, "a joint turns behind a ball in one body", "give it a body of its own");
      return false;
    }
    has_ball = has_ball || joint.type == "ball";
    freedoms += joint.type == "ball" ? 3 : 1;
  }
  if (freedoms <= 6) return true;
  add("L0708", span, fmt::format("the joints of a body move in {} ways", freedoms), "6 are possible");
  return false;
}

// ---- links for joints ---------------------------------------------------------------------------

void MjcfReader::add_free(const std::string& name, Span span, const RobotPose& origin, MjcfPlace& place,
                          const MjcfJoint& joint) {
  place.link = add_link(name, span, false);
  RobotJoint& out = add_joint(joint.element.text("name", name), RobotJointKind::floating, 0, place.link, {},
                              joint.element.span);
  out.start = origin;
  set_motion(joint, out);
}

std::size_t MjcfReader::add_chain(const std::string& name, Span span, RobotPose origin, MjcfPlace& place,
                                  const std::vector<MjcfJoint>& joints) {
  std::size_t parent = place.link;
  const auto turn = rotation_matrix(origin.turns);
  if (is_null(joints.front().pos)) {
    // the joint is at the origin of the body
  } else if (turn && is_permutation(*turn)) {
    origin.xyz = sum(origin.xyz, turned_vector(*turn, joints.front().pos));
  } else {
    const std::size_t rest = add_link(name + "_place", span, true);
    add_joint(name + "_place_weld", RobotJointKind::fixed, parent, rest, std::move(origin), span);
    parent = rest;
    origin = {joints.front().pos, {}};
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const MjcfJoint& from = joints[i];
    const bool last = i + 1 == joints.size();
    if (i > 0) origin = {sum(from.pos, negative(joints[i - 1].pos)), {}};
    const std::string wanted = from.element.text("name", name + "_" + from.type);
    if (from.element.has("name") && joint_names_.contains(wanted))
      add("L0705", from.element.find("name")->span, fmt::format("a second joint `{}`", quoted(wanted)),
          "each joint has a name of its own");
    const std::size_t child = add_link(last ? name : name + "_" + wanted, span, !last);
    const RobotJointKind kind = from.type == "slide"  ? RobotJointKind::prismatic
                                : from.type == "ball" ? RobotJointKind::ball
                                                      : RobotJointKind::continuous;
    RobotJoint& joint = add_joint(wanted, kind, parent, child, std::move(origin), from.element.span);
    joint.axis = from.axis;
    set_motion(from, joint);
    parent = child;
  }
  place.link = parent;
  place.shift = negative(joints.back().pos);
  return parent;
}

void MjcfReader::set_motion(const MjcfJoint& from, RobotJoint& joint) {
  const MjcfElement& element = from.element;
  if (element.has("name")) {
    joints_[element.text("name")] = out_.joints.size() - 1;
    if (joint.kind == RobotJointKind::floating && joint.name != element.text("name"))
      add("L0705", element.find("name")->span,
          fmt::format("a second joint `{}`", quoted(element.text("name"))),
          "each joint has a name of its own");
  }
  if (element.name == "freejoint") return;
  const bool turns = from.type == "hinge";
  joint.armature = number(element, "armature");
  const auto damping = numbers(element, "damping", 1, 3);
  if (damping && dampers_) {
    joint.damping = damping->front();
    for (std::size_t k = 1; k < damping->size(); ++k)
      if (!(*damping)[k].value.is_zero())
        refuse(element.find("damping")->span, "damping by a polynomial is not read",
               "one number: damping=\"0.1\"");
  }
  const Decimal friction = number(element, "frictionloss");
  if (friction_ && !friction.value.is_zero()) {
    if (has_one_coordinate(joint.kind))
      joint.friction = friction;
    else
      note("friction of a joint with several coordinates", element.find("frictionloss")->span, true);
  }
  set_spring(element, joint);
  if (joint.kind == RobotJointKind::floating) return;
  if (turns || from.type == "slide") {
    const Decimal rest = number(element, "ref");
    joint.rest = turns ? angle(rest) : rest;
    if (const auto range = range_of(element, "limited", "range"); range && limits_) {
      joint.lower = turns ? angle((*range)[0]) : (*range)[0];
      joint.upper = turns ? angle((*range)[1]) : (*range)[1];
    }
  } else if (is_limited(element, "limited", "range") && limits_) {
    note("the limit of a ball joint", element.find("range")->span, true);
  }
  if (has_one_coordinate(joint.kind))
    joint.motor_range = range_of(element, "actuatorfrclimited", "actuatorfrcrange");
  if (is_true(element, "actuatorgravcomp", false))
    note("weight that motors hold up", element.find("actuatorgravcomp")->span, true);
}

void MjcfReader::set_spring(const MjcfElement& element, RobotJoint& joint) {
  if (const auto both = numbers(element, "springdamper", 2, 2); both && !(*both)[0].value.is_zero())
    refuse(element.find("springdamper")->span, "`springdamper` is not read: MuJoCo computes a spring of it",
           "mujoco.mj_saveLastXML writes stiffness and damping");
  const auto stiffness = numbers(element, "stiffness", 1, 3);
  if (!stiffness || !springs_) return;
  const Span where = element.find("stiffness")->span;
  for (std::size_t k = 1; k < stiffness->size(); ++k)
    if (!(*stiffness)[k].value.is_zero())
      refuse(where, "stiffness by a polynomial is not read", "one number: stiffness=\"10\"");
  if (stiffness->front().value.is_zero()) return;
  if (!has_one_coordinate(joint.kind)) {
    refuse(where, fmt::format("the spring of a joint that is {} is not read", name_of(joint.kind)),
           "leave it out, and write `spring` or `bushing` in the model");
    return;
  }
  joint.stiffness = stiffness->front();
  const Decimal relaxed = number(element, "springref");
  joint.relaxed = joint.kind == RobotJointKind::continuous ? angle(relaxed) : relaxed;
}

}  // namespace liaison::robot
