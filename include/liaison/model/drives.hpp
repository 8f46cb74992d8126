#ifndef LIAISON_MODEL_DRIVES_HPP
#define LIAISON_MODEL_DRIVES_HPP

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
  bool is_counted =
      true;  ///< false: its power is in that of another one, and is not added in the law of energy
};
struct AskedDrives {
  std::vector<AskedDrive> drives;
  bool has_law = true;  ///< d(T + V)/dt is the sum of the powers that are counted, beside what forces do
};

/// A relation between velocities that prescribes one of them, f(q, v) = w(t) or = w, f of the first degree:
/// it moves, though it may not hold the time.
bool prescribes_velocity(const System& system, const Constraint& constraint);

/// Those that were declared, and those that nobody declared: `t` in a relation, a position or a potential, a
/// velocity that is prescribed.
std::vector<FoundDrive> drives_of(const System& system);

}  // namespace liaison

#endif  // LIAISON_MODEL_DRIVES_HPP
