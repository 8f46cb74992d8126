#include "lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "letters.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_quoted = 40;  // code points of the user's text in a message

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// What a person may have meant by a sign that the language does not have.
std::string_view advice(char32_t sign) {
  switch (sign) {
    case U'=': return "an expression has no `=`; write the difference of the two sides";
    case U'<':
    case U'>':
    case U'≤':
    case U'≥': return "an expression has no comparison; write the difference of the two sides";
    case U'|': return "write `abs(x)` for the absolute value";
    case U'\'':
    case U'′': return "a prime stands right behind a name: `x'`";
    case U'!': return "write a factorial out as a number";
    case U'°': return "angles are in radians: `30*pi/180` for 30 degrees";
    case U'%': return "write a percentage as a fraction: `x/100`";
    case U'∂': return "write `D(f, 1)(x, y)` for a partial derivative of an unknown function";
    case U'"': return "a second derivative has two primes: `x''`";
    case U'∞': return "numbers are finite here";
    case U'\\': return "write names without a backslash: `theta`";
    default: return "remove it";
  }
}

std::string quote(std::string_view text) {
  return fmt::format("`{}`", utf8::shorten(text, max_quoted));
}

}  // namespace

Diagnostic& Lexer::report(std::string code, Span span, std::string message) {
  return diagnostics_.emplace_back(Diagnostic{std::move(code), std::move(message), span, {}, {}, {}});
}

bool Lexer::skip_spaces() {
  while (offset_ < text_.size()) {
    const utf8::CodePoint point = utf8::decode(text_, offset_);
    const char32_t c = point.value;
    const bool space = c == U' ' || (c >= U'\t' && c <= U'\r') || c == 0xA0 || c == 0x2009 || c == 0x202F ||
                       c == 0x2062 || c == 0xFEFF;
    if (!space || !point.valid) return true;
    offset_ += point.length;
  }
  return false;
}

bool Lexer::next_is(char c) {
  return skip_spaces() && text_[offset_] == c;
}

bool Lexer::exponent_follows() {
  if (!skip_spaces()) return false;
  const char32_t c = utf8::decode(text_, offset_).value;
  return c == U'^' || c == U'⁻' || letters::superscript_digit(c);
}

Token Lexer::make(TokenKind kind, std::size_t length) {
  Token token;
  token.kind = kind;
  token.span = {offset_, offset_ + length};
  offset_ += length;
  return token;
}

Token Lexer::next() {
  if (!skip_spaces()) return make(TokenKind::end, 0);
  const char c = text_[offset_];
  if (is_digit(c) || (c == '.' && offset_ + 1 < text_.size() && is_digit(text_[offset_ + 1])))
    return read_number();
  if (starts_name(offset_)) return read_name();
  const utf8::CodePoint point = utf8::decode(text_, offset_);
  if (!point.valid) return read_invalid_bytes();
  return point.length == 1 ? read_ascii_sign(c) : read_unicode_sign(point);
}

bool Lexer::starts_name(std::size_t offset) const {
  if (offset >= text_.size()) return false;
  if (is_letter(text_[offset])) return true;
  const char32_t c = utf8::decode(text_, offset).value;
  return letters::greek_name(c) || letters::dotted(c);
}

/// One letter of a name and the dots on it.
bool Lexer::read_letter(std::string& stem, unsigned& dots) {
  if (offset_ >= text_.size()) return false;
  const char ascii = text_[offset_];
  const utf8::CodePoint point = utf8::decode(text_, offset_);
  if (is_letter(ascii) || is_digit(ascii)) {
    stem += ascii;
  } else if (const auto greek = letters::greek_name(point.value)) {
    stem += *greek;
  } else if (const auto dotted = letters::dotted(point.value)) {
    stem += dotted->base;
    dots += dotted->dots;
  } else if (const auto digit = letters::subscript_digit(point.value)) {
    stem += static_cast<char>('0' + *digit);
  } else if (point.value == 0x0307) {
    dots += 1;
  } else if (point.value == 0x0308) {
    dots += 2;
  } else if (point.value == 0x20DB || point.value == 0x20DC) {
    dots += point.value == 0x20DB ? 3 : 4;
  } else {
    return false;
  }
  offset_ += point.length;
  return true;
}

Token Lexer::read_name() {
  Token token = make(TokenKind::name, 0);
  while (read_letter(token.stem, token.primes)) {
  }
  while (offset_ < text_.size()) {
    const utf8::CodePoint point = utf8::decode(text_, offset_);
    const bool single = point.value == U'\'' || point.value == U'′' || point.value == U'’';
    if (!single && point.value != U'″' && point.value != U'‴') break;
    token.primes += single ? 1 : point.value == U'″' ? 2 : 3;
    offset_ += point.length;
  }
  token.span.end = offset_;
  return token;
}

std::size_t Lexer::scan_digits(std::size_t offset) const {
  while (offset < text_.size() && is_digit(text_[offset])) ++offset;
  return offset;
}

Token Lexer::read_number() {
  Token token = make(TokenKind::number, 0);
  const std::size_t begin = offset_;
  std::size_t end = scan_digits(begin);
  if (end < text_.size() && text_[end] == '.') end = scan_digits(end + 1);
  std::string digits(text_.substr(begin, end - begin));
  std::size_t exponent_end = end;
  if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
    std::size_t first = end + 1;
    if (first < text_.size() && (text_[first] == '+' || text_[first] == '-')) ++first;
    if (scan_digits(first) > first) exponent_end = scan_digits(first);
  }
  const std::string exponent(text_.substr(end, exponent_end - end));
  offset_ = exponent_end;
  token.span.end = offset_;
  const bool second_dot = offset_ < text_.size() && text_[offset_] == '.';
  if (second_dot || starts_name(offset_)) return malformed_number(std::move(token), offset_);
  check_length(token, digits, exponent);
  if (token.broken) return token;
  if (digits.front() == '.') digits.insert(digits.begin(), '0');
  if (digits.back() == '.') digits.pop_back();
  if (const auto value = Rational::parse(digits + exponent)) {
    token.value = *value;
  } else {
    token.broken = true;
    report("L0104", token.span, quote(digits + exponent) + " is not a number");
  }
  return token;
}

/// 1.2.3, 1e, 12abc: takes all that hangs together, so that one slip is one report.
Token Lexer::malformed_number(Token token, std::size_t number_end) {
  std::string ignored;
  unsigned dots = 0;
  while (offset_ < text_.size()) {
    if (text_[offset_] == '.') {
      ++offset_;
    } else if (!read_letter(ignored, dots)) {
      break;
    }
  }
  const std::string_view number = text_.substr(token.span.begin, number_end - token.span.begin);
  const std::string_view rest = text_.substr(number_end, offset_ - number_end);
  token.span.end = offset_;
  token.broken = true;
  const std::string whole = quote(text_.substr(token.span.begin, offset_ - token.span.begin));
  Diagnostic& diagnostic = report("L0104", token.span, whole + " is not a number");
  const bool exponent_missing = rest == "e" || rest == "E";
  if (exponent_missing) {
    diagnostic.label = "digits are missing behind the `e`";
    diagnostic.hint = fmt::format("write `{}e3`, or `{}*{}` for a product", utf8::shorten(number, max_quoted),
                                  utf8::shorten(number, max_quoted), rest);
  } else if (rest.find('.') != std::string_view::npos) {
    diagnostic.label = "more than one decimal point";
    diagnostic.hint = "a number has one decimal point: `1.25`";
    if (number.find('.') == std::string_view::npos) diagnostic.label = "a decimal point in the wrong place";
  } else {
    diagnostic.label = "a number and a name with no operator between them";
    diagnostic.hint =
        fmt::format("write `{}*{}`", utf8::shorten(number, max_quoted), utf8::shorten(rest, max_quoted));
  }
  return token;
}

/// Refuses a literal whose digits, with the exponent written out, are more than is allowed.
void Lexer::check_length(Token& token, std::string_view digits, std::string_view exponent) {
  const std::size_t limit = options_.max_number_digits;
  std::size_t shift = 0;
  for (char c : exponent) {
    if (is_digit(c)) shift = std::min<std::size_t>(shift * 10 + static_cast<std::size_t>(c - '0'), limit + 1);
  }
  shift = std::min(shift, limit + 1);
  if (digits.size() + shift <= limit) return;
  token.broken = true;
  Diagnostic& diagnostic =
      report("L0105", token.span, fmt::format("this number has more than {} digits", limit));
  if (digits.size() > limit) {
    diagnostic.label = fmt::format("{} digits", digits.size());
    diagnostic.hint = "numbers are exact here; round it, or give the value to a parameter";
  } else {
    diagnostic.label = "with its exponent written out";
    diagnostic.hint = "numbers are exact here; choose units in which it is smaller, or use a parameter";
  }
}

Token Lexer::read_superscript() {
  Token token = make(TokenKind::superscript, 0);
  std::string digits;
  bool negative = false;
  while (offset_ < text_.size()) {
    const utf8::CodePoint point = utf8::decode(text_, offset_);
    const bool sign = point.value == U'⁻' || point.value == U'⁺';
    const auto digit = letters::superscript_digit(point.value);
    if (sign && offset_ > token.span.begin) break;
    if (!sign && !digit) break;
    if (sign) negative = point.value == U'⁻';
    if (digit) digits += static_cast<char>('0' + *digit);
    offset_ += point.length;
  }
  token.span.end = offset_;
  if (digits.empty()) {
    token.broken = true;
    Diagnostic& diagnostic = report("L0104", token.span, "an exponent without digits");
    diagnostic.hint = "write `x^(-1)` or `x⁻¹`";
    return token;
  }
  check_length(token, digits, {});
  if (!token.broken) token.value = *Rational::parse(fmt::format("{}{}", negative ? "-" : "", digits));
  return token;
}

Token Lexer::read_ascii_sign(char c) {
  switch (c) {
    case '+': return make(TokenKind::plus, 1);
    case '-': return make(TokenKind::minus, 1);
    case '/': return make(TokenKind::divide, 1);
    case '^': return make(TokenKind::power, 1);
    case '(': return make(TokenKind::open, 1);
    case ')': return make(TokenKind::close, 1);
    case ',': return make(TokenKind::comma, 1);
    case '*':
      if (offset_ + 1 < text_.size() && text_[offset_ + 1] == '*') {
        report("L0102", {offset_, offset_ + 2}, "`**` is not an operator").hint = "write `^` for a power";
        return make(TokenKind::power, 2);
      }
      return make(TokenKind::times, 1);
    case '[':
    case '{':
      ++open_square_;
      report("L0102", {offset_, offset_ + 1}, fmt::format("`{}` does not group an expression", c)).hint =
          "use round brackets: `(` and `)`";
      return make(TokenKind::open, 1);
    case ']':
    case '}':
      if (open_square_ == 0) return stray(1);
      --open_square_;
      return make(TokenKind::close, 1);
    default: return stray(1);
  }
}

Token Lexer::read_unicode_sign(utf8::CodePoint point) {
  for (const letters::Vulgar& fraction : letters::vulgar_fractions()) {
    if (fraction.letter != point.value) continue;
    Token token = make(TokenKind::number, point.length);
    token.value = Rational(fraction.numerator, fraction.denominator);
    return token;
  }
  if (letters::superscript_digit(point.value)) return read_superscript();
  switch (point.value) {
    case U'·':
    case U'×':
    case U'⋅':
    case U'∗': return make(TokenKind::times, point.length);
    case U'÷':
    case U'∕':
    case U'⁄': return make(TokenKind::divide, point.length);
    case U'−':
    case U'–': return make(TokenKind::minus, point.length);
    case U'√': return make(TokenKind::root, point.length);
    case U'⁻':
    case U'⁺': return read_superscript();
    default: return stray(point.length);
  }
}

/// x", a quote behind a name that closes no other one.
bool Lexer::is_second_derivative() const {
  const std::string_view before = text_.substr(0, offset_);
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  return !line.empty() && (is_letter(line.back()) || is_digit(line.back())) &&
         line.find('"') == std::string_view::npos;
}

Token Lexer::stray(std::size_t length) {
  const utf8::CodePoint point = utf8::decode(text_, offset_);
  const std::string_view sign = text_.substr(offset_, length);
  const bool control = point.value < 0x20 || point.value == 0x7F;
  const std::string shown =
      control ? fmt::format("the control character U+{:04X}", static_cast<unsigned>(point.value))
              : fmt::format("`{}`", sign);
  Diagnostic& diagnostic =
      report("L0102", {offset_, offset_ + length}, shown + " has no meaning in an expression");
  diagnostic.hint = point.value == U'"' && !is_second_derivative() ? "remove it" : advice(point.value);
  return make(TokenKind::invalid, length);
}

Token Lexer::read_invalid_bytes() {
  std::size_t end = offset_;
  while (end < text_.size() && !utf8::decode(text_, end).valid) ++end;
  Diagnostic& diagnostic = report("L0103", {offset_, end}, "these bytes are not UTF-8 text");
  diagnostic.label = fmt::format("first byte 0x{:02X}", static_cast<unsigned char>(text_[offset_]));
  diagnostic.hint = "save the text as UTF-8, or use ASCII names: `theta`";
  return make(TokenKind::invalid, end - offset_);
}

}  // namespace liaison
