#include <fmt/format.h>

#include <tuple>

#include "reader.hpp"

namespace liaison::syntax {

/// NAME: LEFT = RIGHT [rising | falling] [then stop | record | reset x = EXPR, ...]
Reader::Data Reader::read_event() {
  EventDeclaration event;
  event.name = expect_name("the name of an event");
  expect(":", fmt::format("behind the name `{}`", excerpt(event.name.text)));
  const Span whole = rest_;
  Sign word;
  const Span relation = before_word(whole, {"rising", "falling", "then"}, &word);
  std::tie(event.left, event.right) =
      split_relation(require_content(relation, whole.begin, "a relation"), SignKind::equals, "=");
  if (word.word == "rising" || word.word == "falling") {
    event.direction = word.word == "rising" ? EventDirection::rising : EventDirection::falling;
    const Span behind{word.span.end, whole.end};
    rest_ = before_word(behind, {"then"}, &word);
    expect_end();
  }
  if (!word.word.empty()) read_action(event, {word.span.end, whole.end});
  return event;
}

void Reader::read_action(EventDeclaration& event, Span span) {
  rest_ = span;
  const Name action = expect_name("`stop`, `record` or `reset x = ...` behind `then`");
  if (action.text == "reset") {
    event.action = EventAction::reset;
    const Span values = require_content(rest_, rest_.begin, "a value `x' = -x'` behind `reset`");
    for (Span piece : split(values, SignKind::comma, "a value `x' = -x'`"))
      event.resets.push_back(read_assignment(piece));
    return;
  }
  if (action.text != "stop" && action.text != "record") {
    fail("L0439", action.span, fmt::format("`{}` is not something an event does", shown(action.span)), "",
         "write `then stop`, `then record` or `then reset x' = -x'`");
  }
  event.action = action.text == "stop" ? EventAction::stop : EventAction::record;
  expect_end();
}

}  // namespace liaison::syntax
