#include "document.hpp"

#include <algorithm>
#include <array>

#include "liaison/expr/parse.hpp"

namespace liaison::lsp {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Bytes of the character that begins at `offset`; 1 of what is not UTF-8.
std::size_t length_at(std::string_view text, std::size_t offset) {
  const auto first = static_cast<unsigned char>(text[offset]);
  const std::size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  for (std::size_t k = 1; k < length; ++k) {
    if (offset + k >= text.size() || (static_cast<unsigned char>(text[offset + k]) & 0xC0) != 0x80) return 1;
  }
  return length;
}
std::size_t units_of(std::size_t length) {
  return length == 4 ? 2 : 1;
}

/// Comments, strings and the signs that continue a line, blanked out byte for byte.
std::string masked(const std::string& text) {
  std::string out = text;
  bool in_string = false, in_comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      in_string = in_comment = false;
    } else if (in_comment) {
      out[i] = ' ';
    } else if (c == '"') {
      in_string = !in_string;
    } else if (in_string) {
      out[i] = ' ';
    } else if (c == '#') {
      in_comment = true;
      out[i] = ' ';
    }
  }
  return out;
}

/// Behind a number: 12, 1.5e-3; the dots of 1..10 are no part of it.
std::size_t behind_number(std::string_view text, std::size_t i) {
  while (i < text.size() && (is_digit(text[i]) || (text[i] == '.' && text.substr(i, 2) != ".."))) ++i;
  if (i >= text.size() || (text[i] != 'e' && text[i] != 'E')) return i;
  const std::size_t sign = i + 1 < text.size() && (text[i + 1] == '-' || text[i + 1] == '+') ? 1 : 0;
  if (i + 1 + sign >= text.size() || !is_digit(text[i + 1 + sign])) return i;
  i += 1 + sign;
  while (i < text.size() && is_digit(text[i])) ++i;
  return i;
}

}  // namespace

Document::Document(std::string path, std::string text)
    : path_(std::move(path)), text_(std::move(text)), masked_(masked(text_)), line_starts_{0} {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  }
  cut();
  for (std::size_t k = 0; k < statements_.size(); ++k) read_words(k);
}

std::string_view Document::line(std::size_t number) const {
  if (number >= line_starts_.size()) return {};
  const std::size_t begin = line_starts_[number];
  std::size_t end = number + 1 < line_starts_.size() ? line_starts_[number + 1] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

/// A line continues the one before it if that one ends in `\`, if it is indented more than the first line of
/// the statement, or while a brace is open; an empty line ends a continuation.
void Document::cut() {
  bool is_open = false, goes_on = false;
  std::size_t indent = 0, braces = 0;
  for (std::size_t k = 0; k < line_starts_.size(); ++k) {
    const std::size_t begin = line_starts_[k];
    const std::size_t size = line(k).size();
    const std::string_view shown = std::string_view(masked_).substr(begin, size);
    const std::size_t first = shown.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) {
      is_open = is_open && (goes_on || braces > 0 || line(k).find('#') != std::string_view::npos);
      continue;
    }
    const bool continues = is_open && (goes_on || braces > 0 || first > indent);
    const std::size_t end = begin + shown.find_last_not_of(" \t\r\\") + 1;
    if (continues) {
      statements_.back().span.end = std::max(end, statements_.back().span.end);
    } else {
      statements_.push_back({{begin + first, std::max(end, begin + first)}, {}, 0, 0, 0});
      indent = first;
      braces = 0;
    }
    is_open = true;
    goes_on = shown[shown.find_last_not_of(" \t\r")] == '\\';
    for (const char c : shown) {
      if (c == '{') ++braces;
      if (c == '}' && braces > 0) --braces;
    }
  }
}

/// A bracket behind a value holds its unit; others hold vectors.
bool Document::opens_unit(const Statement& statement, std::size_t bracket) const {
  constexpr std::array always{"param", "coord", "start", "table"};
  if (std::find(always.begin(), always.end(), statement.keyword) != always.end()) return true;
  const char sign = before(bracket);
  const bool has_values =
      statement.keyword == "claim" || statement.keyword == "misprint" || statement.keyword == "event";
  return has_values && (is_digit(sign) || sign == ')');
}

void Document::read_words(std::size_t number) {
  Statement& statement = statements_[number];
  statement.first = statement.last = words_.size();
  std::size_t depth = 0, unit_depth = 0;
  bool is_string = false, is_repeated = false;
  for (std::size_t i = statement.span.begin; i < statement.span.end;) {
    const char c = masked_[i];
    if (c == '"') is_string = !is_string;
    if (c == '(' || c == '[' || c == '{') {
      ++depth;
      if (c == '[' && unit_depth == 0 && opens_unit(statement, i)) unit_depth = depth;
    }
    if ((c == ')' || c == ']' || c == '}') && depth > 0) {
      if (depth == unit_depth) unit_depth = 0;
      --depth;
    }
    if (c == ':' && depth == 0 && is_repeated) {  // for i in 1..3: STATEMENT
      is_repeated = false;
      statement.keyword.clear();
    }
    const auto name = is_string || is_digit(c) ? std::nullopt : scan_name(masked_, i);
    if (!name || name->end <= i) {
      i = is_digit(c) && !is_string ? behind_number(masked_, i) : i + length_at(masked_, i);
      continue;
    }
    Word word;
    word.name = name->text;
    while (word.name.ends_with('\'')) {
      word.name.pop_back();
      ++word.primes;
    }
    word.span = {i, name->end};
    word.statement = number;
    word.depth = depth;
    word.in_unit = unit_depth > 0;
    word.in_family = name->end < masked_.size() && masked_[name->end] == '{' && word.primes == 0;
    words_.push_back(std::move(word));
    statement.last = words_.size();
    if (statement.keyword.empty()) {
      statement.keyword = words_.back().name;
      statement.body = words_.size();
      is_repeated = statement.keyword == "for";
    }
    i = name->end;
  }
}

const Word* Document::word_at(std::size_t offset) const {
  const auto after =
      std::upper_bound(words_.begin(), words_.end(), offset,
                       [](std::size_t place, const Word& word) { return place < word.span.begin; });
  if (after == words_.begin()) return nullptr;
  const Word& word = *(after - 1);
  return offset <= word.span.end ? &word : nullptr;
}

const Statement* Document::statement_at(std::size_t offset) const {
  const auto after =
      std::upper_bound(statements_.begin(), statements_.end(), offset,
                       [](std::size_t place, const Statement& each) { return place < each.span.begin; });
  return after == statements_.begin() ? nullptr : &*(after - 1);
}

std::size_t Document::offset(Position position) const {
  if (position.line >= line_starts_.size()) return text_.size();
  const std::string_view shown = line(position.line);
  std::size_t i = 0;
  for (std::size_t units = 0; i < shown.size() && units < position.character;) {
    const std::size_t length = length_at(shown, i);
    units += units_of(length);
    if (units > position.character) break;  // inside of a pair: its begin
    i += length;
  }
  return line_starts_[position.line] + i;
}

Position Document::position(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto number = static_cast<std::size_t>(after - line_starts_.begin()) - 1;
  std::size_t units = 0;
  for (std::size_t i = line_starts_[number]; i < offset;) {
    const std::size_t length = length_at(text_, i);
    units += units_of(length);
    i += length;
  }
  return {number, units};
}

char Document::before(std::size_t offset) const {
  while (offset > 0 && is_blank(masked_[offset - 1])) --offset;
  return offset == 0 ? '\0' : masked_[offset - 1];
}

char Document::behind(std::size_t offset) const {
  while (offset < masked_.size() && is_blank(masked_[offset])) ++offset;
  return offset < masked_.size() ? masked_[offset] : '\0';
}

}  // namespace liaison::lsp
