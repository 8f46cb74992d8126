#include "utf8.hpp"

#include <algorithm>
#include <array>

namespace liaison::utf8 {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

constexpr std::array zero_width{Range{0x0300, 0x036F}, Range{0x200B, 0x200F}, Range{0x20D0, 0x20FF},
                                Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F}};
constexpr std::array double_width{Range{0x1100, 0x115F},   Range{0x2E80, 0x303E},  Range{0x3041, 0xA4CF},
                                  Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},  Range{0xFE30, 0xFE4F},
                                  Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},  Range{0x1F300, 0x1F64F},
                                  Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD}};

template <std::size_t n>
bool is_in(const std::array<Range, n>& ranges, char32_t value) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [value](Range r) { return value >= r.first && value <= r.last; });
}

unsigned char byte(std::string_view text, std::size_t offset) {
  return static_cast<unsigned char>(text[offset]);
}

}  // namespace

CodePoint decode(std::string_view text, std::size_t offset) {
  const unsigned char lead = byte(text, offset);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  const CodePoint broken{0xFFFD, 1, false};
  if (lead < 0xC2 || lead > 0xF4 || offset + length > text.size()) return broken;
  char32_t value = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const unsigned char next = byte(text, offset + i);
    if ((next & 0xC0) != 0x80) return broken;
    value = (value << 6) | (next & 0x3Fu);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (overlong || surrogate || value > 0x10FFFF) return broken;
  return {value, length, true};
}

void append(std::string& out, char32_t value) {
  const auto put = [&out](char32_t bits) { out += static_cast<char>(static_cast<unsigned char>(bits)); };
  if (value < 0x80) {
    put(value);
  } else if (value < 0x800) {
    put(0xC0 | (value >> 6));
    put(0x80 | (value & 0x3F));
  } else if (value < 0x10000) {
    put(0xE0 | (value >> 12));
    put(0x80 | ((value >> 6) & 0x3F));
    put(0x80 | (value & 0x3F));
  } else {
    put(0xF0 | (value >> 18));
    put(0x80 | ((value >> 12) & 0x3F));
    put(0x80 | ((value >> 6) & 0x3F));
    put(0x80 | (value & 0x3F));
  }
}

unsigned width(char32_t value) {
  if (value < zero_width.front().first) return 1;
  if (is_in(zero_width, value)) return 0;
  return is_in(double_width, value) ? 2 : 1;
}

std::string shorten(std::string_view text, std::size_t max) {
  std::size_t offset = 0;
  for (std::size_t count = 0; offset < text.size(); ++count) {
    if (count == max) return std::string(text.substr(0, offset)) + "...";
    offset += decode(text, offset).length;
  }
  return std::string(text);
}

}  // namespace liaison::utf8
