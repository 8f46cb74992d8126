#ifndef LIAISON_ROBOT_MJCF_HPP
#define LIAISON_ROBOT_MJCF_HPP

#include "liaison/robot/robot.hpp"

namespace liaison {

/// Reads the text of a model of MuJoCo (MJCF); at most 20 problems. What of it the language does not say is
/// named in `missing` and `left_out`; `load` reads the files that it includes.
RobotModel read_mjcf(const Source& source, const RobotFileLoader& load = {});

}  // namespace liaison

#endif  // LIAISON_ROBOT_MJCF_HPP
