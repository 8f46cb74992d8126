#ifndef LIAISON_EXPR_TEXT_HASH_HPP
#define LIAISON_EXPR_TEXT_HASH_HPP

#include <cstdint>
#include <string_view>

namespace liaison {

/// FNV-1a of 64 bits: the same on every machine.
inline std::uint64_t hash_of_text(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001B3U;
  return hash;
}

}  // namespace liaison

#endif  // LIAISON_EXPR_TEXT_HASH_HPP
