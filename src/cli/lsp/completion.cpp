#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "liaison/model/scenery.hpp"
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

/// Where a few words alone can stand.
const std::vector<std::string_view>& joint_words() {
  static const std::vector<std::string_view> words{"hinge",     "slider", "cylindrical", "screw",
                                                   "universal", "planar", "ball",        "weld"};
  return words;
}
const std::vector<std::string_view>& axes_words() {
  static const std::vector<std::string_view> words{"body", "space"};
  return words;
}

bool is_asked_of_constraints(const std::string& call) {
  return call == "lambda" || call == "power" || call == "holonomic" || call == "independent" || call == "r" ||
         call == "drive";
}

}  // namespace

Json ModelView::item(const std::string& label, int kind, const std::string& detail) const {
  return {{"label", label}, {"kind", kind}, {"detail", detail}};
}

Json ModelView::clause(std::string_view word) const {
  for (const KnownWord& each : clauses())
    if (each.word == word) return item(std::string(word), keyword_item, std::string(each.about));
  return item(std::string(word), keyword_item, "");
}

bool ModelView::is_named_object(const std::string& name) const {
  return std::any_of(names_.declarations().begin(), names_.declarations().end(),
                     [&](const Declaration& each) { return each.name == name && is_object(each.kind); }) ||
         name == "ground";
}

/// "start x = 1, ": behind a comma outside of brackets.
bool ModelView::text_before_value(const Statement* statement, std::size_t place) const {
  if (statement == nullptr || statement->keyword != "start") return false;
  std::size_t depth = 0;
  char sign = 0;
  for (std::size_t i = statement->span.begin; i < place; ++i) {
    const char c = document_.text()[i];
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth > 0) --depth;
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') sign = c;
  }
  return depth == 0 && sign == ',';
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
  const bool on_joint = last == "by" && (keyword == "body" || keyword == "frame");
  if (on_joint || (last == "in" && keyword == "rotation")) {
    for (const std::string_view word : on_joint ? joint_words() : axes_words()) items.push_back(clause(word));
    return items;
  }
  const bool is_shape = keyword == "shape" && open.empty() && (last == "shape" || is_named_object(last));
  if (is_shape) {
    for (const KnownWord& each : clauses()) {
      const auto kind = shape_kind_named(std::string(each.word));
      if (kind && (last == "shape" ? !is_solid(*kind) : is_solid(*kind))) items.push_back(clause(each.word));
    }
    if (last != "shape") return items;
  }
  // what a force is on, and what has a value at the start
  const bool is_left =
      (keyword == "force" || keyword == "start") && (last == keyword || text_before_value(statement, begin));
  const bool wants_object = is_shape || last == "on" || last == "to";
  const bool wants_constraint = !calls.empty() && is_asked_of_constraints(calls.back());
  std::set<std::string> seen;
  for (const Declaration& each : names_.declarations()) {
    const bool is_local = each.kind == NameKind::argument || each.kind == NameKind::index;
    if (is_local && (!statement || &document_.statements()[each.statement] != statement)) continue;
    if (each.kind == NameKind::claim || each.kind == NameKind::output || each.kind == NameKind::event)
      continue;
    if (wants_object && !is_object(each.kind)) continue;
    if (wants_constraint && each.kind != NameKind::constraint) continue;
    const bool moves = each.kind == NameKind::coordinate || each.kind == NameKind::rate ||
                       each.kind == NameKind::rotation || each.kind == NameKind::velocity;
    if (is_left && !moves) continue;
    if (!seen.insert(each.name).second) continue;
    const bool is_function = each.kind == NameKind::function || each.kind == NameKind::table;
    const int kind = is_function                        ? function_item
                     : is_object(each.kind)             ? module_item
                     : each.kind == NameKind::parameter ? constant_item
                                                        : variable_item;
    items.push_back(item(each.name, kind, std::string(describe(each.kind))));
    if (each.kind == NameKind::coordinate) {
      if (keyword != "force" || !is_left) items.push_back(item(each.name + "'", variable_item, "velocity"));
      if (!is_left) items.push_back(item(each.name + "''", variable_item, "acceleration"));
    }
  }
  if (wants_object) items.push_back(item("ground", keyword_item, "what does not move"));
  if (wants_object || wants_constraint || is_left) return items;
  for (const KnownWord& each : functions())
    items.push_back(item(std::string(each.word), function_item, std::string(each.about)));
  for (const KnownWord& each : quantities())
    items.push_back(item(std::string(each.word), function_item, std::string(each.about)));
  for (const KnownWord& each : clauses())
    items.push_back(item(std::string(each.word), keyword_item, std::string(each.about)));
  return items;
}

}  // namespace liaison::lsp
