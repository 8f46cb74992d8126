#include "liaison/robot/robot_text.hpp"

#include <gtest/gtest.h>

namespace liaison {
namespace {

const std::string body =
    "<inertial><origin xyz='0 0 0.5'/><mass value='2'/><inertia ixx='1' ixy='0.1' ixz='-0.2' iyy='2' "
    "iyz='0.3' izz='3'/>"
    "</inertial>";

std::string link(const std::string& name, const std::string& inside = body) {
  return "<link name='" + name + "'>" + inside + "</link>";
}

std::string joint(const std::string& name, const std::string& kind, const std::string& parent,
                  const std::string& child, const std::string& inside = "") {
  return "<joint name='" + name + "' type='" + kind + "'><parent link='" + parent + "'/><child link='" +
         child + "'/>" + inside + "</joint>";
}

RobotText convert(const std::string& inside, const RobotTextOptions& options = {}) {
  const Source source("r.urdf", "<robot name='r'>" + inside + "</robot>");
  const RobotModel model = read_robot(source);
  EXPECT_TRUE(model.ok()) << render(model.problems, source);
  return model.ok() ? to_lia_text(model, options) : RobotText{};
}

std::string text(const std::string& inside, const RobotTextOptions& options = {}) {
  return convert(inside, options).text;
}

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

#define EXPECT_LINE(text, line) EXPECT_TRUE(has_line(text, line)) << "no line\n" << line << "\nin\n" << text

TEST(RobotText, AsAPersonWouldWriteIt) {
  const std::string out =
      text(link("a", "") + link("b") +
           joint("q", "revolute", "a", "b", "<origin xyz='0 0 1' rpy='1.5708 0 -0.3'/><axis xyz='0 1 0'/>"));
  EXPECT_EQ(
      out,
      "system \"r\"\n"
      "# From a robot file by `liaison import`: numbers stand as in the file, in kg, m, s and rad.\n"
      "# The root `a` is the ground.\n"
      "# 1.5708 is pi/2 to its digits.\n"
      "# No body has the inertia of `b`: a moment is negative, or larger than the two others together.\n"
      "param g = 9.81\n"
      "coord q\n"
      "\n"
      "body b mass 2 inertia [1, 2, 3, -0.3, 0.2, -0.1] on ground at [0, 0, 1] turned z -0.3, x 1.5708 "
      "by hinge q"
      " axis [0, 1, 0] centre [0, 0, 0.5]\n"
      "gravity [0, 0, -g]\n");
}

TEST(RobotText, NamesThatAreNone) {
  const RobotText out = convert(
      link("ground", "") + link("left-arm.1") + link("on") + link("left_arm_1") + link("7") +
      joint("t", "continuous", "ground", "left-arm.1") + joint("g", "continuous", "ground", "on") +
      joint("lambda_1", "continuous", "on", "left_arm_1") + joint("a&#10;b__c_", "continuous", "on", "7"));
  EXPECT_EQ(out.bodies.at("left-arm.1"), "left_arm_1");
  EXPECT_EQ(out.bodies.at("left_arm_1"), "left_arm_1_link");
  EXPECT_EQ(out.bodies.at("on"), "on_link");
  EXPECT_EQ(out.bodies.at("7"), "link_7");
  EXPECT_EQ(out.coordinates.at("t").front(), "t_joint");
  EXPECT_EQ(out.coordinates.at("g").front(), "g_joint");
  EXPECT_EQ(out.coordinates.at("lambda_1").front(), "joint_lambda_1");
  EXPECT_EQ(out.coordinates.at("a\nb__c_").front(), "a_b_c");
  EXPECT_LINE(out.text, "# `a b__c_` is a_b_c here.");
}

TEST(RobotText, LimitsAreSaidOnce) {
  const std::string limit = "<limit lower='0.1' upper='0.4'/>";
  const std::string inside =
      link("a", "") + link("b") + link("c") + joint("q", "prismatic", "a", "b", limit) +
      joint("p", "prismatic", "b", "c",
            "<mimic joint='q' multiplier='-2' offset='1'/><limit lower='0.3' upper='0.8'/>");
  RobotTextOptions options;
  EXPECT_LINE(text(inside), "# Left out: limits of 2 joints; `--limits` writes them.");
  options.limits = true;
  const std::string out = text(inside, options);
  EXPECT_LINE(out, "unilateral q_lower: q >= 0.1");
  EXPECT_EQ(out.find("q_upper"), std::string::npos);  // q <= 0.35 is said by the other
  EXPECT_LINE(out, "unilateral p_lower: -2*q + 1 >= 0.3");
  EXPECT_EQ(out.find("p_upper: -2*q + 1 <= 0.8"), std::string::npos);
  EXPECT_LINE(out, "start q = 0.225");
}

TEST(RobotText, JointsThatFollowOthers) {
  const std::string inside =
      link("a", "") + link("b") + link("c") + link("d") + joint("q", "revolute", "a", "b") +
      joint("p", "revolute", "a", "c",
            "<mimic joint='q' multiplier='-1' offset='-0.5'/><dynamics damping='3' friction='2'/>") +
      joint("r", "revolute", "a", "d", "<mimic joint='p' multiplier='0.5'/><dynamics friction='2'/>");
  const std::string out = text(inside);
  EXPECT_NE(out.find("by hinge -q - 0.5 axis [1, 0, 0]"), std::string::npos) << out;
  EXPECT_NE(out.find("by hinge 0.5*(-q - 0.5) axis"), std::string::npos) << out;
  EXPECT_LINE(out, "dissipation 3/2*(-1*q')^2");
  EXPECT_LINE(out, "force q = -2*sign(q')");
  EXPECT_LINE(out, "force q = -2*0.5*sign(q')");
  RobotTextOptions options;
  options.smooth_friction = read_decimal("0.01");
  EXPECT_LINE(text(inside, options), "force q = -2*(-0.5)*tanh((-0.5*q')/0.01)");
  options.held["q"] = *read_decimal("0.25");
  const RobotText held = convert(inside, options);
  EXPECT_EQ(held.problems.at(0).code, "L0710");
}

TEST(RobotText, WhatIsHeldOrHasNoMass) {
  const std::string inside = link("a", "") + link("b") + link("c", "") + link("d", "") +
                             joint("q", "continuous", "a", "b") + joint("p", "continuous", "b", "c") +
                             joint("f", "fixed", "c", "d");
  EXPECT_EQ(convert(inside).problems.at(0).message,
            "the joint `p` moves nothing that has a mass: its acceleration is not determined");
  RobotTextOptions options;
  options.held["p"] = *read_decimal("0.5");
  EXPECT_LINE(text(inside, options), "body c mass 0 inertia [0, 0, 0] on b by hinge 0.5 axis [1, 0, 0]");
  options.held["p"] = Decimal{};
  EXPECT_LINE(text(inside, options), "frame c on b");
  EXPECT_EQ(convert(link("a")).problems.at(0).message,
            "nothing of the robot moves: every joint is fixed or held");
}

TEST(RobotText, FramesOnTheGroundHaveAPlace) {
  const std::string out =
      text(link("a", "") + link("b", "") + link("c") + link("d") +
           joint("f", "fixed", "a", "b", "<origin rpy='0 1 0'/>") +
           joint("p", "floating", "a", "c", "<origin rpy='1 0 0'/>") + joint("q", "fixed", "c", "d"));
  EXPECT_LINE(out, "frame b on ground at [0, 0, 0] turned y 1");
  EXPECT_LINE(out, "frame c_joint on ground at [0, 0, 0] turned x 1");
}

TEST(RobotText, MassesWithAxesOfTheirOwn) {
  const std::string turned =
      "<inertial><origin xyz='1 2 3' rpy='0.1 0.2 0.3'/><mass value='2'/><inertia ixx='1' iyy='2' izz='";
  const std::string end = "'/></inertial>";
  const std::string out =
      text(link("a", "") + link("b", turned + "3" + end) + joint("q", "prismatic", "a", "b"));
  EXPECT_LINE(out, "body b mass 0 inertia [0, 0, 0] on ground by slider q axis [1, 0, 0]");
  EXPECT_LINE(out,
              "body b_inertia mass 2 inertia [1, 2, 3] on b at [1, 2, 3] turned z 0.3, y 0.2, x 0.1 by weld");
}

TEST(RobotText, InertiasThatNoBodyHas) {
  const auto note = [](const std::string& inertia) {
    const std::string inside = "<inertial><mass value='1'/><inertia " + inertia + "/></inertial>";
    return text(link("a", "") + link("b", inside) + joint("q", "revolute", "a", "b"))
               .find("# No body has the inertia of `b`") != std::string::npos;
  };
  EXPECT_FALSE(note("ixx='1' iyy='2' izz='3'"));  // a disc
  EXPECT_TRUE(note("ixx='1' iyy='2' izz='3.01'"));
  EXPECT_TRUE(note("ixx='-1e-20' iyy='1' izz='1'"));
  EXPECT_FALSE(note("ixx='2' iyy='2' izz='2' ixy='1'"));
  EXPECT_TRUE(note("ixx='2' iyy='2' izz='2' ixy='1.001'"));
  EXPECT_TRUE(note("ixx='2' iyy='2' izz='2' ixy='0.6' iyz='0.6' ixz='0.6'"));
  EXPECT_FALSE(note("ixx='2' iyy='2' izz='2' ixy='-0.6' iyz='-0.6' ixz='-0.6'"));
}

TEST(RobotText, JointsOfSeveralCoordinates) {
  RobotTextOptions options;
  options.floating = "base";
  const std::string out =
      text(link("a") + link("b") + link("c") + link("d") +
               joint("air", "floating", "a", "b", "<origin xyz='0 0 1'/>") +
               joint("flat", "planar", "a", "c", "<origin xyz='0 0 2'/><axis xyz='0 0 3'/>") +
               joint("steep", "planar", "a", "d", "<axis xyz='0 3 4'/>"),
           options);
  EXPECT_LINE(out,
              "coord base_x, base_y, base_z, air_x, air_y, air_z, flat_x, flat_y, flat_phi, steep_x, "
              "steep_y, steep_phi");
  EXPECT_LINE(text(link("a", "") + link("b") + joint("p", "planar", "a", "b", "<axis xyz='1 2 0'/>")),
              "frame b_plane on ground at [-2*p_x/sqrt(5), 1*p_x/sqrt(5), p_y]");
  EXPECT_LINE(out, "rotation base (base_wx, base_wy, base_wz) in body");
  EXPECT_LINE(out, "frame b_joint on a at [0, 0, 1]");
  EXPECT_NE(out.find("on b_joint at [air_x, air_y, air_z] by ball air centre"), std::string::npos) << out;
  EXPECT_NE(out.find("on a at [0, 0, 2] by planar (flat_x, flat_y, flat_phi)"), std::string::npos) << out;
  EXPECT_LINE(out, "frame d_plane on a at [-steep_x, -0.8*steep_y, 0.6*steep_y]");
}

TEST(RobotText, WhatALinkLooksLike) {
  const auto visual = [](const std::string& geometry, const std::string& origin = "") {
    return "<visual>" + origin + "<geometry>" + geometry + "</geometry></visual>";
  };
  const std::string mesh = "<mesh filename='package://r/arm.stl' scale='0.001 0.001 0.001'/>";
  const std::string turned_body =
      "<inertial><origin rpy='0.1 0 0'/><mass value='2'/><inertia ixx='1' iyy='2' izz='2.5'/></inertial>";
  const std::string out =
      text(link("a", visual("<box size='1 2 0.1'/>")) +
           link("b", body +
                         visual("<cylinder radius='0.1' length='.5'/>",
                                "<origin xyz='0 0 0.25' rpy='0.2 0 -0.3'/>") +
                         visual("<sphere radius='0.2'/>") + visual(mesh)) +
           link("c", body + visual(mesh)) + link("d", turned_body + visual("<box size='1 1 1'/>")) +
           link("e", body + visual("<box size='1 0 1'/>")) + joint("p", "continuous", "a", "b") +
           joint("q", "continuous", "b", "c") + joint("r", "continuous", "c", "d") +
           joint("s", "continuous", "d", "e"));
  EXPECT_LINE(out, "shape ground box [1, 2, 0.1] at [0, 0, 0]");
  EXPECT_LINE(out, "shape b cylinder radius 0.1 length 0.5 at [0, 0, 0.25] turned z -0.3, x 0.2");
  EXPECT_LINE(out, "shape b ball radius 0.2 at [0, 0, 0]");
  EXPECT_LINE(out, "# shape c mesh \"package://r/arm.stl\" scale 0.001 at [0, 0, 0]");
  EXPECT_LINE(out, "shape d_inertia none");
  EXPECT_LINE(out, "# Left out: shapes of 1 link.");
  EXPECT_EQ(out.find("shape b mesh"), std::string::npos);
  EXPECT_EQ(out.find("shape e"), std::string::npos);
}

TEST(RobotText, MotorsAndLongLists) {
  std::string inside = link("l0", "");
  for (int i = 1; i <= 20; ++i)
    inside += link("l" + std::to_string(i)) + joint("a_long_name_" + std::to_string(i),
                                                    i == 1 ? "prismatic" : "continuous",
                                                    "l" + std::to_string(i - 1), "l" + std::to_string(i));
  RobotTextOptions options;
  options.motors = true;
  const std::string out = text(inside, options);
  EXPECT_LINE(out, "force a_long_name_1 = a_long_name_1_force");
  EXPECT_LINE(out, "force a_long_name_20 = a_long_name_20_torque");
  EXPECT_NE(out.find("coord a_long_name_1, a_long_name_2"), std::string::npos);
  EXPECT_NE(out.find(",\n  a_long_name_"), std::string::npos);
}

}  // namespace
}  // namespace liaison
