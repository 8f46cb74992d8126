#include "liaison/robot/robot_text.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "expr/utf8.hpp"
#include "names.hpp"
#include "robot_forces.hpp"
#include "robot_values.hpp"

namespace liaison {

namespace {

using robot::is_null;
using robot::to_list;
using robot::wrapped;

/// In a comment or between quotes: on one line, without quotes.
std::string plain(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += static_cast<unsigned char>(c) < ' ' || c == 0x7f ? ' ' : c == '"' ? '\'' : c;
  return out;
}

class RobotWriter {
 public:
  RobotWriter(const RobotModel& model, const RobotTextOptions& options)
      : robot_(model), options_(options), named_{model, options, {}, {}, {}, {}, {}} {}

  RobotText write() {
    symbols_.reserve("g");
    for (const auto& [name, value] : robot_.lets) symbols_.reserve(name);
    bodies_.reserve("ground");
    name_everything();
    named_.values = robot::joint_values(robot_, options_, named_.own);
    named_.masses = named_.links;
    require_moved_masses();
    require_places_within_limits();
    if (!out_.ok()) return std::move(out_);
    write_links();
    for (std::size_t link = 0; link < robot_.links.size(); ++link) write_shapes(link);
    const std::string gravity = gravity_text();  // before the declarations: it names what it needs
    const robot::MotorText motors = robot::motors(named_, symbols_);
    out_.inputs = motors.names;
    out_.text = head() + declarations() + motors.inputs + "\n" + links_ + gravity + robot::lifts(named_) +
                robot::springs(named_) + robot::resistances(named_) + motors_ + motors.forces +
                robot::constraints(named_) + shapes_ + robot::starts(named_);
    return std::move(out_);
  }

 private:
  // ---- names ----------------------------------------------------------------------------------

  void name_everything() {
    named_.links.resize(robot_.links.size());
    named_.own.resize(robot_.joints.size());
    named_.frames.resize(robot_.joints.size());
    if (!options_.floating.empty()) floating_ = free_motion(symbols_.take(options_.floating, "base"));
    // A person reads them in the order in which they stand from the root outwards.
    name_link(robot_.root);
    for (const std::size_t i : robot_.order) {
      const RobotJoint& joint = robot_.joints[i];
      name_link(joint.child);
      if (!robot::moves_by_itself(joint, options_)) continue;
      named_.own[i] = symbols_.take(joint.name, "joint");
      auto& coordinates = out_.coordinates[joint.name];
      if (has_one_coordinate(joint.kind)) {
        coordinates = {named_.own[i]};
        coordinates_.push_back(named_.own[i]);
      } else {
        named_.frames[i] = joint.kind == RobotJointKind::planar ? planar_motion(named_.own[i])
                           : joint.kind == RobotJointKind::ball ? rotation(named_.own[i])
                                                                : free_motion(named_.own[i]);
        coordinates = named_.frames[i];
      }
    }
  }

  void name_link(std::size_t link) {
    const std::string& name = robot_.links[link].name;
    const bool is_ground = link == robot_.root && options_.floating.empty();
    named_.links[link] = is_ground ? "ground" : bodies_.take(name, "link");
    if (!robot_.links[link].is_part) out_.bodies[name] = named_.links[link];
  }

  /// x, y, z and a rotation: name, x, y, z, rates.
  std::vector<std::string> free_motion(const std::string& name) {
    std::vector<std::string> out{name};
    for (const char* part : {"x", "y", "z"}) out.push_back(symbols_.take_part(name, part));
    coordinates_.insert(coordinates_.end(), out.begin() + 1, out.end());
    const std::vector<std::string> turning = rotation(name);
    out.insert(out.end(), turning.begin() + 1, turning.end());
    return out;
  }

  /// A rotation with its rates and what the language names after it: name, rates.
  std::vector<std::string> rotation(const std::string& name) {
    for (const char* part : {"_e0", "_e1", "_e2", "_e3"}) symbols_.reserve(name + part);
    for (char row = '1'; row <= '3'; ++row) {
      for (char column = '1'; column <= '3'; ++column) symbols_.reserve(name + row + column);
    }
    std::vector<std::string> out{name};
    for (const char* part : {"wx", "wy", "wz"}) out.push_back(symbols_.take_part(name, part));
    rotations_ +=
        fmt::format("rotation {} ({}) in body\n", name, fmt::join(out.begin() + 1, out.end(), ", "));
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
    const auto ranges = robot::coordinate_ranges(robot_, named_.values);
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
    if (coordinates_.empty() && rotations_.empty()) {
      refuse(robot_.links[robot_.root].span, "nothing of the robot moves: every joint is fixed or held",
             robot_.root_may_float ? "`--floating base` lets the root move freely"
                                   : "a <joint type=\"hinge\"/> in a body lets it turn");
      return;
    }
    std::vector<bool> heavy(robot_.links.size()), turning(robot_.links.size()), moves(robot_.joints.size());
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      const auto& inertia = robot_.links[i].inertia;
      heavy[i] = inertia && !inertia->mass.value.is_zero();
      turning[i] = inertia && !inertia->is_zero();
    }
    for (auto at = robot_.order.rbegin(); at != robot_.order.rend(); ++at) {
      const RobotJoint& joint = robot_.joints[*at];
      const bool turns = joint.kind == RobotJointKind::revolute || joint.kind == RobotJointKind::continuous ||
                         joint.kind == RobotJointKind::ball;
      const std::size_t base = named_.values[*at].base.value_or(*at);
      if (turns ? turning[joint.child] : heavy[joint.child]) moves[base] = true;
      if (!joint.armature.value.is_zero()) moves[base] = true;
      if (heavy[joint.child]) heavy[joint.parent] = true;
      if (turning[joint.child]) turning[joint.parent] = true;
    }
    const std::string hint = "an <inertial> for a link that it carries";
    if (!options_.floating.empty() && !heavy[robot_.root])
      refuse(robot_.links[robot_.root].span, "no link of the robot has a mass", hint);
    for (const std::size_t i : robot_.order) {
      const RobotJoint& joint = robot_.joints[i];
      if (named_.own[i].empty() || moves[i]) continue;
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

  std::string turned(const RobotPose& pose) {
    for (const RobotTurn& turn : pose.turns) {
      const auto digits = read_decimal(turn.angle.text);
      const std::string note = digits ? robot::known_angle(*digits) : "";
      if (!note.empty() && angle_notes_.insert(note).second) notes_in_order_.push_back(note);
    }
    return robot::turned_text(pose.turns);
  }

  std::string place(const RobotPose& pose) {
    return (is_null(pose.xyz) ? "" : " at " + to_list(pose.xyz)) + turned(pose);
  }

  void write_links() {
    if (!options_.floating.empty())
      write_link(robot_.root, "ground",
                 fmt::format(" at [{}, {}, {}]", floating_[1], floating_[2], floating_[3]),
                 "ball " + floating_[0]);
    for (const std::size_t i : robot_.order) {
      const RobotJoint& joint = robot_.joints[i];
      const std::string& parent = named_.links[joint.parent];
      if (named_.own[i].empty() || has_one_coordinate(joint.kind)) {
        write_link(joint.child, parent, place(joint.origin), by(i));
      } else if (joint.kind == RobotJointKind::floating) {
        write_link(
            joint.child, joint_frame(i),
            fmt::format(" at [{}, {}, {}]", named_.frames[i][1], named_.frames[i][2], named_.frames[i][3]),
            "ball " + named_.frames[i][0]);
      } else if (joint.kind == RobotJointKind::ball) {
        write_link(joint.child, parent, place(joint.origin), "ball " + named_.own[i]);
      } else {
        write_planar(i);
      }
    }
  }

  /// The joint behind `by`; empty for what does not move.
  std::string by(std::size_t i) const {
    const RobotJoint& joint = robot_.joints[i];
    const std::string value = has_one_coordinate(joint.kind) ? robot::displacement(named_, i) : "";
    if (value.empty()) return {};
    const char* word = joint.kind == RobotJointKind::prismatic ? "slider" : "hinge";
    return fmt::format("{} {} axis {}", word, value, to_list(joint.axis));
  }

  /// The axes of a joint, for what is written on them; the parent's where they are the same.
  std::string joint_frame(std::size_t i) {
    const std::string where = place(robot_.joints[i].origin);
    const std::string& parent = named_.links[robot_.joints[i].parent];
    if (where.empty()) return parent;
    const std::string name = bodies_.take_part(named_.links[robot_.joints[i].child], "joint");
    write_frame(name, parent, where);
    return name;
  }

  /// Ways across the axis and a turn about it. Where the axis is not z, the first way is along z x axis and
  /// the second one across both; the file leaves that open.
  void write_planar(std::size_t i) {
    const RobotJoint& joint = robot_.joints[i];
    const auto& [x, y, z] = joint.axis;
    const auto& names = named_.frames[i];
    if (x.value.is_zero() && y.value.is_zero() && z.value.sign() > 0) {
      write_link(joint.child, named_.links[joint.parent], place(joint.origin),
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
    const std::string frame = bodies_.take_part(named_.links[joint.child], "plane");
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

  static std::string inertia_text(const RobotInertia& inertia) {
    const bool products = !is_null({inertia.xy, inertia.xz, inertia.yz});
    const std::string moments = fmt::format("{}, {}, {}", inertia.xx.text, inertia.yy.text, inertia.zz.text);
    // The language has the products with the other sign: A, -F, -E; -F, B, -D; -E, -D, C.
    return products ? fmt::format("[{}, {}, {}, {}]", moments, robot::negated(inertia.yz),
                                  robot::negated(inertia.xz), robot::negated(inertia.xy))
                    : "[" + moments + "]";
  }

  /// Whether turning the axes of the inertia changes nothing.
  static bool is_round(const RobotInertia& inertia) {
    return is_null({inertia.xy, inertia.xz, inertia.yz}) && inertia.xx.value == inertia.yy.value &&
           inertia.yy.value == inertia.zz.value;
  }

  /// On the ground a place tells space from the plane.
  void write_frame(const std::string& name, const std::string& on, const std::string& where) {
    const bool has_place = on != "ground" || where.starts_with(" at ");
    links_ += fmt::format("frame {} on {}{}{}\n", name, on, has_place ? "" : " at [0, 0, 0]", where);
  }

  /// Axes of an inertia that lie on those of the link need not be turned.
  static void put_on_axes(RobotInertia& inertia) {
    const auto turn = robot::rotation_matrix(inertia.origin.turns);
    if (!turn || !robot::is_permutation(*turn)) return;
    const std::array<DecimalVector, 3> old{DecimalVector{inertia.xx, inertia.xy, inertia.xz},
                                           DecimalVector{inertia.xy, inertia.yy, inertia.yz},
                                           DecimalVector{inertia.xz, inertia.yz, inertia.zz}};
    std::array<DecimalVector, 3> now;  // R I R^T, row by row
    for (std::size_t i = 0; i < 3; ++i) now[i] = robot::turned_vector(*turn, old[i]);
    for (std::size_t k = 0; k < 3; ++k) {
      const DecimalVector column = robot::turned_vector(*turn, {now[0][k], now[1][k], now[2][k]});
      for (std::size_t i = 0; i < 3; ++i) now[i][k] = column[i];
    }
    inertia.xx = now[0][0];
    inertia.xy = now[0][1];
    inertia.xz = now[0][2];
    inertia.yy = now[1][1];
    inertia.yz = now[1][2];
    inertia.zz = now[2][2];
    inertia.origin.turns.clear();
  }

  void write_link(std::size_t link, const std::string& on, const std::string& where,
                  const std::string& joint) {
    const std::string& name = named_.links[link];
    auto inertia = robot_.links[link].inertia;
    const bool has_mass = inertia && !inertia->is_zero();
    if (has_mass) put_on_axes(*inertia);
    const bool own_axes = has_mass && !inertia->origin.turns.empty() && !is_round(*inertia);
    if (has_mass && !own_axes) {
      const std::string centre =
          is_null(inertia->origin.xyz) ? "" : " centre " + to_list(inertia->origin.xyz);
      links_ += fmt::format("body {} mass {} inertia {} on {}{} by {}{}\n", name, inertia->mass.text,
                            inertia_text(*inertia), on, where, joint.empty() ? "weld" : joint, centre);
      return;
    }
    if (joint.empty()) {
      write_frame(name, on, where);
    } else {
      links_ += fmt::format("body {} mass 0 inertia [0, 0, 0] on {}{} by {}\n", name, on, where, joint);
    }
    if (!own_axes) return;
    const std::string body = bodies_.take_part(name, "inertia");
    links_ += fmt::format("body {} mass {} inertia {} on {}{} by weld\n", body, inertia->mass.text,
                          inertia_text(*inertia), name, place(inertia->origin));
    named_.masses[link] = body;
  }

  /// On the axes of the link. A file of a mesh is found by who has it: where nothing else is drawn of the
  /// link its statement is a comment.
  void write_shapes(std::size_t link) {
    const std::string& name = named_.links[link];
    bool has_solid = false;
    for (const RobotShape& shape : robot_.links[link].shapes)
      has_solid = has_solid || shape.kind != RobotShapeKind::mesh;
    if (has_solid && named_.masses[link] != name)
      shapes_ += fmt::format("shape {} none\n", named_.masses[link]);
    for (const RobotJoint& joint : robot_.joints) {
      const RobotLink& part = robot_.links[joint.child];
      if (has_solid && joint.parent == link && part.is_part && part.inertia)
        shapes_ += fmt::format("shape {} none\n", named_.masses[joint.child]);
    }
    for (const RobotShape& shape : robot_.links[link].shapes) {
      const std::string where = " at " + to_list(shape.origin.xyz) + turned(shape.origin);
      const std::vector<Decimal>& sizes = shape.sizes;
      switch (shape.kind) {
        case RobotShapeKind::box:
          shapes_ += fmt::format("shape {} box {}{}\n", name, to_list({sizes[0], sizes[1], sizes[2]}), where);
          break;
        case RobotShapeKind::cylinder:
          shapes_ += fmt::format("shape {} cylinder radius {} length {}{}\n", name, sizes[0].text,
                                 sizes[1].text, where);
          break;
        case RobotShapeKind::capsule: write_capsule(name, shape, where); break;
        case RobotShapeKind::sphere:
          shapes_ += fmt::format("shape {} ball radius {}{}\n", name, sizes[0].text, where);
          break;
        case RobotShapeKind::mesh: {
          if (has_solid) break;
          const std::string scale = sizes[0].value.is_one() ? "" : " scale " + sizes[0].text;
          shapes_ += fmt::format("# shape {} mesh \"{}\"{}{}\n", name, plain(shape.file), scale, where);
          has_meshes_ = true;
          break;
        }
      }
    }
  }

  void write_capsule(const std::string& name, const RobotShape& shape, const std::string& where) {
    const std::vector<Decimal>& sizes = shape.sizes;
    shapes_ +=
        fmt::format("shape {} cylinder radius {} length {}{}\n", name, sizes[0].text, sizes[1].text, where);
    for (const DecimalVector& end : shape.ends)
      shapes_ += fmt::format("shape {} ball radius {} at {}\n", name, sizes[0].text, to_list(end));
  }

  // ---- everything else ------------------------------------------------------------------------

  std::string head() const {
    std::string out = fmt::format("system \"{}\"\n", robot_.name.empty() ? "robot" : plain(robot_.name));
    out += fmt::format("# From {} by `liaison import`: numbers stand as in the file, in kg, m, s and rad.\n",
                       options_.file.empty() ? "a robot file" : plain(options_.file));
    const RobotLink& root = robot_.links[robot_.root];
    if (options_.floating.empty())
      out += fmt::format("# The root `{}` is the ground{}.\n", plain(root.name),
                         root.inertia ? "; its own mass does not move" : "");
    for (const auto* table : {&bodies_, &symbols_}) {
      for (const auto& [old, now] : table->renamed())
        out += fmt::format("# `{}` is {} here.\n", plain(old), now);
    }
    for (const std::string& note : notes_in_order_) out += fmt::format("# {}.\n", note);
    std::vector<std::string> impossible;
    for (const RobotLink& link : robot_.links) {
      if (link.inertia && link.inertia->xx.exact && !robot::is_of_a_body(*link.inertia))
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
    for (const RobotLink& link : robot_.links) shapes += link.has_other_shapes ? 1 : 0;
    for (const RobotJoint& joint : robot_.joints) limited += joint.lower ? 1 : 0;
    for (const std::string& what : robot_.missing)
      out += fmt::format("# Left out, though it moves the robot: {}.\n", plain(what));
    for (const std::string& what : robot_.left_out) out += fmt::format("# Left out: {}.\n", plain(what));
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

  /// With `g` where it points down.
  std::string gravity_text() {
    if (is_null(robot_.gravity)) return {};
    if (!robot::points_down(robot_.gravity)) return fmt::format("gravity {}\n", to_list(robot_.gravity));
    parameters_.push_back("g = " + robot::negated(robot_.gravity[2]));
    return "gravity [0, 0, -g]\n";
  }

  std::string declarations() {
    for (const std::size_t i : robot_.order) {
      if (!options_.motors || named_.own[i].empty() || !has_one_coordinate(robot_.joints[i].kind)) continue;
      const bool slides = robot_.joints[i].kind == RobotJointKind::prismatic;
      const std::string motor = symbols_.take_part(named_.own[i], slides ? "force" : "torque");
      parameters_.push_back(motor + " = 0");
      motors_ += fmt::format("force {} = {}\n", named_.own[i], motor);
    }
    std::string lets;
    for (const auto& [name, value] : robot_.lets) lets += fmt::format("let {} = {}\n", name, value);
    return (parameters_.empty() ? "" : wrapped("param", parameters_)) + lets +
           (coordinates_.empty() ? "" : wrapped("coord", coordinates_)) + rotations_;
  }

  const RobotModel& robot_;
  const RobotTextOptions& options_;
  RobotText out_;
  robot::NameTable symbols_, bodies_;
  robot::NamedRobot named_;
  std::vector<std::string> floating_, coordinates_, parameters_;
  std::string rotations_, links_, motors_, shapes_;
  bool has_meshes_ = false;
  std::set<std::string> angle_notes_;
  std::vector<std::string> notes_in_order_;
};

}  // namespace

RobotText to_lia_text(const RobotModel& robot, const RobotTextOptions& options) {
  return RobotWriter(robot, options).write();
}

}  // namespace liaison
