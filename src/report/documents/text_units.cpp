#include "text_units.hpp"

#include <algorithm>
#include <array>

#include "liaison/expr/print_parts.hpp"

namespace liaison::report {

namespace {

constexpr int inside_piece = 10;  // penalties: a line ends between pieces where it can
constexpr int each_bracket = 10;
constexpr int after_comma = 3;
constexpr int in_product = 6;
constexpr int inside_sentence = 2;  // in a paragraph, rather between words than in a formula

bool is_operator(std::string_view word) {
  constexpr std::array<std::string_view, 17> operators{"+", "−", "∧", "=", "≠", "≤",  "≥", "<", ">",
                                                       "→", "∈", "≈", "⇒", "⇔", ":=", "·", "-"};
  return std::find(operators.begin(), operators.end(), word) != operators.end();
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = text.find_first_not_of(" \n\t", at);
    if (start == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_of(" \n\t", start), text.size());
    words.emplace_back(text.substr(start, end - start));
    at = end;
  }
  return words;
}

bool begins_with_blank(std::string_view text) {
  return !text.empty() && (text.front() == ' ' || text.front() == '\n' || text.front() == '\t');
}

bool ends_with_blank(std::string_view text) {
  return !text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\t');
}

int bracket_change(std::string_view word) {
  int change = 0;
  for (char c : word) change += (c == '(' || c == '[') - (c == ')' || c == ']');
  return change;
}

Unit unit_of(std::string word, int penalty, double gap) {
  const double width = static_cast<double>(displayed_columns(word));
  return {.text = std::move(word), .width = width, .penalty = penalty, .gap = gap};
}

int penalty_between(const std::string& left, const std::string& right, int depth) {
  const int level = inside_piece + each_bracket * std::max(depth, 0);
  if (is_operator(right)) return level;
  if (is_operator(left)) return never;
  return level + (left.ends_with(",") || left.ends_with(";") ? after_comma : in_product);
}

std::string filled(std::size_t columns) {
  return std::string(columns, ' ');
}

}  // namespace

std::vector<Unit> text_units(const Math& formula, std::size_t tall_width) {
  std::vector<Unit> units;
  int depth = 0;
  for (const Math::Piece& piece : formula.pieces) {
    const double gap = begins_with_blank(piece.unicode) ? 1 : 0;
    const std::size_t start = units.size();
    if (!piece.tall.empty() && displayed_columns(piece.tall[0]) <= tall_width) {
      units.push_back(unit_of(piece.tall[0], 0, 0));
      units.back().tall = piece.tall;
    } else {
      const std::vector<std::string> words = words_of(piece.unicode);
      for (std::size_t i = 0; i < words.size(); ++i) {
        const int penalty = i == 0 ? 0 : penalty_between(words[i - 1], words[i], depth);
        units.push_back(unit_of(words[i], penalty, i == 0 ? gap : 1));
        units.back().depth = std::max(depth, 0);
        depth += bracket_change(words[i]);
      }
    }
    if (start < units.size()) units[start].relation = piece.start == Math::Start::relation;
  }
  return units;
}

std::vector<Unit> text_units(const Inline& text) {
  std::vector<Unit> units;
  bool blank = false;
  for (const auto& part : text.parts) {
    const std::size_t start = units.size();
    if (const auto* formula = std::get_if<Math>(&part)) {
      for (Unit& unit : text_units(*formula, 0)) {
        if (unit.penalty != never) unit.penalty += inside_sentence;
        units.push_back(std::move(unit));
      }
    } else {
      const std::string& sentence = std::get<std::string>(part);
      for (std::string& word : words_of(sentence)) units.push_back(unit_of(std::move(word), 0, 1));
      blank = blank || begins_with_blank(sentence);
    }
    if (start < units.size()) {
      units[start].penalty = blank || start == 0 ? 0 : never;
      units[start].gap = blank ? 1 : 0;
      blank = false;
    }
    if (const auto* sentence = std::get_if<std::string>(&part)) blank = blank || ends_with_blank(*sentence);
  }
  return units;
}

double line_width(std::span<const Unit> units) {
  double width = 0;
  for (std::size_t i = 0; i < units.size(); ++i) width += units[i].width + (i > 0 ? units[i].gap : 0);
  return width;
}

double widest(std::span<const Unit> units) {
  double most = 0;
  double width = 0;
  for (const Unit& unit : units) {
    width = unit.penalty == never ? width + unit.gap + unit.width : unit.width;
    most = std::max(most, width);
  }
  return most;
}

std::vector<std::string> written(std::span<const Unit> units) {
  std::size_t count = 1;
  for (const Unit& unit : units) count = std::max(count, unit.tall.size());
  std::vector<std::string> lines(count);
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::size_t gap = i > 0 ? static_cast<std::size_t>(units[i].gap) : 0;
    const std::size_t size = std::max<std::size_t>(units[i].tall.size(), 1);
    const std::size_t top = (count - size) / 2;
    for (std::size_t line = 0; line < count; ++line) {
      const bool inside = line >= top && line < top + size;
      const std::string& text = units[i].tall.empty() || !inside ? units[i].text : units[i].tall[line - top];
      lines[line] += filled(gap) + (inside ? text : filled(static_cast<std::size_t>(units[i].width)));
    }
  }
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  return lines;
}

std::vector<std::string> wrapped(std::span<const Unit> units, std::size_t width, std::size_t hang) {
  const auto columns = static_cast<double>(width);
  const std::vector<std::size_t> starts = line_starts(units, {columns, columns - static_cast<double>(hang)});
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : units.size();
    for (const std::string& line : written(units.subspan(starts[i], end - starts[i])))
      lines.push_back(filled(i > 0 ? hang : 0) + line);
  }
  return lines;
}

}  // namespace liaison::report
