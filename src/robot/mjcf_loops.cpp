#include <fmt/format.h>

#include <algorithm>

#include "mjcf_reader.hpp"

/// Equalities of a model of MuJoCo: what closes loops, and relations between joints.
namespace liaison::robot {

void MjcfReader::read_equality(const XmlElement& xml) {
  for (const XmlElement& child : xml.children) {
    if (!equalities_) continue;
    const bool known = child.name == "connect" || child.name == "weld" || child.name == "joint";
    if (!known) {
      note(fmt::format("an equality of the kind <{}>", quoted(child.name)), child.span, true);
      continue;
    }
    const MjcfElement element =
        with_class(child, "main", child.name == "joint" ? "equality joint" : child.name);
    if (!is_true(element, "active", true)) {
      note("an equality that is not active", child.span, false);
    } else if (child.name == "joint") {
      read_coupling(child);
    } else {
      read_loop(child, child.name == "weld");
    }
  }
}

std::optional<std::size_t> MjcfReader::body_named(const MjcfElement& element, const std::string& attribute) {
  const MjcfAttribute* name = element.find(attribute);
  if (name == nullptr) return 0;  // the world
  const auto found = bodies_.find(name->value);
  if (found != bodies_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& each : bodies_) names.push_back(each.first);
  add("L0707", name->span, fmt::format("there is no body `{}`", quoted(name->value)),
      hint_for(name->value, names, "bodies"));
  return std::nullopt;
}

std::optional<std::size_t> MjcfReader::joint_named(const MjcfElement& element, const std::string& attribute) {
  const MjcfAttribute* name = element.find(attribute);
  if (name == nullptr) return std::nullopt;
  const auto found = joints_.find(name->value);
  if (found != joints_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& each : joints_) names.push_back(each.first);
  add("L0707", name->span, fmt::format("there is no joint `{}`", quoted(name->value)),
      hint_for(name->value, names, "joints"));
  return std::nullopt;
}

void MjcfReader::read_loop(const XmlElement& xml, bool is_weld) {
  const MjcfElement element = checked(xml);
  RobotLoop loop;
  loop.is_weld = is_weld;
  loop.name = element.text("name", fmt::format("{}{}", is_weld ? "weld" : "connect", out_.loops.size() + 1));
  if (is_weld && element.has("torquescale") && number(element, "torquescale").value.is_zero())
    refuse(element.find("torquescale")->span, "a weld without moments is not read",
           "<connect> holds a point");
  if (element.has("site1") || element.has("site2")) {
    read_loop_of_sites(element, std::move(loop));
  } else {
    read_loop_of_bodies(element, std::move(loop));
  }
}

void MjcfReader::read_loop_of_sites(const MjcfElement& element, RobotLoop loop) {
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string attribute = i == 0 ? "site1" : "site2";
    const MjcfAttribute* name = element.find(attribute);
    if (name == nullptr) {
      add("L0704", element.span, fmt::format("<{}> has no `{}`", element.name, attribute),
          "site1=\"a\" site2=\"b\"");
      return;
    }
    const auto found = sites_.find(name->value);
    if (found == sites_.end()) {
      std::vector<std::string> names;
      for (const auto& each : sites_) names.push_back(each.first);
      add("L0707", name->span, fmt::format("there is no site `{}`", quoted(name->value)),
          hint_for(name->value, names, "sites"));
      return;
    }
    loop.links[i] = found->second.link;
    loop.places[i] = found->second.pose;
    if (!loop.is_weld) loop.places[i].turns.clear();
  }
  out_.loops.push_back(std::move(loop));
}

void MjcfReader::read_loop_of_bodies(const MjcfElement& element, RobotLoop loop) {
  if (!element.has("body1") || (!loop.is_weld && !element.has("anchor"))) {
    add("L0704", element.span,
        fmt::format("<{}> has no `{}`", element.name, element.has("body1") ? "anchor" : "body1"),
        loop.is_weld ? "<weld body1=\"arm\" body2=\"tool\"/>"
                     : "<connect body1=\"a\" body2=\"b\" anchor=\"0 0 0\"/>");
    return;
  }
  const auto first = body_named(element, "body1"), second = body_named(element, "body2");
  if (!first || !second) return;
  const auto origin_of = [&](const std::string& attribute) {
    const auto found = origins_.find(element.text(attribute, "world"));
    return found == origins_.end() ? DecimalVector{} : found->second;
  };
  const DecimalVector origin1 = origin_of("body1"), origin2 = origin_of("body2");
  const DecimalVector anchor = vector(element, "anchor");
  loop.links = {*first, *second};
  if (!loop.is_weld) {
    loop.places[0].xyz = sum(anchor, origin1);
    loop.places[1] = place_at_rest(loop.links[1], *first, loop.places[0].xyz, loop.name, element.span, false);
    out_.loops.push_back(std::move(loop));
    return;
  }
  loop.places[1].xyz = sum(anchor, origin2);
  const auto relative = numbers(element, "relpose", 7, 7);
  const bool given = relative && !std::all_of(relative->begin() + 3, relative->end(),
                                              [](const Decimal& d) { return d.value.is_zero(); });
  if (given) {
    MjcfElement turn{"relpose", element.span, {}};
    const std::vector<std::string> words = words_of(element.text("relpose"));
    turn.attributes["quat"] = {fmt::format("{} {} {} {}", words[3], words[4], words[5], words[6]),
                               element.find("relpose")->span};
    loop.places[0] = {sum({(*relative)[0], (*relative)[1], (*relative)[2]}, origin1), orientation(turn)};
  } else {
    loop.places[0] = place_at_rest(loop.links[0], *second, loop.places[1].xyz, loop.name, element.span, true);
  }
  out_.loops.push_back(std::move(loop));
}

/// The way of poses from one link to the other, at rest; those that lead inwards are inverted.
RobotPose MjcfReader::place_at_rest(std::size_t& link, std::size_t other, const DecimalVector& offset,
                                    const std::string& name, Span span, bool with_axes) {
  std::vector<const RobotJoint*> holder(out_.links.size());
  for (const RobotJoint& joint : out_.joints) holder[joint.child] = &joint;
  const auto way_of = [&](std::size_t at) {
    std::vector<std::size_t> way{at};
    for (; holder[at] != nullptr; at = way.back()) way.push_back(holder[at]->parent);
    return way;
  };
  const auto pose_of = [&](std::size_t at) {
    return holder[at]->start ? *holder[at]->start : holder[at]->origin;
  };
  std::vector<std::size_t> inwards = way_of(link), outwards = way_of(other);
  while (!inwards.empty() && !outwards.empty() && inwards.back() == outwards.back()) {
    inwards.pop_back();
    outwards.pop_back();
  }
  std::vector<RobotPose> steps;
  for (const std::size_t at : inwards) {  // back along its pose
    const RobotPose pose = pose_of(at);
    steps.push_back({{}, inverse(pose.turns)});
    steps.push_back({negative(pose.xyz), {}});
  }
  for (auto at = outwards.rbegin(); at != outwards.rend(); ++at) steps.push_back(pose_of(*at));
  steps.push_back({offset, {}});
  // In one where the turns are known as fractions and end as none; else a frame a step.
  RationalMatrix turn = *rotation_matrix({});
  DecimalVector place;
  bool exact = true;
  for (const RobotPose& step : steps) {
    const auto own = rotation_matrix(step.turns);
    exact = exact && own;
    if (!exact) break;
    place = sum(place, turned_vector(turn, step.xyz));
    turn = turn * *own;
  }
  if (exact && (!with_axes || turn == *rotation_matrix({}))) return {place, {}};
  for (std::size_t i = steps.size(); i-- > 1;) {  // what follows a way without a turn goes into one
    if (!steps[i - 1].turns.empty()) continue;
    steps[i - 1] = {sum(steps[i - 1].xyz, steps[i].xyz), std::move(steps[i].turns)};
    steps[i] = {};
  }
  for (RobotPose& step : steps) {
    if (is_null(step.xyz) && step.turns.empty()) continue;
    const std::size_t next = add_link(name + "_rest", span, true);
    add_joint(name + "_rest_weld", RobotJointKind::fixed, link, next, std::move(step), span);
    link = next;
  }
  return {};
}

void MjcfReader::read_coupling(const XmlElement& xml) {
  const MjcfElement element = checked(xml, "equality joint");
  if (!element.has("joint1")) {
    add("L0704", element.span, "<joint> of an equality has no `joint1`", "joint1=\"shoulder\"");
    return;
  }
  const auto joint = joint_named(element, "joint1"), other = joint_named(element, "joint2");
  if (!joint || (element.has("joint2") && !other)) return;
  RobotCoupling out;
  out.name = element.text("name", fmt::format("equality{}", out_.couplings.size() + 1));
  out.joint = *joint;
  out.other = other;
  for (const auto& [attribute, each] : {std::pair{"joint1", joint}, {"joint2", other}}) {
    if (!each || has_one_coordinate(out_.joints[*each].kind)) continue;
    add("L0708", element.find(attribute)->span, "a joint with several coordinates is in a relation of joints",
        "joints that turn or slide stand there");
    return;
  }
  if (other && *other == *joint) {
    add("L0708", element.find("joint2")->span, "both joints are the same", "name another one");
    return;
  }
  out.polynomial = numbers(element, "polycoef", 1, 5).value_or(std::vector<Decimal>{Decimal{}, {"1", 1}});
  if (out.polynomial.size() == 1) out.polynomial.push_back({"1", 1});
  out_.couplings.push_back(std::move(out));
}

}  // namespace liaison::robot
