#pragma once

#include <optional>
#include <span>
#include <string_view>

/// The letters and signs that text and print share.
namespace liaison::letters {

struct Greek {
  char32_t letter;
  std::string_view name;
};

/// Every Greek letter with its name; a name's first row is the letter that is printed.
std::span<const Greek> greek();
std::optional<std::string_view> greek_name(char32_t letter);
std::optional<char32_t> greek_letter(std::string_view name);

/// A letter with one or two dots above in one code point: ẋ is x and 1.
struct Dotted {
  char32_t letter;
  char base;
  unsigned dots;
};
std::optional<Dotted> dotted(char32_t letter);

/// 0..9 for ₀..₉ and for ⁰..⁹.
std::optional<unsigned> subscript_digit(char32_t letter);
std::optional<unsigned> superscript_digit(char32_t letter);
char32_t subscript(unsigned digit);
char32_t superscript(unsigned digit);

/// ½ and its like.
struct Vulgar {
  char32_t letter;
  int numerator;
  int denominator;
};
std::span<const Vulgar> vulgar_fractions();

}  // namespace liaison::letters
