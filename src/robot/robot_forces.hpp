#pragma once

#include <map>
#include <string>
#include <vector>

#include "liaison/robot/robot_text.hpp"
#include "names.hpp"
#include "robot_values.hpp"

/// Statements of a robot besides its links: what resists, pulls, drives, bounds and closes loops.
namespace liaison::robot {

struct NamedRobot {
  const RobotModel& model;
  const RobotTextOptions& options;
  std::vector<std::string> links, own;           ///< of links; of the coordinate of each joint
  std::vector<std::vector<std::string>> frames;  ///< of joints with several coordinates
  std::vector<JointValue> values;
  std::vector<std::string>
      masses;  ///< of the body that has the mass of a link: another one where it is turned
};

/// The coordinate of a joint less what it is where the child stands as its origin says; empty where that is
/// 0.
std::string displacement(const NamedRobot& robot, std::size_t joint);

/// Potentials of springs and the kinetic energy of what drives.
std::string springs(const NamedRobot& robot);
/// Damping as a dissipation, friction as a force against the motion.
std::string resistances(const NamedRobot& robot);
/// Whether the model calls it `g`.
bool points_down(const DecimalVector& gravity);
/// Forces that hold up a part of the weight of links.
std::string lifts(const NamedRobot& robot);

struct MotorText {
  std::string inputs, forces;
  std::map<std::string, std::string> names;  ///< of inputs, by those of the motors
};
MotorText motors(const NamedRobot& robot, NameTable& symbols);

/// Joints that close loops, relations between coordinates, and the ends of their ranges.
std::string constraints(const NamedRobot& robot);
std::string starts(const NamedRobot& robot);

/// "a, b, c" behind a word, on several lines where it is long.
std::string wrapped(const std::string& word, const std::vector<std::string>& items);
std::string to_list(const DecimalVector& vector);
/// " turned z 0.3, x pi/2"; empty for none.
std::string turned_text(const std::vector<RobotTurn>& turns);

}  // namespace liaison::robot
