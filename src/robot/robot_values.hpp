#pragma once

#include <optional>
#include <string>
#include <vector>

#include "liaison/robot/robot_text.hpp"
#include "numbers.hpp"

/// What each joint with one coordinate is set to: its own coordinate, a multiple of another, or a number.
namespace liaison::robot {

struct JointValue {
  std::optional<std::size_t> base;  ///< the joint whose coordinate it follows, itself too; nothing: constant
  Rational factor, constant;        ///< factor * coordinate + constant
  std::string text;                 ///< in the language, with the numbers of the file
  bool is_sum = false;              ///< needs brackets in a product
  bool is_zero() const { return !base && constant.is_zero(); }
};

/// `coordinates`: the name of each joint's own coordinate, empty where it has none.
std::vector<JointValue> joint_values(const RobotModel& robot, const RobotTextOptions& options,
                                     const std::vector<std::string>& coordinates);

/// Whether the joint moves by a coordinate of its own.
bool moves_by_itself(const RobotJoint& joint, const RobotTextOptions& options);

/// Whether some body has this inertia: E*trace/2 - I, the matrix of the products of places summed over the
/// mass, has no negative eigenvalue. Files hold others, by rounding and by hand.
bool is_of_a_body(const RobotInertia& inertia);

/// What the limits of all joints that follow a coordinate leave to it: lower and upper end, each with the
/// joint that says it, the first where several say the same.
struct CoordinateRange {
  struct End {
    Rational value;
    std::size_t joint;
  };
  std::optional<End> low, high;
};
/// By the joint whose coordinate it is.
std::vector<CoordinateRange> coordinate_ranges(const RobotModel& robot,
                                               const std::vector<JointValue>& values);

/// "1.5708 is pi/2 to its digits" for what is a multiple of pi/12; empty for other angles.
std::string known_angle(const Decimal& angle);

}  // namespace liaison::robot
