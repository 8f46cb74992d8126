#include <fmt/format.h>

#include <algorithm>

#include "joint_kinds.hpp"
#include "reader.hpp"

namespace liaison::syntax {

/// NAME mass EXPR at PLACE
Reader::Data Reader::read_particle() {
  ParticleDeclaration particle;
  particle.name = expect_name("the name of a particle");
  if (!take_word("mass")) fail_missing("`mass` and an expression", rest_.begin);
  const Span whole = rest_;
  Sign at;
  particle.mass = require_content(before_word(whole, {"at", "on"}, &at), whole.begin, "a mass");
  if (at.word == "on")
    fail("L0404", at.span, "`on` does not belong here", "a particle has a place in space",
         "a frame names a point of a body: `frame F on A at [a, 0]`, then `at [F.x, F.y]` here");
  if (at.word.empty()) fail_missing("`at` and a position", whole.end);
  particle.at = expect_place({at.span.end, whole.end});
  return particle;
}

/// Each word with what stands behind it; `before` receives what stands before the first.
std::vector<Reader::Clause> Reader::cut_clauses(Span span, const std::vector<std::string_view>& words,
                                                Span* before) {
  std::vector<Clause> clauses;
  Sign word;
  *before = before_clause(span, words, &word);
  while (!word.word.empty()) {
    const Sign clause = word;
    const Span behind{clause.span.end, span.end};
    const Span value = before_clause(behind, words, &word);
    clauses.push_back(
        {clause.word, clause.span,
         require_content(value, behind.begin, fmt::format("what belongs behind `{}`", clause.word))});
  }
  return clauses;
}

/// NAME mass EXPR inertia EXPR, then
///   at [x, y] ORIENTATION [centre [a, b]], or
///   on PARENT [at [..]] [turned ..] by JOINT [centre [..]]
Reader::Data Reader::read_body() {
  BodyDeclaration body;
  body.name = expect_name("the name of a body");
  if (!take_word("mass")) fail_missing("`mass` and an expression", rest_.begin);
  const Span whole = rest_;
  Sign word;
  body.mass = require_content(before_word(whole, {"inertia"}, &word), whole.begin, "a mass");
  if (word.word.empty()) fail_missing("`inertia` and the moments of inertia", whole.end);
  const Span behind_inertia{word.span.end, whole.end};
  const Span inertia = before_clause(behind_inertia, {"at", "on"}, &word);
  body.inertia = read_vector(require_content(inertia, behind_inertia.begin, "a moment of inertia"));
  if (word.word.empty()) fail_missing("`at` and the position of the centre", whole.end);
  const bool on_joint = word.word == "on";
  Sign centre;
  const Span placed = before_clause({word.span.end, whole.end}, {"centre"}, &centre);
  if (!centre.word.empty()) {
    rest_ = {centre.span.end, whole.end};
    body.centre = expect_vector("a point of the body");
    expect_end();
  }
  rest_ = placed;
  if (!on_joint) {
    body.position = expect_vector("a position `[x, y]`");
    skip_spaces();
    body.orientation = read_orientation(rest_);
    return body;
  }
  Sign by;
  const Span mount = before_clause(placed, {"by"}, &by);
  if (by.word.empty())
    fail("L0402", {placed.end, placed.end}, "`by` and a joint are missing", "",
         "write `body B mass m inertia J on A at [a, 0] by hinge phi`; in space with an axis");
  Mount place = read_mount(mount);
  body.joint.emplace(std::move(place), read_joint({by.span.end, placed.end}));
  return body;
}

/// NAME on PARENT [at [..]] [turned ..]
Reader::Data Reader::read_frame() {
  FrameDeclaration frame;
  frame.name = expect_name("the name of a frame");
  if (!take_word("on")) fail_missing("`on` and a body", rest_.begin);
  frame.mount = read_mount(rest_);
  return frame;
}

/// PARENT [at [..]] [turned ..]
Mount Reader::read_mount(Span span) {
  Span parent;
  const std::vector<Clause> clauses = cut_clauses(span, {"at", "turned"}, &parent);
  Mount mount;
  rest_ = parent;
  mount.parent = expect_name("a body, a frame or `ground`");
  expect_end();
  for (const Clause& clause : clauses) {
    const bool is_place = clause.word == "at";
    if (is_place ? mount.at.has_value() : mount.turned.has_value())
      fail("L0404", clause.span, fmt::format("`{}` is given twice", clause.word), "", "keep one of the two");
    if (is_place) {
      mount.at = read_vector(clause.value);
    } else {
      mount.turned = Orientation{{}, read_turns(clause.value), false, clause.value};
    }
  }
  return mount;
}

/// KIND VALUES [axis [..]]... [pitch EXPR]
Joint Reader::read_joint(Span span) {
  Joint joint;
  joint.span = trim(text_, span);
  Span first;
  const std::vector<Clause> clauses = cut_clauses(span, {"axis", "pitch"}, &first);
  rest_ = first;
  joint.kind = expect_name("the kind of a joint");
  skip_spaces();
  const bool bracket = rest_.begin < rest_.end && text_[rest_.begin] == '(';
  if (joint.kind.text == "ball" && !at_end()) {
    joint.rotation = expect_rotation();
  } else if (bracket) {
    const Span whole = rest_;
    const std::vector<Span> values = split(take_bracket('(', ')'), SignKind::comma, "a coordinate");
    joint.values = at_end() ? values : std::vector{whole};
  } else if (!at_end()) {
    joint.values = {rest_};
  }
  for (const Clause& clause : clauses) read_axes(clause, joint.axes, joint.pitch);
  return joint;
}

/// axis [..] | pitch EXPR
void Reader::read_axes(const Clause& clause, std::vector<Vector>& axes, std::optional<Span>& pitch) {
  if (clause.word == "axis") {
    axes.push_back(read_vector(clause.value));
    return;
  }
  if (pitch) fail("L0404", clause.span, "`pitch` is given twice", "", "keep one of the two");
  pitch = clause.value;
}

/// NAME: MOUNT to MOUNT KIND [axis [..]]... [pitch EXPR] [in FRAME]
Reader::Data Reader::read_joint_declaration() {
  JointDeclaration joint;
  joint.name = expect_name("the name of a joint");
  expect(":", "behind the name of a joint");
  skip_spaces();
  joint.span = rest_;
  Sign to, kind;
  const Span first = before_clause(joint.span, {"to"}, &to);
  if (to.word.empty()) fail_missing("`to` and the other place", joint.span.end);
  std::vector<std::string_view> kinds;
  for (const JointKind& known : joint_kinds) kinds.push_back(known.name);
  const Span behind{to.span.end, joint.span.end};
  const Span second = before_clause(behind, kinds, &kind);
  joint.first = read_mount(first);
  if (kind.word.empty()) {
    rest_ = second;
    expect_name("a body, a frame or `ground`");
    skip_spaces();
    fail("L0450", at_end() ? Span{joint.span.end, joint.span.end} : rest_, "the kind of the joint is missing",
         "", "the joints are " + list_of_joint_kinds());
  }
  joint.second = read_mount(second);
  joint.kind = {kind.word, kind.span};
  Span before;
  for (const Clause& clause :
       cut_clauses({kind.span.begin, joint.span.end}, {"axis", "pitch", "in"}, &before)) {
    if (clause.word != "in") {
      read_axes(clause, joint.axes, joint.pitch);
      continue;
    }
    if (joint.frame) fail("L0404", clause.span, "`in` is given twice", "", "keep one of the two");
    rest_ = clause.value;
    joint.frame = expect_name("a body, a frame or `ground`");
    expect_end();
  }
  rest_ = {kind.span.end, before.end};
  expect_end();
  return joint;
}

/// R or (p, q, r)
TurnPart Reader::expect_rotation() {
  TurnPart turn;
  skip_spaces();
  turn.span = rest_;
  if (rest_.begin < rest_.end && text_[rest_.begin] == '(') {
    turn.rates = expect_names("the rates");
  } else {
    turn.rotation = expect_name("the name or the rates of a rotation");
  }
  expect_end();
  return turn;
}

/// angle EXPR | rotation R | angles (a, b, c) order zxz | axis [..] angle EXPR | turned z a, x b
Orientation Reader::read_orientation(Span span) {
  Orientation orientation;
  orientation.span = span;
  if (take_word("rotation")) {
    orientation.is_rotation = true;
    orientation.turns.push_back(expect_rotation());
  } else if (take_word("angle")) {
    orientation.angle = require_content(rest_, rest_.begin, "an angle");
  } else if (take_word("angles")) {
    orientation.turns = read_angles();
  } else if (take_word("axis")) {
    TurnPart turn;
    turn.span = rest_;
    turn.axis = expect_vector("an axis `[a, b, c]`");
    if (!take_word("angle")) fail_missing("`angle` and an expression", rest_.begin);
    turn.angle = require_content(rest_, rest_.begin, "an angle");
    orientation.turns.push_back(std::move(turn));
  } else if (take_word("turned")) {
    orientation.turns = read_turns(rest_);
  } else if (at_end()) {
    fail_missing("`angle phi` or `rotation (p, q, r)`, how the body is turned,", span.end);
  } else {
    fail_unexpected(rest_);
  }
  return orientation;
}

/// NAME angles (a, b, c) order zxz | NAME axis [..] angle EXPR
Turned Reader::read_turned() {
  Turned turned;
  turned.span = rest_ = trim(text_, rest_);
  turned.name = *take_name();  // is_turned_state
  skip_spaces();
  turned.turns = read_orientation(rest_).turns;
  return turned;
}

/// (a, b, c) order zxz: about the axes as they have been turned
std::vector<TurnPart> Reader::read_angles() {
  skip_spaces();
  if (rest_.begin >= rest_.end || text_[rest_.begin] != '(')
    fail_missing("angles `(psi, theta, phi)`", rest_.begin);
  const std::vector<Span> angles = split(take_bracket('(', ')'), SignKind::comma, "an angle");
  if (!take_word("order")) fail_missing("`order` and the axes, as `order zxz`,", rest_.begin);
  const Name order = expect_name("the axes, as `zxz`,");
  expect_end();
  const bool known = std::all_of(order.text.begin(), order.text.end(),
                                 [](char c) { return c == 'x' || c == 'y' || c == 'z'; });
  if (!known || order.text.size() != angles.size())
    fail("L0428", order.span,
         known ? fmt::format("{} axes for {} angles", order.text.size(), angles.size())
               : fmt::format("`{}` is no order of axes", excerpt(order.text)),
         "",
         "name one of `x`, `y`, `z` for each angle, in their order: `angles (psi, theta, phi) order zxz`");
  std::vector<TurnPart> turns;
  for (std::size_t k = 0; k < angles.size(); ++k) {
    TurnPart turn;
    turn.letter = Name{std::string(1, order.text[k]), order.span};
    turn.angle = turn.span = angles[k];
    turns.push_back(std::move(turn));
  }
  return turns;
}

/// z EXPR, [a, b, c] EXPR, R, (p, q, r); in the plane one angle
std::vector<TurnPart> Reader::read_turns(Span span) {
  std::vector<TurnPart> turns;
  for (Span piece : split(span, SignKind::comma, "an axis and an angle, as `z phi`,")) {
    rest_ = piece;
    TurnPart turn;
    turn.span = turn.angle = piece;
    const char first = text_[piece.begin];
    if (first == '[') {
      turn.axis = expect_vector("an axis `[a, b, c]`");
      turn.angle = require_content(rest_, rest_.begin, "an angle behind the axis");
    } else if (first == '(') {
      const std::vector<Sign> inside = top_level_signs(text_, take_bracket('(', ')'));
      const bool is_list = at_end() && std::any_of(inside.begin(), inside.end(), [](const Sign& sign) {
                             return sign.kind == SignKind::comma;
                           });
      rest_ = piece;
      if (is_list) turn = expect_rotation();
    } else if (const auto name = take_name()) {
      if (at_end()) {
        turn.rotation = name;
      } else if (name->text == "x" || name->text == "y" || name->text == "z") {
        turn.letter = name;
        turn.angle = rest_;
      }
    }
    turns.push_back(std::move(turn));
  }
  return turns;
}

}  // namespace liaison::syntax
