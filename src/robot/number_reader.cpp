#include "number_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/robot/robot_text.hpp"

namespace liaison::robot {

namespace {
constexpr std::size_t max_problems = 20;
}  // namespace

std::vector<std::string> words_of(const std::string& text) {
  constexpr std::string_view blank = " \t\r\n";
  std::vector<std::string> words;
  for (std::size_t at = text.find_first_not_of(blank); at != std::string::npos;
       at = text.find_first_not_of(blank, at)) {
    const std::size_t end = std::min(text.find_first_of(blank, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

void NumberReader::add(std::string code, Span span, std::string message, std::string hint) {
  if (problems_.size() >= max_problems) return;
  problems_.push_back(Diagnostic{std::move(code), std::move(message), span, {}, {}, std::move(hint)});
}

std::optional<Decimal> NumberReader::decimal(const std::string& word, Span where) {
  auto value = read_decimal(word);
  if (!value) {
    add("L0706", where, fmt::format("`{}` is not a number", quoted(word)),
        word.find(',') != std::string::npos ? "a decimal point, and blanks between numbers: \"0.5 0 1\""
                                            : "numbers are decimal: 0.5, -2, 1.5e-3");
  }
  return value;
}

Decimal NumberReader::number(const std::string& text, Span where, const std::string& attribute,
                             Decimal fallback) {
  const std::vector<std::string> words = words_of(text);
  if (words.size() != 1) {
    add("L0706", where, fmt::format("`{}` is one number", attribute), fmt::format("{}=\"0.5\"", attribute));
    return fallback;
  }
  return decimal(words.front(), where).value_or(fallback);
}

DecimalVector NumberReader::vector(const std::string& text, Span where, const std::string& attribute,
                                   DecimalVector fallback) {
  const std::vector<std::string> words = words_of(text);
  if (words.size() != 3) {
    add("L0706", where, fmt::format("`{}` has {} numbers, not 3", attribute, words.size()),
        fmt::format("{}=\"0 0 1\"", attribute));
    return fallback;
  }
  for (std::size_t i = 0; i < 3; ++i) fallback[i] = decimal(words[i], where).value_or(fallback[i]);
  return fallback;
}

std::string hint_for(const std::string& name, std::vector<std::string> known, const std::string& what) {
  const auto nearest = nearest_name(name, known);
  if (nearest) return fmt::format("did you mean `{}`?", quoted(*nearest));
  if (known.empty()) return fmt::format("there are no {}", what);
  const bool all = known.size() <= 8;
  known.resize(std::min<std::size_t>(known.size(), 8));
  for (std::string& each : known) each = quoted(each);
  return fmt::format("the {} are {}{}", what, fmt::join(known, ", "), all ? "" : ", ...");
}

}  // namespace liaison::robot
