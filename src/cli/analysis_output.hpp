#pragma once

#include "liaison/structure/analysis.hpp"
#include "problems.hpp"

namespace liaison::cli {

/// An analysis by the keys of docs/reference/commands.md.
Json to_json(const System& system, const Analysis& analysis);

}  // namespace liaison::cli
