#include "robot_values.hpp"

#include <fmt/format.h>

#include <cmath>

namespace liaison::robot {

namespace {

/// multiplier * (value of the other) + offset.
JointValue value_of_mimic(const RobotMimic& mimic, const JointValue& other) {
  const Rational& multiplier = mimic.multiplier.value;
  JointValue out{
      other.base, multiplier * other.factor, multiplier * other.constant + mimic.offset.value, {}, false};
  if (out.factor.is_zero() || !out.base) {
    out.base.reset();
    out.text = decimal_text(out.constant);
    out.is_sum = out.constant.sign() < 0;
    return out;
  }
  const std::string inner = other.is_sum ? "(" + other.text + ")" : other.text;
  out.text = multiplier.is_one()      ? other.text
             : (-multiplier).is_one() ? "-" + inner
                                      : mimic.multiplier.text + "*" + inner;
  out.is_sum = other.is_sum || multiplier.sign() < 0;
  if (!mimic.offset.value.is_zero()) {
    const bool negative = mimic.offset.value.sign() < 0;
    out.text += negative ? " - " + negated(mimic.offset) : " + " + mimic.offset.text;
    out.is_sum = true;
  }
  return out;
}

}  // namespace

bool is_of_a_body(const RobotInertia& inertia) {
  const Rational half = (inertia.xx.value + inertia.yy.value + inertia.zz.value) / 2;
  const Rational a = half - inertia.xx.value, b = half - inertia.yy.value, c = half - inertia.zz.value;
  const Rational d = -inertia.yz.value, e = -inertia.xz.value, f = -inertia.xy.value;
  // A symmetric matrix has no negative eigenvalue where no principal minor is negative.
  const Rational whole = a * (b * c - d * d) - f * (f * c - d * e) + e * (f * d - b * e);
  for (const Rational& minor : {a, b, c, b * c - d * d, a * c - e * e, a * b - f * f, whole}) {
    if (minor.sign() < 0) return false;
  }
  return true;
}

bool moves_by_itself(const RobotJoint& joint, const RobotTextOptions& options) {
  return joint.kind != RobotJointKind::fixed && !joint.mimic && !options.held.contains(joint.name);
}

std::vector<JointValue> joint_values(const RobotModel& robot, const RobotTextOptions& options,
                                     const std::vector<std::string>& coordinates) {
  std::vector<JointValue> values(robot.joints.size());
  std::vector<bool> known(robot.joints.size());
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    std::vector<std::size_t> way{i};  // to a joint that mimics none
    while (!known[way.back()]) {
      const RobotJoint& joint = robot.joints[way.back()];
      const auto held = options.held.find(joint.name);
      if (held == options.held.end() && joint.mimic) {
        way.push_back(joint.mimic->joint);
        continue;
      }
      JointValue& value = values[way.back()];
      known[way.back()] = true;
      if (held != options.held.end()) {
        value = {std::nullopt, 0, held->second.value, held->second.text, held->second.value.sign() < 0};
      } else if (has_one_coordinate(joint.kind)) {
        value = {way.back(), 1, 0, coordinates[way.back()], false};
      } else {
        value.text = "0";
      }
    }
    for (std::size_t k = way.size() - 1; k-- > 0;) {
      values[way[k]] = value_of_mimic(*robot.joints[way[k]].mimic, values[way[k + 1]]);
      known[way[k]] = true;
    }
  }
  return values;
}

std::vector<CoordinateRange> coordinate_ranges(const RobotModel& robot,
                                               const std::vector<JointValue>& values) {
  std::vector<CoordinateRange> ranges(robot.joints.size());
  for (const std::size_t i : robot.order) {
    const RobotJoint& joint = robot.joints[i];
    const JointValue& value = values[i];
    if (!joint.lower || !value.base) continue;
    Rational low = (joint.lower->value - value.constant) / value.factor;
    Rational high = (joint.upper->value - value.constant) / value.factor;
    if (value.factor.sign() < 0) std::swap(low, high);
    CoordinateRange& range = ranges[*value.base];
    if (!range.low || range.low->value < low) range.low = {low, i};
    if (!range.high || high < range.high->value) range.high = {high, i};
  }
  return ranges;
}

std::string known_angle(const Decimal& angle) {
  static const Rational pi =
      *Rational::parse("3.14159265358979323846264338327950288419716939937510582097494459230782");
  const std::string& text = angle.text;
  const std::size_t point = text.find('.');
  if (point == std::string::npos || text.find('e') != std::string::npos) return {};
  const std::size_t places = text.size() - point - 1;
  if (places < 3 || places > 60) return {};
  const Rational size = angle.value.sign() < 0 ? -angle.value : angle.value;
  const Rational unit = *Rational::parse("1e-" + std::to_string(places));  // of the last digit
  for (long k = 1; k <= 24; ++k) {
    const Rational exact = pi * Rational(k, 12);
    const Rational apart = size < exact ? exact - size : size - exact;
    if (unit < apart) continue;
    const Rational part(k, 12);
    const std::string top = part.numerator().is_one() ? "pi" : part.numerator().to_string() + "*pi";
    const std::string name = part.is_integer() ? top : top + "/" + part.denominator().to_string();
    return fmt::format("{} is {}{} to its digits", text, angle.value.sign() < 0 ? "-" : "", name);
  }
  return {};
}

}  // namespace liaison::robot
