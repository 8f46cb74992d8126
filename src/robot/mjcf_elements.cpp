#include "mjcf_elements.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "number_reader.hpp"

namespace liaison::robot {

const MjcfAttribute* MjcfElement::find(const std::string& attribute) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? nullptr : &found->second;
}

std::string MjcfElement::text(const std::string& attribute, const std::string& fallback) const {
  const MjcfAttribute* found = find(attribute);
  return found == nullptr ? fallback : found->value;
}

std::size_t MjcfFiles::add(std::shared_ptr<const Source> source) {
  const std::size_t begin =
      entries_.empty() ? 0 : entries_.back().begin + entries_.back().source->text().size() + 1;
  entries_.push_back({std::move(source), begin});
  return begin;
}

std::size_t MjcfFiles::index_of(Span span) const {
  std::size_t at = entries_.size() - 1;
  while (at > 0 && span.begin < entries_[at].begin) --at;
  return at;
}

std::string MjcfFiles::place(Span span) const {
  const std::size_t at = index_of(span);
  const std::size_t line = entries_[at].source->place(span.begin - entries_[at].begin).line;
  return at == 0 ? fmt::format("line {}", line) : fmt::format("{}:{}", entries_[at].source->name(), line);
}

void MjcfFiles::settle(RobotModel& model) const {
  if (model.problems.empty()) return;
  std::size_t first = entries_.size();
  for (const Diagnostic& problem : model.problems) first = std::min(first, index_of(problem.span));
  std::erase_if(model.problems, [&](const Diagnostic& problem) { return index_of(problem.span) != first; });
  for (Diagnostic& problem : model.problems) {
    problem.span.begin -= entries_[first].begin;
    problem.span.end -= entries_[first].begin;
  }
  if (first > 0) model.problem_source = entries_[first].source;
}

MjcfElement MjcfFiles::element(const XmlElement& xml) const {
  const Entry& entry = entries_[index_of(xml.span)];
  XmlElement local{xml.name, {}, {}, {xml.span.begin - entry.begin, xml.span.end - entry.begin}};
  MjcfElement out{xml.name, xml.span, {}};
  for (const auto& [name, value] : xml.attributes) {
    const Span span = span_of(*entry.source, local, name);
    out.attributes[name] = {value, {span.begin + entry.begin, span.end + entry.begin}};
  }
  return out;
}

namespace {

using Table = std::map<std::string, std::vector<std::string>>;

Table read_table() {
  const std::string orientation = " quat axisangle xyaxes zaxis euler ";
  const std::string actuator =
      " name class group nsample interp delay ctrlrange user ctrllimited forcelimited forcerange lengthrange "
      "gear damping armature cranklength joint jointinparent tendon slidersite cranksite site refsite ";
  const std::map<std::string, std::string> rows{
      {"mujoco", "model"},
      {"compiler",
       "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle fitaabb "
       "eulerseq meshdir texturedir discardvisual usethread fusestatic inertiafromgeom inertiagrouprange "
       "saveinertial assetdir alignfree conflict convexhull exactmeshinertia"},
      {"option",
       "timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance gravity wind "
       "magnetic density viscosity o_margin o_solref o_solimp o_friction integrator cone jacobian solver "
       "iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations sdf_initpoints "
       "actuatorgroupdisable apirate mpr_tolerance mpr_iterations collision"},
      {"default", "class"},
      {"worldbody", "name"},
      {"body", "name childclass pos mocap gravcomp sleep simple user" + orientation},
      {"frame", "name childclass pos" + orientation},
      {"inertial", "pos mass diaginertia fullinertia" + orientation},
      {"joint",
       "name class type group pos axis springdamper limited actuatorfrclimited solreflimit solimplimit "
       "solreffriction solimpfriction stiffness range actuatorfrcrange actuatorgravcomp margin ref springref "
       "armature damping frictionloss user"},
      {"freejoint", "name group align"},
      {"geom",
       "name class type contype conaffinity condim group priority size material friction mass density "
       "shellinertia solmix solref solimp margin gap surfacevel adhesion fromto pos hfield mesh fitscale "
       "rgba "
       "fluidshape fluidcoef user" +
           orientation},
      {"site", "name class type group pos material size fromto rgba user" + orientation},
      {"mesh",
       "name class file vertex normal face texcoord refpos refquat scale smoothnormal maxhullvert inertia "
       "content_type builtin params material octree_maxdepth"},
      {"connect", "name class active solref solimp body1 body2 anchor site1 site2"},
      {"weld", "name class active solref solimp body1 body2 relpose anchor site1 site2 torquescale"},
      {"equality joint", "name class active solref solimp joint1 joint2 polycoef"},
      {"general", actuator +
                      "actlimited actrange body actdim input velrange ffrange dyntype gaintype biastype "
                      "dynprm gainprm biasprm actearly"},
      {"motor", actuator},
      {"position", actuator + "inheritrange kp kv dampratio timeconst"},
      {"velocity", actuator + "kv"},
      {"damper", actuator + "kv"},
      {"include", "file"}};
  Table out;
  for (const auto& [element, words] : rows) out[element] = words_of(words);
  return out;
}

}  // namespace

const std::vector<std::string>* known_attributes(const std::string& element) {
  static const Table table = read_table();
  const auto found = table.find(element);
  return found == table.end() ? nullptr : &found->second;
}

bool is_actuator(const std::string& name) {
  static const std::vector<std::string> names = words_of(
      "general motor position velocity intvelocity orientation pid damper cylinder muscle adhesion "
      "dcmotor plugin");
  return std::find(names.begin(), names.end(), name) != names.end();
}

const std::vector<std::string>& known_sections() {
  static const std::vector<std::string> names = words_of(
      "compiler option size statistic visual default extension asset worldbody deformable contact "
      "tendon equality actuator sensor custom keyframe include");
  return names;
}

bool is_without_motion(const std::string& section) {
  static const std::vector<std::string> names =
      words_of("size statistic visual extension sensor custom keyframe contact");
  return std::find(names.begin(), names.end(), section) != names.end();
}

}  // namespace liaison::robot
