#pragma once

#include <string>
#include <vector>

#include "liaison/model/system.hpp"

namespace liaison {

/// Something that the time moves: a rheonomic coordinate, a constraint, or what holds the time without a
/// name.
struct FoundDrive {
  enum class Kind { rheonomic, constraint, time } kind = Kind::time;
  std::string name;  ///< by which drive_force and drive_power ask for it
};
/// A drive of the model, and what it must supply along any motion, in accelerations and factors.
struct AskedDrive {
  std::string name;
  Expr force, power;
};

/// Those that were declared, and those that nobody declared: `t` in a relation, a position or a potential.
std::vector<FoundDrive> drives_of(const System& system);

}  // namespace liaison
