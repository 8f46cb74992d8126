#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "liaison/expr/diagnostic.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/rational.hpp"
#include "utf8.hpp"

namespace liaison {

enum class TokenKind : std::uint8_t {
  end,
  number,
  name,
  superscript,  ///< x²: an integer exponent
  plus,
  minus,
  times,
  divide,
  power,
  root,  ///< √
  open,
  close,
  comma,
  invalid,  ///< reported by the lexer already
};

struct Token {
  TokenKind kind = TokenKind::end;
  Span span;
  std::string stem;     ///< of a name, in ASCII, without its primes
  unsigned primes = 0;  ///< of a name
  Rational value;       ///< of a number or superscript
  bool broken = false;  ///< a number that was reported and has no value
};

/// Cuts a text into tokens. What cannot be one is reported into `diagnostics`.
class Lexer {
 public:
  Lexer(std::string_view text, Span part, const ParseOptions& options, std::vector<Diagnostic>& diagnostics)
      : text_(text.substr(0, part.end)), offset_(part.begin), options_(options), diagnostics_(diagnostics) {}
  Token next();
  /// The next character that is not a space is this one.
  bool next_is(char c);
  /// Where the next token is read, and from where it shall be.
  std::size_t offset() const { return offset_; }
  bool at_name() const { return starts_name(offset_); }
  void move_to(std::size_t offset) { offset_ = offset; }
  /// ^ or a superscript follows.
  bool exponent_follows();

 private:
  bool skip_spaces();
  Token make(TokenKind kind, std::size_t length);
  Token read_name();
  bool read_letter(std::string& stem, unsigned& dots);
  Token read_number();
  Token read_superscript();
  Token read_ascii_sign(char c);
  Token read_unicode_sign(utf8::CodePoint point);
  Token read_invalid_bytes();
  Token malformed_number(Token token, std::size_t number_end);
  Token stray(std::size_t length);
  bool is_second_derivative() const;
  bool starts_name(std::size_t offset) const;
  std::size_t scan_digits(std::size_t offset) const;
  void check_length(Token& token, std::string_view digits, std::string_view exponent);
  Diagnostic& report(std::string code, Span span, std::string message);

  std::string_view text_;
  std::size_t offset_;
  const ParseOptions& options_;
  std::vector<Diagnostic>& diagnostics_;
  std::size_t open_square_ = 0;  ///< [ and { that stand for (
};

}  // namespace liaison
