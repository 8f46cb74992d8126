#include "names.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "liaison/model/scenery.hpp"
#include "liaison/model/statement_forms.hpp"

namespace liaison::lsp {

namespace {

const std::map<std::string_view, NameKind>& kinds_of_first_word() {
  static const std::map<std::string_view, NameKind> kinds{
      {"function", NameKind::function},   {"table", NameKind::table},
      {"let", NameKind::definition},      {"rheonomic", NameKind::rheonomic},
      {"input", NameKind::definition},    {"output", NameKind::output},
      {"particle", NameKind::particle},   {"body", NameKind::body},
      {"frame", NameKind::frame},         {"joint", NameKind::joint},
      {"spring", NameKind::element},      {"damper", NameKind::element},
      {"bushing", NameKind::joint},       {"motor", NameKind::element},
      {"gear", NameKind::constraint},     {"rack", NameKind::constraint},
      {"cam", NameKind::constraint},      {"rope", NameKind::constraint},
      {"wheel", NameKind::joint},         {"constraint", NameKind::constraint},
      {"reaction", NameKind::constraint}, {"unilateral", NameKind::constraint},
      {"contact", NameKind::constraint},  {"event", NameKind::event}};
  return kinds;
}

bool is_object(NameKind kind) {
  return kind == NameKind::particle || kind == NameKind::body || kind == NameKind::frame ||
         kind == NameKind::joint;
}
/// Nothing in a model speaks of these by their names.
bool is_only_told(NameKind kind) {
  return kind == NameKind::output || kind == NameKind::event || kind == NameKind::claim;
}
bool is_of_one_statement(NameKind kind) {
  return kind == NameKind::argument || kind == NameKind::index;
}

/// Calls whose arguments are names of constraints.
const std::set<std::string_view> about_constraints{"lambda", "r",           "det_r",       "drive",
                                                   "power",  "holonomic",   "independent", "compatible",
                                                   "dir",    "drive_force", "drive_power"};
const std::set<std::string_view> before_objects{"on", "to", "at", "in"};

}  // namespace

std::string_view describe(NameKind kind) {
  switch (kind) {
    case NameKind::parameter: return "parameter";
    case NameKind::coordinate: return "coordinate";
    case NameKind::rotation: return "rotation";
    case NameKind::rate: return "rate of a rotation";
    case NameKind::velocity: return "velocity parameter";
    case NameKind::function: return "function";
    case NameKind::argument: return "argument";
    case NameKind::table: return "table";
    case NameKind::definition: return "definition";
    case NameKind::rheonomic: return "drive: a given function of the time";
    case NameKind::index: return "index";
    case NameKind::particle: return "particle";
    case NameKind::body: return "body";
    case NameKind::frame: return "frame";
    case NameKind::joint: return "joint";
    case NameKind::element: return "element of force";
    case NameKind::constraint: return "constraint";
    case NameKind::output: return "output";
    case NameKind::event: return "event";
    case NameKind::claim: return "claim";
  }
  return "";
}

Names::Names(const Document& document) : document_(document), meanings_(document.words().size(), -1) {
  for (std::size_t k = 0; k < document.statements().size(); ++k) declare(k);
  const std::vector<Word>& words = document.words();
  std::multimap<std::string_view, std::size_t> by_name;
  for (std::size_t d = 0; d < declarations_.size(); ++d) {
    by_name.emplace(declarations_[d].name, d);
    meanings_[declarations_[d].word] = static_cast<int>(d);
  }
  std::string_view call;  // whose brackets hold the word
  std::size_t call_depth = 0, call_statement = 0;
  for (std::size_t w = 0; w < words.size(); ++w) {
    const Word& word = words[w];
    if (word.depth < call_depth || word.statement != call_statement) call = {};
    if (document.behind(word.span.end) == '(') {
      call = word.name;
      call_depth = word.depth + 1;
      call_statement = word.statement;
    }
    if (meanings_[w] >= 0 || word.in_unit || word.in_family || document.before(word.span.begin) == '.')
      continue;
    const bool begins = w == document.statements()[word.statement].first;
    if (begins || is_kind_of_shape(w)) continue;
    std::string_view last;
    if (w > 0 && words[w - 1].statement == word.statement) last = words[w - 1].name;
    const bool follows =
        w > 0 && document.before(word.span.begin) == document.text()[words[w - 1].span.end - 1];
    int best = -1, best_rank = 0;
    for (auto [d, end] = by_name.equal_range(word.name); d != end; ++d) {
      const Declaration& each = declarations_[d->second];
      if (is_only_told(each.kind) || (is_of_one_statement(each.kind) && each.statement != word.statement))
        continue;
      const bool in_call = call_depth == word.depth && about_constraints.contains(call) && call != word.name;
      const char sign = document.behind(word.span.end);
      const bool as_object =
          sign == '.' || sign == '[' || (follows && before_objects.contains(last)) || is_drawn(w);
      int rank = is_of_one_statement(each.kind) ? 4 : 2;
      if (each.kind == NameKind::constraint) rank = in_call ? 5 : 1;
      if (is_object(each.kind)) rank = as_object || (in_call && each.kind == NameKind::joint) ? 5 : 1;
      if (each.kind == NameKind::element) rank = as_object ? 3 : 1;
      if (rank > best_rank) {
        best = static_cast<int>(d->second);
        best_rank = rank;
      }
    }
    meanings_[w] = best;
  }
}

/// `shape B disc ...`, `shape rod P to Q`: of the object the word `disc`, else the first.
bool Names::is_kind_of_shape(std::size_t word) const {
  const std::vector<Word>& words = document_.words();
  const Statement& statement = document_.statements()[words[word].statement];
  if (statement.keyword != "shape" || word < statement.body || word > statement.body + 1) return false;
  const auto kind_at = [&](std::size_t w) {
    return w < statement.last ? shape_kind_named(words[w].name) : std::nullopt;
  };
  const auto second = kind_at(statement.body + 1);
  const bool has_object = second && is_solid(*second);
  return has_object ? word == statement.body + 1 : word == statement.body && kind_at(word).has_value();
}

bool Names::is_drawn(std::size_t word) const {
  const Statement& statement = document_.statements()[document_.words()[word].statement];
  return statement.keyword == "shape" && word >= statement.body && word <= statement.body + 1;
}

Span Names::piece_of(const Word& word) const {
  const Statement& statement = document_.statements()[word.statement];
  std::size_t end = word.span.end, depth = 0;
  for (; end < statement.span.end; ++end) {
    const char c = document_.text()[end];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth-- == 0) break;
    if ((c == ',' && depth == 0) || c == '#') break;
  }
  while (end > word.span.end && document_.text()[end - 1] == ' ') --end;
  return {word.span.begin, end};
}

void Names::add(std::size_t word, NameKind kind) {
  const Word& at = document_.words()[word];
  if (at.in_unit || at.in_family || at.primes > 0) return;
  const bool is_item = kind == NameKind::parameter || kind == NameKind::coordinate;
  declarations_.push_back({at.name, kind, word, at.statement,
                           is_item ? piece_of(at) : document_.statements()[at.statement].span});
}

/// m > 0 = 1, l: what is first, or stands behind a comma outside of brackets.
void Names::add_list(const Statement& statement, NameKind kind) {
  for (std::size_t w = statement.body; w < statement.last; ++w) {
    const Word& word = document_.words()[w];
    if (word.depth == 0 && (w == statement.body || document_.before(word.span.begin) == ',')) add(w, kind);
  }
}

void Names::declare(std::size_t number) {
  const Statement& statement = document_.statements()[number];
  const std::vector<Word>& words = document_.words();
  const auto& first_words = kinds_of_first_word();
  for (std::size_t w = statement.first; w + 1 < statement.body; ++w) {  // for i in 1..3, j in 1..i:
    if (w + 1 < statement.last && words[w + 1].name == "in") add(w, NameKind::index);
  }
  if (statement.body >= statement.last) return;
  const std::string& keyword = statement.keyword;
  const Word& first = words[statement.body];
  if (keyword == "param") add_list(statement, NameKind::parameter);
  if (keyword == "coord") add_list(statement, NameKind::coordinate);
  if (const auto kind = first_words.find(keyword); kind != first_words.end())
    add(statement.body, kind->second);
  if ((keyword == "claim" || keyword == "misprint") && document_.behind(first.span.end) == ':')
    add(statement.body, NameKind::claim);
  if (keyword == "rotation") {
    if (first.depth == 0 && first.name != "in") add(statement.body, NameKind::rotation);
    for (std::size_t w = statement.body; w < statement.last; ++w) {
      if (words[w].depth == 1) add(w, NameKind::rate);
    }
  }
  if (keyword == "velocity" || keyword == "intrinsic") {
    const std::size_t colon = document_.text().find(':', statement.span.begin);
    for (std::size_t w = statement.body; w < statement.last && words[w].span.begin < colon; ++w)
      add(w, NameKind::velocity);
  }
  if (keyword == "function") {
    const std::size_t close = document_.text().find(')', first.span.end);
    for (std::size_t w = statement.body + 1; w < statement.last && words[w].span.begin < close; ++w)
      add(w, NameKind::argument);
  }
}

const Declaration* Names::meaning(std::size_t word) const {
  return word < meanings_.size() && meanings_[word] >= 0
             ? &declarations_[static_cast<std::size_t>(meanings_[word])]
             : nullptr;
}

std::vector<std::size_t> Names::uses(const Declaration& declaration) const {
  std::vector<std::size_t> found{declaration.word};
  for (std::size_t w = 0; w < meanings_.size(); ++w) {
    if (w != declaration.word && meaning(w) == &declaration) found.push_back(w);
  }
  return found;
}

const std::vector<StatementWord>& statement_words() {
  static const std::vector<StatementWord> words = [] {
    std::vector<StatementWord> result;
    for (const syntax::KeywordRow& row : syntax::keyword_table())
      result.push_back({row.keyword, row.form.substr(0, row.form.find('`'))});
    return result;
  }();
  return words;
}

}  // namespace liaison::lsp
