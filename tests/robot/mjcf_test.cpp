#include "liaison/robot/mjcf.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "liaison/model/language.hpp"
#include "liaison/robot/robot_text.hpp"

namespace liaison {
namespace {

const std::string ball = "<geom size='0.1' mass='2'/>";

std::string model(const std::string& inside, const std::string& before = "") {
  return "<mujoco model='m'>\n" + before + "<worldbody>\n" + inside + "\n</worldbody></mujoco>\n";
}

std::string body(const std::string& inside, const std::string& name = "a") {
  return "<body name='" + name + "'>" + inside + "</body>";
}

/// The text of a model; it reads as one.
std::string text(const std::string& file, const RobotTextOptions& options = {}) {
  const Source source("m.xml", file);
  const RobotModel robot = read_robot(source);
  EXPECT_TRUE(robot.ok()) << render(robot.problems, source);
  if (!robot.ok()) return {};
  const RobotText out = to_lia_text(robot, options);
  EXPECT_TRUE(out.ok()) << render(out.problems, source);
  const Source written("m.lia", out.text);
  const ParsedModel read = parse_model(written);
  EXPECT_TRUE(read.ok()) << out.text << render(read.diagnostics, written);
  return out.text;
}

/// "CODE line:column message" of the first problem.
std::string problem(const std::string& file, const RobotFileLoader& load = {}) {
  const Source source("m.xml", file);
  const RobotModel robot = read_robot(source, load);
  if (robot.ok()) return "none";
  const Source& where = robot.problem_source ? *robot.problem_source : source;
  EXPECT_FALSE(render(robot.problems, where).empty());
  const Diagnostic& first = robot.problems.front();
  EXPECT_FALSE(first.hint.empty()) << first.message;
  const auto place = where.place(first.span.begin);
  return first.code + " " + std::to_string(place.line) + ":" + std::to_string(place.column) + " " +
         first.message;
}

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no\n" << part << "\nin\n" << text;
}

void expect_line(const std::string& text, const std::string& line) {
  EXPECT_NE(("\n" + text).find("\n" + line + "\n"), std::string::npos) << "no line\n"
                                                                       << line << "\nin\n"
                                                                       << text;
}

std::string turned(const std::string& orientation, const std::string& compiler = "") {
  const std::string out =
      text(model("<body name='a' " + orientation + "><joint name='q'/>" + ball + "</body>", compiler));
  const std::size_t begin = out.find("on ground"), end = out.find(" by hinge");
  return begin == std::string::npos ? "" : out.substr(begin + 9, end - begin - 9);
}

TEST(Mjcf, TurnsAreExact) {
  EXPECT_EQ(turned("euler='90 0 -30'"), " turned x pi/2, z -pi/6");
  EXPECT_EQ(turned("euler='90 0 30.5'"), " turned x pi/2, z 30.5*pi/180");
  EXPECT_EQ(turned("euler='0.1 0.2 0.3'", "<compiler angle='radian' eulerseq='zYX'/>"),
            " turned x 0.3, y 0.2, z 0.1");
  EXPECT_EQ(turned("quat='0.7071 0 0.7071 0'"), " turned y pi/2");
  EXPECT_EQ(turned("quat='0 0 3 0'"), " turned y pi");
  EXPECT_EQ(turned("quat='-2 0 0 0'"), "");
  EXPECT_EQ(turned("quat='1 1 1 1'"), " turned [1, 1, 1] 2*pi/3");
  EXPECT_EQ(turned("quat='0.9 0 0 -0.2'"), " turned z -2*atan2(0.2, 0.9)");
  EXPECT_EQ(turned("axisangle='0 -2 0 60'"), " turned [0, -2, 0] pi/3");
  EXPECT_EQ(turned("xyaxes='0 1 0 -1 0 0'"), " turned z pi/2");
  EXPECT_EQ(turned("xyaxes='0 0 1 0 5 0'"), " turned y -pi/2");
  EXPECT_EQ(turned("zaxis='0 -1 0'"), " turned x pi/2");
  EXPECT_EQ(turned("zaxis='0 0 -1'"), " turned x pi");
  EXPECT_EQ(turned("zaxis='1 1 0'"), " turned [-1, 1, 0] pi/2");
}

TEST(Mjcf, InertiasOfGeoms) {
  const auto inertia = [](const std::string& geom) {
    const std::string out = text(model(body("<joint/>" + geom)));
    const std::size_t begin = out.find("mass "), end = out.find(" on ground");
    return out.substr(begin, end - begin);
  };
  EXPECT_EQ(inertia("<geom size='0.5' mass='2'/>"), "mass 2 inertia [0.2, 0.2, 0.2]");
  EXPECT_EQ(inertia("<geom size='0.3'/>"), "mass 36*pi inertia [1.296*pi, 1.296*pi, 1.296*pi]");
  EXPECT_EQ(inertia("<geom type='box' size='0.1 0.2 0.3' mass='3'/>"), "mass 3 inertia [0.13, 0.1, 0.05]");
  // From one end to the other: along x the moments change their places.
  EXPECT_EQ(inertia("<geom type='cylinder' size='0.2' fromto='0 0 0 0.6 0 0' mass='2'/>"),
            "mass 2 inertia [0.04, 0.08, 0.08]");
  EXPECT_EQ(inertia("<geom type='ellipsoid' size='0.1 0.2 0.3' mass='5'/>"),
            "mass 5 inertia [0.13, 0.1, 0.05]");
}

TEST(Mjcf, ClassesInAndInside) {
  const std::string defaults =
      "<default><geom type='sphere' size='0.1' mass='1'/><joint damping='3'/>"
      "<default class='stiff'><joint stiffness='7'/><default class='loose'><joint "
      "damping='0'/></default></default></default>";
  const std::string out =
      text(model("<body name='a' childclass='stiff'><joint name='p'/><geom/><body name='b'><joint name='q' "
                 "class='loose'/><geom/>"
                 "<body name='c'><joint name='r' damping='5'/><geom/></body></body></body>",
                 defaults));
  expect_line(out, "dissipation 3/2*p'^2");
  expect_line(out, "dissipation 5/2*r'^2");
  expect_line(out, "potential 7/2*q^2");
  EXPECT_EQ(out.find("dissipation 3/2*q'^2"), std::string::npos);
}

TEST(Mjcf, JointsOneBehindTheOther) {
  const std::string out = text(model(
      "<body name='a' pos='1 0 0'><joint name='p' pos='0 0 0.5' ref='30'/><joint name='s' type='slide' "
      "axis='1 0 0'/>"
      "<geom pos='0 0 0.1' size='0.1' mass='2'/><body name='b' pos='0 0 1'><joint name='q' pos='0 0.2 0'/>" +
      ball + "</body></body>"));
  expect_line(out,
              "body a_p mass 0 inertia [0, 0, 0] on ground at [1, 0, 0.5] by hinge p - pi/6 axis [0, 0, 1]");
  expect_in(out, "on a_p at [0, 0, -0.5] by slider s axis [1, 0, 0] centre [0, 0, 0.1]");
  expect_in(out, "on a at [0, 0.2, 1] by hinge q axis [0, 0, 1] centre [0, -0.2, 0]");
  expect_line(out, "start p = pi/6");
}

TEST(Mjcf, LimitsInDegrees) {
  RobotTextOptions options;
  options.limits = true;
  const std::string out = text(model(body("<joint name='q' range='10 100'/>" + ball)), options);
  expect_line(out, "unilateral q_lower: q >= pi/18");
  expect_line(out, "unilateral q_upper: q <= 5*pi/9");
  expect_line(out, "start q = 11*pi/36");
  const std::string off =
      text(model(body("<joint name='q' limited='false' range='10 100'/>" + ball)), options);
  EXPECT_EQ(off.find("unilateral"), std::string::npos);
}

TEST(Mjcf, WhatIsLeftOutIsSaid) {
  const std::string out = text(model(
      body("<joint name='q'/><geom size='0.1'/><site name='s'/><camera name='c'/>") +
          "\n<geom type='plane' size='1 1 1'/>",
      "<option timestep='0.001' density='1.2'/><visual/>\n<sensor><gyro site='s'/><gyro site='s'/></sensor>\n"
      "<tendon><fixed name='t'><joint joint='q' coef='1'/></fixed></tendon>"
      "<actuator><muscle joint='q'/><motor tendon='t'/><position joint='q' kp='3' "
      "dampratio='1'/></actuator>"));
  expect_line(out, "# Left out, though it moves the robot: contacts of 2 geoms (line 5).");
  expect_line(out, "# Left out, though it moves the robot: the resistance of a fluid (line 2).");
  expect_line(out, "# Left out, though it moves the robot: a fixed tendon (line 4).");
  expect_line(out, "# Left out, though it moves the robot: an actuator of the kind <muscle> (line 4).");
  expect_line(out,
              "# Left out, though it moves the robot: an actuator that does not act on a joint (line 4).");
  expect_line(out, "# Left out: a sensor, 2 times (line 3).");
  expect_line(out, "# Left out: `timestep`; `liaison simulate` has its own (line 2).");
}

TEST(Mjcf, MotorsAreInputs) {
  const std::string out = text(
      model(body("<joint name='q'/>" + ball) + body("<freejoint name='f'/>" + ball, "b"),
            "<default><motor ctrlrange='0.2 1'/></default><actuator><motor name='m' joint='q' gear='-3'/>"
            "<position name='p' joint='q' kp='5' kv='0.5' ctrlrange='-1 1'/>"
            "<motor name='thrust' joint='f' gear='0 0 2 0 0.1 0' ctrllimited='false'/></actuator>"));
  expect_line(out, "input m = 0.2  # within 0.2 and 1");
  expect_line(out, "force q = (-3)*m");
  expect_line(out, "force q = 5*(p - q) - 0.5*q'");
  expect_line(out, "force f_z = 2*thrust");
  expect_line(out, "force f_wy = 0.1*thrust");
}

TEST(Mjcf, MassesOfATotal) {
  const std::string out = text(model(body("<joint name='q'/>" + ball + body("<geom size='0.3'/>", "b")) +
                                         body("<geom type='box' size='1 1 1' mass='3'/>", "c"),
                                     "<compiler settotalmass='14'/>"));
  expect_line(out, "let mass_scale = 14/(2 + 36*pi + 3)");
  expect_in(out, "mass 2*mass_scale inertia [0.008*mass_scale, 0.008*mass_scale, 0.008*mass_scale]");
}

TEST(Mjcf, WhatMotorsMayDoTogether) {
  const std::string out = text(model(
      body("<joint name='q' actuatorfrcrange='-5 7'/>" + ball),
      "<actuator><motor name='a' joint='q' gear='2'/><position name='b' joint='q' kp='3'/></actuator>"));
  expect_line(out, "force q = max(-5, min(7, 2*a + 3*(b - q)))");
}

TEST(Mjcf, SwitchesOfTheOptions) {
  const std::string inside = body("<joint name='q' damping='1' stiffness='2' frictionloss='3'/>" + ball);
  const std::string out = text(model(
      inside,
      "<option><flag gravity='disable' spring='disable' damper='disable' frictionloss='disable'/></option>"));
  for (const char* part : {"gravity", "potential", "dissipation", "force"})
    EXPECT_EQ(out.find(part), std::string::npos) << out;
}

TEST(Mjcf, WhatIsWrongHasItsPlace) {
  EXPECT_EQ(problem(model(body("<joint stifness='3'/>" + ball))),
            "L0711 3:23 <joint> has no attribute `stifness`");
  EXPECT_EQ(problem(model("<boby/>")), "L0711 3:1 <worldbody> has no element <boby>");
  EXPECT_EQ(problem(model(body("<joint type='hinged'/>"))),
            "L0708 3:23 there is no joint of the type `hinged`");
  EXPECT_EQ(problem(model(body("<joint class='x'/>"))), "L0707 3:23 there is no class `x`");
  EXPECT_EQ(problem(model(body("<joint pos='1 2'/>"))), "L0706 3:23 `pos` has 2 numbers, not 3");
  EXPECT_EQ(problem(model(body("<joint/><geom type='mesh' mesh='m'/>"))),
            "L0712 3:24 the inertia of a mesh is not computed");
  EXPECT_EQ(problem(model(body("<joint/><composite/>"))).substr(0, 10), "L0712 3:24");
  EXPECT_EQ(problem(model(body(ball) + body(ball))), "L0705 3:56 a second body `a`");
  EXPECT_EQ(problem("<mujoco><include file='no.xml'/></mujoco>"),
            "L0713 1:18 the file `no.xml` cannot be read");
  EXPECT_EQ(problem(model(body("<joint name='q'/>" + ball),
                          "<equality><connect body1='a' body2='c' anchor='0 0 0'/></equality>")),
            "L0707 2:30 there is no body `c`");
}

/// A brick of 0.5 by 1 by 2, one corner at the origin, as a file .obj; a prism over an L if it `bends`.
std::string prism(bool bends) {
  std::vector<std::array<std::string, 2>> base{{"0", "0"}, {"0.5", "0"}, {"0.5", "1"}, {"0", "1"}};
  if (bends) base = {{"0", "0"}, {"2", "0"}, {"2", "0.5"}, {"0.5", "0.5"}, {"0.5", "2"}, {"0", "2"}};
  const std::size_t n = base.size();
  std::string out, bottom, top;
  for (const char* z : {"0", "2"})
    for (const auto& [x, y] : base) out += "v " + x + " " + y + " " + z + "\n";
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t next = (k + 1) % n;
    out += fmt::format("f {} {}/1 {}/1/1 {}\n", k + 1, next + 1, next + 1 + n, k + 1 + n);
  }
  for (std::size_t k = 2; k < n; ++k) {
    out += fmt::format("f 1 {} {}\n", k + 1, k);
    out += fmt::format("f {} {} {}\n", n + 1, n + k, n + k + 1);
  }
  return out;
}

const RobotFileLoader meshes = [](const std::string& path) -> std::optional<std::string> {
  if (path == "parts/brick.obj") return prism(false);
  if (path == "parts/angle.obj") return prism(true);
  if (path == "parts/short.stl") return std::string(90, 'x');
  if (path == "parts/sheet.obj") return "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n";
  return std::nullopt;
};

std::string with_mesh(const std::string& mesh, const std::string& geom = "", const std::string& more = "") {
  return "<mujoco model='m'><compiler meshdir='parts'/><asset><mesh name='m' " + mesh +
         "/></asset><worldbody>\n" +
         body("<joint name='q'/><geom type='mesh' mesh='m' " + geom + "/>" + more) + "</worldbody></mujoco>";
}

std::string text_with_meshes(const std::string& file) {
  const Source source("m.xml", file);
  const RobotModel robot = read_robot(source, meshes);
  EXPECT_TRUE(robot.ok()) << render(robot.problems, source);
  return robot.ok() ? to_lia_text(robot, {}).text : "";
}

TEST(Mjcf, MeshesWeigh) {
  expect_in(
      text_with_meshes(with_mesh("file='brick.obj'", "density='12' pos='1 0 0'")),
      "body a mass 12 inertia [5, 4.25, 1.25] on ground by hinge q axis [0, 0, 1] centre [1.25, 0.5, 1]");
  expect_in(text_with_meshes(with_mesh("file='brick.obj' scale='2 1 -1' refpos='0.25 0.5 0'", "mass='12'")),
            "body a mass 12 inertia [5, 5, 2] on ground by hinge q axis [0, 0, 1] centre [0, 0, -1]");
  // exactly, bricks of 2 by 0.5 by 2 and of 0.5 by 1.5 by 2
  expect_in(text_with_meshes(with_mesh("file='angle.obj' inertia='exact'", "density='2'")),
            "body a mass 7 inertia [4.693452380952");
  // MuJoCo's own way counts what is not seen from the middle twice
  EXPECT_EQ(text_with_meshes(with_mesh("file='angle.obj'", "density='2'")).find("mass 7 "),
            std::string::npos);
  // a turned one is a body of its own, welded
  expect_in(text_with_meshes(with_mesh("file='brick.obj'", "density='12' euler='0 0 30'")), "by weld");
}

TEST(Mjcf, MeshesThatDoNotWeighSayWhy) {
  const std::string what = "L0712 2:33 the inertia of a mesh is not computed";
  EXPECT_EQ(problem(with_mesh("file='no.stl'"), meshes),
            what + ": the file `parts/no.stl`: it cannot be read");
  EXPECT_EQ(problem(with_mesh("file='short.stl'"), meshes),
            what + ": the file `parts/short.stl`: what it holds is no mesh");
  EXPECT_EQ(problem(with_mesh("file='sheet.obj'"), meshes),
            what + ": the file `parts/sheet.obj` holds no volume");
  EXPECT_EQ(problem(with_mesh("file='brick.obj' inertia='convex'"), meshes),
            what + ": inertia=\"convex\" is not one that is read");
  EXPECT_EQ(problem(with_mesh("file='brick.obj' refquat='0 1 0 0'"), meshes),
            what + ": `refquat` is not read");
  EXPECT_EQ(problem(with_mesh("vertex='0 0 0 1 0 0 0 1 0 0 0 1'"), meshes), what);
}

TEST(Mjcf, ProblemsOfAnIncludedFileAreItsOwn) {
  const RobotFileLoader load = [](const std::string& path) -> std::optional<std::string> {
    if (path == "parts/a.xml") return "<mujoco>\n<include file='b.xml'/></mujoco>";
    if (path == "parts/b.xml") return "<mujoco><worldbody>\n<body nam='b'/></worldbody></mujoco>";
    return std::nullopt;
  };
  EXPECT_EQ(problem("<mujoco><include file='parts/a.xml'/></mujoco>", load),
            "L0711 2:7 <body> has no attribute `nam`");
  EXPECT_EQ(problem("<mujoco><include file='parts/b.xml'/><include file='parts/b.xml'/></mujoco>", load),
            "L0713 1:47 the file `parts/b.xml` is included a second time");
}

TEST(Mjcf, PlacesOfALoopAtRest) {
  const std::string out =
      text(model("<body name='a' pos='0 0 1'><joint name='p'/>" + ball +
                     "<body name='b' pos='1 0 0' quat='1 0 0 1'><joint name='q'/>" + ball + "</body></body>",
                 "<equality><connect name='pin' body1='b' anchor='0 0.5 0'/><joint joint1='p' joint2='q' "
                 "polycoef='0 -1'/></equality>"));
  expect_line(out, "joint pin: b at [0, 0.5, 0] to ground at [0.5, 0, 1] ball");
  expect_line(out, "constraint equality1: p = -q");
}

}  // namespace
}  // namespace liaison
