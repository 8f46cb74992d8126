#include "liaison/robot/urdf.hpp"

#include <gtest/gtest.h>

#include "liaison/robot/robot_text.hpp"

namespace liaison {
namespace {

const std::string links = "<link name='a'/><link name='b'/>";
const std::string ends = "<parent link='a'/><child link='b'/>";

std::string robot(const std::string& inside) {
  return "<robot name='r'>\n" + inside + "\n</robot>\n";
}

/// "CODE line:column message" of the first problem; all problems have a place in the text and can be shown.
std::string problem(const std::string& text) {
  const Source source("r.urdf", text);
  const RobotModel model = read_urdf(source);
  if (model.ok()) return "none";
  EXPECT_FALSE(render(model.problems, source).empty());
  const Diagnostic& first = model.problems.front();
  EXPECT_FALSE(first.hint.empty()) << first.message;
  const auto place = source.place(first.span.begin);
  return first.code + " " + std::to_string(place.line) + ":" + std::to_string(place.column) + " " +
         first.message;
}

TEST(Urdf, NumbersStayAsTheyStand) {
  EXPECT_EQ(read_decimal("+.50e+03")->text, "0.50e03");
  EXPECT_EQ(read_decimal("-0.0")->text, "0");
  EXPECT_EQ(read_decimal("1.5707963")->value, Rational(15707963, 10000000));
  EXPECT_EQ(read_decimal("5.")->text, "5");
  EXPECT_EQ(read_decimal("-1E-5")->value, Rational(-1, 100000));
  for (const char* text :
       {"", "-", ".", "1e", "0x10", "nan", "inf", "1/2", "1e999", "1,5", "--1", "1 2", "e5"})
    EXPECT_FALSE(read_decimal(text)) << text;
}

TEST(Urdf, ReadsWhatAFileSays) {
  const RobotModel model = read_urdf(Source("r.urdf", robot(R"(
    <link name="b"><inertial><origin xyz="1 2 3" rpy=" 0.1
        0 0"/><mass value="2"/><inertia ixx="1" ixy="0.1" iyy="2" izz="3"/></inertial></link>
    <gazebo><link name="b"/></gazebo><transmission><joint name="j"/></transmission>
    <link name="a"/>
    <joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 2"/>
      <limit effort="1" velocity="1" upper="1.5"/><dynamics damping="0.5"/></joint>)")));
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model.links[model.root].name, "a");
  ASSERT_EQ(model.joints.size(), 1U);
  EXPECT_EQ(model.links[model.joints[0].child].inertia->origin.turns.at(0).angle.text, "0.1");
  EXPECT_EQ(model.joints[0].lower->text, "0");  // the other one is given
  EXPECT_EQ(model.joints[0].upper->text, "1.5");
  EXPECT_EQ(model.joints[0].damping.value, Rational(1, 2));
}

TEST(Urdf, WhatIsNoRobot) {
  EXPECT_EQ(problem("").substr(0, 5), "L0701");
  EXPECT_EQ(problem("<robot><link></robot>").substr(0, 10), "L0701 1:22");
  EXPECT_EQ(problem("coord x\nkinetic x'^2/2\n").substr(0, 5), "L0701");
  EXPECT_EQ(problem("<sdf/>"), "L0702 1:1 this is no robot file: it begins with <sdf>");
  EXPECT_EQ(problem("<robot name='r'/>"), "L0702 1:1 the robot has no links");
  EXPECT_EQ(problem(robot("<xacro:macro name='x'/>")),
            "L0703 2:1 <xacro:macro> is xacro that is not expanded");
  EXPECT_EQ(problem(robot("<link name='${side}'/>")), "L0703 2:7 `${side}` is xacro that is not expanded");
  EXPECT_EQ(problem("<robot name='r' xmlns:xacro='http://x'><link name='a'/></robot>"), "none");
}

TEST(Urdf, WhatIsMissing) {
  EXPECT_EQ(problem(robot("<link/>")), "L0704 2:1 a link has no `name`");
  EXPECT_EQ(problem(robot(links + "\n<joint name='j' type='fixed'><child link='b'/></joint>")),
            "L0704 3:1 the joint `j` has no parent");
  EXPECT_EQ(problem(robot(links + "\n<joint name='j' type='fixed'><parent link='a'/></joint>")),
            "L0704 3:1 the joint `j` has no child");
  EXPECT_EQ(problem(robot(links + "<joint name='j'>" + ends + "</joint>")),
            "L0704 2:33 the joint `j` has no `type`");
  EXPECT_EQ(problem(robot("<link name='a'><inertial/></link>")),
            "L0704 2:16 the inertial of `a` has no <mass>");
}

TEST(Urdf, NamesAndKinds) {
  EXPECT_EQ(problem(robot("<link name='a'/><link name='a'/>")), "L0705 2:23 a second link `a`");
  const std::string joint = "<joint name='j' type='fixed'>" + ends + "</joint>";
  EXPECT_EQ(problem(robot(links + joint + "\n" + joint)), "L0705 3:8 a second joint `j`");
  EXPECT_EQ(problem(robot(links + "<joint name='j' type='hinge'>" + ends + "</joint>")),
            "L0708 2:49 the joint `j` is `hinge`, and there is no such kind of joint");
  EXPECT_EQ(problem(robot("<link name='a'/>\n<joint name='j' type='fixed'>" + ends + "</joint>")),
            "L0707 3:55 the child of the joint `j` is `b`, and there is no such link");
}

TEST(Urdf, NumbersThatAreNone) {
  const auto mass = [](const std::string& value) {
    return problem(robot("<link name='a'><inertial><mass value='" + value +
                         "'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"));
  };
  EXPECT_EQ(mass("-2"), "L0706 2:32 the mass of `a` is negative: -2");
  EXPECT_EQ(mass("two"), "L0706 2:32 `two` is not a number");
  EXPECT_EQ(mass("nan"), "L0706 2:32 `nan` is not a number");
  EXPECT_EQ(problem(robot("<link name='a'><inertial><origin xyz='1 2'/><mass value='1'/>"
                          "<inertia ixx='1' iyy='1' izz='1'/></inertial></link>")),
            "L0706 2:34 `xyz` has 2 numbers, not 3");
  EXPECT_EQ(problem(robot(links + "<joint name='j' type='planar'>" + ends + "<axis xyz='0 0 0'/></joint>")),
            "L0706 2:104 the axis of the joint `j` has no direction");
  EXPECT_EQ(problem(robot(links + "<joint name='j' type='revolute'>" + ends + "<limit lower='1'/></joint>")),
            "L0706 2:100 the limits of the joint `j` exclude everything: 1 to 0");
}

TEST(Urdf, WhatIsNoTree) {
  EXPECT_EQ(problem(robot(links)),
            "L0709 2:17 there are 2 links that no joint carries, `a`, `b`: a robot has one root");
  const auto joint = [](const std::string& name, const std::string& parent, const std::string& child) {
    return "\n<joint name='" + name + "' type='continuous'><parent link='" + parent + "'/><child link='" +
           child + "'/></joint>";
  };
  EXPECT_EQ(problem(robot(links + joint("j", "a", "b") + joint("k", "b", "a"))).substr(0, 10), "L0709 3:1 ");
  EXPECT_EQ(problem(robot(links + "<link name='c'/>" + joint("j", "a", "b") + joint("k", "b", "c") +
                          joint("l", "a", "c"))),
            "L0709 5:1 the link `c` is the child of two joints, `k` and `l`: a robot file holds trees");
  EXPECT_EQ(problem(robot(links + "<link name='c'/>" + joint("j", "c", "b") + joint("k", "b", "c"))),
            "L0709 3:1 the joint `j` is on a loop that the root `a` does not carry");
  EXPECT_EQ(problem(robot(links + "<joint name='j' type='prismatic'>" + ends + "<mimic joint='j'/></joint>")),
            "L0709 2:33 the joint `j` mimics itself");
}

TEST(Urdf, ADeepTreeIsNoTrouble) {
  std::string inside;
  const int depth = 3000;
  for (int i = 0; i <= depth; ++i) inside += "<link name='l" + std::to_string(i) + "'/>";
  for (int i = 0; i < depth; ++i)
    inside += "<joint name='j" + std::to_string(i) + "' type='fixed'><parent link='l" + std::to_string(i) +
              "'/><child link='l" + std::to_string(i + 1) + "'/></joint>";
  const RobotModel model = read_urdf(Source("r.urdf", robot(inside)));
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model.order.size(), static_cast<std::size_t>(depth));
}

TEST(Urdf, EntitiesDoNotGrow) {
  std::string text = "<!DOCTYPE robot [<!ENTITY a0 'aaaaaaaaaa'>";
  for (int i = 1; i < 20; ++i) {
    text += "<!ENTITY a" + std::to_string(i) + " '";
    for (int k = 0; k < 10; ++k) text += "&a" + std::to_string(i - 1) + ";";
    text += "'>";
  }
  EXPECT_EQ(problem(text + "]><robot name='&a19;'><link name='a'/></robot>").substr(0, 5), "L0701");
  EXPECT_EQ(problem("<!DOCTYPE robot [<!ENTITY x SYSTEM '/etc/hostname'>]><robot><link name='&x;'/></robot>")
                .substr(0, 5),
            "L0701");
}

}  // namespace
}  // namespace liaison
