#include <fmt/format.h>

#include <tuple>

#include "reader.hpp"

namespace liaison::syntax {

/// [NAME:] CLAIM [at (x = 1, ...)] [after TIME] [within NUMBER]
Reader::Data Reader::read_claim(bool misprint) {
  ClaimStatement claim;
  claim.misprint = misprint;
  const Span whole = require_content(rest_, rest_.begin, "something to claim");
  rest_ = whole;
  if (auto name = take_name(); name && take(":")) {
    claim.name = std::move(name);
  } else {
    rest_ = whole;
  }
  skip_spaces();
  claim.text = rest_;
  read_claim_clauses(claim);
  const Span body = rest_ = require_content(rest_, rest_.begin, "something to claim");
  const auto word = take_name();
  const std::string first = word ? word->text : "";
  if (first == "equations" && take("{")) {
    --rest_.begin;
    read_equations(claim);
  } else if (first == "compatible" || first == "holonomic" || first == "conserved" ||
             first == "independent") {
    read_predicate(claim, *word);
  } else if (first == "motions") {
    read_motions(claim);
  } else if (first == "measure" ? !read_measure(claim)
                                : (first != "growth" && first != "flag") || !read_dimensions(claim, first)) {
    std::tie(claim.left, claim.right) = split_relation(body, SignKind::equal_equal, "==");
  }
  return claim;
}

/// Takes `at (...)`, `after ...` and `within ...` off the end of `rest_`.
void Reader::read_claim_clauses(ClaimStatement& claim) {
  const Span whole = rest_;
  Sign word;
  const Span body = before_word(whole, {"at", "after", "within"}, &word);
  while (!word.word.empty()) {
    const Sign clause = word;
    const Span behind{clause.span.end, whole.end};
    const Span value = require_content(before_word(behind, {"at", "after", "within"}, &word), behind.begin,
                                       fmt::format("something behind `{}`", clause.word));
    if (clause.word != "at") {
      (clause.word == "after" ? claim.after : claim.within) = value;
      continue;
    }
    rest_ = value;
    if (text_[value.begin] != '(') fail_missing("`(x = 1, ...)`, a state,", value.begin);
    const Span inside = take_bracket('(', ')');
    expect_end();
    for (Span piece : split(inside, SignKind::comma, "a value `x = 1`"))
      read_state_value(piece, claim.at, claim.turned);
  }
  rest_ = body;
}

/// compatible, holonomic(a, b), conserved(EXPR), independent(a, b); each may end in == true or == false.
void Reader::read_predicate(ClaimStatement& claim, const Name& word) {
  claim.kind = word.text == "compatible"  ? ClaimKind::compatible
               : word.text == "holonomic" ? ClaimKind::holonomic
               : word.text == "conserved" ? ClaimKind::conserved
                                          : ClaimKind::independent;
  skip_spaces();
  const bool bracket = rest_.begin < rest_.end && text_[rest_.begin] == '(';
  if (claim.kind == ClaimKind::conserved) {
    if (!bracket) fail_missing("`(...)`, what is conserved,", rest_.begin);
    const std::size_t place = rest_.begin + 1;
    claim.left = require_content(take_bracket('(', ')'), place, "an expression");
  } else if (bracket) {
    claim.constraints = expect_names("the constraints");
  }
  if (take("==")) {
    const std::size_t place = rest_.begin;
    if (take_word("false")) {
      claim.truth = false;
    } else if (!take_word("true")) {
      fail_missing("`true` or `false` behind `==`", place);
    }
  }
  expect_end();
}

/// motions == unique | several | none | stable | unstable | asymptotically stable
void Reader::read_motions(ClaimStatement& claim) {
  claim.kind = ClaimKind::motions;
  const std::size_t place = rest_.begin;
  if (take("==")) {
    for (const char* word : {"unique", "several", "none", "stable", "unstable"}) {
      if (claim.motions.empty() && take_word(word)) claim.motions = word;
    }
    if (claim.motions.empty() && take_word("asymptotically") && take_word("stable"))
      claim.motions = "asymptotically stable";
  }
  if (claim.motions.empty())
    fail_missing("`== unique`, `== several`, `== none`, `== stable` or `== unstable` behind `motions`",
                 place);
  expect_end();
}

/// growth == (2, 3, 4), flag == (2, 3, 4); each may end in == true or == false. False: something else that
/// begins with a quantity of this name.
bool Reader::read_dimensions(ClaimStatement& claim, const std::string& word) {
  if (!take("==")) return false;
  skip_spaces();
  if (rest_.begin >= rest_.end || text_[rest_.begin] != '(') return false;
  const Span inside = take_bracket('(', ')');
  bool truth = true;
  if (take("==")) {
    truth = !take_word("false");
    if (truth && !take_word("true")) return false;
  }
  if (!at_end()) return false;
  const std::vector<Span> pieces = split(inside, SignKind::comma, "a dimension");
  std::vector<std::string> dimensions;
  for (const Span piece : pieces) {
    const std::string_view digits = text_at(text_, piece);
    const bool is_dimension = digits.size() <= 4 && digits.front() != '0' &&
                              digits.find_first_not_of("0123456789") == std::string_view::npos;
    if (!is_dimension && pieces.size() == 1) return false;
    if (!is_dimension)
      fail("L0402", piece, fmt::format("`{}` is no dimension", shown(piece)), "a whole number stands here",
           fmt::format("write `claim {} == (2, 3, 4)`", word));
    dimensions.emplace_back(digits);
  }
  claim.kind = ClaimKind::motions;
  claim.motions = fmt::format("{} == ({})", word, fmt::join(dimensions, ", "));
  claim.truth = truth;
  return true;
}

/// measure, measure(EXPR); each may end in == true or == false. False: a quantity of this name.
bool Reader::read_measure(ClaimStatement& claim) {
  skip_spaces();
  Span density;
  if (rest_.begin < rest_.end && text_[rest_.begin] == '(') {
    const std::size_t place = rest_.begin + 1;
    density = require_content(take_bracket('(', ')'), place, "a density");
  }
  bool truth = true;
  if (take("==")) {
    truth = !take_word("false");
    if (truth && !take_word("true")) return false;
  }
  if (!at_end()) return false;
  claim.kind = ClaimKind::motions;
  claim.motions = "measure";
  claim.truth = truth;
  claim.left = density;
  return true;
}

/// Equations one a line: a line that has a `==` of its own begins another one.
std::vector<Span> Reader::split_lines(Span piece) {
  std::vector<Span> lines;
  std::optional<Sign> last;
  for (const Sign& sign : top_level_signs(text_, piece)) {
    if (sign.kind != SignKind::equal_equal) continue;
    if (last) {
      const std::size_t newline = text_.substr(0, sign.span.begin).rfind('\n');
      if (newline != std::string_view::npos && newline >= last->span.end) {
        lines.push_back({piece.begin, newline});
        piece.begin = newline + 1;
      }
    }
    last = sign;
  }
  lines.push_back(piece);
  return lines;
}

/// { LEFT == RIGHT; ... }
void Reader::read_equations(ClaimStatement& claim) {
  claim.kind = ClaimKind::equations;
  const Span inside = take_bracket('{', '}');
  expect_end();
  for (Span piece : split(inside, SignKind::semicolon, "an equation")) {
    for (Span line : split_lines(piece)) {
      claim.equations.push_back(split_relation(line, SignKind::equal_equal, "=="));
    }
  }
}

}  // namespace liaison::syntax
