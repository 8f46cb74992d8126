#include "liaison/robot/robot_text.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_digits = 400;  // a double has 17 that matter; a file may print more
constexpr int max_exponent = 400;

bool is_decimal_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string digits_at(std::string_view text, std::size_t& at) {
  const std::size_t begin = at;
  while (at < text.size() && is_decimal_digit(text[at])) ++at;
  return std::string(text.substr(begin, at - begin));
}

bool skip_one_of(std::string_view text, std::size_t& at, std::string_view letters) {
  if (at >= text.size() || letters.find(text[at]) == std::string_view::npos) return false;
  ++at;
  return true;
}

}  // namespace

std::optional<Decimal> read_decimal(std::string_view text) {
  if (text.size() > max_digits) return std::nullopt;
  std::size_t at = 0;
  const bool negative = !text.empty() && text[0] == '-';
  skip_one_of(text, at, "+-");
  std::string whole = digits_at(text, at), fraction, exponent;
  if (skip_one_of(text, at, ".")) fraction = digits_at(text, at);
  if (whole.empty() && fraction.empty()) return std::nullopt;
  if (whole.empty()) whole = "0";
  if (skip_one_of(text, at, "eE")) {
    if (at < text.size() && text[at] == '-') exponent = "-";
    skip_one_of(text, at, "+-");
    const std::string digits = digits_at(text, at);
    if (digits.empty() || digits.size() > 4 || std::stoi(digits) > max_exponent) return std::nullopt;
    exponent += digits;
  }
  if (at != text.size()) return std::nullopt;
  Decimal out;
  out.text = (negative ? "-" : "") + whole;
  if (!fraction.empty()) out.text += "." + fraction;
  if (!exponent.empty()) out.text += "e" + exponent;
  const auto value = Rational::parse(out.text);
  if (!value) return std::nullopt;
  out.value = *value;
  if (out.value.is_zero()) out.text = "0";
  return out;
}

}  // namespace liaison
