#include <cctype>
#include <string_view>

#include "liaison/expr/error.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/report/document.hpp"

/// Formulas as statements of programming languages.
namespace liaison {

namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Whole words only.
void replace_word(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;) {
    const std::size_t end = at + from.size();
    const bool whole = (at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]));
    if (whole) text.replace(at, from.size(), to);
    at += whole ? to.size() : from.size();
  }
}

std::string name_in_c(const std::string& name) {
  std::string out;
  for (char c : c_name(name)) {
    if (is_word(c)) {
      out += c;
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  while (out.size() > 1 && out.back() == '_' && c_name(name).back() != '_') out.pop_back();
  return out;
}

/// The functions of C that `from math import *` has are called the same.
std::string in_python(std::string c) {
  replace_all(c, "(double)", "");
  replace_word(c, "fmin", "min");
  replace_word(c, "fmax", "max");
  replace_word(c, "lambda", "lambda_");
  return c;
}

}  // namespace

Code assignment(const std::string& name, Expr value) {
  try {
    const std::string left = name_in_c(name), right = to_c(value);
    return {left + " = " + right + ";", in_python(left + " = " + right)};
  } catch (const Error&) {
    return {};
  }
}

}  // namespace liaison
