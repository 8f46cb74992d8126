#pragma once

#include "liaison/structure/standing.hpp"

namespace liaison {

/// Nothing is uncertain but where the relations lose their rank, which is exact at a general place: what is
/// said of general places, where these are independent, is not touched by it.
bool is_certain_at_general_places(const Standing& standing);

}  // namespace liaison
