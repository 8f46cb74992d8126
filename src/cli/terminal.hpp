#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

/// What a terminal can show, and what a pipe must not get.
namespace liaison::cli {

/// What is printed goes to the standard error where the standard output has rows.
class OutputToError {
 public:
  explicit OutputToError(bool is_on);
  ~OutputToError();
  OutputToError(const OutputToError&) = delete;
  OutputToError& operator=(const OutputToError&) = delete;

 private:
  int output_ = -1;
};

/// Colours: on a terminal that is not dumb. NO_COLOR and CLICOLOR=0 switch them off, CLICOLOR_FORCE on, also
/// in a pipe (no-color.org, bixense.com/clicolors).
bool has_colours(std::FILE* stream);

/// Columns of the terminal behind the stream, else $COLUMNS, else 80; from 40 to 110.
std::size_t text_width(std::FILE* stream);

enum class Ink { plain, strong, faint, good, bad, warn, info };
/// The text in that ink if `colours`, else as it is.
std::string in_ink(std::string_view text, Ink ink, bool colours);

/// Messages as they are written by the library, with colours: place, "error:", carets, "hint:".
std::string painted_messages(std::string_view messages);

/// Lines of at most `width` columns, broken at blanks.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent, std::size_t first_column);

}  // namespace liaison::cli
