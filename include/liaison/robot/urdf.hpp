#ifndef LIAISON_ROBOT_URDF_HPP
#define LIAISON_ROBOT_URDF_HPP

#include "liaison/robot/robot.hpp"

namespace liaison {

/// Reads the text of a robot file (URDF); at most 20 problems. Elements that say nothing about the motion
/// (shapes of collisions, materials, transmissions, those of simulators) are passed over.
RobotModel read_urdf(const Source& source);

}  // namespace liaison

#endif  // LIAISON_ROBOT_URDF_HPP
