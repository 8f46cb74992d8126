#include "robot_forces.hpp"

#include <fmt/format.h>

namespace liaison::robot {

namespace {

/// Behind a factor, "/2" or a sign.
std::string in_brackets(const Rational& value) {
  const std::string text = decimal_text(value);
  return value.sign() < 0 || text.find('/') != std::string::npos ? "(" + text + ")" : text;
}

/// "q - 0.3", "q + 0.3", "q"; `text` is one term.
std::string less(const std::string& text, const Decimal& number) {
  if (number.value.is_zero()) return text;
  return number.value.sign() < 0 ? text + " + " + negated(number) : text + " - " + number.text;
}

/// Velocities of a joint, in the order of its gears: ways, then rates.
std::vector<std::string> velocities(const NamedRobot& robot, std::size_t joint) {
  const RobotJointKind kind = robot.model.joints[joint].kind;
  std::vector<std::string> out;
  if (robot.own[joint].empty()) return out;
  if (has_one_coordinate(kind)) return {robot.own[joint] + "'"};
  const auto& names = robot.frames[joint];
  for (std::size_t k = 1; k < names.size() && has_rotation(kind); ++k)
    out.push_back(kind == RobotJointKind::floating && k <= 3 ? names[k] + "'" : names[k]);
  return out;
}

/// The name to which a force along a velocity is given: a coordinate or a rate.
std::string without_prime(const std::string& velocity) {
  return velocity.ends_with('\'') ? velocity.substr(0, velocity.size() - 1) : velocity;
}

/// c/2*(v1^2 + v2^2).
std::string half_squares(const Decimal& factor, const std::vector<std::string>& velocities) {
  if (velocities.size() == 1) return fmt::format("{}/2*{}^2", factor.text, velocities[0]);
  return fmt::format("{}/2*({}^2)", factor.text, fmt::join(velocities, "^2 + "));
}

}  // namespace

std::string to_list(const DecimalVector& vector) {
  return fmt::format("[{}, {}, {}]", vector[0].text, vector[1].text, vector[2].text);
}

std::string wrapped(const std::string& word, const std::vector<std::string>& items) {
  constexpr std::size_t line_length = 120;
  std::string out, line = word;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : "");
    if (line.size() + item.size() + 1 > line_length && i > 0) {
      out += line + "\n";
      line = " ";
    }
    line += " " + item;
  }
  return out + line + "\n";
}

std::string turned_text(const std::vector<RobotTurn>& turns) {
  std::string out;
  for (const RobotTurn& turn : turns) {
    std::string axis = to_list(turn.axis);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& a = turn.axis;
      if (a[k].value.sign() > 0 && a[(k + 1) % 3].value.is_zero() && a[(k + 2) % 3].value.is_zero())
        axis = std::string(1, static_cast<char>('x' + k));
    }
    out += fmt::format("{}{} {}", out.empty() ? " turned " : ", ", axis, turn.angle.text);
  }
  return out;
}

std::string displacement(const NamedRobot& robot, std::size_t joint) {
  const JointValue& value = robot.values[joint];
  const Decimal& rest = robot.model.joints[joint].rest;
  if (value.is_zero()) return rest.value.is_zero() ? "" : negated(rest);
  if (!value.base && value.constant == rest.value && !rest.times_pi) return {};
  return less(value.text, rest);
}

std::string springs(const NamedRobot& robot) {
  std::string out;
  for (const std::size_t i : robot.model.order) {
    const RobotJoint& joint = robot.model.joints[i];
    if (has_one_coordinate(joint.kind) && !robot.values[i].base) continue;
    if (!joint.stiffness.value.is_zero()) {
      const std::string apart = less(robot.own[i], joint.relaxed);
      out += fmt::format("potential {}/2*{}^2\n", joint.stiffness.text,
                         apart == robot.own[i] ? apart : "(" + apart + ")");
    }
    if (!joint.armature.value.is_zero() && !robot.own[i].empty())
      out += fmt::format("kinetic {}\n", half_squares(joint.armature, velocities(robot, i)));
  }
  return out;
}

std::string resistances(const NamedRobot& robot) {
  std::string out, rubbing;
  for (const std::size_t i : robot.model.order) {
    const RobotJoint& joint = robot.model.joints[i];
    const JointValue& value = robot.values[i];
    if (has_rotation(joint.kind) && !joint.damping.value.is_zero())
      out += fmt::format("dissipation {}\n", half_squares(joint.damping, velocities(robot, i)));
    if (!has_one_coordinate(joint.kind) || !value.base) continue;
    const std::string velocity = robot.own[*value.base] + "'";
    const bool own = value.factor.is_one();
    const std::string rate = own ? velocity : fmt::format("({}*{})", decimal_text(value.factor), velocity);
    if (!joint.damping.value.is_zero())
      out += fmt::format("dissipation {}/2*{}^2\n", joint.damping.text, rate);
    if (joint.friction.value.is_zero()) continue;
    const std::string against = negated(joint.friction);
    const Rational size = value.factor.sign() < 0 ? -value.factor : value.factor;
    if (robot.options.smooth_friction) {
      rubbing +=
          fmt::format("force {} = {}*{}tanh({}/{})\n", robot.own[*value.base], against,
                      own ? "" : in_brackets(value.factor) + "*", rate, robot.options.smooth_friction->text);
    } else {
      rubbing += fmt::format("force {} = {}*{}sign({})\n", robot.own[*value.base], against,
                             size.is_one() ? "" : in_brackets(size) + "*", velocity);
    }
  }
  if (!rubbing.empty() && !robot.options.smooth_friction)
    out += "# Friction: a run ends where a joint comes to rest; with `--smooth-friction 0.001` it goes on.\n";
  return out + rubbing;
}

bool points_down(const DecimalVector& gravity) {
  return gravity[0].value.is_zero() && gravity[1].value.is_zero() && gravity[2].value.sign() < 0;
}

std::string lifts(const NamedRobot& robot) {
  std::string out;
  const bool is_down = points_down(robot.model.gravity);
  for (std::size_t i = 0; i < robot.model.links.size(); ++i) {
    const RobotLink& link = robot.model.links[i];
    if (link.lift.value.is_zero() || !link.inertia || is_null(robot.model.gravity)) continue;
    const std::string part = link.lift.value.is_one() ? "" : link.lift.text + "*";
    DecimalVector up;
    for (std::size_t k = 0; k < 3; ++k) {
      const Decimal& g = robot.model.gravity[k];
      if (g.value.is_zero()) continue;
      up[k].text = fmt::format("{}{}{}*{}", g.value.sign() > 0 ? "-" : "", part, link.inertia->mass.text,
                               is_down              ? "g"
                               : g.value.sign() > 0 ? g.text
                                                    : negated(g));
    }
    out += fmt::format("force {} at {}\n", to_list(up), robot.masses[i]);
  }
  return out;
}

namespace {

/// A term of a sum: "3*x", "-x", "x"; empty where the factor is 0.
std::string term(const Rational& factor, const std::string& what) {
  if (factor.is_zero()) return {};
  if (what.empty()) return decimal_text(factor);
  if (factor.is_one()) return what;
  return (-factor).is_one() ? "-" + what : decimal_text(factor) + "*" + what;
}

std::string sum_of_terms(const std::vector<std::string>& terms) {
  std::string out;
  for (const std::string& each : terms) {
    if (each.empty()) continue;
    if (out.empty()) {
      out = each;
    } else {
      out += each.starts_with('-') ? " - " + each.substr(1) : " + " + each;
    }
  }
  return out.empty() ? "0" : out;
}

/// F of a motor, written in the coordinate.
std::string force_of(const RobotMotor& motor, const std::string& input, const std::string& q,
                     const Rational& gear) {
  if (motor.is_damper) return term(motor.by_rate.value * gear, q + "'*" + input);
  const Rational by_length = motor.by_length.value * gear;
  const bool servo = !motor.gain.value.is_zero() && by_length == -motor.gain.value;
  std::vector<std::string> terms{term(motor.gain.value, servo ? fmt::format("({} - {})", input, q) : input)};
  if (!servo) terms.push_back(term(by_length, q));
  terms.push_back(term(motor.by_rate.value * gear, q + "'"));
  terms.push_back(term(motor.constant.value, ""));
  return sum_of_terms(terms);
}

}  // namespace

namespace {

std::string within(const std::array<Decimal, 2>& range, const std::string& value) {
  return fmt::format("max({}, min({}, {}))", range[0].text, range[1].text, value);
}

/// "input u = 0  # within -1 and 1"; 0, or the end that is next to it.
std::string input_text(const RobotMotor& motor, const std::string& name) {
  Decimal value;
  std::string range;
  if (motor.input_range) {
    const auto& [low, high] = *motor.input_range;
    range = fmt::format("  # within {} and {}", low.text, high.text);
    if (low.value.sign() > 0) value = low;
    if (high.value.sign() < 0) value = high;
  }
  return fmt::format("input {} = {}{}\n", name, value.text, range);
}

/// gear * F.
std::string geared(const RobotMotor& motor, const std::string& input, const std::string& coordinate,
                   const Rational& gear) {
  std::string force = force_of(motor, input, coordinate, gear);
  const bool is_sum = force.find(" + ") != std::string::npos || force.find(" - ") != std::string::npos;
  if (motor.force_range) {
    force = within(*motor.force_range, force);
  } else if (is_sum && !gear.is_one()) {
    force = "(" + force + ")";
  }
  return gear.is_one() ? force : in_brackets(gear) + "*" + force;
}

}  // namespace

MotorText motors(const NamedRobot& robot, NameTable& symbols) {
  MotorText out;
  std::map<std::size_t, std::vector<std::string>> sums;  // of joints that bound what drives them
  for (const RobotMotor& motor : robot.model.motors) {
    const auto along = velocities(robot, motor.joint);
    if (along.empty()) continue;  // it is held
    const std::string input = symbols.take(motor.name, "motor");
    out.names[motor.name] = input;
    out.inputs += input_text(motor, input);
    for (std::size_t k = 0; k < std::min(along.size(), motor.gear.size()); ++k) {
      const Rational& gear = motor.gear[k].value;
      if (gear.is_zero()) continue;
      const std::string coordinate = without_prime(along[k]);
      const std::string force = geared(motor, input, coordinate, gear);
      if (robot.model.joints[motor.joint].motor_range) {
        sums[motor.joint].push_back(force);
      } else {
        out.forces += fmt::format("force {} = {}\n", coordinate, force);
      }
    }
  }
  for (const auto& [joint, terms] : sums)
    out.forces += fmt::format("force {} = {}\n", robot.own[joint],
                              within(*robot.model.joints[joint].motor_range, sum_of_terms(terms)));
  return out;
}

namespace {

std::string place_text(const NamedRobot& robot, std::size_t link, const RobotPose& pose) {
  return robot.links[link] + (is_null(pose.xyz) ? "" : " at " + to_list(pose.xyz)) + turned_text(pose.turns);
}

std::string coupling_text(const NamedRobot& robot, const RobotCoupling& coupling, const std::string& name) {
  std::string left = displacement(robot, coupling.joint);
  if (left.empty()) left = "0";
  std::string other = coupling.other ? displacement(robot, *coupling.other) : "";
  std::vector<std::string> terms;
  for (std::size_t k = 0; k < coupling.polynomial.size(); ++k) {
    if (k > 0 && other.empty()) break;
    const bool in_sum = k > 0 && other.find(' ') != std::string::npos;
    std::string power = k == 0 ? "" : in_sum ? "(" + other + ")" : other;
    if (k > 1) power += "^" + std::to_string(k);
    const Decimal& factor = coupling.polynomial[k];
    if (factor.value.is_zero()) continue;
    terms.push_back(k == 0                       ? factor.text
                    : factor.value.is_one()      ? power
                    : abs(factor.value).is_one() ? "-" + power
                                                 : factor.text + "*" + power);
  }
  return fmt::format("constraint {}: {} = {}\n", name, left, sum_of_terms(terms));
}

/// One constraint for each end of what a coordinate may be: joints that follow it may say the same end
/// twice, and two constraints would share what one bears.
std::string limits(const NamedRobot& robot, NameTable& names) {
  std::string out;
  if (!robot.options.limits) return out;
  const auto ranges = coordinate_ranges(robot.model, robot.values);
  for (const std::size_t i : robot.model.order) {
    const RobotJoint& joint = robot.model.joints[i];
    const JointValue& value = robot.values[i];
    if (!joint.lower || !value.base) continue;
    const auto& range = ranges[*value.base];
    const std::string name = robot.own[i].empty() ? names.take(joint.name, "joint") : robot.own[i];
    const bool turned_around = value.factor.sign() < 0;
    if ((turned_around ? range.high : range.low)->joint == i)
      out += fmt::format("unilateral {}: {} >= {}\n", names.take_part(name, "lower"), value.text,
                         joint.lower->text);
    if ((turned_around ? range.low : range.high)->joint == i)
      out += fmt::format("unilateral {}: {} <= {}\n", names.take_part(name, "upper"), value.text,
                         joint.upper->text);
  }
  return out;
}

}  // namespace

std::string constraints(const NamedRobot& robot) {
  std::string out;
  NameTable names;
  for (const RobotLoop& loop : robot.model.loops)
    out += fmt::format("joint {}: {} to {} {}\n", names.take(loop.name, "loop"),
                       place_text(robot, loop.links[0], loop.places[0]),
                       place_text(robot, loop.links[1], loop.places[1]), loop.is_weld ? "weld" : "ball");
  for (const RobotCoupling& coupling : robot.model.couplings) {
    const bool moves =
        robot.values[coupling.joint].base || (coupling.other && robot.values[*coupling.other].base);
    if (moves) out += coupling_text(robot, coupling, names.take(coupling.name, "coupling"));
  }
  return out + limits(robot, names);
}

namespace {

/// The orientation with which a free body starts: "torso angles (..) order zyx", "torso axis [..] angle a".
std::string start_of_rotation(const std::string& name, const std::vector<RobotTurn>& turns) {
  std::string order;
  std::vector<std::string> angles;
  for (const RobotTurn& turn : turns) {
    const std::string text = turned_text({turn});
    if (text.size() > 9 && text[9] == ' ') order += text[8];  // " turned x .."
    angles.push_back(turn.angle.text);
  }
  if (order.size() == turns.size())
    return fmt::format("{} angles ({}) order {}", name, fmt::join(angles, ", "), order);
  return fmt::format("{} axis {} angle {}", name, to_list(turns[0].axis), angles[0]);
}

}  // namespace

std::string starts(const NamedRobot& robot) {
  std::vector<std::string> values;
  const auto ranges = coordinate_ranges(robot.model, robot.values);
  for (const std::size_t i : robot.model.order) {
    const RobotJoint& joint = robot.model.joints[i];
    if (joint.start && !robot.frames[i].empty()) {
      for (std::size_t k = 0; k < 3; ++k)
        if (!joint.start->xyz[k].value.is_zero())
          values.push_back(fmt::format("{} = {}", robot.frames[i][k + 1], joint.start->xyz[k].text));
      if (!joint.start->turns.empty())
        values.push_back(start_of_rotation(robot.frames[i][0], joint.start->turns));
      continue;
    }
    if (robot.own[i].empty() || !has_one_coordinate(joint.kind)) continue;
    Decimal value = joint.rest;
    const auto& [low, high] = ranges[i];
    // Where the limits do not leave it there, the middle between them.
    if (robot.options.limits && low && !(low->value < value.value && value.value < high->value)) {
      const Rational middle = (low->value + high->value) / 2;
      const bool of_pi = joint.lower->times_pi || joint.upper->times_pi;
      value = of_pi ? times_pi(middle) : plain(middle);
    }
    if (!value.value.is_zero()) values.push_back(fmt::format("{} = {}", robot.own[i], value.text));
  }
  return values.empty() ? "" : wrapped("start", values);
}

}  // namespace liaison::robot
