#include <fmt/format.h>

#include <tuple>

#include "reader.hpp"

namespace liaison::syntax {

/// NAME: MEASURE to MEASURE ratio N, or radius R; of a rope NAME: PLACE to PLACE [to PLACE ...] length L
Reader::Data Reader::read_transmission(Transmission::Kind kind) {
  const bool is_rope = kind == Transmission::Kind::rope;
  const std::string_view word = kind == Transmission::Kind::gear   ? "ratio"
                                : kind == Transmission::Kind::rack ? "radius"
                                                                   : "length";
  Transmission link;
  link.kind = kind;
  link.name = expect_name(fmt::format("the name of a {}", keyword_));
  expect(":", fmt::format("behind the name `{}`", excerpt(link.name.text)));
  link.span = trim(text_, rest_);
  Sign size;
  Span rest = before_clause(link.span, {word}, &size);
  if (size.word.empty()) fail_missing(fmt::format("`{}` and an expression", word), link.span.end);
  link.size = require_content({size.span.end, link.span.end}, size.span.end,
                              fmt::format("an expression behind `{}`", word));
  std::vector<Span> pieces;
  while (true) {
    Sign to;
    pieces.push_back(before_clause(rest, {"to"}, &to));
    if (to.word.empty()) break;
    rest = require_content({to.span.end, rest.end}, to.span.end, "the end behind `to`");
  }
  if (pieces.size() < 2) fail_missing("`to` and the other end", link.size.begin - word.size());
  if (!is_rope && pieces.size() > 2) fail_unexpected(pieces[2]);
  for (Span piece : pieces) {
    if (is_rope) {
      link.points.push_back(expect_place(piece));
    } else {
      link.measures.push_back(require_content(piece, piece.begin, "an angle or a length"));
    }
  }
  return link;
}

/// NAME: MEASURE = EXPR
Reader::Data Reader::read_cam() {
  ConstraintDeclaration cam;
  cam.name = expect_name("the name of a cam");
  expect(":", fmt::format("behind the name `{}`", excerpt(cam.name.text)));
  std::tie(cam.left, cam.right) = split_relation(
      require_content(rest_, rest_.begin, "what it moves, `s = f(phi)`,"), SignKind::equals, "=");
  return cam;
}

/// NAME: MOUNT [axis [..]] radius R [on PLANE]
Reader::Data Reader::read_wheel() {
  WheelDeclaration wheel;
  wheel.name = expect_name("the name of a wheel");
  expect(":", fmt::format("behind the name `{}`", excerpt(wheel.name.text)));
  wheel.span = trim(text_, rest_);
  Span mount;
  bool has_radius = false;
  for (const Clause& clause : cut_clauses(wheel.span, {"axis", "radius", "on"}, &mount)) {
    const bool twice = clause.word == "axis"     ? wheel.axis.has_value()
                       : clause.word == "radius" ? has_radius
                                                 : wheel.on.has_value();
    if (twice)
      fail("L0404", clause.span, fmt::format("`{}` is given twice", clause.word), "", "keep one of the two");
    if (clause.word == "axis") {
      wheel.axis = read_vector(clause.value);
    } else if (clause.word == "radius") {
      wheel.radius = clause.value;
      has_radius = true;
    } else {
      rest_ = clause.value;
      wheel.on = expect_name("a frame or `ground`");
      expect_end();
    }
  }
  if (!has_radius) fail_missing("`radius` and an expression", wheel.span.end);
  wheel.mount = read_mount(mount);
  return wheel;
}

/// at PLACE coefficient C [wind [u, v]]
Reader::Data Reader::read_drag() {
  Drag drag;
  if (!take_word("at")) fail_missing("`at` and a point", rest_.begin);
  const Span whole = rest_;
  Span place;
  const std::vector<Clause> clauses = cut_clauses(whole, {"coefficient", "wind"}, &place);
  bool has_coefficient = false;
  for (const Clause& clause : clauses) {
    const bool is_wind = clause.word == "wind";
    if (is_wind ? drag.wind.has_value() : has_coefficient)
      fail("L0404", clause.span, fmt::format("`{}` is given twice", clause.word), "", "keep one of the two");
    if (is_wind) {
      drag.wind = read_vector(clause.value);
    } else {
      drag.coefficient = clause.value;
      has_coefficient = true;
    }
  }
  if (!has_coefficient) fail_missing("`coefficient` and an expression", whole.end);
  drag.at = expect_place(require_content(place, place.begin, "a point"));
  return drag;
}

}  // namespace liaison::syntax
