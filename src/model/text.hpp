#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "liaison/expr/diagnostic.hpp"

/// The lines of a model as statements, and searching in them.
namespace liaison {

/// The text with comments and continuation signs blanked out, byte for byte: offsets are those of the source.
std::string mask_comments(std::string_view text);

/// One statement each, without the space around it. A line continues the one before it if that one ends in
/// `\`, if it is indented more than the statement's first line, or if a brace is open.
std::vector<Span> cut_statements(std::string_view source, std::string_view masked);

Span trim(std::string_view text, Span span);
inline std::string_view text_at(std::string_view text, Span span) {
  return text.substr(span.begin, span.end - span.begin);
}
/// At most `max` bytes of a text for a message, whole letters only, on one line.
std::string excerpt(std::string_view text, std::size_t max = 40);

enum class SignKind {
  word,
  equals,
  equal_equal,
  at_least,
  at_most,
  greater,
  less,
  colon,
  comma,
  semicolon,
  open_brace
};

/// A word or a sign of the statement's own grammar, outside of all brackets and strings.
struct Sign {
  SignKind kind;
  Span span;
  std::string word;   ///< of a word, in ASCII
  bool call = false;  ///< of a word: a `(` follows
};
std::vector<Sign> top_level_signs(std::string_view text, Span span);
/// The same inside of brackets too.
std::vector<Sign> all_signs(std::string_view text, Span span);

/// A name without its primes.
std::string stem_of(const std::string& name);
std::string quote(const std::string& name);

}  // namespace liaison
