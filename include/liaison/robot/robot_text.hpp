#ifndef LIAISON_ROBOT_ROBOT_TEXT_HPP
#define LIAISON_ROBOT_ROBOT_TEXT_HPP

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "liaison/robot/robot.hpp"

/// A robot as a model in the language, written as a person would.
namespace liaison {

struct RobotTextOptions {
  std::string file;      ///< named in the first comment; may be empty
  std::string floating;  ///< the root is free in space, with coordinates of this name; empty: fixed
  bool limits = false;   ///< of joints, as unilateral constraints
  bool motors = false;   ///< a parameter for the force of each joint
  std::map<std::string, Decimal> held;     ///< joints that are kept at a value
  std::optional<Decimal> smooth_friction;  ///< a speed: friction f*tanh(q'/speed) in place of f*sign(q')
};

struct RobotText {
  std::string text;
  /// The coordinates of each joint that moves by its own, and the name of each link, by their names in the
  /// file.
  std::map<std::string, std::vector<std::string>> coordinates;
  std::map<std::string, std::string> bodies;
  std::map<std::string, std::string> inputs;  ///< of motors, by their names in the file
  std::vector<Diagnostic> problems;           ///< what cannot be a model (L0710)
  bool ok() const { return problems.empty(); }
};

RobotText to_lia_text(const RobotModel& robot, const RobotTextOptions& options = {});

/// A decimal as robot files write it: "-1.5e-3", "+2", ".5"; nothing if the text is none, or too long to
/// be meant.
std::optional<Decimal> read_decimal(std::string_view text);

}  // namespace liaison

#endif  // LIAISON_ROBOT_ROBOT_TEXT_HPP
