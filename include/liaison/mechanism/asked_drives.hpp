#ifndef LIAISON_MECHANISM_ASKED_DRIVES_HPP
#define LIAISON_MECHANISM_ASKED_DRIVES_HPP

#include <vector>

#include "liaison/mechanism/parts.hpp"
#include "liaison/model/drives.hpp"

namespace liaison {

/// What each drive of a model must supply, as `drive_force` and `drive_power` of it say: the model is read
/// once more with the question. Those that are not known are left out, and so is a constraint that moves by
/// rheonomic coordinates alone: these are the drives.
AskedDrives asked_drives(MechanismParts& parts);

}  // namespace liaison

#endif  // LIAISON_MECHANISM_ASKED_DRIVES_HPP
