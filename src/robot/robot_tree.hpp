#pragma once

#include "liaison/robot/robot.hpp"

namespace liaison::robot {

/// Finds the root and the order of the joints; problems where the joints do not make one tree (L0709), or
/// mimic each other in a circle.
void order_tree(RobotModel& model);

}  // namespace liaison::robot
