#include "liaison/robot/robot.hpp"

#include "liaison/robot/mjcf.hpp"
#include "liaison/robot/urdf.hpp"
#include "xml_tree.hpp"

namespace liaison {

bool RobotInertia::is_zero() const {
  for (const Decimal* value : {&mass, &xx, &xy, &xz, &yy, &yz, &zz}) {
    if (!value->value.is_zero()) return false;
  }
  return true;
}

std::string name_of(RobotJointKind kind) {
  switch (kind) {
    case RobotJointKind::revolute: return "revolute";
    case RobotJointKind::continuous: return "continuous";
    case RobotJointKind::prismatic: return "prismatic";
    case RobotJointKind::fixed: return "fixed";
    case RobotJointKind::floating: return "floating";
    case RobotJointKind::planar: return "planar";
    case RobotJointKind::ball: return "ball";
  }
  return "fixed";
}

bool has_one_coordinate(RobotJointKind kind) {
  return kind == RobotJointKind::revolute || kind == RobotJointKind::continuous ||
         kind == RobotJointKind::prismatic;
}

bool has_rotation(RobotJointKind kind) {
  return kind == RobotJointKind::floating || kind == RobotJointKind::ball;
}

RobotModel read_robot(const Source& source, const RobotFileLoader& load) {
  const robot::XmlDocument document = robot::read_xml(source);
  return document.root.name == "mujoco" ? read_mjcf(source, load) : read_urdf(source);
}

}  // namespace liaison
