#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Text of a picture, measured before it is drawn.
namespace liaison::look {

bool is_continuation(char c);  ///< of a character in UTF-8
/// Bytes of the character at `at`, with the marks that stand on it.
std::size_t character_length(std::string_view text, std::size_t at);

/// Width in pixels, by the advances of DejaVu Sans; wide enough for the fonts a reader may have in its place.
double text_width(std::string_view text, double size, bool bold = false);
/// What fits into the width: the middle gives way to "…".
std::string shorten(const std::string& text, double size, double width);
/// Lines of at most this width, broken at blanks; a longer word is shortened.
std::vector<std::string> wrap(const std::string& text, double size, bool bold, double width);

}  // namespace liaison::look
