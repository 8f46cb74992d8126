#include <fmt/format.h>

#include <set>

#include "model_view.hpp"
#include "words.hpp"

namespace liaison::lsp {

namespace {

/// Of proposals, by the numbers of the protocol.
enum ItemKind {
  function_item = 3,
  variable_item = 6,
  module_item = 9,
  unit_item = 11,
  keyword_item = 14,
  constant_item = 21
};

bool is_object(NameKind kind) {
  return kind == NameKind::particle || kind == NameKind::body || kind == NameKind::frame ||
         kind == NameKind::joint || kind == NameKind::element;
}

bool is_asked_of_constraints(const std::string& call) {
  return call == "lambda" || call == "power" || call == "holonomic" || call == "independent" || call == "r" ||
         call == "drive";
}

}  // namespace

Json ModelView::item(const std::string& label, int kind, const std::string& detail) const {
  return {{"label", label}, {"kind", kind}, {"detail", detail}};
}

Json ModelView::completion(Position at) const {
  const std::size_t place = document_.offset(at);
  const std::string& text = document_.text();
  std::size_t begin = place;
  const auto goes_on = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (static_cast<unsigned char>(c) & 0x80) != 0;
  };
  while (begin > 0 && goes_on(text[begin - 1])) --begin;
  const std::size_t line = text.rfind('\n', begin == 0 ? 0 : begin - 1);
  const std::size_t line_begin = line == std::string::npos || begin == 0 ? 0 : line + 1;
  const std::string_view left = std::string_view(text).substr(line_begin, begin - line_begin);
  Json items = Json::array();
  if (left.find('#') != std::string_view::npos) return items;
  if (left.find_first_not_of(" \t") == std::string_view::npos) {
    for (const StatementWord& each : statement_words())
      items.push_back(item(std::string(each.keyword), keyword_item, std::string(each.form)));
    return items;
  }
  const Statement* statement = document_.statement_at(begin);
  // What is before the place, in this statement: open brackets, and the word behind which it stands.
  std::string open, call, last;
  std::vector<std::string> calls;
  for (std::size_t i = statement ? statement->span.begin : line_begin; i < begin; ++i) {
    if (text[i] == '(' || text[i] == '[') {
      const Word* word = i > 0 ? document_.word_at(i) : nullptr;
      open += text[i];
      calls.push_back(word && word->span.end == i ? word->name : "");
    }
    if ((text[i] == ')' || text[i] == ']') && !open.empty()) {
      open.pop_back();
      calls.pop_back();
    }
  }
  const std::string keyword = statement ? statement->keyword : "";
  const bool holds_units =
      keyword == "param" || keyword == "coord" || keyword == "start" || keyword == "table";
  if (open.ends_with('[') && holds_units) {
    for (const std::string_view unit : units()) items.push_back(item(std::string(unit), unit_item, "unit"));
    return items;
  }
  if (begin > 0 && text[begin - 1] == '.') {
    for (const char* part : {"x", "y", "z", "force", "moment", "omega", "momentum"})
      items.push_back(item(part, variable_item, "a component, or a vector of a body or a joint"));
    return items;
  }
  const Word* before = begin > 0 ? document_.word_at(begin - 1) : nullptr;
  if (before && text[begin - 1] == ' ') last = before->name;
  const bool wants_object = last == "on" || last == "to";
  const bool wants_constraint = !calls.empty() && is_asked_of_constraints(calls.back());
  std::set<std::string> seen;
  for (const Declaration& each : names_.declarations()) {
    const bool is_local = each.kind == NameKind::argument || each.kind == NameKind::index;
    if (is_local && (!statement || &document_.statements()[each.statement] != statement)) continue;
    if (each.kind == NameKind::claim || each.kind == NameKind::output || each.kind == NameKind::event)
      continue;
    if (wants_object && !is_object(each.kind)) continue;
    if (wants_constraint && each.kind != NameKind::constraint) continue;
    if (!seen.insert(each.name).second) continue;
    const bool is_function = each.kind == NameKind::function || each.kind == NameKind::table;
    const int kind = is_function                        ? function_item
                     : is_object(each.kind)             ? module_item
                     : each.kind == NameKind::parameter ? constant_item
                                                        : variable_item;
    items.push_back(item(each.name, kind, std::string(describe(each.kind))));
    if (each.kind == NameKind::coordinate) {
      items.push_back(item(each.name + "'", variable_item, "velocity"));
      items.push_back(item(each.name + "''", variable_item, "acceleration"));
    }
  }
  if (wants_object) items.push_back(item("ground", keyword_item, "what does not move"));
  if (wants_object || wants_constraint) return items;
  for (const KnownWord& each : functions())
    items.push_back(item(std::string(each.word), function_item, std::string(each.about)));
  for (const KnownWord& each : quantities())
    items.push_back(item(std::string(each.word), function_item, std::string(each.about)));
  for (const KnownWord& each : clauses())
    items.push_back(item(std::string(each.word), keyword_item, std::string(each.about)));
  return items;
}

}  // namespace liaison::lsp
