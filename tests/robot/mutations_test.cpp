// Any bytes either read as a robot, whose text is a model, or get problems inside of them.
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include "liaison/model/language.hpp"
#include "liaison/robot/robot_text.hpp"

namespace liaison {
namespace {

std::string all_joints() {
  std::ifstream file(LIAISON_SOURCE_DIR "/tests/robot/all_joints.urdf", std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

const std::string small =
    "<robot name='r'><link name='a'/><link name='b'><inertial><origin xyz='1 0 .5' rpy='0 1.57 0'/><mass "
    "value='2'/>"
    "<inertia ixx='1' ixy='0.1' ixz='0' iyy='2' iyz='0' izz='3'/></inertial></link><joint name='j' "
    "type='revolute'>"
    "<parent link='a'/><child link='b'/><axis xyz='0 0 1'/><limit lower='-1' upper='1'/>"
    "<dynamics damping='1' friction='.1'/></joint></robot>";

const std::string small_mjcf =
    "<mujoco model='m'><compiler angle='radian'/><default><joint damping='0.1'/><default class='c'><geom "
    "mass='1'/></default></default><worldbody><body name='a' pos='0 0 1' quat='1 0 2 0'><joint name='q' "
    "axis='0 1 0' range='-1 1' ref='.2' pos='0 0 .1'/><geom class='c' type='capsule' size='.1' fromto='0 0 0 "
    "1 "
    "0 1'/><body name='b' euler='0 1 0'><joint name='p' type='ball'/><inertial pos='0 0 1' mass='1' "
    "diaginertia='1 1 1'/></body></body><body name='d'><freejoint name='f'/><geom size='1' type='sphere'/>"
    "</body></worldbody><equality><connect body1='b' anchor='0 0 1'/></equality><actuator><motor joint='q' "
    "gear='3'/></actuator></mujoco>";

/// A few bytes changed, taken out, doubled, or put elsewhere.
std::string mutated(std::string text, std::mt19937& random) {
  static const std::vector<std::string> pieces{"<",
                                               ">",
                                               "/>",
                                               "\"",
                                               "'",
                                               "=",
                                               "&#10;",
                                               "&lt;",
                                               "-",
                                               "1e400",
                                               "nan",
                                               "\xff",
                                               "\n",
                                               "name",
                                               "'t'",
                                               "'__'",
                                               "'on'",
                                               "'lambda_x'",
                                               "''",
                                               "'0'",
                                               "floating",
                                               "planar",
                                               "fixed",
                                               "<mimic joint='j' multiplier='0'/>",
                                               "prismatic",
                                               "9",
                                               "slide",
                                               "box",
                                               "<frame euler='1 0 0'>",
                                               "</frame>",
                                               "hinge",
                                               "free",
                                               "degree"};
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  for (std::size_t count = 1 + below(3); count > 0 && text.size() > 10; --count) {
    const std::size_t at = below(text.size()), size = 1 + below(8);
    switch (below(5)) {
      case 0: text[at] = static_cast<char>(below(256)); break;
      case 1: text.erase(at, size); break;
      case 2: text.insert(at, text.substr(below(text.size()), 4 * size)); break;
      case 3: text.insert(at, pieces[below(pieces.size())]); break;
      default: text.replace(at, size, pieces[below(pieces.size())]); break;
    }
  }
  return text;
}

/// Whether it was a robot whose text was read as a model.
bool try_one(const std::string& text, std::mt19937& random, bool read_back) {
  const Source source("r.urdf", text);
  const RobotModel robot = read_robot(source);
  RobotTextOptions options;
  options.limits = random() % 2 == 0;
  options.motors = random() % 2 == 0;
  if (random() % 2 == 0 && robot.root_may_float) options.floating = "base";
  const RobotText out = robot.ok() ? to_lia_text(robot, options) : RobotText{};
  const auto& problems = robot.ok() ? out.problems : robot.problems;
  for (const Diagnostic& problem : problems) {
    EXPECT_FALSE(problem.code.empty() || problem.message.empty() || problem.hint.empty()) << text;
    EXPECT_TRUE(problem.span.begin <= problem.span.end && problem.span.end <= text.size()) << text;
  }
  if (!problems.empty()) {
    EXPECT_FALSE(render(problems, source).empty());
    return false;
  }
  if (!read_back) return false;
  const Source written("r.lia", out.text);
  const ParsedModel model = parse_model(written);
  EXPECT_TRUE(model.ok()) << text << "\n" << out.text << "\n" << render(model.diagnostics, written);
  return model.ok();
}

TEST(Mutations, AHundredThousandSmallFiles) {
  std::mt19937 random(15);
  int read = 0;
  for (int i = 0; i < 100'000 && !HasFailure(); ++i)
    read += try_one(mutated(small, random), random, i % 10 == 0) ? 1 : 0;
  EXPECT_GT(read, 100);  // else the mutations break everything, and nothing is tried
}

TEST(Mutations, ModelsOfMujoco) {
  std::mt19937 random(17);
  int read = 0;
  for (int i = 0; i < 20'000 && !HasFailure(); ++i)
    read += try_one(mutated(small_mjcf, random), random, i % 2 == 0) ? 1 : 0;
  EXPECT_GT(read, 50);
}

TEST(Mutations, FilesWithEveryJoint) {
  std::mt19937 random(16);
  const std::string text = all_joints();
  ASSERT_FALSE(text.empty());
  for (int i = 0; i < 3000 && !HasFailure(); ++i) try_one(mutated(text, random), random, i % 100 == 0);
}

}  // namespace
}  // namespace liaison
