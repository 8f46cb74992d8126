#include "text.hpp"

#include <algorithm>

#include "liaison/expr/parse.hpp"

namespace liaison {

namespace {

constexpr std::size_t tab_width = 8;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

std::size_t find_line_end(std::string_view text, std::size_t begin) {
  return std::min(text.find('\n', begin), text.size());
}

/// Where the comment of a line starts: a # outside of strings.
std::size_t find_comment(std::string_view text, Span line) {
  bool quoted = false;
  for (std::size_t i = line.begin; i < line.end; ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '#' && !quoted) return i;
  }
  return line.end;
}

struct LineShape {
  Span content;            ///< without the space around it; empty: a blank line
  std::size_t indent = 0;  ///< columns
  bool continues = false;  ///< ends in a backslash
};

LineShape shape_of(std::string_view source, std::string_view masked, Span line) {
  LineShape shape;
  shape.content = trim(masked, line);
  const bool marked = line.begin == 0 && source.starts_with(byte_order_mark);
  for (std::size_t i = marked ? byte_order_mark.size() : line.begin; i < shape.content.begin; ++i) {
    shape.indent += masked[i] == '\t' ? tab_width - shape.indent % tab_width : 1;
  }
  const Span code = trim(source, {line.begin, find_comment(source, line)});
  shape.continues = code.end > code.begin && source[code.end - 1] == '\\';
  return shape;
}

/// Of a line, without what stands in quotes.
int brace_balance(std::string_view text) {
  int balance = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') ++balance;
    if (text[i] == '}') --balance;
    if (text[i] != '"') continue;
    if (const std::size_t end = text.find('"', i + 1); end != std::string_view::npos) i = end;
  }
  return balance;
}

/// The sign that a text starts with, and its length; 0 if it is none.
std::pair<SignKind, std::size_t> sign_at(std::string_view rest) {
  if (rest.starts_with("==")) return {SignKind::equal_equal, 2};
  if (rest.starts_with(">=")) return {SignKind::at_least, 2};
  if (rest.starts_with("<=")) return {SignKind::at_most, 2};
  if (rest.starts_with("≥")) return {SignKind::at_least, std::string_view("≥").size()};
  if (rest.starts_with("≤")) return {SignKind::at_most, std::string_view("≤").size()};
  switch (rest.front()) {
    case '=': return {SignKind::equals, 1};
    case '>': return {SignKind::greater, 1};
    case '<': return {SignKind::less, 1};
    case ':': return {SignKind::colon, 1};
    case ',': return {SignKind::comma, 1};
    case ';': return {SignKind::semicolon, 1};
    case '{': return {SignKind::open_brace, 1};
    default: return {SignKind::word, 0};
  }
}

std::vector<Sign> find_signs(std::string_view text, Span span, std::size_t max_depth) {
  std::vector<Sign> signs;
  std::size_t depth = 0;
  for (std::size_t i = span.begin; i < span.end;) {
    const char c = text[i];
    if (c == '"') {
      i = std::min(text.find('"', i + 1), span.end - 1) + 1;
      continue;
    }
    if (const auto name = scan_name(text.substr(0, span.end), i)) {
      const Span after = trim(text, {name->end, span.end});
      const bool call = after.begin < after.end && text[after.begin] == '(';
      if (depth <= max_depth) signs.push_back({SignKind::word, {i, name->end}, name->text, call});
      i = name->end;
      continue;
    }
    if (c >= '0' && c <= '9') {  // a number with its exponent is no word
      while (i < span.end && ((text[i] >= '0' && text[i] <= '9') || text[i] == '.')) ++i;
      const bool exponent = i + 1 < span.end && (text[i] == 'e' || text[i] == 'E');
      if (exponent &&
          (text[i + 1] == '-' || text[i + 1] == '+' || (text[i + 1] >= '0' && text[i + 1] <= '9')))
        i += 2;
      continue;
    }
    const auto [kind, length] = sign_at(text.substr(i, span.end - i));
    if (length > 0 && depth <= max_depth) signs.push_back({kind, {i, i + length}, {}, false});
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
    i += std::max<std::size_t>(length, 1);
  }
  return signs;
}

}  // namespace

std::string mask_comments(std::string_view text) {
  std::string masked(text);
  if (text.starts_with(byte_order_mark)) std::fill_n(masked.begin(), byte_order_mark.size(), ' ');
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = find_line_end(text, begin);
    const std::size_t comment = find_comment(text, {begin, end});
    std::fill(masked.begin() + static_cast<std::ptrdiff_t>(comment),
              masked.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    const Span code = trim(text, {begin, comment});
    if (code.end > code.begin && text[code.end - 1] == '\\') masked[code.end - 1] = ' ';
    begin = end + 1;
  }
  return masked;
}

std::vector<Span> cut_statements(std::string_view source, std::string_view masked) {
  std::vector<Span> statements;
  bool open = false;       // the last statement may still grow
  bool backslash = false;  // the line before ends in one
  int braces = 0;
  std::size_t indent = 0;
  for (std::size_t begin = 0; begin < source.size();) {
    const std::size_t end = find_line_end(source, begin);
    const LineShape shape = shape_of(source, masked, {begin, end});
    const bool blank = shape.content.begin == shape.content.end;
    const bool comment_only = blank && trim(source, {begin, end}).begin < end;
    if (!blank) {
      const bool grows = open && (backslash || shape.indent > indent || braces > 0);
      if (grows) {
        statements.back().end = shape.content.end;
      } else {
        statements.push_back(shape.content);
        indent = shape.indent;
        braces = 0;
      }
      braces = std::max(0, braces + brace_balance(text_at(masked, shape.content)));
      open = true;
    } else if (!comment_only && !backslash && braces == 0) {
      open = false;
    }
    backslash = shape.continues || (backslash && comment_only);
    begin = end + 1;
  }
  return statements;
}

Span trim(std::string_view text, Span span) {
  while (span.begin < span.end && is_space(text[span.begin])) ++span.begin;
  while (span.end > span.begin && is_space(text[span.end - 1])) --span.end;
  return span;
}

std::string excerpt(std::string_view text, std::size_t max) {
  std::string shown(text.substr(0, max));
  if (text.size() > max) {
    while (!shown.empty() && (static_cast<unsigned char>(text[shown.size()]) & 0xC0) == 0x80)
      shown.pop_back();
    shown += "...";
  }
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return shown;
}

std::vector<Sign> top_level_signs(std::string_view text, Span span) {
  return find_signs(text, span, 0);
}

std::vector<Sign> all_signs(std::string_view text, Span span) {
  return find_signs(text, span, text.size());
}

std::string stem_of(const std::string& name) {
  return name.substr(0, name.find('\''));
}

std::string quote(const std::string& name) {
  return "`" + excerpt(name) + "`";
}

}  // namespace liaison
