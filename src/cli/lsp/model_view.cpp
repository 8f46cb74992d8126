#include "model_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/expr/error.hpp"
#include "liaison/expr/parse.hpp"

namespace liaison::lsp {

namespace {

ParsedModel read(const std::string& path, const std::string& text) {
  const Source source(path, text);
  try {
    return parse_model(source);
  } catch (const Error& error) {  // what the language takes and the expressions refuse
    ParsedModel model;
    model.diagnostics.push_back(
        {fmt::format("L{:04}", static_cast<int>(error.code())), error.what(), {0, 0}, {}, {}, error.hint()});
    return model;
  }
}

Json to_json(Position position) {
  return {{"line", position.line}, {"character", position.character}};
}

/// Of symbols in outlines, by the numbers of the protocol.
int symbol_kind(NameKind kind) {
  switch (kind) {
    case NameKind::parameter: return 14;  // constant
    case NameKind::function:
    case NameKind::table: return 12;  // function
    case NameKind::body:
    case NameKind::particle:
    case NameKind::frame: return 19;  // object
    case NameKind::joint:
    case NameKind::element:
    case NameKind::constraint: return 11;  // interface
    case NameKind::event: return 24;       // event
    case NameKind::claim: return 17;       // boolean
    case NameKind::output: return 7;       // property
    default: return 13;                    // variable
  }
}

}  // namespace

std::optional<std::string> replacement_in(const std::string& hint) {
  for (const auto& [before, behind] :
       {std::pair{"did you mean `", "`?"}, std::pair{"it is called `", "` here"}}) {
    const std::string_view head = before, tail = behind;
    if (!hint.starts_with(head)) continue;
    const std::size_t end = hint.find('`', head.size());
    if (end == std::string::npos || std::string_view(hint).substr(end, tail.size()) != tail) continue;
    return hint.substr(head.size(), end - head.size());
  }
  return std::nullopt;
}

ModelView::ModelView(std::string path, std::string text)
    : document_(std::move(path), std::move(text)),
      names_(document_),
      model_(read(document_.path(), document_.text())) {}

Json ModelView::range(Span span) const {
  return {{"start", to_json(document_.position(span.begin))},
          {"end", to_json(document_.position(std::max(span.begin, span.end)))}};
}

Json ModelView::diagnostics() const {
  Json all = Json::array();
  for (const Diagnostic& each : model_.diagnostics) {
    std::string text = each.message;
    if (!each.label.empty()) text += " (" + each.label + ")";
    for (const Note& note : each.notes) {
      text += "\nnote: " + note.text;
      if (note.span) text += fmt::format(" at line {}", document_.position(note.span->begin).line + 1);
    }
    if (!each.hint.empty()) text += "\nhint: " + each.hint;
    all.push_back({{"range", range(each.span)},
                   {"severity", 1},
                   {"code", each.code},
                   {"source", "liaison"},
                   {"message", text}});
  }
  return all;
}

const Declaration* ModelView::declared_at(Position at) const {
  const Word* word = document_.word_at(document_.offset(at));
  return word ? names_.meaning(static_cast<std::size_t>(word - document_.words().data())) : nullptr;
}

std::vector<std::size_t> ModelView::uses_at(Position at) const {
  const Declaration* declaration = declared_at(at);
  return declaration ? names_.uses(*declaration) : std::vector<std::size_t>{};
}

Json ModelView::definition(const std::string& uri, Position at) const {
  const Declaration* declaration = declared_at(at);
  if (!declaration) return nullptr;
  return {{"uri", uri}, {"range", range(document_.words()[declaration->word].span)}};
}

Json ModelView::references(const std::string& uri, Position at, bool with_declaration) const {
  Json all = Json::array();
  const std::vector<std::size_t> uses = uses_at(at);
  for (std::size_t k = with_declaration ? 0 : 1; k < uses.size(); ++k)
    all.push_back({{"uri", uri}, {"range", range(document_.words()[uses[k]].span)}});
  return all;
}

Json ModelView::highlights(Position at) const {
  Json all = Json::array();
  for (const std::size_t use : uses_at(at)) all.push_back({{"range", range(document_.words()[use].span)}});
  return all;
}

Json ModelView::symbols() const {
  Json all = Json::array();
  for (const Declaration& each : names_.declarations()) {
    if (each.kind == NameKind::argument || each.kind == NameKind::index) continue;
    const Span name = document_.words()[each.word].span;
    const Span whole{std::min(each.piece.begin, name.begin), std::max(each.piece.end, name.end)};
    all.push_back({{"name", each.name},
                   {"detail", describe(each.kind)},
                   {"kind", symbol_kind(each.kind)},
                   {"range", range(whole)},
                   {"selectionRange", range(name)}});
  }
  return all;
}

Json ModelView::quick_fixes(const std::string& uri, Position from, Position to) const {
  const std::size_t begin = document_.offset(from), end = document_.offset(to);
  Json all = Json::array();
  for (const Diagnostic& each : model_.diagnostics) {
    const auto text = replacement_in(each.hint);
    if (!text || each.span.end < begin || each.span.begin > end || each.span.begin == each.span.end) continue;
    const Json edit{{"range", range(each.span)}, {"newText", *text}};
    all.push_back({{"title", fmt::format("Write `{}`", *text)},
                   {"kind", "quickfix"},
                   {"isPreferred", true},
                   {"diagnostics",
                    {{{"range", range(each.span)},
                      {"code", each.code},
                      {"source", "liaison"},
                      {"message", each.message}}}},
                   {"edit", {{"changes", {{uri, {edit}}}}}}});
  }
  return all;
}

Json ModelView::rename_range(Position at) const {
  const Word* word = document_.word_at(document_.offset(at));
  const Declaration* declaration = declared_at(at);
  if (!declaration) return nullptr;
  return {{"range", range(word->span)}, {"placeholder", declaration->name}};
}

ModelView::Renamed ModelView::rename(Position at, const std::string& name) const {
  const Declaration* declaration = declared_at(at);
  if (!declaration) return {nullptr, "there is no name of the model here"};
  const auto scanned = scan_name(name, 0);
  if (!scanned || scanned->end != name.size() || name.ends_with('\''))
    return {nullptr, fmt::format("`{}` is no name: a letter, then letters, digits and _", name)};
  const std::vector<std::size_t> uses = names_.uses(*declaration);
  std::vector<std::size_t> in_order = uses;
  std::sort(in_order.begin(), in_order.end());
  Json edits = Json::array();
  std::string text = document_.text();
  for (auto use = in_order.rbegin(); use != in_order.rend(); ++use) {
    const Word& word = document_.words()[*use];
    const std::string written = name + std::string(word.primes, '\'');
    text.replace(word.span.begin, word.span.end - word.span.begin, written);
    edits.push_back({{"range", range(word.span)}, {"newText", written}});
  }
  // What the new text says decides: names may be taken, or belong to the language, or bring others with them.
  const ModelView after(document_.path(), text);
  std::vector<std::string> known;
  for (const Diagnostic& each : model_.diagnostics) known.push_back(each.code);
  for (const Diagnostic& each : after.model_.diagnostics) {
    const auto same = std::find(known.begin(), known.end(), each.code);
    if (same == known.end())
      return {nullptr, fmt::format("with this name the model has an error: {}", each.message)};
    known.erase(same);
  }
  std::vector<std::size_t> meant;
  if (const Declaration* renamed = after.names_.meaning(declaration->word))
    meant = after.names_.uses(*renamed);
  if (meant != uses) return {nullptr, fmt::format("something else is called `{}` here", name)};
  return {std::move(edits), ""};
}

}  // namespace liaison::lsp
