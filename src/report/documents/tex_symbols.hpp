#pragma once

#include <optional>
#include <string>
#include <string_view>

/// The commands of LaTeX that formulas use, and the letters and signs that they print.
namespace liaison::report {

enum class TexClass { letter, capital, function, sign, binary, relation, opening, closing };

struct TexSymbol {
  std::string command;  ///< without its backslash
  std::string unicode;  ///< of a function: its name
  TexClass kind;
};

const TexSymbol* find_command(std::string_view command);
/// By what is printed; functions are not found.
const TexSymbol* find_printed(std::string_view character);

/// A text for the page, not for mathematics: special characters escaped, mathematical signs and Greek letters
/// in mathematics, letters that pdflatex cannot show by their code point.
std::string escape_latex_text(std::string_view text);

/// The bytes of the UTF-8 character at `offset`; one for a byte that begins none.
std::size_t character_length(std::string_view text, std::size_t offset);

}  // namespace liaison::report
