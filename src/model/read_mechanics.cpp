#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "liaison/model/turned_state.hpp"
#include "reader.hpp"

namespace liaison::syntax {

namespace {

PowerKind power_kind_of(std::string_view word) {
  return word == "power" ? PowerKind::given : word == "by" ? PowerKind::actuated : PowerKind::along;
}

}  // namespace

/// x = EXPR, or [Fx, Fy] at PLACE
Reader::Data Reader::read_force() {
  skip_spaces();
  const bool at_point = rest_.begin < rest_.end && text_[rest_.begin] == '[';
  if (!at_point)
    return GeneralisedForce{read_assignment(require_content(rest_, rest_.begin, "a coordinate"))};
  PointForce force;
  force.force = expect_vector("a force");
  if (!take_word("at")) fail_missing("`at` and a point", rest_.begin);
  force.at = expect_place(rest_);
  return force;
}

/// P, B [a, b] or [x, y]
Place Reader::expect_place(Span span) {
  rest_ = span;
  Place place;
  place.span = trim(text_, span);
  place.object = take_name();
  skip_spaces();
  if (!place.object || !at_end()) place.point = expect_vector("a point `P` or `[x, y]`");
  expect_end();
  return place;
}

/// [L, M, N] on B, or G on B
Reader::Data Reader::read_moment() {
  const Span whole = require_content(rest_, rest_.begin, "a moment");
  Moment moment;
  Sign on;
  const Span value = before_word(whole, {"on"}, &on);
  if (on.word.empty()) fail_missing("`on` and a body", whole.end);
  moment.moment = read_vector(require_content(value, value.begin, "a moment before `on`"));
  rest_ = {on.span.end, whole.end};
  moment.body = expect_name("the name of a body");
  expect_end();
  return moment;
}

Reader::Data Reader::read_gravity() {
  skip_spaces();
  if (!at_end() && text_[rest_.begin] != '[') {
    std::string size = shown(rest_);
    if (size.front() == '-') size.erase(0, 1);
    const bool is_sum = size.find_first_of("+-") != std::string::npos;
    const std::string down = is_sum ? fmt::format("-({})", size) : "-" + size;
    fail("L0402", rest_, "gravity is a vector", "",
         fmt::format("write `gravity [0, {0}]` in the plane, `gravity [0, 0, {0}]` in space", down));
  }
  Gravity gravity{expect_vector("`[0, 0, -g]`, the acceleration,")};
  expect_end();
  return gravity;
}

/// NAME: LEFT = RIGHT [power EXPR | by EXPR | along EXPR]
Reader::Data Reader::read_constraint() {
  ConstraintDeclaration constraint;
  constraint.name = expect_name("the name of a constraint");
  expect(":", fmt::format("behind the name `{}`", excerpt(constraint.name.text)));
  const Span whole = rest_;
  Sign word;
  const Span relation = before_word(whole, {"power", "by", "along"}, &word);
  std::tie(constraint.left, constraint.right) =
      split_relation(require_content(relation, whole.begin, "a relation"), SignKind::equals, "=");
  if (word.word.empty()) return constraint;
  constraint.power_kind = power_kind_of(word.word);
  constraint.power = require_content({word.span.end, whole.end}, word.span.end,
                                     fmt::format("an expression behind `{}`", word.word));
  return constraint;
}

/// NAME: EXPR
Reader::Data Reader::read_reaction() {
  ReactionDeclaration reaction;
  reaction.name = expect_name("the name of a reaction");
  expect(":", fmt::format("behind the name `{}`", excerpt(reaction.name.text)));
  reaction.power = require_content(rest_, rest_.begin, "a power");
  return reaction;
}

/// NAME: LEFT >= RIGHT [power EXPR | by EXPR | along EXPR] [friction EXPR] [sticking EXPR] [on EXPR]
/// [restitution EXPR], or LEFT <= RIGHT
Reader::Data Reader::read_unilateral() {
  UnilateralDeclaration unilateral;
  unilateral.name = expect_name("the name of a unilateral constraint");
  expect(":", fmt::format("behind the name `{}`", excerpt(unilateral.name.text)));
  const Span whole = rest_;
  Sign word;
  const std::vector<std::string_view> words{"power",    "by", "along",      "friction",
                                            "sticking", "on", "restitution"};
  const Span relation = require_content(before_word(whole, words, &word), whole.begin, "a relation");
  const std::vector<Sign> signs = top_level_signs(text_, relation);
  const bool reversed = std::any_of(signs.begin(), signs.end(),
                                    [](const Sign& sign) { return sign.kind == SignKind::at_most; });
  std::tie(unilateral.left, unilateral.right) =
      split_relation(relation, reversed ? SignKind::at_most : SignKind::at_least, reversed ? "<=" : ">=");
  if (reversed) std::swap(unilateral.left, unilateral.right);
  while (!word.word.empty()) {
    const Sign clause = word;
    const Span behind{clause.span.end, whole.end};
    const Span value = require_content(before_word(behind, words, &word), behind.begin,
                                       fmt::format("an expression behind `{}`", clause.word));
    const bool is_power = clause.word == "power" || clause.word == "by" || clause.word == "along";
    auto& target = clause.word == "friction"   ? unilateral.friction
                   : clause.word == "sticking" ? unilateral.sticking
                   : is_power                  ? unilateral.power
                                               : unilateral.restitution;
    if (clause.word == "on" ? unilateral.slip.has_value() : target.has_value()) {
      fail("L0404", clause.span,
           is_power ? std::string("the power is given twice")
                    : fmt::format("`{}` is given twice", clause.word),
           "", "keep one of the two");
    }
    if (clause.word == "on") {
      unilateral.slip = read_vector(value);
      continue;
    }
    if (is_power) unilateral.power_kind = power_kind_of(clause.word);
    target = value;
  }
  return unilateral;
}

/// x = EXPR, x' = EXPR, R angles (..) order zxz, ...
Reader::Data Reader::read_start() {
  Start start;
  for (Span piece : split(trim(text_, rest_), SignKind::comma, "a value `x = 1`"))
    read_state_value(piece, start.values, start.turned);
  return start;
}

void Reader::read_state_value(Span piece, std::vector<Assignment>& values, std::vector<Turned>& turned) {
  if (!is_turned_state(text_, piece)) {
    values.push_back(read_assignment(piece));
    return;
  }
  const Span outer = rest_;
  rest_ = piece;
  turned.push_back(read_turned());
  rest_ = outer;
}

}  // namespace liaison::syntax
