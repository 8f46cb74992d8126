#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "reader.hpp"

namespace liaison::syntax {

/// As before_word, but a word counts only behind an operand: `stiffness length length 2` has a length.
Span Reader::before_clause(Span span, const std::vector<std::string_view>& words, Sign* found) {
  for (const Sign& sign : top_level_signs(text_, span)) {
    if (sign.kind != SignKind::word) continue;
    require_known_clause(span, sign, words);
    if (std::find(words.begin(), words.end(), sign.word) == words.end()) continue;
    const Span before = trim(text_, {span.begin, sign.span.begin});
    if (before.begin == before.end ||
        std::string_view("+-*/^(,=:").find(text_[before.end - 1]) != std::string_view::npos)
      continue;
    *found = sign;
    return before;
  }
  *found = Sign{SignKind::word, {span.end, span.end}, {}, false};
  return trim(text_, span);
}

/// NAME: PLACE to PLACE stiffness K [length L] [damping C], or law F in place of K and L; a damper has
/// damping C or law F. An expression may stand for the two places.
Reader::Data Reader::read_element(bool is_spring) {
  ElementDeclaration element;
  element.is_spring = is_spring;
  element.name = expect_name(is_spring ? "the name of a spring" : "the name of a damper");
  expect(":", fmt::format("behind the name `{}`", excerpt(element.name.text)));
  const std::vector<std::string_view> words{"stiffness", "length", "damping", "law"};
  const Span whole = rest_;
  Sign word;
  element.measure = require_content(before_clause(whole, words, &word), whole.begin,
                                    "two points `P to Q`, or what is stretched,");
  while (!word.word.empty()) {
    const Sign clause = word;
    const Span behind{clause.span.end, whole.end};
    // a law has no length clause behind it, and may begin with a word: `law if length(S) > l then ..`
    const std::vector<std::string_view> next =
        clause.word == "law" ? std::vector<std::string_view>{"stiffness", "damping"} : words;
    const Span value = require_content(before_clause(behind, next, &word), behind.begin,
                                       fmt::format("an expression behind `{}`", clause.word));
    auto& target = clause.word == "stiffness" ? element.stiffness
                   : clause.word == "length"  ? element.length
                   : clause.word == "law"     ? element.law
                                              : element.damping;
    if (target)
      fail("L0404", clause.span, fmt::format("`{}` is given twice", clause.word), "", "keep one of the two");
    if (!is_spring && clause.word != "damping" && clause.word != "law")
      fail("L0404", clause.span, fmt::format("a damper has no {}", clause.word), "",
           "a `spring` has a stiffness, a length and a damping");
    target = value;
  }
  if (element.law && (is_spring ? element.stiffness || element.length : element.damping.has_value()))
    fail("L0404", *element.law,
         is_spring ? "a spring has a law, or a stiffness and a length" : "a damper has a law, or a damping",
         "", "keep one of the two");
  if (is_spring && !element.stiffness && !element.law)
    fail_missing("`stiffness` and an expression", whole.end);
  if (!is_spring && !element.damping && !element.law) fail_missing("`damping` and an expression", whole.end);
  Sign to;
  const Span first = before_clause(element.measure, {"to"}, &to);
  if (to.word.empty()) return element;
  const Span second = require_content({to.span.end, element.measure.end}, to.span.end, "a point behind `to`");
  Place begin = expect_place(first);
  element.ends.emplace(std::move(begin), expect_place(second));
  return element;
}

/// NAME: PLACE to PLACE stiffness K [damping C]; one for all lengths, or one an axis.
Reader::Data Reader::read_bushing() {
  Bushing bushing;
  bushing.name = expect_name("the name of a bushing");
  expect(":", fmt::format("behind the name `{}`", excerpt(bushing.name.text)));
  skip_spaces();
  bushing.span = rest_;
  Span places;
  bool has_stiffness = false;
  for (const Clause& clause : cut_clauses(bushing.span, {"stiffness", "damping"}, &places)) {
    const bool is_damping = clause.word == "damping";
    if (is_damping ? bushing.damping.has_value() : has_stiffness)
      fail("L0404", clause.span, fmt::format("`{}` is given twice", clause.word), "", "keep one of the two");
    (is_damping ? bushing.damping.emplace() : bushing.stiffness) = read_vector(clause.value);
    has_stiffness = has_stiffness || !is_damping;
  }
  if (!has_stiffness) fail_missing("`stiffness` and an expression", bushing.span.end);
  Sign to;
  const Span first = before_clause(places, {"to"}, &to);
  if (to.word.empty()) fail_missing("`to` and the other place", places.end);
  bushing.first = read_mount(first);
  bushing.second =
      read_mount(require_content({to.span.end, places.end}, to.span.end, "a body, a frame or `ground`"));
  return bushing;
}

/// NAME: MEASURE = EXPR, a motion that is prescribed, or NAME: MEASURE force|moment EXPR
Reader::Data Reader::read_motor() {
  const Name name = expect_name("the name of a motor");
  expect(":", fmt::format("behind the name `{}`", excerpt(name.text)));
  const Span whole = rest_;
  Sign word;
  const Span measure = before_clause(whole, {"force", "moment"}, &word);
  if (word.word.empty()) {
    ConstraintDeclaration motion;
    motion.name = name;
    std::tie(motion.left, motion.right) =
        split_relation(require_content(whole, whole.begin, "what it moves, `phi = w*t` or `phi moment M`,"),
                       SignKind::equals, "=");
    return motion;
  }
  MotorDeclaration motor;
  motor.name = name;
  motor.measure = require_content(measure, whole.begin, "an angle or a length");
  motor.effort = require_content({word.span.end, whole.end}, word.span.end,
                                 fmt::format("an expression behind `{}`", word.word));
  return motor;
}

}  // namespace liaison::syntax
