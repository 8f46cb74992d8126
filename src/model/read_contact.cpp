#include <fmt/format.h>

#include "reader.hpp"

namespace liaison::syntax {

/// NAME: BODY on BODY at [x, y] normal [nx, ny] [unilateral [gap EXPR]] [friction EXPR [sticking EXPR]]
/// [rolling EXPR [sticking EXPR]] [pivoting EXPR [sticking EXPR]] [restitution EXPR]
Reader::Data Reader::read_contact() {
  ContactDeclaration contact;
  contact.name = expect_name("the name of a contact");
  expect(":", fmt::format("behind the name `{}`", excerpt(contact.name.text)));
  contact.first = expect_name("the name of a body");
  if (!take_word("on")) fail_missing("`on` and the other body", rest_.begin);
  contact.second = expect_name("the name of a body, or `ground`,");
  if (!take_word("at")) fail_missing("`at` and the point of contact", rest_.begin);
  contact.point = expect_vector("a point `[x, y]`");
  if (!take_word("normal")) fail_missing("`normal` and the common normal", rest_.begin);
  contact.normal = expect_vector("a normal `[0, 1]`");
  read_resistances(contact);
  return contact;
}

void Reader::read_resistances(ContactDeclaration& contact) {
  const std::vector<std::string_view> words{"friction", "rolling",    "pivoting",
                                            "sticking", "unilateral", "restitution"};
  const Span whole = rest_;
  Sign word;
  const Span before = before_word(whole, words, &word);
  if (before.begin < before.end) fail_unexpected(before);
  ContactDeclaration::Resistance* last = nullptr;
  while (!word.word.empty()) {
    const Sign clause = word;
    const Span behind{clause.span.end, whole.end};
    const Span value = before_word(behind, words, &word);
    if (clause.word == "sticking" && last == nullptr) {
      fail("L0404", clause.span, "`sticking` stands behind what sticks", "",
           "write `friction F sticking S`, `rolling D sticking S` or `pivoting W sticking S`");
    }
    const auto put = [&](std::optional<Span>& target, Span given) {
      if (target) {
        fail("L0404", clause.span, fmt::format("`{}` is given twice", clause.word), "",
             "keep one of the two");
      }
      target = given;
    };
    if (clause.word == "unilateral") {
      put(contact.unilateral, clause.span);
      read_gap(contact, value);
      last = nullptr;
      continue;
    }
    const Span content =
        require_content(value, behind.begin, fmt::format("an expression behind `{}`", clause.word));
    if (clause.word == "sticking") {
      put(last->sticking, content);
      continue;
    }
    if (clause.word == "restitution") {
      put(contact.restitution, content);
      last = nullptr;
      continue;
    }
    last = clause.word == "friction"  ? &contact.friction
           : clause.word == "rolling" ? &contact.rolling
                                      : &contact.pivoting;
    put(last->slipping, content);
  }
}

/// Behind `unilateral`: nothing, or `gap EXPR`.
void Reader::read_gap(ContactDeclaration& contact, Span span) {
  rest_ = span;
  if (at_end()) return;
  const Span whole = rest_;
  if (!take_word("gap")) {
    fail("L0404", whole, fmt::format("`{}` does not belong here", shown(whole)), "",
         "write `unilateral`, or `unilateral gap E` with the distance of the two");
  }
  contact.gap = require_content(rest_, rest_.begin, "an expression behind `gap`");
}

}  // namespace liaison::syntax
