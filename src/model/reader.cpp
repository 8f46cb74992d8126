#include "reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "liaison/expr/parse.hpp"
#include "liaison/model/foreign_forms.hpp"

namespace liaison::syntax {

namespace {

constexpr std::array clause_words{"power", "by",     "along",  "friction", "sticking", "restitution", "at",
                                  "after", "within", "rising", "falling",  "then",     "if",          "else"};

/// "a mass is missing", "`mass` and an expression are missing", "the axes are missing"
std::string said_missing(std::string_view what) {
  std::string_view head = what.substr(0, what.find_first_of("`,") == 0 ? 0 : what.find_first_of("`,"));
  for (const std::string_view article : {"the ", "two "})
    if (head.starts_with(article)) head.remove_prefix(article.size());
  const bool is_one = head.starts_with("a ") || head.starts_with("an ");
  head = head.substr(0, head.find(' '));
  const bool are = what.find(" and ") != std::string_view::npos ||
                   (!is_one && head.ends_with('s') && !head.ends_with("ss"));
  return fmt::format("{} {} missing", what, are ? "are" : "is");
}

}  // namespace

bool is_clause_word(const std::string& word) {
  return std::find(clause_words.begin(), clause_words.end(), word) != clause_words.end();
}

bool is_word_for_a_statement(const std::string& word) {
  return !statement_of_others(word).empty();
}

namespace {

bool is_behind_operand(std::string_view text, Span span, const Sign& sign) {
  const Span before = trim(text, {span.begin, sign.span.begin});
  return before.begin < before.end &&
         std::string_view("+-*/^(,=:<>").find(text[before.end - 1]) == std::string_view::npos;
}

/// A word behind an operand is a clause or nothing: `stifness k` is meant as `stiffness k`.
std::optional<std::string> misspelt_clause(std::string_view text, Span span, const Sign& sign,
                                           const std::vector<std::string>& words) {
  if (sign.kind != SignKind::word || is_clause_word(sign.word) || !is_behind_operand(text, span, sign))
    return {};
  return nearest_name(sign.word, words);
}

}  // namespace

const std::vector<KeywordRow>& keyword_table() {
  static const std::vector<KeywordRow> table{
      {"system", "system \"Pendulum\""},
      {"param", "param m = 1, l > 0 = 0.5 [m]"},
      {"coord", "coord x, y, phi"},
      {"rotation", "rotation (p, q, r) in body"},
      {"velocity", "velocity u, n: x' = u*cos(phi) - n*sin(phi), y' = u*sin(phi) + n*cos(phi)"},
      {"intrinsic", "intrinsic u: x' = u*cos(phi), y' = u*sin(phi)"},
      {"function", "function f(v) = k*v^2"},
      {"table", "table road from \"road.csv\" linear` or `table f points (0, 0), (1, 2) cubic"},
      {"let", "let V = x' + R*theta'"},
      {"rheonomic", "rheonomic s = v*t"},
      {"input", "input u = sin(w*t)` or `input u"},
      {"kinetic", "kinetic m/2*x'^2"},
      {"potential", "potential k/2*x^2"},
      {"lagrangian", "lagrangian m/2*x'^2 - k/2*x^2"},
      {"dissipation", "dissipation c/2*x'^2"},
      {"force", "force x = -k*x` or `force [Fx, Fy] at P"},
      {"moment", "moment [L, M, N] on B"},
      {"gravity", "gravity [0, 0, -g]"},
      {"spring", "spring S: P to [0, 1] stiffness k length l"},
      {"damper", "damper D: P to [0, 1] damping c"},
      {"bushing", "bushing U: A at [l, 0] to B stiffness [kx, ky, kt] damping c"},
      {"motor", "motor M: phi = w*t` or `motor M: phi moment 3 - c*phi'"},
      {"gear", "gear G: a to b ratio 3"},
      {"rack", "rack K: s to phi radius r"},
      {"cam", "cam C: s = r + e*cos(phi)"},
      {"rope", "rope R: P to [0, h] to Q length l"},
      {"wheel", "wheel W: B axis [0, 1, 0] radius r"},
      {"drag", "drag at P coefficient c"},
      {"particle", "particle P mass m at [x, y]"},
      {"body", "body B mass m inertia J at [x, y] angle phi"},
      {"frame", "frame F on B at [a, 0, 0]"},
      {"joint", "joint J: A at [l, 0, 0] to B hinge axis [0, 0, 1]"},
      {"constraint", "constraint rod: x^2 + y^2 = l^2"},
      {"reaction", "reaction thrust: x'"},
      {"unilateral", "unilateral ground: y >= 0"},
      {"contact", "contact floor: B on ground at [x, 0] normal [0, 1] friction f"},
      {"import", "import \"link.lia\" as A (m = 2)"},
      {"for", "for i in 1..10: coord x_{i}"},
      {"shape", "shape B disc radius R` or `shape rod P to Q"},
      {"output", "output energy = T + V"},
      {"event", "event bounce: y = 0 falling then reset y' = -e*y'"},
      {"start", "start x = 1, x' = 2"},
      {"claim", "claim x'' == -g"},
      {"misprint", "misprint x'' == g"},
  };
  return table;
}

Statement Reader::read() {
  Statement statement;
  statement.span = span_;
  const auto word = scan_name(text_.substr(0, span_.end), span_.begin);
  if (!word) {
    fail("L0401", {span_.begin, std::min(span_.end, span_.begin + 1)}, "a statement begins with a word",
         "this is not one", "for example `param m = 1` or `kinetic m/2*x'^2`; a comment begins with `#`");
  }
  keyword_ = word->text;
  keyword_span_ = {span_.begin, word->end};
  rest_ = {word->end, span_.end};
  statement.keyword = keyword_span_;
  statement.data = read_data();
  return statement;
}

Reader::Data Reader::read_data() {
  if (keyword_ == "system") return read_title();
  if (keyword_ == "param") return read_params();
  if (keyword_ == "coord") return read_coords();
  if (keyword_ == "rotation") return read_rotation();
  if (keyword_ == "velocity") return read_chart(false);
  if (keyword_ == "intrinsic") return read_chart(true);
  if (keyword_ == "function") return read_function();
  if (keyword_ == "table") return read_table();
  if (keyword_ == "let") return read_definition(Definition::Kind::let);
  if (keyword_ == "rheonomic") return read_definition(Definition::Kind::rheonomic);
  if (keyword_ == "output") return read_definition(Definition::Kind::output);
  if (keyword_ == "kinetic") return read_energy(Energy::Kind::kinetic);
  if (keyword_ == "potential") return read_energy(Energy::Kind::potential);
  if (keyword_ == "dissipation") return read_energy(Energy::Kind::dissipation);
  if (keyword_ == "lagrangian") return read_energy(Energy::Kind::lagrangian);
  if (keyword_ == "input") return read_input();
  if (keyword_ == "gear") return read_transmission(Transmission::Kind::gear);
  if (keyword_ == "rack") return read_transmission(Transmission::Kind::rack);
  if (keyword_ == "rope") return read_transmission(Transmission::Kind::rope);
  if (keyword_ == "cam") return read_cam();
  if (keyword_ == "wheel") return read_wheel();
  if (keyword_ == "drag") return read_drag();
  if (keyword_ == "force") return read_force();
  if (keyword_ == "moment") return read_moment();
  if (keyword_ == "gravity") return read_gravity();
  if (keyword_ == "spring") return read_element(true);
  if (keyword_ == "damper") return read_element(false);
  if (keyword_ == "bushing") return read_bushing();
  if (keyword_ == "motor") return read_motor();
  if (keyword_ == "particle") return read_particle();
  if (keyword_ == "body") return read_body();
  if (keyword_ == "frame") return read_frame();
  if (keyword_ == "joint") return read_joint_declaration();
  if (keyword_ == "constraint") return read_constraint();
  if (keyword_ == "reaction") return read_reaction();
  if (keyword_ == "unilateral") return read_unilateral();
  if (keyword_ == "contact") return read_contact();
  if (keyword_ == "shape") return read_shape();
  if (keyword_ == "event") return read_event();
  if (keyword_ == "start") return read_start();
  if (keyword_ == "claim") return read_claim(false);
  if (keyword_ == "misprint") return read_claim(true);
  std::string hint;
  std::vector<std::string> names;
  for (const KeywordRow& row : keyword_table()) names.emplace_back(row.keyword);
  if (const std::string form = statement_of_others(keyword_); !form.empty()) {
    hint = form;
  } else if (const auto near = nearest_name(keyword_, names)) {
    hint = fmt::format("did you mean `{}`?", *near);
  } else {
    hint = "statements begin with `param`, `coord`, `kinetic`, `constraint`, `claim` and the like";
  }
  fail("L0401", keyword_span_, fmt::format("`{}` is not a statement", shown(keyword_span_)), "", hint);
}

// ---- parts taken from the left ----

bool Reader::at_end() {
  skip_spaces();
  return rest_.begin >= rest_.end;
}

bool Reader::take(std::string_view sign) {
  skip_spaces();
  if (!text_at(text_, rest_).starts_with(sign)) return false;
  rest_.begin += sign.size();
  return true;
}

void Reader::expect(std::string_view sign, std::string_view where) {
  const std::size_t place = rest_.begin;
  if (!take(sign)) fail_missing(fmt::format("`{}` {}", sign, where), place);
}

std::optional<Name> Reader::take_name() {
  skip_spaces();
  const auto name = scan_name(text_.substr(0, rest_.end), rest_.begin);
  if (!name) return std::nullopt;
  const Span span{rest_.begin, name->end};
  rest_.begin = name->end;
  return Name{name->text, span};
}

Name Reader::expect_name(std::string_view what) {
  const std::size_t place = rest_.begin;
  if (auto name = take_name()) return *name;
  const auto digit = [this](std::size_t i) { return text_[i] >= '0' && text_[i] <= '9'; };
  if (rest_.begin >= 2 && rest_.begin < rest_.end && digit(rest_.begin) && text_[rest_.begin - 1] == ',' &&
      digit(rest_.begin - 2))
    fail("L0402", {rest_.begin - 1, rest_.begin}, "decimals have a point",
         "a comma stands between two values",
         fmt::format("write `{}.{}`", text_[rest_.begin - 2], text_[rest_.begin]));
  fail_missing(what, place);
}

bool Reader::take_word(std::string_view word) {
  skip_spaces();
  const auto name = scan_name(text_.substr(0, rest_.end), rest_.begin);
  if (!name || name->text != word) return false;
  rest_.begin = name->end;
  return true;
}

/// What stands between a bracket and its partner; the reader goes on behind it.
Span Reader::take_bracket(char open, char close) {
  skip_spaces();
  const std::size_t begin = rest_.begin;
  std::size_t depth = 0;
  for (std::size_t i = begin; i < rest_.end; ++i) {
    if (text_[i] == open) ++depth;
    if (text_[i] == close && --depth == 0) {
      rest_.begin = i + 1;
      return {begin + 1, i};
    }
  }
  Diagnostic diagnostic{"L0403", fmt::format("a `{}` is missing", close), {rest_.end, rest_.end}, {}, {}, {}};
  diagnostic.label = "the statement ends here";
  diagnostic.notes.push_back({Span{begin, begin + 1}, fmt::format("`{}` was opened", open)});
  diagnostic.hint = fmt::format("write `{}` where it belongs", close);
  throw Fault{std::move(diagnostic)};
}

Vector Reader::expect_vector(std::string_view what) {
  const std::size_t place = rest_.begin;
  skip_spaces();
  if (rest_.begin >= rest_.end || text_[rest_.begin] != '[') fail_missing(what, place);
  const std::size_t begin = rest_.begin;
  const Span inside = take_bracket('[', ']');
  return {split(inside, SignKind::comma, "a component"), {begin, rest_.begin}};
}

/// (p, q, r)
std::vector<Name> Reader::expect_names(std::string_view what) {
  const std::size_t place = rest_.begin;
  skip_spaces();
  if (rest_.begin >= rest_.end || text_[rest_.begin] != '(') fail_missing(what, place);
  const Span inside = take_bracket('(', ')');
  const Span after = rest_;
  std::vector<Name> names;
  for (Span item : split(inside, SignKind::comma, "a name")) {
    rest_ = item;
    names.push_back(expect_name("a name between the commas"));
    if (!at_end()) fail_unexpected(rest_);
  }
  rest_ = after;
  return names;
}

void Reader::expect_end() {
  if (!at_end()) fail_unexpected(rest_);
}

// ---- pieces ----

/// The pieces between separators; each must hold something.
std::vector<Span> Reader::split(Span span, SignKind separator, std::string_view what) {
  std::vector<Span> pieces;
  std::size_t begin = span.begin;
  const std::string_view name = separator == SignKind::comma ? "comma" : "semicolon";
  Span last_sign;
  for (const Sign& sign : top_level_signs(text_, span)) {
    if (sign.kind != separator) continue;
    const Span piece = trim(text_, {begin, sign.span.begin});
    if (piece.begin == piece.end) {
      fail("L0402", sign.span, fmt::format("nothing stands before this {}", name), "", form_hint());
    }
    pieces.push_back(piece);
    begin = sign.span.end;
    last_sign = sign.span;
  }
  const Span last = trim(text_, {begin, span.end});
  if (last.begin < last.end) {
    pieces.push_back(last);
  } else if (pieces.empty()) {
    fail_missing(what, span.begin);
  } else if (separator == SignKind::comma) {
    fail("L0402", last_sign, "nothing stands behind this comma", "", form_hint());
  }
  return pieces;
}

Span Reader::require_content(Span span, std::size_t place, std::string_view what) {
  span = trim(text_, span);
  if (span.begin == span.end) fail_missing(what, place);
  return span;
}

namespace {

/// Behind a value `NAME =` begins the next one: a comma is missing between them.
std::optional<Span> name_of_next_value(std::string_view text, Span value) {
  for (const Sign& sign : top_level_signs(text, value)) {
    if (sign.kind == SignKind::word && sign.word == "if") return std::nullopt;
    if (sign.kind != SignKind::equals) continue;
    const Span before = trim(text, {value.begin, sign.span.begin});
    std::size_t begin = before.end;
    while (begin > before.begin && text[begin - 1] != ' ' && text[begin - 1] != '\t') --begin;
    const auto name = scan_name(text, begin);
    if (begin == before.begin || !name || name->end != before.end) return std::nullopt;
    return Span{begin, before.end};
  }
  return std::nullopt;
}

}  // namespace

void Reader::require_one_value(Span value) {
  const auto next = name_of_next_value(text_, value);
  if (!next) return;
  const std::string name = excerpt(text_at(text_, *next));
  fail("L0402", *next, fmt::format("a comma is missing before `{}`", name), "",
       fmt::format("values are separated by commas: `.., {} = ..`", name));
}

Assignment Reader::read_assignment(Span span) {
  const Span outer = rest_;
  rest_ = span;
  Assignment assignment;
  assignment.name = expect_name("a name");
  const std::size_t place = rest_.begin;
  skip_spaces();
  if (text_at(text_, rest_).starts_with("==")) {
    fail("L0402", {rest_.begin, rest_.begin + 2}, "`==` compares; a value is given with `=`", "",
         fmt::format("write `{} = ...`", assignment.name.text));
  }
  if (!take("=")) {
    rest_.begin = place;
    fail_missing(fmt::format("`=` behind `{}`", excerpt(assignment.name.text)), place);
  }
  assignment.value =
      require_content(rest_, rest_.begin, fmt::format("a value for `{}`", excerpt(assignment.name.text)));
  require_one_value(assignment.value);
  rest_ = outer;
  return assignment;
}

/// [a, b, c], or a single expression.
Vector Reader::read_vector(Span span) {
  span = trim(text_, span);
  if (span.begin < span.end && text_[span.begin] == '[') {
    const Span outer = rest_;
    rest_ = span;
    Vector vector = expect_vector("a vector");
    expect_end();
    rest_ = outer;
    return vector;
  }
  return {{span}, span};
}

void Reader::require_known_clause(Span span, const Sign& sign, const std::vector<std::string_view>& words) {
  if (is_behind_operand(text_, span, sign)) {
    const auto ours = clause_of_others(sign.word);
    if (ours && std::find(words.begin(), words.end(), *ours) != words.end())
      fail("L0402", sign.span, fmt::format("no clause is called `{}`", shown(sign.span)), "",
           fmt::format("it is called `{}` here", *ours));
  }
  if (const auto near = misspelt_clause(text_, span, sign, {words.begin(), words.end()}))
    fail("L0402", sign.span, fmt::format("no clause is called `{}`", shown(sign.span)), "",
         fmt::format("did you mean `{}`?", *near));
}

/// What stands before the first of the words, outside of all brackets; `found` receives the word.
Span Reader::before_word(Span span, const std::vector<std::string_view>& words, Sign* found) {
  for (const Sign& sign : top_level_signs(text_, span)) {
    if (sign.kind != SignKind::word) continue;
    require_known_clause(span, sign, words);
    if (std::find(words.begin(), words.end(), sign.word) == words.end()) continue;
    *found = sign;
    return trim(text_, {span.begin, sign.span.begin});
  }
  *found = Sign{SignKind::word, {span.end, span.end}, {}, false};
  return trim(text_, span);
}

/// LEFT = RIGHT by the one sign given; other signs of comparison are named in the error.
std::pair<Span, Span> Reader::split_relation(Span span, SignKind sign, std::string_view sign_text) {
  std::optional<Sign> found;
  for (const Sign& candidate : top_level_signs(text_, span)) {
    switch (candidate.kind) {
      case SignKind::equals:
      case SignKind::equal_equal:
      case SignKind::at_least:
      case SignKind::at_most:
      case SignKind::greater: break;
      default: continue;
    }
    if (candidate.kind != sign || found) {
      fail("L0402", candidate.span,
           found ? fmt::format("a second `{}` in one statement", shown(candidate.span))
                 : fmt::format("`{}` does not belong here", shown(candidate.span)),
           "",
           found && sign == SignKind::equal_equal ? "separate equations by `;`"
           : keyword_ == "constraint" && candidate.kind != SignKind::equal_equal && !found
               ? "what may open is `unilateral NAME: LEFT >= RIGHT`; a constraint is `LEFT = RIGHT`"
               : fmt::format("write `LEFT {} RIGHT`", sign_text));
    }
    found = candidate;
  }
  if (!found) fail_missing(fmt::format("`{}` between two sides", sign_text), span.end);
  const Span left = require_content({span.begin, found->span.begin}, found->span.begin,
                                    fmt::format("something before `{}`", sign_text));
  const Span right = require_content({found->span.end, span.end}, found->span.end,
                                     fmt::format("something behind `{}`", sign_text));
  return {left, right};
}

// ---- faults ----

void Reader::fail(std::string code, Span span, std::string message, std::string label, std::string hint) {
  throw Fault{Diagnostic{std::move(code), std::move(message), span, std::move(label), {}, std::move(hint)}};
}

void Reader::fail_missing(std::string_view what, std::size_t place) {
  const std::size_t colon = text_at(text_, span_).find(':');
  if (colon != std::string_view::npos) {
    const Span clauses{span_.begin + colon + 1, span_.end};
    for (const Sign& sign : top_level_signs(text_, clauses)) {
      if (const auto near = misspelt_clause(text_, clauses, sign, {clause_words.begin(), clause_words.end()}))
        fail("L0402", sign.span, said_missing(what), "no clause has this name",
             fmt::format("did you mean `{}`?", *near));
    }
  }
  place = std::min(place, span_.end);
  fail("L0402", {place, place}, said_missing(what), "", form_hint());
}

void Reader::fail_unexpected(Span span) {
  const std::string_view before = text_at(text_, {span_.begin, span.begin});
  const std::size_t line = before.rfind('\n');
  const bool first_on_line =
      line != std::string_view::npos && trim(text_, {span_.begin + line, span.begin}).begin == span.begin;
  Diagnostic diagnostic{"L0404",    fmt::format("`{}` does not belong here", shown(span)), span, {}, {},
                        form_hint()};
  const std::size_t end = text_.substr(0, span.end).find('\n', span.begin);
  if (end != std::string_view::npos) diagnostic.span.end = end;
  diagnostic.label = "the statement should end before this";
  if (first_on_line) {
    diagnostic.hint = "this line is indented more than the one before, so it continues it; indent both alike";
  }
  throw Fault{std::move(diagnostic)};
}

/// The form of what is claimed, by the first word of it that says it; empty for an equation.
std::string Reader::claimed_form() const {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> forms{{
      {"conserved", "conserved(T + V)"},
      {"holonomic", "holonomic(rod) == false"},
      {"independent", "independent(rod, wall)"},
      {"compatible", "compatible"},
      {"equations", "equations { x'' == -g; y'' == 0 }"},
      {"motions", "motions == unique"},
      {"stable", "motions == stable at (x = 0)"},
      {"unstable", "motions == unstable at (x = 0)"},
      {"unique", "motions == unique"},
      {"growth", "growth == (2, 3)"},
      {"flag", "flag == (2, 3)"},
      {"measure", "measure(1)"},
  }};
  std::string_view text = text_at(text_, trim(text_, {keyword_span_.end, span_.end}));
  if (const std::size_t name = text.find(": "); name != std::string_view::npos) text.remove_prefix(name + 2);
  const std::string_view word = text.substr(0, text.find_first_of(" ({="));
  for (const auto& [first, form] : forms)
    if (word == first) return fmt::format("{} {}", keyword_, form);
  return {};
}

std::string Reader::form_hint() const {
  if (keyword_ == "claim" || keyword_ == "misprint") {
    if (const std::string form = claimed_form(); !form.empty()) return fmt::format("write `{}`", form);
  }
  for (const KeywordRow& row : keyword_table()) {
    if (row.keyword == keyword_) return fmt::format("write `{}`", row.form);
  }
  return {};
}

}  // namespace liaison::syntax
