#ifndef LIAISON_MECHANICS_DRIVE_ENERGY_HPP
#define LIAISON_MECHANICS_DRIVE_ENERGY_HPP

#include <string>
#include <vector>

#include "liaison/mechanics/manifold.hpp"
#include "liaison/model/drives.hpp"

namespace liaison {

/// What drives do to the energy, on all motions.
struct DriveEnergy {
  Verdict law;                        ///< d(T + V)/dt is the sum of the powers that are counted
  std::vector<std::string> of_state;  ///< drives whose power depends on the state (proved)
  bool of_time = false;               ///< all powers are functions of the time alone (proved)
  Expr rate;                          ///< dP/dt, minus their sum: where the law and that are proved
  Expr potential;                     ///< P with that rate, so that T + V + P is kept; empty: not found
};
/// Row V2.first-integral-test: P is there where R_0, as a function of the state, is one of q0 alone; along
/// q0 = tau(t) that is a function of the time.
DriveEnergy drive_energy(Algebra& algebra, const Motion& motion, const Manifold& manifold,
                         const AskedDrives& asked);

/// A sign of the time in V: V jumps there, and what switches it does that work at once; no power has it.
bool jumps_in_time(Expr potential, Expr time);

/// In coordinates, velocities and the time, on the constraint manifold; empty: not in closed form.
Expr along_motion(Algebra& algebra, const Motion& motion, const Manifold& manifold, Expr e);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_DRIVE_ENERGY_HPP
