#include <algorithm>
#include <array>

#include "letters.hpp"
#include "liaison/expr/print.hpp"
#include "print_writer.hpp"
#include "utf8.hpp"

namespace liaison {

namespace {

/// theta_cart12'' as its parts: stem "theta", index "cart12" behind the first _, or the digits at the end;
/// primes.
struct NameParts {
  std::string stem;
  std::string index;
  bool underscore = false;
  std::size_t primes = 0;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

NameParts split_name(const std::string& name) {
  NameParts parts;
  std::string body = name;
  while (!body.empty() && body.back() == '\'') {
    body.pop_back();
    ++parts.primes;
  }
  const std::size_t underscore = body.find('_');
  if (underscore != std::string::npos && underscore > 0 && underscore + 1 < body.size()) {
    parts.stem = body.substr(0, underscore);
    parts.index = body.substr(underscore + 1);
    parts.underscore = true;
    return parts;
  }
  std::size_t digits = body.size();
  while (digits > 0 && is_digit(body[digits - 1])) --digits;
  parts.stem = body.substr(0, digits);
  parts.index = body.substr(digits);
  return parts;
}

std::string unicode_dots(std::size_t primes, bool single_letter) {
  std::string dots;
  if (single_letter && primes >= 1 && primes <= 4) {
    constexpr std::array<char32_t, 4> marks{0x0307, 0x0308, 0x20DB, 0x20DC};
    utf8::append(dots, marks[primes - 1]);
    return dots;
  }
  for (std::size_t i = 0; i < primes; ++i) utf8::append(dots, U'′');
  return dots;
}

std::string escape_latex(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '_' ? std::string("\\_") : std::string(1, c);
  return out;
}

std::string latex_word(const std::string& word) {
  if (word.size() <= 1) return escape_latex(word);
  if (letters::greek_letter(word)) return "\\" + word;
  return "\\mathrm{" + escape_latex(word) + "}";
}

bool is_c_keyword(const std::string& name) {
  constexpr std::array<std::string_view, 37> words{
      "auto",     "break",  "case",   "char",     "const",     "continue", "default",  "do",
      "double",   "else",   "enum",   "extern",   "float",     "for",      "goto",     "if",
      "inline",   "int",    "long",   "register", "restrict",  "return",   "short",    "signed",
      "sizeof",   "static", "struct", "switch",   "typedef",   "union",    "unsigned", "void",
      "volatile", "while",  "_Bool",  "_Complex", "_Imaginary"};
  return std::find(words.begin(), words.end(), name) != words.end();
}

}  // namespace

std::string unicode_name(const std::string& name) {
  const NameParts parts = split_name(name);
  std::string out;
  const auto greek = letters::greek_letter(parts.stem);
  if (greek) {
    utf8::append(out, *greek);
  } else {
    out = parts.stem;
  }
  const bool single_letter = greek || parts.stem.size() == 1;
  if (single_letter) out += unicode_dots(parts.primes, true);
  if (parts.underscore) out += "_" + parts.index;
  if (!parts.underscore) {
    for (char digit : parts.index) utf8::append(out, letters::subscript(static_cast<unsigned>(digit - '0')));
  }
  if (!single_letter) out += unicode_dots(parts.primes, false);
  return out;
}

std::string latex_name(const std::string& name) {
  const NameParts parts = split_name(name);
  std::string out = latex_word(parts.stem);
  constexpr std::array<std::string_view, 4> accents{"\\dot", "\\ddot", "\\dddot", "\\ddddot"};
  if (parts.primes >= 1 && parts.primes <= accents.size()) {
    out = std::string(accents[parts.primes - 1]) + "{" + out + "}";
  }
  if (!parts.index.empty()) {
    const bool digits = std::all_of(parts.index.begin(), parts.index.end(), is_digit);
    out += "_{" + (digits ? parts.index : latex_word(parts.index)) + "}";
  }
  if (parts.primes > accents.size()) out += "^{(" + std::to_string(parts.primes) + ")}";
  return out;
}

bool is_spelt_out(std::string_view latex_name) {
  constexpr std::string_view word = "\\mathrm{";
  const std::size_t at = latex_name.find(word);
  if (at == 0 || at == std::string_view::npos) return at == 0;
  const std::string_view accent = latex_name.substr(0, at);  // "\\dot{", and no index behind a letter
  return accent.starts_with('\\') && accent.ends_with("dot{");
}

std::string c_name(const std::string& name) {
  std::string out = name;
  std::size_t primes = 0;
  while (!out.empty() && out.back() == '\'') {
    out.pop_back();
    ++primes;
  }
  if (primes > 0) out.append("_").append(primes, 'd').append("ot");
  return is_c_keyword(out) ? out + "_" : out;
}

}  // namespace liaison
