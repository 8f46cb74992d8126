#include <fmt/format.h>

#include <algorithm>

#include "liaison/expr/print.hpp"
#include "liaison/model/dimension_of.hpp"
#include "liaison/model/unit.hpp"
#include "model_view.hpp"
#include "words.hpp"

namespace liaison::lsp {

namespace {

std::string code(std::string_view text) {
  return fmt::format("```lia\n{}\n```", text);
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t#");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
}

std::string per_time(const std::string& unit, std::size_t primes) {
  if (primes == 0 || unit.empty()) return unit;
  return primes == 1 ? unit + "/s" : fmt::format("{}/s^{}", unit, primes);
}

const KnownWord* find(const std::vector<KnownWord>& words, const std::string& name) {
  const auto found =
      std::find_if(words.begin(), words.end(), [&](const KnownWord& each) { return each.word == name; });
  return found == words.end() ? nullptr : &*found;
}

}  // namespace

/// Behind the declaration on its line, else on the lines of comment above it.
std::string ModelView::comment_of(const Declaration& declaration) const {
  const std::size_t line = document_.position(document_.words()[declaration.word].span.begin).line;
  const std::string_view here = document_.line(line);
  const bool has_string = here.find('"') != std::string_view::npos;
  if (const std::size_t sign = here.find('#'); sign != std::string_view::npos && !has_string)
    return trimmed(here.substr(sign));
  std::vector<std::string> above;
  for (std::size_t k = line; k > 0 && above.size() < 5; --k) {
    const std::string_view text = document_.line(k - 1);
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos || text[first] != '#') break;
    above.push_back(trimmed(text));
  }
  std::reverse(above.begin(), above.end());
  return fmt::format("{}", fmt::join(above, " "));
}

/// The value of a parameter in SI units, the unit of a coordinate.
std::string ModelView::value_of(const Declaration& declaration) const {
  if (!model_.ok()) return {};
  for (const Parameter& each : model_.system.parameters) {
    if (each.symbol.symbol().name != declaration.name) continue;
    std::string text;
    if (each.value) text = fmt::format("value {:.12g}", each.value->to_double());
    if (each.value && each.unit) {
      const std::string base = describe(each.unit->dimension);
      text += base.empty() ? "" : " in SI units: " + base;
    }
    if (!each.value) text = "without a value: `--set` gives one";
    if (each.symbol.symbol().positive) text += ", positive";
    return text;
  }
  return {};
}

/// " in m" of an output; of a constraint that of its factor.
std::string ModelView::unit_of(const Declaration& declaration) const {
  if (!model_.ok() || !has_units(model_.system)) return {};
  const bool is_output = declaration.kind == NameKind::output;
  if (!is_output && declaration.kind != NameKind::constraint) return {};
  const ToldDimensions told = told_dimensions(Source(document_.path(), document_.text()), model_.system);
  if (is_output) {
    for (const Output& output : model_.system.outputs)
      if (output.name == declaration.name)
        if (const std::string unit = unit_of_output(model_.system, output, told); !unit.empty())
          return " in " + unit;
    return {};
  }
  const std::string unit = unit_of_factor(model_.system, declaration.name, told);
  return unit.empty() ? "" : fmt::format(", `lambda({})` in {}", declaration.name, unit);
}

std::string ModelView::told(const Declaration& declaration, std::size_t primes) const {
  std::string text =
      code(document_.text().substr(declaration.piece.begin, declaration.piece.end - declaration.piece.begin));
  const std::string_view kind = describe(declaration.kind);
  text += "\n";
  if (primes == 1) text += "velocity of the ";
  if (primes == 2) text += "acceleration of the ";
  if (primes > 2) text += fmt::format("derivative {} of the ", primes);
  text += kind;
  if (model_.ok() && declaration.kind == NameKind::coordinate) {
    for (const Direction& each : model_.system.directions) {
      const bool is_it = !each.coordinate.empty() && each.coordinate.symbol().name == declaration.name;
      if (is_it && each.unit) text += fmt::format(" in {}", per_time(each.unit->text, primes));
    }
  }
  if (const std::string unit = unit_of(declaration); !unit.empty()) text += unit;
  if (const std::string value = value_of(declaration); !value.empty()) text += "\n\n" + value;
  if (const std::string comment = comment_of(declaration); !comment.empty()) text += "\n\n" + comment;
  return text;
}

Json ModelView::hover(Position at) const {
  const Word* word = document_.word_at(document_.offset(at));
  if (!word) return nullptr;
  const auto index = static_cast<std::size_t>(word - document_.words().data());
  std::string text;
  if (const Declaration* declaration = names_.meaning(index)) {
    text = told(*declaration, word->primes);
  } else if (word->in_unit) {
    if (const auto unit = parse_unit(word->name))
      text = fmt::format("unit `{}`: {}", word->name, describe(unit->dimension));
  } else if (index == document_.statements()[word->statement].first ||
             index + 1 == document_.statements()[word->statement].body) {
    for (const StatementWord& each : statement_words()) {
      if (each.keyword == word->name) text = code(each.form) + "\n" + reference_of(each.keyword);
    }
  } else {
    const KnownWord* known = find(functions(), word->name);
    if (!known) known = find(quantities(), word->name);
    if (!known) known = find(clauses(), word->name);
    if (known) text = fmt::format("`{}`: {}", known->word, known->about);
  }
  if (text.empty()) return nullptr;
  return {{"contents", {{"kind", "markdown"}, {"value", text}}}, {"range", range(word->span)}};
}

}  // namespace liaison::lsp
