#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace liaison::cli {

namespace {

constexpr std::size_t least_width = 40, usual_width = 80, largest_width = 110;

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool is_off(const char* variable) {
  return is_set(variable) && std::strcmp(std::getenv(variable), "0") == 0;
}

std::string_view begin_of(Ink ink) {
  switch (ink) {
    case Ink::plain: return "";
    case Ink::strong: return "\x1b[1m";
    case Ink::faint: return "\x1b[2m";
    case Ink::good: return "\x1b[32m";
    case Ink::bad: return "\x1b[1;31m";
    case Ink::warn: return "\x1b[33m";
    case Ink::info: return "\x1b[36m";
  }
  return "";
}

std::string strong(std::string_view text) {
  return in_ink(text, Ink::strong, true);
}

/// "PLACE: error: WHAT [CODE]"
std::string painted_head(std::string_view line, std::size_t error) {
  constexpr std::string_view word = "error:";
  std::string_view rest = line.substr(error + word.size());
  const std::size_t code = rest.rfind(" [L");
  const std::string_view tail = code == std::string_view::npos ? "" : rest.substr(code);
  rest.remove_suffix(tail.size());
  return strong(line.substr(0, error)) + in_ink(word, Ink::bad, true) + strong(rest) +
         in_ink(tail, Ink::faint, true);
}

std::string painted_line(std::string_view line) {
  const std::size_t error = line.starts_with("error: ") ? 0 : line.find(": error: ");
  if (error != std::string_view::npos && !line.starts_with(' '))
    return painted_head(line, error == 0 ? 0 : error + 2);
  for (const std::string_view word : {"   hint:", "   note:"}) {
    if (line.starts_with(word)) return in_ink(word, Ink::info, true) + std::string(line.substr(word.size()));
  }
  const std::size_t bar = line.find(" | ");
  const bool is_margin = bar != std::string_view::npos &&
                         line.substr(0, bar).find_first_not_of(" 0123456789") == std::string_view::npos;
  if (!is_margin) return std::string(line);
  const std::string_view margin = line.substr(0, bar + 3), rest = line.substr(bar + 3);
  const bool is_caret = margin.find_first_of("0123456789") == std::string_view::npos &&
                        rest.find('^') == rest.find_first_not_of(' ');
  return in_ink(margin, Ink::faint, true) + in_ink(rest, is_caret ? Ink::bad : Ink::plain, true);
}

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

OutputToError::OutputToError(bool is_on) {
  if (!is_on) return;
  std::fflush(stdout);
  output_ = dup(STDOUT_FILENO);
  if (output_ >= 0) dup2(STDERR_FILENO, STDOUT_FILENO);
}

OutputToError::~OutputToError() {
  if (output_ < 0) return;
  std::fflush(stdout);
  dup2(output_, STDOUT_FILENO);
  close(output_);
}

bool has_colours(std::FILE* stream) {
  if (is_set("NO_COLOR") || is_off("CLICOLOR")) return false;
  if (is_set("CLICOLOR_FORCE") && !is_off("CLICOLOR_FORCE")) return true;
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || *terminal == '\0' || std::strcmp(terminal, "dumb") == 0;
  return !is_dumb && isatty(fileno(stream)) == 1;
}

std::size_t text_width(std::FILE* stream) {
  std::size_t width = 0;
  winsize size{};
  if (isatty(fileno(stream)) == 1 && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0) width = size.ws_col;
  if (width == 0 && is_set("COLUMNS")) width = std::strtoul(std::getenv("COLUMNS"), nullptr, 10);
  return width == 0 ? usual_width : std::clamp(width, least_width, largest_width);
}

std::string in_ink(std::string_view text, Ink ink, bool colours) {
  if (!colours || ink == Ink::plain || text.empty()) return std::string(text);
  return std::string(begin_of(ink)) + std::string(text) + "\x1b[0m";
}

std::string painted_messages(std::string_view messages) {
  std::string out;
  while (!messages.empty()) {
    const std::size_t end = std::min(messages.find('\n'), messages.size());
    out += painted_line(messages.substr(0, end));
    messages.remove_prefix(end);
    if (messages.empty()) break;
    out += '\n';
    messages.remove_prefix(1);
  }
  return out;
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent, std::size_t first_column) {
  std::string out;
  std::size_t column = first_column;
  bool is_first = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t wide = columns_of(word);
    if (!is_first && column + 1 + wide > width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
      is_first = true;
    }
    if (!is_first) out += ' ';
    out += word;
    column += wide + (is_first ? 0 : 1);
    is_first = false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace liaison::cli
