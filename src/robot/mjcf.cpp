#include "liaison/robot/mjcf.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mjcf_reader.hpp"
#include "robot_tree.hpp"

namespace liaison {

namespace robot {

namespace {

constexpr std::size_t most_files = 1000;

/// Spans of an included file lie behind those of the files before it.
void move_spans(XmlElement& element, std::size_t by) {
  element.span.begin += by;
  element.span.end += by;
  for (XmlElement& child : element.children) move_spans(child, by);  // XML is at most 256 deep
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

}  // namespace

MjcfReader::MjcfReader(const Source& source, const RobotFileLoader& load, RobotModel& out)
    : files_(source), load_(load), out_(out), numbers_(out.problems) {
  out_.gravity[2] = {"-9.81", Rational(-981, 100)};
  out_.root_may_float = false;
}

void MjcfReader::read(XmlElement root) {
  if (expand(root)) read_sections(root);
  if (out_.ok()) order_tree(out_);
  for (const std::string& what : notes_in_order_) {
    const Counted& counted = notes_.at(what);
    const std::string many = counted.count == 1 ? what : fmt::format("{}, {} times", what, counted.count);
    (counted.moves ? out_.missing : out_.left_out)
        .push_back(fmt::format("{} ({})", many, files_.place(counted.first)));
  }
  files_.settle(out_);
}

// ---- what is included ---------------------------------------------------------------------------

bool MjcfReader::expand(XmlElement& root) {
  struct Level {
    XmlElement* element;
    std::string folder;
  };
  std::vector<Level> waiting{{&root, ""}};
  while (!waiting.empty()) {
    const Level level = waiting.back();
    waiting.pop_back();
    std::vector<XmlElement> children;
    std::vector<std::string> folders;
    for (XmlElement& child : level.element->children) {
      if (child.name == "include") {
        if (!include(child, level.folder, children)) return false;
        folders.resize(children.size(), level.folder + folder_of(*child.attribute("file")));
      } else {
        children.push_back(std::move(child));
        folders.push_back(level.folder);
      }
    }
    level.element->children = std::move(children);
    for (std::size_t i = 0; i < level.element->children.size(); ++i)
      waiting.push_back({&level.element->children[i], folders[i]});
  }
  return true;
}

bool MjcfReader::include(XmlElement& element, const std::string& folder, std::vector<XmlElement>& children) {
  const MjcfElement view = checked(element);
  const std::string path = view.text("file");
  const Span where = view.find("file") == nullptr ? element.span : view.find("file")->span;
  if (path.empty()) {
    add("L0704", element.span, "<include> has no `file`", "<include file=\"arm.xml\"/>");
    return false;
  }
  std::string used = path;
  std::optional<std::string> text = load_ ? load_(used) : std::nullopt;
  if (!text && !folder.empty() && load_) text = load_(used = folder + path);
  if (!text) {
    add("L0713", where, fmt::format("the file `{}` cannot be read", quoted(path)),
        "its name is seen from the folder of the model");
    return false;
  }
  if (!included_.insert(used).second || included_.size() > most_files) {
    add("L0713", where, fmt::format("the file `{}` is included a second time", quoted(path)),
        "MuJoCo includes each file once");
    return false;
  }
  auto source = std::make_shared<const Source>(used, std::move(*text));
  XmlDocument document = read_xml(*source);
  const std::size_t begin = files_.add(source);
  for (Diagnostic& problem : document.problems) {
    problem.span.begin += begin;
    problem.span.end += begin;
    out_.problems.push_back(std::move(problem));
  }
  if (!out_.ok()) return false;
  move_spans(document.root, begin);
  // What the included file includes is met when its elements are.
  XmlElement holder{"mujoco", {}, std::move(document.root.children), document.root.span};
  std::vector<XmlElement> inner;
  for (XmlElement& child : holder.children) {
    if (child.name != "include") {
      inner.push_back(std::move(child));
    } else if (!include(child, folder + folder_of(path), inner)) {
      return false;
    }
  }
  for (XmlElement& child : inner) children.push_back(std::move(child));
  return true;
}

// ---- sections -----------------------------------------------------------------------------------

void MjcfReader::read_sections(const XmlElement& root) {
  out_.name = checked(root).text("model");
  out_.links.push_back({"world", {}, {}, false, root.span, false, {}});
  link_names_.insert("world");
  bodies_["world"] = 0;
  classes_["main"];
  const auto each = [&](const std::string& name, const auto& action) {
    for (const XmlElement& section : root.children)
      if (section.name == name) action(section);
  };
  for (const XmlElement& section : root.children) note_section(section);
  each("compiler", [&](const XmlElement& section) { read_compiler(section); });
  each("option", [&](const XmlElement& section) { read_option(section); });
  each("default", [&](const XmlElement& section) { read_default(section, ""); });
  each("asset", [&](const XmlElement& section) { read_assets(section); });
  each("worldbody", [&](const XmlElement& section) { read_world(section); });
  if (!out_.ok()) return;
  each("equality", [&](const XmlElement& section) { read_equality(section); });
  each("actuator", [&](const XmlElement& section) {
    for (const XmlElement& actuator : section.children) read_actuator(actuator);
  });
  if (total_mass_) scale_masses();
  if (colliding_ > 1 && contacts_)
    note(fmt::format("contacts of {} geoms", colliding_), *first_colliding_, true);
}

/// One factor, by which the sum of all masses is the given one.
void MjcfReader::scale_masses() {
  std::string masses;
  for (const RobotLink& link : out_.links)
    if (link.inertia) masses += (masses.empty() ? "" : " + ") + link.inertia->mass.text;
  if (masses.empty()) return;
  out_.lets.emplace_back("mass_scale", fmt::format("{}/({})", total_mass_->text, masses));
  for (RobotLink& link : out_.links) {
    if (!link.inertia) continue;
    RobotInertia& inertia = *link.inertia;
    for (Decimal* number :
         {&inertia.mass, &inertia.xx, &inertia.xy, &inertia.xz, &inertia.yy, &inertia.yz, &inertia.zz})
      if (!number->value.is_zero()) number->text += "*mass_scale";
  }
}

void MjcfReader::note_section(const XmlElement& xml) {
  if (std::find(known_sections().begin(), known_sections().end(), xml.name) == known_sections().end()) {
    unknown_element(xml, "mujoco", known_sections());
    return;
  }
  if (xml.name == "deformable" && !xml.children.empty()) {
    for (const XmlElement& child : xml.children) {
      if (child.name != "skin")
        refuse(child.span, fmt::format("<{}> is not read: it is a body that bends", quoted(child.name)),
               "leave it out, or take bodies and springs in its place");
    }
  }
  for (const XmlElement& child : xml.children) {
    if (xml.name == "tendon") note(child.name == "fixed" ? "a fixed tendon" : "a tendon", child.span, true);
    if (xml.name == "sensor") note("a sensor", child.span, false);
    if (xml.name == "keyframe") note("a keyframe", child.span, false);
  }
}

void MjcfReader::read_compiler(const XmlElement& xml) {
  const MjcfElement element = checked(xml);
  if (element.has("angle")) degrees_ = element.text("angle") != "radian";
  autolimits_ = is_true(element, "autolimits", autolimits_);
  balances_ = is_true(element, "balanceinertia", balances_);
  meshdir_ = element.text("meshdir", element.text("assetdir", meshdir_));
  exact_meshes_ = is_true(element, "exactmeshinertia", exact_meshes_);
  if (element.text("coordinate") == "global")
    refuse(element.find("coordinate")->span, "places on the axes of the world are not read",
           "MuJoCo does so neither: its version 2.3.3 writes them on the axes of bodies");
  if (const MjcfAttribute* order = element.find("eulerseq")) {
    if (order->value.size() == 3 && order->value.find_first_not_of("xyzXYZ") == std::string::npos)
      order_ = order->value;
    else
      add("L0706", order->span, fmt::format("`{}` is no order of turns", quoted(order->value)),
          "eulerseq=\"xyz\": three letters, large ones for axes that stay");
  }
  read_inertia_settings(element);
}

void MjcfReader::read_inertia_settings(const MjcfElement& element) {
  inertia_from_geoms_ = element.text("inertiafromgeom", inertia_from_geoms_);
  least_mass_ = number(element, "boundmass", least_mass_);
  least_inertia_ = number(element, "boundinertia", least_inertia_);
  if (const auto groups = numbers(element, "inertiagrouprange", 2, 2)) {
    lowest_group_ = (*groups)[0].value;
    highest_group_ = (*groups)[1].value;
  }
  if (const Decimal total = number(element, "settotalmass"); total.value.sign() > 0) {
    total_mass_ = total;
  }
}

void MjcfReader::read_option(const XmlElement& xml) {
  const MjcfElement element = checked(xml);
  out_.gravity = vector(element, "gravity", out_.gravity);
  for (const char* attribute : {"density", "viscosity"})
    if (!number(element, attribute).value.is_zero())
      note("the resistance of a fluid", element.find(attribute)->span, true);
  for (const char* attribute : {"timestep", "integrator"})
    if (element.has(attribute))
      note(fmt::format("`{}`; `liaison simulate` has its own", attribute), element.find(attribute)->span,
           false);
  if (const auto groups = numbers(element, "actuatorgroupdisable", 0, 31))
    for (const Decimal& group : *groups)
      disabled_groups_.push_back(static_cast<std::size_t>(abs(group.value).to_long().value_or(31)));
  for (const XmlElement& child : xml.children)
    if (child.name == "flag") read_flags(child);
}

void MjcfReader::read_flags(const XmlElement& xml) {
  const auto set = [&](const char* attribute, std::initializer_list<bool*> targets) {
    const std::string* value = xml.attribute(attribute);
    if (value == nullptr || *value != "disable") return;
    for (bool* target : targets) *target = false;
  };
  set("spring", {&springs_});
  set("damper", {&dampers_});
  set("passive", {&springs_, &dampers_});
  set("frictionloss", {&friction_});
  set("equality", {&equalities_});
  set("contact", {&contacts_});
  set("limit", {&limits_});
  set("constraint", {&friction_, &equalities_, &contacts_, &limits_});
  set("actuation", {&actuation_});
  if (const std::string* gravity = xml.attribute("gravity"); gravity != nullptr && *gravity == "disable")
    out_.gravity = {};
}

void MjcfReader::read_default(const XmlElement& xml, const std::string& parent) {
  const MjcfElement element = checked(xml);
  const std::string name = parent.empty() ? "main" : element.text("class");
  if (name.empty() || (!parent.empty() && classes_.contains(name))) {
    add("L0705", xml.span,
        name.empty() ? "a class has no name" : fmt::format("a second class `{}`", quoted(name)),
        "<default class=\"arm\">");
    return;
  }
  if (!parent.empty()) classes_[name] = classes_.at(parent);
  for (const XmlElement& child : xml.children) {
    if (child.name == "default") continue;
    if (is_actuator(child.name)) {
      classes_[name].actuators.push_back(checked(child));
      continue;
    }
    const MjcfElement values = checked(child);
    auto& target = classes_[name].attributes[child.name];
    const bool turns =
        values.has("axisangle") || values.has("xyaxes") || values.has("zaxis") || values.has("euler");
    if (turns)
      for (const char* other : {"axisangle", "xyaxes", "zaxis", "euler"}) target.erase(other);
    for (const auto& [attribute, value] : values.attributes) target[attribute] = value;
  }
  for (const XmlElement& child : xml.children)
    if (child.name == "default") read_default(child, name);
}

void MjcfReader::read_assets(const XmlElement& xml) {
  for (const XmlElement& child : xml.children) {
    if (child.name == "model")
      refuse(child.span, "models as assets are not read",
             "mujoco.mj_saveLastXML writes the model with all that is attached");
    if (child.name != "mesh") continue;
    const MjcfElement mesh = with_class(child, "main");
    std::string name = mesh.text("name");
    if (name.empty()) {
      name = mesh.text("file").substr(folder_of(mesh.text("file")).size());
      name = name.substr(0, name.find_last_of('.'));
    }
    meshes_[name] = mesh;
  }
}

}  // namespace robot

RobotModel read_mjcf(const Source& source, const RobotFileLoader& load) {
  RobotModel out;
  robot::XmlDocument document = robot::read_xml(source);
  out.problems = std::move(document.problems);
  if (!out.ok()) return out;
  robot::MjcfReader(source, load, out).read(std::move(document.root));
  return out;
}

}  // namespace liaison
