#pragma once

#include <algorithm>
#include <string_view>

#include "row.hpp"

namespace liaison::test {

/// "f(x, y)" with f declared as an unknown function of as many arguments.
inline Expr unknown(Desk& desk, std::string_view call) {
  const auto commas = std::count(call.begin(), call.end(), ',');
  desk.pool.function(call.substr(0, call.find('(')), static_cast<std::uint32_t>(commas + 1));
  return desk(call);
}

}  // namespace liaison::test
