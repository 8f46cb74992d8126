#include "liaison/robot/urdf.hpp"

#include <fmt/format.h>

#include <map>

#include "expr/utf8.hpp"
#include "liaison/robot/robot_text.hpp"
#include "urdf_tree.hpp"
#include "xml_tree.hpp"

namespace liaison {

namespace {

using robot::XmlElement;

constexpr std::size_t max_problems = 20;
constexpr std::array kinds{
    std::pair{UrdfJointKind::revolute, "revolute"},   std::pair{UrdfJointKind::continuous, "continuous"},
    std::pair{UrdfJointKind::prismatic, "prismatic"}, std::pair{UrdfJointKind::fixed, "fixed"},
    std::pair{UrdfJointKind::floating, "floating"},   std::pair{UrdfJointKind::planar, "planar"}};

std::vector<std::string> words_of(const std::string& text) {
  constexpr std::string_view blank = " \t\r\n";
  std::vector<std::string> words;
  for (std::size_t at = text.find_first_not_of(blank); at != std::string::npos;
       at = text.find_first_not_of(blank, at)) {
    const std::size_t end = std::min(text.find_first_of(blank, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

/// Elements of a robot file, one after the other; what is wrong is kept, and reading goes on.
class UrdfReader {
 public:
  UrdfReader(const Source& source, UrdfModel& out) : source_(source), out_(out) {}

  void read(const XmlElement& root) {
    if (refuse_xacro(root)) return;
    if (root.name != "robot") {
      add("L0702", root.span, fmt::format("this is no robot file: it begins with <{}>", quoted(root.name)),
          root.name == "sdf" || root.name == "mujoco"
              ? "convert it to URDF first; the first element there is <robot>"
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
  static std::string quoted(const std::string& text) { return utf8::shorten(text, 40); }

  void add(std::string code, Span span, std::string message, std::string hint) {
    if (out_.problems.size() >= max_problems) return;
    out_.problems.push_back(Diagnostic{std::move(code), std::move(message), span, {}, {}, std::move(hint)});
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

  std::optional<Decimal> decimal(const XmlElement& element, const std::string& attribute,
                                 const std::string& word) {
    auto value = read_decimal(word);
    if (!value) {
      add("L0706", span_of(source_, element, attribute), fmt::format("`{}` is not a number", quoted(word)),
          word.find(',') != std::string::npos ? "a decimal point, and blanks between numbers: \"0.5 0 1\""
                                              : "numbers are decimal: 0.5, -2, 1.5e-3");
    }
    return value;
  }

  /// A number; `fallback` where the attribute is not there.
  Decimal number(const XmlElement& element, const std::string& attribute, Decimal fallback = {}) {
    const std::string* text = element.attribute(attribute);
    if (text == nullptr) return fallback;
    const std::vector<std::string> words = words_of(*text);
    if (words.size() != 1) {
      add("L0706", span_of(source_, element, attribute), fmt::format("`{}` is one number", attribute),
          fmt::format("{}=\"0.5\"", attribute));
      return fallback;
    }
    return decimal(element, attribute, words.front()).value_or(fallback);
  }

  Decimal needed_number(const XmlElement& element, const std::string& attribute, const std::string& what) {
    return need(element, attribute, what) == nullptr ? Decimal{} : number(element, attribute);
  }

  DecimalVector vector(const XmlElement& element, const std::string& attribute, DecimalVector fallback = {}) {
    const std::string* text = element.attribute(attribute);
    if (text == nullptr) return fallback;
    const std::vector<std::string> words = words_of(*text);
    if (words.size() != 3) {
      add("L0706", span_of(source_, element, attribute),
          fmt::format("`{}` has {} numbers, not 3", attribute, words.size()),
          fmt::format("{}=\"0 0 1\"", attribute));
      return fallback;
    }
    for (std::size_t i = 0; i < 3; ++i)
      fallback[i] = decimal(element, attribute, words[i]).value_or(fallback[i]);
    return fallback;
  }

  UrdfPose pose(const XmlElement& element) {
    const XmlElement* origin = element.child("origin");
    return origin == nullptr ? UrdfPose{} : UrdfPose{vector(*origin, "xyz"), vector(*origin, "rpy")};
  }

  void read_link(const XmlElement& element) {
    const std::string* name = need(element, "name", "a link");
    if (name == nullptr) return;
    if (!links_.emplace(*name, out_.links.size()).second) {
      add("L0705", span_of(source_, element, "name"), fmt::format("a second link `{}`", quoted(*name)),
          "each link has a name of its own");
      return;
    }
    UrdfLink link{*name, {}, {}, false, element.span};
    read_shapes(element, link);
    if (const XmlElement* inertial = element.child("inertial")) link.inertia = read_inertia(*inertial, *name);
    out_.links.push_back(std::move(link));
  }

  void read_shapes(const XmlElement& element, UrdfLink& link) {
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
  std::optional<UrdfShape> read_shape(const XmlElement& visual) {
    const XmlElement* geometry = visual.child("geometry");
    if (geometry == nullptr) return std::nullopt;
    UrdfShape out;
    out.origin = pose(visual);
    const auto is_given = [&](const XmlElement* kind, const char* attribute) {
      return kind != nullptr && kind->attribute(attribute) != nullptr;
    };
    if (const XmlElement* box = geometry->child("box"); is_given(box, "size")) {
      const DecimalVector sides = vector(*box, "size");
      out.sizes.assign(sides.begin(), sides.end());
    } else if (const XmlElement* cylinder = geometry->child("cylinder");
               is_given(cylinder, "radius") && is_given(cylinder, "length")) {
      out.kind = UrdfShapeKind::cylinder;
      out.sizes = {number(*cylinder, "radius"), number(*cylinder, "length")};
    } else if (const XmlElement* sphere = geometry->child("sphere"); is_given(sphere, "radius")) {
      out.kind = UrdfShapeKind::sphere;
      out.sizes = {number(*sphere, "radius")};
    } else if (const XmlElement* mesh = geometry->child("mesh"); is_given(mesh, "filename")) {
      const Decimal one{"1", 1};
      const DecimalVector scale = vector(*mesh, "scale", {one, one, one});
      out.kind = UrdfShapeKind::mesh;
      out.sizes.assign(scale.begin(), scale.end());
      out.file = *mesh->attribute("filename");
      return out;
    }
    for (const Decimal& size : out.sizes)
      if (size.value.sign() <= 0) return std::nullopt;
    return out.sizes.empty() ? std::nullopt : std::optional(std::move(out));
  }

  UrdfInertia read_inertia(const XmlElement& element, const std::string& link) {
    const std::string what = fmt::format("the inertial of `{}`", quoted(link));
    UrdfInertia out;
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
    const auto nearest = nearest_name(name, names);
    if (nearest) return fmt::format("did you mean `{}`?", quoted(*nearest));
    if (names.empty()) return fmt::format("there are no {}", what);
    const bool all = names.size() <= 8;
    names.resize(std::min<std::size_t>(names.size(), 8));
    for (std::string& each : names) each = quoted(each);
    return fmt::format("the {} are {}{}", what, fmt::join(names, ", "), all ? "" : ", ...");
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
    UrdfJoint joint;
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

  bool read_kind(const XmlElement& element, const std::string& what, UrdfJointKind& out) {
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

  void read_motion(const XmlElement& element, const std::string& what, UrdfJoint& joint) {
    joint.axis[0] = {"1", 1};  // where no axis is given
    const XmlElement* axis = element.child("axis");
    if (axis != nullptr && need(*axis, "xyz", "the axis of " + what) != nullptr)
      joint.axis = vector(*axis, "xyz", joint.axis);
    const bool none =
        joint.axis[0].value.is_zero() && joint.axis[1].value.is_zero() && joint.axis[2].value.is_zero();
    if (none && joint.kind != UrdfJointKind::fixed && joint.kind != UrdfJointKind::floating)
      add("L0706", span_of(source_, *axis, "xyz"), fmt::format("the axis of {} has no direction", what),
          "xyz=\"0 0 1\"");
    if (const XmlElement* dynamics = element.child("dynamics")) {
      joint.damping = number(*dynamics, "damping");
      joint.friction = number(*dynamics, "friction");
    }
    const XmlElement* limit = element.child("limit");
    if (limit == nullptr || (joint.kind != UrdfJointKind::revolute && joint.kind != UrdfJointKind::prismatic))
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

  void read_mimic(const XmlElement& element, UrdfJoint& joint) {
    if (joint.kind == UrdfJointKind::fixed) return;
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
    const UrdfJointKind other = out_.joints[found->second].kind;
    if (!has_one_coordinate(joint.kind) || (!has_one_coordinate(other) && other != UrdfJointKind::fixed)) {
      add("L0708", element.span,
          fmt::format("{} mimics `{}`, and one of them has several coordinates", what, quoted(*name)),
          "joints that turn or slide can mimic each other");
      return;
    }
    joint.mimic =
        UrdfMimic{found->second, number(element, "multiplier", {"1", 1}), number(element, "offset")};
  }

  const Source& source_;
  UrdfModel& out_;
  std::map<std::string, std::size_t> links_, joints_;
};

}  // namespace

bool UrdfInertia::is_zero() const {
  for (const Decimal* value : {&mass, &xx, &xy, &xz, &yy, &yz, &zz}) {
    if (!value->value.is_zero()) return false;
  }
  return true;
}

std::string name_of(UrdfJointKind kind) {
  for (const auto& [each, name] : kinds) {
    if (each == kind) return name;
  }
  return "fixed";
}

bool has_one_coordinate(UrdfJointKind kind) {
  return kind == UrdfJointKind::revolute || kind == UrdfJointKind::continuous ||
         kind == UrdfJointKind::prismatic;
}

UrdfModel read_urdf(const Source& source) {
  UrdfModel out;
  robot::XmlDocument document = robot::read_xml(source);
  out.problems = std::move(document.problems);
  if (!out.ok()) return out;
  UrdfReader(source, out).read(document.root);
  if (out.ok()) robot::order_tree(out);
  return out;
}

}  // namespace liaison
