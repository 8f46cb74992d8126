#include "text_lines.hpp"

#include <array>
#include <utility>

namespace liaison::look {

namespace {

/// Advances of DejaVu Sans in hundredths of its size, from blank to ~.
constexpr std::array<int, 95> ascii_advances{
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};

double advance(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (first >= 32 && first < 127) return ascii_advances[first - 32] / 100.0;
  if (character.starts_with("−") || character.starts_with("×")) return 0.84;
  // Letters beyond ASCII up to the Greek ones are two bytes long; dashes, digits above and below have three.
  if (first < 0xE0) return 0.66;
  if (character.starts_with("\u207B") || character.starts_with("–")) return 0.53;
  if (character >= "\u2070" && character < "\u20A0") return 0.42;
  return 1;
}

}  // namespace

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

std::size_t character_length(std::string_view text, std::size_t at) {
  std::size_t end = at;
  do {
    ++end;
    while (end < text.size() && is_continuation(text[end])) ++end;
  } while (text.substr(end, 2) == "\u0307" || text.substr(end, 2) == "\u0308" ||
           text.substr(end, 3) == "\u20DB" || text.substr(end, 3) == "\u20DC");
  return end - at;
}

double text_width(std::string_view text, double size, bool bold) {
  double width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    width += advance(text.substr(i, length));
    i += length;
  }
  return (bold ? 1.12 : 1) * width * size;
}

std::string shorten(const std::string& text, double size, double width) {
  if (text_width(text, size) <= width) return text;
  std::vector<std::string> characters;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    characters.push_back(text.substr(i, length));
    i += length;
  }
  // Names that are long mostly differ at their end: it keeps as much as the beginning.
  const double room = width - size;
  std::string head, tail;
  double used = 0;
  std::size_t first = 0, last = characters.size();
  while (first < last) {
    const bool front = head.size() <= tail.size();
    const std::string& next = front ? characters[first] : characters[last - 1];
    used += advance(next) * size;
    if (used > room) break;
    if (front) {
      head += next;
      ++first;
    } else {
      tail.insert(0, next);
      --last;
    }
  }
  return head + "…" + tail;
}

std::vector<std::string> wrap(const std::string& text, double size, bool bold, double width) {
  std::vector<std::string> lines;
  std::string line;
  const auto fits = [&](const std::string& candidate) { return text_width(candidate, size, bold) <= width; };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = text.find_first_of(" \t\r\n", i);
    if (end == std::string::npos) end = text.size();
    std::string word = text.substr(i, end - i);
    i = end + 1;
    if (word.empty()) continue;
    if (!fits(word)) word = shorten(word, size, bold ? width / 1.12 : width);
    if (!line.empty() && !fits(line + " " + word)) lines.push_back(std::exchange(line, {}));
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace liaison::look
