#include "liaison/robot/robot_text.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "expr/utf8.hpp"
#include "names.hpp"
#include "robot_values.hpp"

namespace liaison {

namespace {

using robot::JointValue;

constexpr std::size_t line_length = 120;

bool is_null(const DecimalVector& vector) {
  return vector[0].value.is_zero() && vector[1].value.is_zero() && vector[2].value.is_zero();
}

std::string to_list(const DecimalVector& vector) {
  return fmt::format("[{}, {}, {}]", vector[0].text, vector[1].text, vector[2].text);
}

/// In a comment or between quotes: on one line, without quotes.
std::string plain(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += static_cast<unsigned char>(c) < ' ' || c == 0x7f ? ' ' : c == '"' ? '\'' : c;
  return out;
}

/// "coord a, b, c", on several lines where it is long.
std::string wrapped(const std::string& word, const std::vector<std::string>& items) {
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

/// Behind a factor, "/2" or a sign.
std::string in_brackets(const Rational& value) {
  const std::string text = robot::decimal_text(value);
  return value.sign() < 0 || text.find('/') != std::string::npos ? "(" + text + ")" : text;
}

class RobotWriter {
 public:
  RobotWriter(const UrdfModel& model, const RobotTextOptions& options) : robot_(model), options_(options) {}

  RobotText write() {
    symbols_.reserve("g");
    bodies_.reserve("ground");
    name_everything();
    values_ = robot::joint_values(robot_, options_, own_);
    require_moved_masses();
    require_places_within_limits();
    if (!out_.ok()) return std::move(out_);
    write_links();
    for (std::size_t link = 0; link < robot_.links.size(); ++link) write_shapes(link);
    out_.text = head() + declarations() + "\n" + links_ + "gravity [0, 0, -g]\n" + resistances() +
                motor_forces() + limits() + shapes_ + starts();
    return std::move(out_);
  }

 private:
  // ---- names ----------------------------------------------------------------------------------

  void name_everything() {
    link_names_.resize(robot_.links.size());
    own_.resize(robot_.joints.size());
    frames_.resize(robot_.joints.size());
    if (!options_.floating.empty()) floating_ = free_motion(symbols_.take(options_.floating, "base"));
    // A person reads them in the order in which they stand from the root outwards.
    name_link(robot_.root);
    for (const std::size_t i : robot_.order) {
      const UrdfJoint& joint = robot_.joints[i];
      name_link(joint.child);
      if (!robot::moves_by_itself(joint, options_)) continue;
      own_[i] = symbols_.take(joint.name, "joint");
      auto& coordinates = out_.coordinates[joint.name];
      if (has_one_coordinate(joint.kind)) {
        coordinates = {own_[i]};
        coordinates_.push_back(own_[i]);
      } else {
        frames_[i] = joint.kind == UrdfJointKind::floating ? free_motion(own_[i]) : planar_motion(own_[i]);
        coordinates = frames_[i];
      }
    }
  }

  void name_link(std::size_t link) {
    const std::string& name = robot_.links[link].name;
    const bool is_ground = link == robot_.root && options_.floating.empty();
    link_names_[link] = is_ground ? "ground" : bodies_.take(name, "link");
    out_.bodies[name] = link_names_[link];
  }

  /// x, y, z and a rotation with its rates and what the language names after it: name, x, y, z.
  std::vector<std::string> free_motion(const std::string& name) {
    std::vector<std::string> out{name};
    for (const char* part : {"x", "y", "z"}) out.push_back(symbols_.take_part(name, part));
    coordinates_.insert(coordinates_.end(), out.begin() + 1, out.end());
    for (const char* part : {"_e0", "_e1", "_e2", "_e3"}) symbols_.reserve(name + part);
    for (char row = '1'; row <= '3'; ++row) {
      for (char column = '1'; column <= '3'; ++column) symbols_.reserve(name + row + column);
    }
    std::vector<std::string> rates;
    for (const char* part : {"wx", "wy", "wz"}) rates.push_back(symbols_.take_part(name, part));
    rotations_ += fmt::format("rotation {} ({}) in body\n", name, fmt::join(rates, ", "));
    out.insert(out.end(), rates.begin(), rates.end());
    return out;
  }

  std::vector<std::string> planar_motion(const std::string& name) {
    std::vector<std::string> out;
    for (const char* part : {"x", "y", "phi"}) out.push_back(symbols_.take_part(name, part));
    coordinates_.insert(coordinates_.end(), out.begin(), out.end());
    return out;
  }

  // ---- what is moved --------------------------------------------------------------------------

  void refuse(Span span, std::string message, std::string hint) {
    out_.problems.push_back(Diagnostic{"L0710", std::move(message), span, {}, {}, std::move(hint)});
  }

  /// Joints that follow one another may leave nothing to their coordinate.
  void require_places_within_limits() {
    if (!options_.limits) return;
    const auto ranges = robot::coordinate_ranges(robot_, values_);
    for (const std::size_t i : robot_.order) {
      const auto& [low, high] = ranges[i];
      if (!low || !high || low->value <= high->value) continue;
      const bool own = low->joint == i || high->joint == i;
      const std::string& name = robot_.joints[i].name;
      const std::string& other = robot_.joints[low->joint == i ? high->joint : low->joint].name;
      refuse(robot_.joints[i].span,
             own ? fmt::format(
                       "no value of the joint `{}` is within its limits and those of `{}`, which follows it",
                       name, other)
                 : fmt::format(
                       "no value of the joint `{}` is within the limits of `{}` and of `{}`, which follow it",
                       name, other, robot_.joints[high->joint].name),
             "change the limits, or leave `--limits` out");
    }
  }

  /// A coordinate that moves no mass has no acceleration.
  void require_moved_masses() {
    if (coordinates_.empty()) {
      refuse(robot_.links[robot_.root].span, "nothing of the robot moves: every joint is fixed or held",
             "`--floating base` lets the root move freely");
      return;
    }
    std::vector<bool> heavy(robot_.links.size()), turning(robot_.links.size()), moves(robot_.joints.size());
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      const auto& inertia = robot_.links[i].inertia;
      heavy[i] = inertia && !inertia->mass.value.is_zero();
      turning[i] = inertia && !inertia->is_zero();
    }
    for (auto at = robot_.order.rbegin(); at != robot_.order.rend(); ++at) {
      const UrdfJoint& joint = robot_.joints[*at];
      const bool turns = joint.kind == UrdfJointKind::revolute || joint.kind == UrdfJointKind::continuous;
      const std::size_t base = values_[*at].base.value_or(*at);
      if (turns ? turning[joint.child] : heavy[joint.child]) moves[base] = true;
      if (heavy[joint.child]) heavy[joint.parent] = true;
      if (turning[joint.child]) turning[joint.parent] = true;
    }
    const std::string hint = "an <inertial> for a link that it carries";
    if (!options_.floating.empty() && !heavy[robot_.root])
      refuse(robot_.links[robot_.root].span, "no link of the robot has a mass", hint);
    for (const std::size_t i : robot_.order) {
      const UrdfJoint& joint = robot_.joints[i];
      if (own_[i].empty() || moves[i]) continue;
      const std::string name = utf8::shorten(plain(joint.name), 40);
      refuse(joint.span,
             fmt::format("the joint `{}` moves nothing that has a mass: its acceleration is not determined",
                         name),
             has_one_coordinate(joint.kind)
                 ? fmt::format("{}, or `--hold {}`, which keeps the joint at 0", hint, name)
                 : hint);
      if (out_.problems.size() >= 20) return;
    }
  }

  // ---- links ----------------------------------------------------------------------------------

  std::string turned(const UrdfPose& pose) {
    std::string out;
    for (const auto& [axis, angle] :
         {std::pair{'z', &pose.rpy[2]}, {'y', &pose.rpy[1]}, {'x', &pose.rpy[0]}}) {
      if (angle->value.is_zero()) continue;
      out += fmt::format("{}{} {}", out.empty() ? " turned " : ", ", axis, angle->text);
      const std::string note = robot::known_angle(*angle);
      if (!note.empty() && angle_notes_.insert(note).second) notes_in_order_.push_back(note);
    }
    return out;
  }

  std::string place(const UrdfPose& pose) {
    return (is_null(pose.xyz) ? "" : " at " + to_list(pose.xyz)) + turned(pose);
  }

  void write_links() {
    if (!options_.floating.empty())
      write_link(robot_.root, "ground",
                 fmt::format(" at [{}, {}, {}]", floating_[1], floating_[2], floating_[3]),
                 "ball " + floating_[0]);
    for (const std::size_t i : robot_.order) {
      const UrdfJoint& joint = robot_.joints[i];
      const std::string& parent = link_names_[joint.parent];
      if (own_[i].empty() || has_one_coordinate(joint.kind)) {
        write_link(joint.child, parent, place(joint.origin), by(i));
      } else if (joint.kind == UrdfJointKind::floating) {
        write_link(joint.child, joint_frame(i),
                   fmt::format(" at [{}, {}, {}]", frames_[i][1], frames_[i][2], frames_[i][3]),
                   "ball " + frames_[i][0]);
      } else {
        write_planar(i);
      }
    }
  }

  /// The joint behind `by`; empty for what does not move.
  std::string by(std::size_t i) const {
    const UrdfJoint& joint = robot_.joints[i];
    if (!has_one_coordinate(joint.kind) || values_[i].is_zero()) return {};
    const char* word = joint.kind == UrdfJointKind::prismatic ? "slider" : "hinge";
    return fmt::format("{} {} axis {}", word, values_[i].text, to_list(joint.axis));
  }

  /// The axes of a joint, for what is written on them; the parent's where they are the same.
  std::string joint_frame(std::size_t i) {
    const std::string where = place(robot_.joints[i].origin);
    const std::string& parent = link_names_[robot_.joints[i].parent];
    if (where.empty()) return parent;
    const std::string name = bodies_.take_part(link_names_[robot_.joints[i].child], "joint");
    links_ += fmt::format("frame {} on {}{}\n", name, parent, where);
    return name;
  }

  /// Ways across the axis and a turn about it. Where the axis is not z, the first way is along z x axis and
  /// the second one across both; the file leaves that open.
  void write_planar(std::size_t i) {
    const UrdfJoint& joint = robot_.joints[i];
    const auto& [x, y, z] = joint.axis;
    const auto& names = frames_[i];
    if (x.value.is_zero() && y.value.is_zero() && z.value.sign() > 0) {
      write_link(joint.child, link_names_[joint.parent], place(joint.origin),
                 fmt::format("planar ({}, {}, {})", names[0], names[1], names[2]));
      return;
    }
    const Rational &a = x.value, &b = y.value, &c = z.value;
    const bool upright = a.is_zero() && b.is_zero();
    const std::array<Rational, 3> u =
        upright ? std::array<Rational, 3>{1, 0, 0} : std::array<Rational, 3>{-b, a, 0};
    const std::array<Rational, 3> v{b * u[2] - c * u[1], c * u[0] - a * u[2], a * u[1] - b * u[0]};
    std::string way;
    for (std::size_t k = 0; k < 3; ++k)
      way += (k == 0 ? "" : ", ") + sum_of(along(u, k, names[0]), along(v, k, names[1]));
    const std::string on = joint_frame(i);
    const std::string frame = bodies_.take_part(link_names_[joint.child], "plane");
    links_ += fmt::format("frame {} on {} at [{}]\n", frame, on, way);
    write_link(joint.child, frame, "", fmt::format("hinge {} axis {}", names[2], to_list(joint.axis)));
  }

  /// A component of coordinate * vector/|vector|.
  static std::string along(const std::array<Rational, 3>& vector, std::size_t k,
                           const std::string& coordinate) {
    const Rational length = vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2];
    if (vector[k].is_zero()) return {};
    if (vector[k] * vector[k] == length) return vector[k].sign() < 0 ? "-" + coordinate : coordinate;
    if (const auto root = robot::exact_root(length))
      return robot::decimal_text(vector[k] / *root) + "*" + coordinate;
    return fmt::format("{}*{}/sqrt({})", robot::decimal_text(vector[k]), coordinate,
                       robot::decimal_text(length));
  }

  static std::string sum_of(const std::string& a, const std::string& b) {
    if (a.empty() || b.empty()) return a.empty() && b.empty() ? "0" : a + b;
    return a + (b.starts_with('-') ? " - " + b.substr(1) : " + " + b);
  }

  static std::string inertia_text(const UrdfInertia& inertia) {
    const bool products = !is_null({inertia.xy, inertia.xz, inertia.yz});
    const std::string moments = fmt::format("{}, {}, {}", inertia.xx.text, inertia.yy.text, inertia.zz.text);
    // The language has the products with the other sign: A, -F, -E; -F, B, -D; -E, -D, C.
    return products ? fmt::format("[{}, {}, {}, {}]", moments, robot::negated(inertia.yz),
                                  robot::negated(inertia.xz), robot::negated(inertia.xy))
                    : "[" + moments + "]";
  }

  /// Whether turning the axes of the inertia changes nothing.
  static bool is_round(const UrdfInertia& inertia) {
    return is_null({inertia.xy, inertia.xz, inertia.yz}) && inertia.xx.value == inertia.yy.value &&
           inertia.yy.value == inertia.zz.value;
  }

  void write_link(std::size_t link, const std::string& on, const std::string& where,
                  const std::string& joint) {
    const std::string& name = link_names_[link];
    const auto& inertia = robot_.links[link].inertia;
    const bool has_mass = inertia && !inertia->is_zero();
    const bool own_axes = has_mass && !is_null(inertia->origin.rpy) && !is_round(*inertia);
    if (has_mass && !own_axes) {
      const std::string centre =
          is_null(inertia->origin.xyz) ? "" : " centre " + to_list(inertia->origin.xyz);
      links_ += fmt::format("body {} mass {} inertia {} on {}{} by {}{}\n", name, inertia->mass.text,
                            inertia_text(*inertia), on, where, joint.empty() ? "weld" : joint, centre);
      return;
    }
    if (joint.empty()) {
      links_ += fmt::format("frame {} on {}{}\n", name, on, where);
    } else {
      links_ += fmt::format("body {} mass 0 inertia [0, 0, 0] on {}{} by {}\n", name, on, where, joint);
    }
    if (!own_axes) return;
    const std::string body = bodies_.take_part(name, "inertia");
    links_ += fmt::format("body {} mass {} inertia {} on {}{} by weld\n", body, inertia->mass.text,
                          inertia_text(*inertia), name, place(inertia->origin));
    inertia_bodies_.emplace(link, body);
  }

  /// On the axes of the link. A file of a mesh is found by who has it: where nothing else is drawn of the
  /// link its statement is a comment.
  void write_shapes(std::size_t link) {
    const std::string& name = link_names_[link];
    bool has_solid = false;
    for (const UrdfShape& shape : robot_.links[link].shapes)
      has_solid = has_solid || shape.kind != UrdfShapeKind::mesh;
    if (const auto body = inertia_bodies_.find(link); has_solid && body != inertia_bodies_.end())
      shapes_ += fmt::format("shape {} none\n", body->second);
    for (const UrdfShape& shape : robot_.links[link].shapes) {
      const std::string where = " at " + to_list(shape.origin.xyz) + turned(shape.origin);
      const std::vector<Decimal>& sizes = shape.sizes;
      switch (shape.kind) {
        case UrdfShapeKind::box:
          shapes_ += fmt::format("shape {} box {}{}\n", name, to_list({sizes[0], sizes[1], sizes[2]}), where);
          break;
        case UrdfShapeKind::cylinder:
          shapes_ += fmt::format("shape {} cylinder radius {} length {}{}\n", name, sizes[0].text,
                                 sizes[1].text, where);
          break;
        case UrdfShapeKind::sphere:
          shapes_ += fmt::format("shape {} ball radius {}{}\n", name, sizes[0].text, where);
          break;
        case UrdfShapeKind::mesh: {
          if (has_solid) break;
          const std::string scale = sizes[0].value.is_one() ? "" : " scale " + sizes[0].text;
          shapes_ += fmt::format("# shape {} mesh \"{}\"{}{}\n", name, plain(shape.file), scale, where);
          has_meshes_ = true;
          break;
        }
      }
    }
  }

  // ---- everything else ------------------------------------------------------------------------

  std::string head() const {
    std::string out = fmt::format("system \"{}\"\n", robot_.name.empty() ? "robot" : plain(robot_.name));
    out += fmt::format("# From {} by `liaison import`: numbers stand as in the file, in kg, m, s and rad.\n",
                       options_.file.empty() ? "a robot file" : plain(options_.file));
    const UrdfLink& root = robot_.links[robot_.root];
    if (options_.floating.empty())
      out += fmt::format("# The root `{}` is the ground{}.\n", plain(root.name),
                         root.inertia ? "; its own mass does not move" : "");
    for (const auto* table : {&bodies_, &symbols_}) {
      for (const auto& [old, now] : table->renamed())
        out += fmt::format("# `{}` is {} here.\n", plain(old), now);
    }
    for (const std::string& note : notes_in_order_) out += fmt::format("# {}.\n", note);
    std::vector<std::string> impossible;
    for (const UrdfLink& link : robot_.links) {
      if (link.inertia && !robot::is_of_a_body(*link.inertia))
        impossible.push_back("`" + plain(link.name) + "`");
    }
    if (!impossible.empty())
      out += fmt::format(
          "# No body has the inertia of {}{}: a moment is negative, or larger than the two others "
          "together.\n",
          fmt::join(impossible.begin(),
                    impossible.begin() + std::min<std::ptrdiff_t>(8, std::ssize(impossible)), ", "),
          impossible.size() > 8 ? fmt::format(" and {} others", impossible.size() - 8) : "");
    std::size_t shapes = 0, limited = 0;
    for (const UrdfLink& link : robot_.links) shapes += link.has_other_shapes ? 1 : 0;
    for (const UrdfJoint& joint : robot_.joints) {
      limited += joint.lower ? 1 : 0;
      if (joint.kind == UrdfJointKind::fixed || has_one_coordinate(joint.kind)) continue;
      if (!joint.damping.value.is_zero() || !joint.friction.value.is_zero())
        out += fmt::format(
            "# Left out: damping and friction of `{}`; of a joint that is {} they have no meaning.\n",
            plain(joint.name), name_of(joint.kind));
    }
    if (shapes > 0) out += fmt::format("# Left out: shapes of {} link{}.\n", shapes, shapes == 1 ? "" : "s");
    if (has_meshes_)
      out +=
          "# Shapes from files are comments below: write where the file is (.stl or .obj), and take the sign "
          "away.\n";
    if (limited > 0 && !options_.limits)
      out += fmt::format("# Left out: limits of {} joint{}; `--limits` writes them.\n", limited,
                         limited == 1 ? "" : "s");
    return out;
  }

  std::string declarations() {
    std::vector<std::string> parameters{"g = 9.81"};
    for (const std::size_t i : robot_.order) {
      if (!options_.motors || own_[i].empty() || !has_one_coordinate(robot_.joints[i].kind)) continue;
      const bool slides = robot_.joints[i].kind == UrdfJointKind::prismatic;
      const std::string motor = symbols_.take_part(own_[i], slides ? "force" : "torque");
      parameters.push_back(motor + " = 0");
      motors_ += fmt::format("force {} = {}\n", own_[i], motor);
    }
    return wrapped("param", parameters) + wrapped("coord", coordinates_) + rotations_;
  }

  const std::string& motor_forces() const { return motors_; }

  /// Damping as a dissipation, friction as a force against the motion.
  std::string resistances() const {
    std::string out, rubbing;
    for (const std::size_t i : robot_.order) {
      const UrdfJoint& joint = robot_.joints[i];
      const JointValue& value = values_[i];
      if (!has_one_coordinate(joint.kind) || !value.base) continue;
      const std::string velocity = own_[*value.base] + "'";
      const bool own = value.factor.is_one();
      const std::string rate =
          own ? velocity : fmt::format("({}*{})", robot::decimal_text(value.factor), velocity);
      if (!joint.damping.value.is_zero())
        out += fmt::format("dissipation {}/2*{}^2\n", joint.damping.text, rate);
      if (joint.friction.value.is_zero()) continue;
      const std::string against = robot::negated(joint.friction);
      const Rational size = value.factor.sign() < 0 ? -value.factor : value.factor;
      if (options_.smooth_friction) {
        rubbing +=
            fmt::format("force {} = {}*{}tanh({}/{})\n", own_[*value.base], against,
                        own ? "" : in_brackets(value.factor) + "*", rate, options_.smooth_friction->text);
      } else {
        rubbing += fmt::format("force {} = {}*{}sign({})\n", own_[*value.base], against,
                               size.is_one() ? "" : in_brackets(size) + "*", velocity);
      }
    }
    if (!rubbing.empty() && !options_.smooth_friction)
      out +=
          "# Friction: a run ends where a joint comes to rest; with `--smooth-friction 0.001` it goes on.\n";
    return out + rubbing;
  }

  /// One constraint for each end of what a coordinate may be: joints that follow it may say the same end
  /// twice, and two constraints would share what one bears.
  std::string limits() const {
    std::string out;
    if (!options_.limits) return out;
    robot::NameTable names;
    const auto ranges = robot::coordinate_ranges(robot_, values_);
    for (const std::size_t i : robot_.order) {
      const UrdfJoint& joint = robot_.joints[i];
      const JointValue& value = values_[i];
      if (!joint.lower || !value.base) continue;
      const auto& range = ranges[*value.base];
      const std::string name = own_[i].empty() ? names.take(joint.name, "joint") : own_[i];
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

  /// Where zero is not inside of the limits, the middle between them.
  std::string starts() const {
    std::vector<std::string> values;
    if (!options_.limits) return {};
    const auto ranges = robot::coordinate_ranges(robot_, values_);
    for (const std::size_t i : robot_.order) {
      const auto& [low, high] = ranges[i];
      if (!low || (low->value.sign() < 0 && high->value.sign() > 0)) continue;
      const Rational middle = (low->value + high->value) / 2;
      if (!middle.is_zero()) values.push_back(fmt::format("{} = {}", own_[i], robot::decimal_text(middle)));
    }
    return values.empty() ? "" : wrapped("start", values);
  }

  const UrdfModel& robot_;
  const RobotTextOptions& options_;
  RobotText out_;
  robot::NameTable symbols_, bodies_;
  std::vector<std::string> link_names_, own_;     ///< of links; of the coordinate of each joint
  std::vector<std::vector<std::string>> frames_;  ///< of joints with several coordinates
  std::vector<std::string> floating_, coordinates_;
  std::vector<JointValue> values_;
  std::string rotations_, links_, motors_, shapes_;
  bool has_meshes_ = false;
  std::map<std::size_t, std::string> inertia_bodies_;  ///< of links whose inertia is turned
  std::set<std::string> angle_notes_;
  std::vector<std::string> notes_in_order_;
};

}  // namespace

RobotText to_lia_text(const UrdfModel& robot, const RobotTextOptions& options) {
  return RobotWriter(robot, options).write();
}

}  // namespace liaison
