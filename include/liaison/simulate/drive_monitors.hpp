#ifndef LIAISON_SIMULATE_DRIVE_MONITORS_HPP
#define LIAISON_SIMULATE_DRIVE_MONITORS_HPP

#include <span>

#include "liaison/model/drives.hpp"
#include "liaison/simulate/observations.hpp"

namespace liaison {

/// Adds the power of each drive that is no constraint to what a run looks at. After observe().
void observe_drives(Algebra& algebra, const AssembledEquations& equations, const DoublePoint& parameters,
                    Engine engine, const Motion* motion, std::span<const AskedDrive> drives,
                    Observations& observations);

/// Adds T + V + P, which is kept, for a potential P of the drives. After observe().
void observe_potential(Algebra& algebra, const AssembledEquations& equations, const DoublePoint& parameters,
                       Engine engine, const Motion* motion, Expr potential, Observations& observations);

}  // namespace liaison

#endif  // LIAISON_SIMULATE_DRIVE_MONITORS_HPP
