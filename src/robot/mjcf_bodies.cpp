#include <fmt/format.h>

#include "mjcf_reader.hpp"

/// Bodies of a model of MuJoCo as links.
namespace liaison::robot {

namespace {

constexpr int deepest = 200;

const std::vector<std::string>& body_elements() {
  static const std::vector<std::string> names = words_of(
      "body frame inertial joint freejoint geom site camera light attach replicate composite flexcomp "
      "plugin");
  return names;
}

}  // namespace

void MjcfReader::read_world(const XmlElement& xml) {
  checked(xml);
  MjcfBody world{"world", {}, {}, xml.span};
  for (const XmlElement& child : xml.children)
    if (child.name == "inertial" || child.name == "joint" || child.name == "freejoint")
      add("L0711", child.span, fmt::format("<worldbody> has no element <{}>", child.name),
          "the world does not move: it belongs into a <body>");
  if (!out_.ok()) return;
  const MjcfPlace place{0, {}, "main", false};
  read_content(xml, place, world, 0);
  read_bodies(xml, place, world, 0);
}

void MjcfReader::read_content(const XmlElement& xml, const MjcfPlace& place, MjcfBody& body, int depth) {
  for (const XmlElement& child : xml.children) {
    if (child.name == "frame") {
      if (const auto inner = frame_place(child, place, body, depth + 1))
        read_content(child, *inner, body, depth + 1);
    } else if (child.name == "geom") {
      read_geom(child, place, body);
    } else if (child.name == "inertial") {
      body.inertial = read_inertial(child, place);
    } else if (child.name == "site") {
      read_site(child, place);
    } else if (child.name != "joint" && child.name != "freejoint" && child.name != "body") {
      read_other(child, body);
    }
  }
}

/// Behind what the body itself has.
void MjcfReader::read_bodies(const XmlElement& xml, const MjcfPlace& place, MjcfBody& body, int depth) {
  for (const XmlElement& child : xml.children) {
    if (child.name == "body") {
      read_body(child, place, depth + 1);
    } else if (child.name == "frame") {
      if (const auto inner = frame_place(child, place, body, depth + 1))
        read_bodies(child, *inner, body, depth + 1);
    }
  }
}

void MjcfReader::read_other(const XmlElement& xml, const MjcfBody& body) {
  const std::string hint = "mujoco.mj_saveLastXML writes the model with what it stands for";
  if (xml.name == "camera" || xml.name == "light") return;
  if (xml.name == "plugin") {
    note("a plugin", xml.span, true);
  } else if (xml.name == "attach" || xml.name == "replicate") {
    refuse(xml.span, fmt::format("<{}> is not read: it makes bodies of others", xml.name), hint);
  } else if (xml.name == "composite" || xml.name == "flexcomp") {
    refuse(xml.span, fmt::format("<{}> is not read: it is made of many bodies", xml.name), hint);
  } else {
    unknown_element(xml, body.name == "world" ? "worldbody" : "body", body_elements());
  }
}

void MjcfReader::read_body(const XmlElement& xml, const MjcfPlace& parent, int depth) {
  const MjcfElement element = checked(xml);
  if (depth > deepest) {
    refuse(xml.span, "bodies stand too deep in each other", "200 of them are read");
    return;
  }
  MjcfBody body{element.text("name"), {}, {}, xml.span};
  if (body.name.empty()) body.name = fmt::format("body{}", bodies_.size());
  if (bodies_.contains(body.name)) {
    add("L0705", element.has("name") ? element.find("name")->span : xml.span,
        fmt::format("a second body `{}`", quoted(body.name)), "each body has a name of its own");
    return;
  }
  MjcfPlace place{0, {}, element.text("childclass", parent.class_name), parent.moves};
  if (element.has("childclass") && !classes_.contains(place.class_name)) {
    class_of({element.name, element.find("childclass")->span, {}}, place.class_name);
    return;
  }
  RobotPose origin = pose(element, parent);
  std::vector<MjcfJoint> joints;
  collect_joints(xml, place.class_name, {}, joints, 0);
  if (!out_.ok() || !check_joints(joints, parent, xml.span)) return;
  if (is_true(element, "mocap", false))
    note("the motion of a mocap body, which stays where it is", element.find("mocap")->span, true);
  place.moves = parent.moves || !joints.empty();
  if (joints.empty()) {
    place.link = add_link(body.name, xml.span, false);
    add_joint(body.name + "_weld", RobotJointKind::fixed, parent.link, place.link, std::move(origin),
              xml.span);
  } else if (joints.front().type == "free") {
    if (parent.link != 0) {
      refuse(xml.span, "a free body in a body or frame that stays is not read",
             "put it into the world itself");
      return;
    }
    add_free(body.name, xml.span, origin, place, joints.front());
  } else {
    place.link = parent.link;
    add_chain(body.name, xml.span, std::move(origin), place, joints);
  }
  bodies_[body.name] = place.link;
  origins_[body.name] = place.shift;
  out_.links[place.link].lift = number(element, "gravcomp");
  read_content(xml, place, body, depth);
  if (out_.ok() && (place.moves || total_mass_)) add_masses(body, place);
  read_bodies(xml, place, body, depth);
}

/// The axes of a frame, made when it is met first; nothing where it is wrong.
std::optional<MjcfPlace> MjcfReader::frame_place(const XmlElement& xml, const MjcfPlace& place,
                                                 const MjcfBody& body, int depth) {
  if (const auto known = frames_.find(&xml); known != frames_.end()) return known->second;
  const MjcfElement element = checked(xml);
  if (depth > deepest) {
    refuse(xml.span, "frames stand too deep in each other", "200 of them are read");
    return std::nullopt;
  }
  RobotPose origin = pose(element, place);
  MjcfPlace inner = place;
  inner.class_name = element.text("childclass", place.class_name);
  if (element.has("childclass") && !classes_.contains(inner.class_name)) {
    class_of({element.name, element.find("childclass")->span, {}}, inner.class_name);
    return std::nullopt;
  }
  if (origin.turns.empty()) {
    inner.shift = origin.xyz;
  } else {
    const std::string name = element.text("name", body.name + "_frame");
    inner.link = add_link(name, xml.span, true);
    inner.shift = {};
    add_joint(name + "_weld", RobotJointKind::fixed, place.link, inner.link, std::move(origin), xml.span);
  }
  return frames_[&xml] = std::move(inner);
}

void MjcfReader::read_site(const XmlElement& xml, const MjcfPlace& place) {
  const MjcfElement element = with_class(xml, place.class_name);
  MjcfSite site{place.link, pose(element, place)};
  if (const auto ends = numbers(element, "fromto", 6, 6)) {
    DecimalVector back;
    for (std::size_t k = 0; k < 3; ++k) {
      const Decimal &from = (*ends)[k], &to = (*ends)[k + 3];
      site.pose.xyz[k] = sum(plain((from.value + to.value) / 2), place.shift[k]);
      back[k] = plain(from.value - to.value);
    }
    site.pose.turns = turns_to(back);
  }
  if (element.has("name")) sites_[element.text("name")] = std::move(site);
}

RobotInertia MjcfReader::read_inertial(const XmlElement& xml, const MjcfPlace& place) {
  const MjcfElement element = checked(xml);
  RobotInertia out;
  for (const char* needed : {"pos", "mass"})
    if (!element.has(needed))
      add("L0704", xml.span, fmt::format("the inertial has no `{}`", needed),
          "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>");
  out.origin = pose(element, place);
  out.mass = number(element, "mass");
  if (const auto full = numbers(element, "fullinertia", 6, 6)) {
    out.xx = (*full)[0];
    out.yy = (*full)[1];
    out.zz = (*full)[2];
    out.xy = (*full)[3];
    out.xz = (*full)[4];
    out.yz = (*full)[5];
    if (!out.origin.turns.empty() || element.has("diaginertia"))
      add("L0706", element.find("fullinertia")->span,
          "`fullinertia` stands on the axes of the body, and alone",
          "leave the orientation and `diaginertia` out");
  } else if (const auto moments = numbers(element, "diaginertia", 3, 3)) {
    out.xx = (*moments)[0];
    out.yy = (*moments)[1];
    out.zz = (*moments)[2];
  }
  if (out.mass.value.sign() < 0)
    add("L0706", element.find("mass")->span, fmt::format("a mass is negative: {}", out.mass.text),
        "a mass is positive, or 0");
  return out;
}

/// What <compiler> would change.
void MjcfReader::check_inertia(const RobotInertia& inertia, Span span) {
  const std::string hint = "mujoco.mj_saveLastXML writes the model with the masses that it has";
  if (inertia.mass.value < least_mass_.value && !inertia.mass.times_pi)
    refuse(span, fmt::format("the mass is raised to {} by `boundmass`, which is not read", least_mass_.text),
           hint);
  for (const Decimal* moment : {&inertia.xx, &inertia.yy, &inertia.zz}) {
    if (moment->value >= least_inertia_.value || moment->times_pi) continue;
    refuse(span,
           fmt::format("a moment of inertia is raised to {} by `boundinertia`, which is not read",
                       least_inertia_.text),
           hint);
    break;
  }
  const Rational &a = inertia.xx.value, &b = inertia.yy.value, &c = inertia.zz.value;
  if (balances_ && (a + b < c || b + c < a || c + a < b))
    refuse(span, "moments of inertia are changed by `balanceinertia`, which is not read", hint);
}

}  // namespace liaison::robot
