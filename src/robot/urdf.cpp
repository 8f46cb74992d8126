#include "liaison/robot/urdf.hpp"

#include <fmt/format.h>

#include <map>

#include "number_reader.hpp"
#include "numbers.hpp"
#include "robot_tree.hpp"
#include "xml_tree.hpp"

namespace liaison {

namespace {

using robot::quoted;
using robot::words_of;
using robot::XmlElement;

constexpr std::array kinds{
    std::pair{RobotJointKind::revolute, "revolute"},   std::pair{RobotJointKind::continuous, "continuous"},
    std::pair{RobotJointKind::prismatic, "prismatic"}, std::pair{RobotJointKind::fixed, "fixed"},
    std::pair{RobotJointKind::floating, "floating"},   std::pair{RobotJointKind::planar, "planar"}};

/// Elements of a robot file, one after the other; what is wrong is kept, and reading goes on.
class UrdfReader {
 public:
  UrdfReader(const Source& source, RobotModel& out) : source_(source), out_(out), numbers_(out.problems) {}

  void read(const XmlElement& root) {
    if (refuse_xacro(root)) return;
    if (root.name != "robot") {
      add("L0702", root.span, fmt::format("this is no robot file: it begins with <{}>", quoted(root.name)),
          root.name == "sdf" ? "convert it to URDF first; the first element there is <robot>"
                             : "the first element of a robot file is <robot name=\"...\">");
      return;
    }
    if (const std::string* name = root.attribute("name")) out_.name = *name;
    for (const XmlElement& element : root.children) {
      if (element.name == "link") read_link(element);
    }
    if (out_.links.empty() && out_.problems.empty())
      add("L0702", root.span, "the robot has no links", "<link name=\"base\"/> is one");
    std::vector<const XmlElement*> mimics;  // of each joint
    for (const XmlElement& element : root.children) {
      if (element.name == "joint" && read_joint(element)) mimics.push_back(element.child("mimic"));
    }
    if (!out_.ok()) return;  // joints that are wrong have no place among the others
    for (std::size_t i = 0; i < mimics.size(); ++i) {
      if (mimics[i] != nullptr) read_mimic(*mimics[i], out_.joints[i]);
    }
  }

 private:
  void add(std::string code, Span span, std::string message, std::string hint) {
    numbers_.add(std::move(code), span, std::move(message), std::move(hint));
  }

  /// Whether a file is the source of another, with macros and formulas in it. Looks at all elements.
  bool refuse_xacro(const XmlElement& root) {
    const std::string hint = "`xacro FILE.urdf.xacro > FILE.urdf` writes what it means";
    std::vector<const XmlElement*> waiting{&root};
    while (!waiting.empty()) {
      const XmlElement& element = *waiting.back();
      waiting.pop_back();
      if (element.name.starts_with("xacro:")) {
        add("L0703", element.span, fmt::format("<{}> is xacro that is not expanded", quoted(element.name)),
            hint);
        return true;
      }
      for (const auto& [name, value] : element.attributes) {
        if (value.find("${") == std::string::npos && value.find("$(") == std::string::npos) continue;
        add("L0703", span_of(source_, element, name),
            fmt::format("`{}` is xacro that is not expanded", quoted(value)), hint);
        return true;
      }
      for (const XmlElement& inner : element.children) waiting.push_back(&inner);
    }
    return false;
  }

  /// An attribute that must be there; nullptr where it is not.
  const std::string* need(const XmlElement& element, const std::string& attribute, const std::string& what) {
    const std::string* value = element.attribute(attribute);
    if (value != nullptr && !words_of(*value).empty()) return value;
    add("L0704", element.span, fmt::format("{} has no `{}`", what, attribute),
        fmt::format("<{} {}=\"...\">", quoted(element.name), attribute));
    return nullptr;
  }

  /// A number; `fallback` where the attribute is not there.
  Decimal number(const XmlElement& element, const std::string& attribute, Decimal fallback = {}) {
    const std::string* text = element.attribute(attribute);
    if (text == nullptr) return fallback;
    return numbers_.number(*text, span_of(source_, element, attribute), attribute, std::move(fallback));
  }

  Decimal needed_number(const XmlElement& element, const std::string& attribute, const std::string& what) {
    return need(element, attribute, what) == nullptr ? Decimal{} : number(element, attribute);
  }

  DecimalVector vector(const XmlElement& element, const std::string& attribute, DecimalVector fallback = {}) {
    const std::string* text = element.attribute(attribute);
    if (text == nullptr) return fallback;
    return numbers_.vector(*text, span_of(source_, element, attribute), attribute, std::move(fallback));
  }

  RobotPose pose(const XmlElement& element) {
    const XmlElement* origin = element.child("origin");
    if (origin == nullptr) return {};
    RobotPose out{vector(*origin, "xyz"), {}};
    const DecimalVector rpy = vector(*origin, "rpy");  // R = Rz(yaw) Ry(pitch) Rx(roll)
    for (const std::size_t i : {2U, 1U, 0U}) {
      if (!rpy[i].value.is_zero()) out.turns.push_back(robot::turn_about(static_cast<char>('x' + i), rpy[i]));
    }
    return out;
  }

  void read_link(const XmlElement& element) {
    const std::string* name = need(element, "name", "a link");
    if (name == nullptr) return;
    if (!links_.emplace(*name, out_.links.size()).second) {
      add("L0705", span_of(source_, element, "name"), fmt::format("a second link `{}`", quoted(*name)),
          "each link has a name of its own");
      return;
    }
    RobotLink link{*name, {}, {}, false, element.span, false, {}};
    read_shapes(element, link);
    if (const XmlElement* inertial = element.child("inertial")) link.inertia = read_inertia(*inertial, *name);
    out_.links.push_back(std::move(link));
  }

  void read_shapes(const XmlElement& element, RobotLink& link) {
    for (const XmlElement& visual : element.children) {
      if (visual.name != "visual") continue;
      if (auto shape = read_shape(visual)) {
        link.shapes.push_back(std::move(*shape));
      } else {
        link.has_other_shapes = true;
      }
    }
    if (link.shapes.empty() && element.child("collision") != nullptr) link.has_other_shapes = true;
  }

  /// Nothing where no geometry is given that is known, with sizes that are positive.
  std::optional<RobotShape> read_shape(const XmlElement& visual) {
    const XmlElement* geometry = visual.child("geometry");
    if (geometry == nullptr) return std::nullopt;
    RobotShape out;
    out.origin = pose(visual);
    const auto is_given = [&](const XmlElement* kind, const char* attribute) {
      return kind != nullptr && kind->attribute(attribute) != nullptr;
    };
    if (const XmlElement* box = geometry->child("box"); is_given(box, "size")) {
      const DecimalVector sides = vector(*box, "size");
      out.sizes.assign(sides.begin(), sides.end());
    } else if (const XmlElement* cylinder = geometry->child("cylinder");
               is_given(cylinder, "radius") && is_given(cylinder, "length")) {
      out.kind = RobotShapeKind::cylinder;
      out.sizes = {number(*cylinder, "radius"), number(*cylinder, "length")};
    } else if (const XmlElement* sphere = geometry->child("sphere"); is_given(sphere, "radius")) {
      out.kind = RobotShapeKind::sphere;
      out.sizes = {number(*sphere, "radius")};
    } else if (const XmlElement* mesh = geometry->child("mesh"); is_given(mesh, "filename")) {
      const Decimal one{"1", 1};
      const DecimalVector scale = vector(*mesh, "scale", {one, one, one});
      out.kind = RobotShapeKind::mesh;
      out.sizes.assign(scale.begin(), scale.end());
      out.file = *mesh->attribute("filename");
      return out;
    }
    for (const Decimal& size : out.sizes)
      if (size.value.sign() <= 0) return std::nullopt;
    return out.sizes.empty() ? std::nullopt : std::optional(std::move(out));
  }

  RobotInertia read_inertia(const XmlElement& element, const std::string& link) {
    const std::string what = fmt::format("the inertial of `{}`", quoted(link));
    RobotInertia out;
    out.origin = pose(element);
    const XmlElement* mass = element.child("mass");
    const XmlElement* inertia = element.child("inertia");
    if (mass == nullptr || inertia == nullptr) {
      add("L0704", element.span, fmt::format("{} has no <{}>", what, mass == nullptr ? "mass" : "inertia"),
          mass == nullptr ? "<mass value=\"1\"/>"
                          : "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/>");
      return out;
    }
    out.mass = needed_number(*mass, "value", "the mass of `" + quoted(link) + "`");
    if (out.mass.value.sign() < 0)
      add("L0706", span_of(source_, *mass, "value"),
          fmt::format("the mass of `{}` is negative: {}", quoted(link), out.mass.text),
          "a mass is positive, or 0");
    const std::string of = "the inertia of `" + quoted(link) + "`";
    out.xx = needed_number(*inertia, "ixx", of);
    out.yy = needed_number(*inertia, "iyy", of);
    out.zz = needed_number(*inertia, "izz", of);
    out.xy = number(*inertia, "ixy");
    out.xz = number(*inertia, "ixz");
    out.yz = number(*inertia, "iyz");
    return out;
  }

  /// The link that a joint names by <parent link="..."/> or <child link="..."/>.
  std::optional<std::size_t> end_of(const XmlElement& joint, const std::string& end,
                                    const std::string& what) {
    const XmlElement* element = joint.child(end);
    if (element == nullptr) {
      add("L0704", joint.span, fmt::format("{} has no {}", what, end),
          fmt::format("<{} link=\"...\"/>", end));
      return std::nullopt;
    }
    const std::string* name = need(*element, "link", fmt::format("the {} of {}", end, what));
    if (name == nullptr) return std::nullopt;
    const auto found = links_.find(*name);
    if (found != links_.end()) return found->second;
    add("L0707", span_of(source_, *element, "link"),
        fmt::format("the {} of {} is `{}`, and there is no such link", end, what, quoted(*name)),
        hint_for(*name, links_, "links"));
    return std::nullopt;
  }

  static std::string hint_for(const std::string& name, const std::map<std::string, std::size_t>& known,
                              const std::string& what) {
    std::vector<std::string> names;
    for (const auto& entry : known) names.push_back(entry.first);
    return robot::hint_for(name, std::move(names), what);
  }

  bool read_joint(const XmlElement& element) {
    const std::string* name = need(element, "name", "a joint");
    if (name == nullptr) return false;
    const std::string what = fmt::format("the joint `{}`", quoted(*name));
    if (joints_.contains(*name)) {
      add("L0705", span_of(source_, element, "name"), fmt::format("a second joint `{}`", quoted(*name)),
          "each joint has a name of its own");
      return false;
    }
    RobotJoint joint;
    joint.name = *name;
    joint.span = element.span;
    const bool known = read_kind(element, what, joint.kind);
    const auto parent = end_of(element, "parent", what), child = end_of(element, "child", what);
    joint.origin = pose(element);
    read_motion(element, what, joint);
    joints_.emplace(*name, out_.joints.size());
    joint.parent = parent.value_or(0);
    joint.child = child.value_or(0);
    out_.joints.push_back(std::move(joint));
    return known && parent && child;  // else there is a problem, and mimics are not looked at
  }

  bool read_kind(const XmlElement& element, const std::string& what, RobotJointKind& out) {
    const std::string* type = need(element, "type", what);
    if (type == nullptr) return false;
    std::vector<std::string> names;
    for (const auto& [kind, name] : kinds) {
      names.emplace_back(name);
      if (*type != name) continue;
      out = kind;
      return true;
    }
    const auto nearest = nearest_name(*type, names);
    add("L0708", span_of(source_, element, "type"),
        fmt::format("{} is `{}`, and there is no such kind of joint", what, quoted(*type)),
        nearest ? fmt::format("did you mean `{}`?", *nearest)
                : fmt::format("the kinds are {}", fmt::join(names, ", ")));
    return false;
  }

  void read_motion(const XmlElement& element, const std::string& what, RobotJoint& joint) {
    joint.axis[0] = {"1", 1};  // where no axis is given
    const XmlElement* axis = element.child("axis");
    if (axis != nullptr && need(*axis, "xyz", "the axis of " + what) != nullptr)
      joint.axis = vector(*axis, "xyz", joint.axis);
    const bool none =
        joint.axis[0].value.is_zero() && joint.axis[1].value.is_zero() && joint.axis[2].value.is_zero();
    if (none && joint.kind != RobotJointKind::fixed && joint.kind != RobotJointKind::floating)
      add("L0706", span_of(source_, *axis, "xyz"), fmt::format("the axis of {} has no direction", what),
          "xyz=\"0 0 1\"");
    if (const XmlElement* dynamics = element.child("dynamics")) {
      joint.damping = number(*dynamics, "damping");
      joint.friction = number(*dynamics, "friction");
    }
    const bool resists = !joint.damping.value.is_zero() || !joint.friction.value.is_zero();
    if (resists && joint.kind != RobotJointKind::fixed && !has_one_coordinate(joint.kind)) {
      out_.left_out.push_back(
          fmt::format("damping and friction of `{}`; of a joint that is {} they have no meaning", joint.name,
                      name_of(joint.kind)));
      joint.damping = joint.friction = {};
    }
    const XmlElement* limit = element.child("limit");
    if (limit == nullptr ||
        (joint.kind != RobotJointKind::revolute && joint.kind != RobotJointKind::prismatic))
      return;
    // One that is not given is 0 where the other is.
    if (limit->attribute("lower") == nullptr && limit->attribute("upper") == nullptr) return;
    joint.lower = number(*limit, "lower");
    joint.upper = number(*limit, "upper");
    if (joint.upper->value < joint.lower->value)
      add("L0706", limit->span,
          fmt::format("the limits of {} exclude everything: {} to {}", what, joint.lower->text,
                      joint.upper->text),
          "lower is the smaller one; one that is not written is 0");
  }

  void read_mimic(const XmlElement& element, RobotJoint& joint) {
    if (joint.kind == RobotJointKind::fixed) return;
    const std::string what = fmt::format("the joint `{}`", quoted(joint.name));
    const std::string* name = need(element, "joint", "the mimic of " + what);
    if (name == nullptr) return;
    const auto found = joints_.find(*name);
    if (found == joints_.end()) {
      add("L0707", span_of(source_, element, "joint"),
          fmt::format("{} mimics `{}`, and there is no such joint", what, quoted(*name)),
          hint_for(*name, joints_, "joints"));
      return;
    }
    const RobotJointKind other = out_.joints[found->second].kind;
    if (!has_one_coordinate(joint.kind) || (!has_one_coordinate(other) && other != RobotJointKind::fixed)) {
      add("L0708", element.span,
          fmt::format("{} mimics `{}`, and one of them has several coordinates", what, quoted(*name)),
          "joints that turn or slide can mimic each other");
      return;
    }
    joint.mimic =
        RobotMimic{found->second, number(element, "multiplier", {"1", 1}), number(element, "offset")};
  }

  const Source& source_;
  RobotModel& out_;
  robot::NumberReader numbers_;
  std::map<std::string, std::size_t> links_, joints_;
};

}  // namespace

RobotModel read_urdf(const Source& source) {
  RobotModel out;
  robot::XmlDocument document = robot::read_xml(source);
  out.problems = std::move(document.problems);
  if (!out.ok()) return out;
  out.gravity[2] = {"-9.81", Rational(-981, 100)};
  UrdfReader(source, out).read(document.root);
  if (out.ok()) robot::order_tree(out);
  return out;
}

}  // namespace liaison
