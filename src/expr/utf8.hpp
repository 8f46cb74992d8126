#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace liaison::utf8 {

struct CodePoint {
  char32_t value;
  std::size_t length;  ///< bytes; at least 1
  bool valid;          ///< false: one byte that belongs to no well-formed sequence
};

/// The code point that starts at `offset` < text.size(). Overlong forms, surrogates and values beyond
/// U+10FFFF are not well-formed.
CodePoint decode(std::string_view text, std::size_t offset);
void append(std::string& out, char32_t value);
/// Columns of a terminal: 0 for marks that stand on the letter before, 2 for wide characters.
unsigned width(char32_t value);
/// The first `max` code points, with "..." behind if that is not all.
std::string shorten(std::string_view text, std::size_t max);

}  // namespace liaison::utf8
