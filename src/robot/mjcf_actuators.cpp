#include <fmt/format.h>

#include <algorithm>

#include "mjcf_reader.hpp"

/// Actuators of a model of MuJoCo: forces along joints that are affine in an input, the place and the speed.
namespace liaison::robot {

struct MjcfReader::Actuator {
  std::array<Decimal, 3> gain{Decimal{"1", 1}, Decimal{}, Decimal{}}, bias;
  std::vector<Decimal> gear{{"1", 1}};
  std::string gain_kind = "fixed", bias_kind = "none", dynamics = "none";
  std::string unknown;  ///< why it has no text; empty: it has one
  bool limits_input = false;
  MjcfElement ranges;
};

void MjcfReader::read_actuator(const XmlElement& xml) {
  if (!is_actuator(xml.name)) {
    unknown_element(xml, "actuator", words_of("motor position velocity damper general intvelocity muscle"));
    return;
  }
  const MjcfElement element = checked(xml);
  Actuator actuator;
  if (const MjcfClass* values = class_of(element, "main"))
    for (const MjcfElement& each : values->actuators) apply(each, actuator);
  apply(element, actuator);
  const Rational group = number(actuator.ranges, "group").value;
  const bool off = std::any_of(disabled_groups_.begin(), disabled_groups_.end(), [&](std::size_t disabled) {
    return Rational(static_cast<long>(disabled)) == group;
  });
  if (!actuation_ || off) {
    note("an actuator that is switched off", xml.span, false);
    return;
  }
  if (actuator.dynamics != "none") actuator.unknown = "an actuator with a state of its own";
  if (!element.has("joint") && !element.has("jointinparent"))
    actuator.unknown = "an actuator that does not act on a joint";
  if (actuator.bias_kind == "affine" && actuator.bias[2].value.sign() > 0)
    actuator.unknown = "an actuator with `dampratio`, which MuJoCo computes from masses";
  for (const char* attribute : {"damping", "armature"})
    for (const Decimal& value : numbers(actuator.ranges, attribute, 1, 3).value_or(std::vector<Decimal>{}))
      if (!value.value.is_zero())
        note(fmt::format("`{}` of an actuator", attribute), actuator.ranges.find(attribute)->span, true);
  if (!number(actuator.ranges, "delay").value.is_zero())
    note("the delay of an actuator", actuator.ranges.find("delay")->span, true);
  if (actuator.unknown.empty()) {
    add_motor(element, actuator);
  } else {
    note(actuator.unknown, xml.span, true);
  }
}

void MjcfReader::apply(const MjcfElement& element, Actuator& out) {
  for (const auto& [name, value] : element.attributes) out.ranges.attributes[name] = value;
  if (const auto gear = numbers(element, "gear", 1, 6)) out.gear = *gear;
  const auto fill = [&](const char* attribute, std::array<Decimal, 3>& values) {
    const auto given = numbers(element, attribute, 1, 10);
    for (std::size_t k = 0; given && k < std::min<std::size_t>(given->size(), 3); ++k)
      values[k] = (*given)[k];
  };
  fill("gainprm", out.gain);
  fill("biasprm", out.bias);
  out.gain_kind = element.text("gaintype", out.gain_kind);
  out.bias_kind = element.text("biastype", out.bias_kind);
  out.dynamics = element.text("dyntype", out.dynamics);
  apply_kind(element, out);
}

void MjcfReader::apply_kind(const MjcfElement& element, Actuator& out) {
  const std::string& kind = element.name;
  if (kind == "general") {
    const bool fixed = out.gain_kind == "fixed" || out.gain_kind == "affine";
    out.unknown = fixed && (out.bias_kind == "none" || out.bias_kind == "affine")
                      ? ""
                      : "an actuator whose force is "
                        "not affine";
    return;
  }
  out.unknown.clear();
  if (kind == "motor") {
    out.gain[0] = {"1", 1};
    out.dynamics = "none";
    out.gain_kind = "fixed";
    out.bias_kind = "none";
  } else if (kind == "position") {
    out.gain[0] = number(element, "kp", out.gain[0]);
    out.bias[1] = negative(out.gain[0]);
    if (element.has("kv")) out.bias[2] = negative(number(element, "kv"));
    if (element.has("dampratio")) out.bias[2] = number(element, "dampratio");
    if (element.has("timeconst"))
      out.dynamics = number(element, "timeconst").value.is_zero() ? "none" : "filterexact";
    out.gain_kind = "fixed";
    out.bias_kind = "affine";
  } else if (kind == "velocity") {
    out.gain[0] = number(element, "kv", out.gain[0]);
    out.bias = {Decimal{}, Decimal{}, negative(out.gain[0])};
    out.dynamics = "none";
    out.gain_kind = "fixed";
    out.bias_kind = "affine";
  } else if (kind == "damper") {
    const Decimal before = out.gain_kind == "affine" ? negative(out.gain[2]) : Decimal{};
    out.gain = {Decimal{}, Decimal{}, negative(number(element, "kv", before))};
    out.limits_input = true;
    out.dynamics = "none";
    out.gain_kind = "affine";
    out.bias_kind = "none";
  } else {
    out.unknown = fmt::format("an actuator of the kind <{}>", quoted(kind));
  }
}

void MjcfReader::add_motor(const MjcfElement& element, const Actuator& actuator) {
  const std::string attribute = element.has("joint") ? "joint" : "jointinparent";
  const auto joint = joint_named(element, attribute);
  if (!joint) return;
  const RobotJoint& moved = out_.joints[*joint];
  RobotMotor out;
  out.joint = *joint;
  out.name = element.text("name", moved.name + "_motor");
  out.gear = actuator.gear;
  out.gain = actuator.gain[0];
  const bool affine = actuator.bias_kind == "affine";
  if (affine) {
    out.constant = actuator.bias[0];
    out.by_length = actuator.bias[1];
    out.by_rate = actuator.bias[2];
  }
  if (actuator.gain_kind == "affine") {
    const bool only_rate = actuator.gain[0].value.is_zero() && actuator.gain[1].value.is_zero() && !affine;
    if (!only_rate) {
      note("an actuator whose gain depends on its place", element.span, true);
      return;
    }
    out.is_damper = true;
    out.by_rate = actuator.gain[2];
  }
  if (!has_one_coordinate(moved.kind) &&
      (affine || out.is_damper || attribute == "jointinparent" || element.has("forcerange"))) {
    note("an actuator with a law of its own on a joint with several coordinates", element.span, true);
    return;
  }
  if (has_one_coordinate(moved.kind)) out.gear.resize(1);
  if (actuator.limits_input || is_limited(actuator.ranges, "ctrllimited", "ctrlrange"))
    out.input_range = actuator.limits_input && !actuator.ranges.has("ctrllimited")
                          ? std::nullopt
                          : range_of(actuator.ranges, "ctrllimited", "ctrlrange");
  out.force_range = range_of(actuator.ranges, "forcelimited", "forcerange");
  out_.motors.push_back(std::move(out));
}

}  // namespace liaison::robot
