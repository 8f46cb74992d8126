#include <fmt/format.h>

#include <algorithm>

#include "reader.hpp"

namespace liaison::syntax {

namespace {

/// Clauses of which a table has one.
std::string_view group_of(std::string_view word) {
  if (word == "cubic" || word == "monotone") return "linear";
  if (word == "extend") return "hold";
  return word;
}

}  // namespace

/// NAME from "FILE" [columns A, B] | points (x, y), (x, y), ...
///   [linear | cubic | monotone] [hold | extend] [units [U], [V]], in any order
Reader::Data Reader::read_table() {
  TableDeclaration table;
  table.name = expect_name("the name of a table");
  take(":");
  table.span = trim(text_, rest_);
  const std::vector<std::string_view> words{"from",  "points",   "columns", "units", "linear",
                                            "cubic", "monotone", "hold",    "extend"};
  std::vector<Clause> clauses;
  for (const Sign& sign : top_level_signs(text_, rest_)) {
    const bool is_clause =
        sign.kind == SignKind::word && std::find(words.begin(), words.end(), sign.word) != words.end();
    // the names of columns may be such words
    const bool names_column =
        !clauses.empty() && clauses.back().word == "columns" &&
        (trim(text_, {clauses.back().span.end, sign.span.begin}).begin == sign.span.begin ||
         text_[trim(text_, {clauses.back().span.end, sign.span.begin}).end - 1] == ',');
    if (!is_clause || names_column) {
      if (clauses.empty()) fail_unexpected({sign.span.begin, rest_.end});
      continue;
    }
    if (!clauses.empty()) clauses.back().value = trim(text_, {clauses.back().span.end, sign.span.begin});
    clauses.push_back({sign.word, sign.span, trim(text_, {sign.span.end, rest_.end})});
  }
  if (clauses.empty()) fail_missing("`from \"FILE\"` or `points (x, y), ...`", rest_.begin);
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    const std::string_view group = group_of(clauses[i].word);
    for (std::size_t k = 0; k < i; ++k) {
      if (group_of(clauses[k].word) == group)
        fail("L0404", clauses[i].span,
             fmt::format("`{}` behind `{}`: one of the two", clauses[i].word, clauses[k].word), "",
             "keep one of them");
    }
    read_table_clause(table, clauses[i]);
  }
  if (table.file.has_value() == !table.points.empty())
    fail("L0402", table.span, table.file ? "points and a file are given" : "the points are missing", "",
         form_hint());
  return table;
}

void Reader::read_table_clause(TableDeclaration& table, const Clause& clause) {
  const std::string_view value = text_at(text_, clause.value);
  const auto require = [&](std::string_view what) {
    if (value.empty()) fail_missing(what, clause.span.end);
  };
  if (clause.word == "from") {
    require("the name of a file in quotes");
    if (value.size() < 3 || value.front() != '"' || value.find('"', 1) != value.size() - 1)
      fail("L0403", clause.value, "the name of a file stands between two quotes", "", form_hint());
    table.file.emplace(std::string(value.substr(1, value.size() - 2)), clause.value);
  } else if (clause.word == "points") {
    require("`(x, y), (x, y)`");
    for (Span point : split(clause.value, SignKind::comma, "a point `(x, y)`")) {
      const bool in_brackets =
          point.end - point.begin >= 2 && text_[point.begin] == '(' && text_[point.end - 1] == ')';
      const std::vector<Span> parts =
          in_brackets ? split({point.begin + 1, point.end - 1}, SignKind::comma, "a number")
                      : std::vector<Span>{};
      if (parts.size() != 2) fail("L0403", point, "a point of a table is `(x, y)`", "", form_hint());
      table.points.emplace_back(parts[0], parts[1]);
    }
  } else if (clause.word == "columns") {
    require("the names or the numbers of two columns");
    for (Span column : split(clause.value, SignKind::comma, "a column"))
      table.columns.emplace_back(std::string(text_at(text_, column)), column);
    if (table.columns.size() != 2)
      fail("L0404", clause.value, "a table has two columns: its argument and its value", "",
           "write `columns s, h`, or `columns 1, 3`");
  } else if (clause.word == "units") {
    require("two units `[m], [mm]`");
    for (Span unit : split(clause.value, SignKind::comma, "a unit")) {
      if (text_[unit.begin] != '[' || text_[unit.end - 1] != ']')
        fail("L0403", unit, "a unit stands in brackets", "", "write `units [m], [mm]`");
      table.units.push_back({unit.begin + 1, unit.end - 1});
    }
    if (table.units.size() != 2)
      fail("L0404", clause.value, "a table has two columns, and a unit for each", "",
           "write `units [m], [mm]`; `[1]` is none");
  } else {
    if (!value.empty()) fail_unexpected(clause.value);
    if (clause.word == "hold" || clause.word == "extend") {
      table.is_extended = clause.word == "extend";
    } else {
      table.kind = clause.word;
    }
  }
}

}  // namespace liaison::syntax
