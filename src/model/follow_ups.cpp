#include "follow_ups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "liaison/expr/parse.hpp"
#include "reader.hpp"
#include "text.hpp"

namespace liaison {

namespace {

/// Codes of names that mean nothing: L0408 unknown, L0420 no direction, L0423 no constraint, L0424 no part of
/// the state, L0427 no velocity, L0431 no body.
bool is_about_a_name(const Diagnostic& diagnostic) {
  constexpr std::array codes{"L0408", "L0420", "L0423", "L0424", "L0427", "L0431"};
  return std::find(codes.begin(), codes.end(), diagnostic.code) != codes.end();
}

/// The first word in backticks of a message, without its primes.
std::string name_in(const std::string& message) {
  const std::size_t open = message.find('`');
  const std::size_t close = open == std::string::npos ? open : message.find('`', open + 1);
  return close == std::string::npos ? "" : stem_of(message.substr(open + 1, close - open - 1));
}

std::size_t statement_of(std::size_t place, const std::vector<Span>& statements) {
  const auto after = std::upper_bound(statements.begin(), statements.end(), place,
                                      [](std::size_t at, Span span) { return at < span.begin; });
  return static_cast<std::size_t>(after - statements.begin());
}

bool holds_word(std::string_view text, const std::string& word) {
  for (std::size_t i = 0; i < text.size();) {
    const auto name = scan_name(text, i);
    if (name && name->end > i) {
      if (stem_of(name->text) == word) return true;
      i = name->end;
    } else {
      ++i;
    }
  }
  return false;
}

/// Uses of names declare none.
bool may_declare(std::string_view statement) {
  constexpr std::array words{"param",    "coord",     "rotation",   "velocity",   "intrinsic",
                             "function", "table",     "let",        "body",       "frame",
                             "particle", "rheonomic", "constraint", "unilateral", "reaction",
                             "joint",    "contact",   "for",        "import",     "input"};
  const auto name = scan_name(statement, 0);
  return name && std::find(words.begin(), words.end(), name->text) != words.end();
}

void add_lines(Diagnostic& diagnostic, const std::vector<std::size_t>& lines) {
  constexpr std::size_t shown = 5;
  std::vector<std::size_t> first(lines.begin(),
                                 lines.begin() + static_cast<std::ptrdiff_t>(std::min(shown, lines.size())));
  diagnostic.notes.push_back(
      {std::nullopt, fmt::format("the same in line{} {}{}", lines.size() == 1 ? "" : "s",
                                 fmt::join(first, ", "), lines.size() > shown ? ", ..." : "")});
}

}  // namespace

void drop_follow_ups(std::vector<Diagnostic>& diagnostics, const Source& source,
                     const std::vector<Span>& statements) {
  std::vector<Diagnostic> kept;
  std::map<std::string, std::size_t> told;                // messages: the index of the first
  std::map<std::size_t, std::vector<std::size_t>> lines;  // where the same is meant, by index
  std::vector<std::size_t> broken;                        // statements with an error that is told
  std::map<std::size_t, std::size_t> words;               // where two words follow each other, by statement
  for (Diagnostic& each : diagnostics) {
    const std::size_t statement = statement_of(each.span.begin, statements);
    const std::string name = is_about_a_name(each) ? name_in(each.message) : "";
    if (each.code == "L0107") words.emplace(statement, each.span.begin);
    // what stands without an operator is no formula, and its words are no names
    if (const auto begin = words.find(statement);
        !name.empty() && begin != words.end() && each.span.begin >= begin->second)
      continue;
    if (!name.empty()) {
      const auto [first, is_new] = told.emplace(each.message, kept.size());
      if (!is_new) {
        const std::size_t line = source.place(each.span.begin).line;
        std::vector<std::size_t>& others = lines[first->second];
        const bool is_here = line == source.place(kept[first->second].span.begin).line;
        if (!is_here && (others.empty() || others.back() != line)) others.push_back(line);
        continue;
      }
      const bool follows = std::any_of(broken.begin(), broken.end(), [&](std::size_t other) {
        if (other == statement || other == 0) return false;
        const std::string_view text = text_at(source.text(), statements[other - 1]);
        return may_declare(text) && holds_word(text, name);
      });
      if (follows) {
        told.erase(first);
        continue;
      }
    }
    broken.push_back(statement);
    kept.push_back(std::move(each));
  }
  for (const auto& [index, others] : lines) {
    if (!others.empty()) add_lines(kept[index], others);
  }
  diagnostics = std::move(kept);
}

std::optional<OtherText> other_text(std::string_view text, const std::vector<Span>& statements) {
  std::vector<std::string> keywords;
  for (const syntax::KeywordRow& row : syntax::keyword_table()) keywords.emplace_back(row.keyword);
  for (const Span span : statements) {
    const auto word = scan_name(text.substr(0, span.end), span.begin);
    if (!word) continue;
    const bool is_one = std::find(keywords.begin(), keywords.end(), word->text) != keywords.end();
    // A slip keeps the first letter, as a rule; a letter's `Dear` is no `gear`.
    const auto near = nearest_name(word->text, keywords);
    const bool is_slip = near && near->front() == word->text.front();
    if (is_one || is_slip || syntax::is_word_for_a_statement(word->text)) return std::nullopt;
  }
  const auto has = [&](std::string_view part) {
    return text.substr(0, 4000).find(part) != std::string_view::npos;
  };
  const std::size_t first = std::min(text.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), text.size());
  const std::string_view begin = text.substr(first);
  const std::string small = "a model begins with statements like `coord x`: `liaison new NAME` writes one";
  if (has("<robot"))
    return OtherText{"it looks like a robot file (URDF)", "`liaison import` makes a model of it"};
  if (begin.starts_with("<") && has("<mujoco"))
    return OtherText{"it looks like a model of MuJoCo (MJCF)", "`liaison import` makes a model of it"};
  if (begin.starts_with("<") && (has("<html") || has("<!DOCTYPE") || has("<!doctype")))
    return OtherText{"it looks like a web page (HTML)",
                     "save the text of the model, not the page that shows it"};
  if (begin.starts_with("<")) return OtherText{"it looks like XML", small};
  if (begin.starts_with("{") || begin.starts_with("[")) return OtherText{"it looks like JSON", small};
  if (begin.starts_with("%PDF")) return OtherText{"it looks like PDF", small};
  const auto commas = [&](std::size_t k) {
    const std::string_view line = k < statements.size() ? text_at(text, statements[k]) : std::string_view();
    return std::count_if(line.begin(), line.end(), [](char c) { return c == ',' || c == ';' || c == '\t'; });
  };
  if (statements.size() > 1 && commas(0) > 0 && commas(0) == commas(1))
    return OtherText{"it looks like rows of numbers (CSV)",
                     "a model reads such a file with `table f from \"FILE.csv\"`"};
  return OtherText{"no line of it begins with a statement", small};
}

}  // namespace liaison
