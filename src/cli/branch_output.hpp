#pragma once

#include "commands.hpp"
#include "liaison/mechanism/orbits.hpp"

namespace liaison::cli {

/// What can be judged of the options before work begins.
void require_branch_options(const OrbitsOptions& options);
/// The page or the JSON of branches over a parameter, their points as a file and their pictures.
void tell_branches(const OrbitsOptions& options, const System& system, const FollowedParameter& over,
                   const BranchAnswer& answer);

}  // namespace liaison::cli
