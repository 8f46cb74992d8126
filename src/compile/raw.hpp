#pragma once

#include <arf.h>

#include <new>

#include "liaison/compile/multiprecision.hpp"

/// Arb's number inside of LongReal, for sources that compute with it.
namespace liaison {

static_assert(sizeof(arf_struct) == sizeof(LongReal) && alignof(arf_struct) <= alignof(LongReal));

inline auto LongReal::raw() const {
  return std::launder(reinterpret_cast<const arf_struct*>(room_));
}
inline auto LongReal::raw() {
  return std::launder(reinterpret_cast<arf_struct*>(room_));
}

}  // namespace liaison
