#include <fmt/format.h>

#include "reader.hpp"

namespace liaison::syntax {

/// NAME: BODY on BODY at [x, y] normal [nx, ny] [friction EXPR] [rolling EXPR] [pivoting EXPR]
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
  const std::vector<std::string_view> words{"friction", "rolling", "pivoting"};
  const Span whole = rest_;
  Sign word;
  const Span before = before_word(whole, words, &word);
  if (before.begin < before.end) fail_unexpected(before);
  while (!word.word.empty()) {
    const Sign clause = word;
    const Span behind{clause.span.end, whole.end};
    const Span value = require_content(before_word(behind, words, &word), behind.begin,
                                       fmt::format("an expression behind `{}`", clause.word));
    auto& target = clause.word == "friction"  ? contact.friction
                   : clause.word == "rolling" ? contact.rolling
                                              : contact.pivoting;
    if (target) {
      fail("L0404", clause.span, fmt::format("`{}` is given twice", clause.word), "", "keep one of the two");
    }
    target = value;
  }
}

}  // namespace liaison::syntax
