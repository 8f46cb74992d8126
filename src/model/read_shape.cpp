#include <fmt/format.h>

#include "liaison/expr/parse.hpp"
#include "liaison/model/scenery.hpp"
#include "reader.hpp"

namespace liaison::syntax {

namespace {

bool is_word_of_solid(const std::string& word) {
  const auto kind = shape_kind_named(word);
  return kind && is_solid(*kind);
}

constexpr std::string_view list_of_shapes =
    "of an object: `disc`, `ring`, `ball`, `cylinder`, `cone`, `box`, `polygon`, `mesh`, `none`, as `shape B "
    "disc radius R`; between places: `rod`, `line`, `spring`, `damper`, as `shape rod P to Q`; and `shape "
    "point P`";

}  // namespace

/// OBJECT KIND [SIZES] [radius R] [length L] [at [..]] [axis [..] | turned ..], or
/// KIND PLACE [to PLACE]... [radius R]
Reader::Data Reader::read_shape() {
  ShapeDeclaration shape;
  const Name first = expect_name("a body, or what is drawn between places,");
  shape.span = {first.span.begin, span_.end};
  const Span behind = rest_;
  const std::optional<Name> second = take_name();
  if (second && is_word_of_solid(second->text)) {
    shape.object = first;
    shape.kind = *second;
    read_solid(shape, {second->span.begin, rest_.end});
    return shape;
  }
  shape.kind = first;
  const auto kind = shape_kind_named(first.text);
  if (!kind)
    fail("L0460", second ? second->span : first.span,
         fmt::format("`{}` is nothing that can be drawn", shown(second ? second->span : first.span)), "",
         std::string(list_of_shapes));
  if (is_solid(*kind))
    fail("L0460", first.span, fmt::format("a {} is the shape of a body, and none is named", first.text), "",
         fmt::format("write `shape B {} ...` with the name of a body, or of the `ground`", first.text));
  Span places;
  for (const Clause& clause : cut_clauses(behind, {"radius"}, &places)) read_shape_clause(shape, clause);
  places = require_content(places, behind.begin, "a place `P`, `B [a, b]` or `[x, y]`");
  Sign to;
  for (bool goes_on = true; goes_on;) {
    const Span place = before_clause(places, {"to"}, &to);
    goes_on = !to.word.empty();
    if (const auto name = scan_name(text_.substr(0, place.end), place.begin); name && name->text == "to")
      fail_missing("a place before `to`", place.begin);
    shape.places.push_back(expect_place(place));
    if (goes_on) places = require_content({to.span.end, places.end}, to.span.end, "a place behind `to`");
  }
  return shape;
}

/// From the kind on.
void Reader::read_solid(ShapeDeclaration& shape, Span span) {
  Span sizes;
  const std::vector<Clause> clauses =
      cut_clauses(span, {"radius", "length", "scale", "at", "axis", "turned"}, &sizes);
  rest_ = {shape.kind.span.end, sizes.end};
  skip_spaces();
  if (rest_.begin < rest_.end && text_[rest_.begin] == '"') {
    const std::string_view value = text_at(text_, rest_);
    const std::size_t end = value.find('"', 1);
    if (end == std::string_view::npos || end < 2)
      fail("L0403", rest_, "the name of a file stands between two quotes", "", form_hint());
    const Span file{rest_.begin, rest_.begin + end + 1};
    shape.file.emplace(std::string(value.substr(1, end - 1)), file);
    rest_.begin = file.end;
  }
  while (!at_end() && text_[rest_.begin] == '[') shape.vectors.push_back(expect_vector("a vector"));
  expect_end();
  for (const Clause& clause : clauses) read_shape_clause(shape, clause);
}

void Reader::read_shape_clause(ShapeDeclaration& shape, const Clause& clause) {
  const auto put = [&](auto& target, auto value) {
    if (target)
      fail("L0404", clause.span, fmt::format("`{}` is given twice", clause.word), "", "keep one of the two");
    target = std::move(value);
  };
  if (clause.word == "radius") {
    put(shape.radius, clause.value);
  } else if (clause.word == "length") {
    put(shape.length, clause.value);
  } else if (clause.word == "scale") {
    put(shape.scale, clause.value);
  } else if (clause.word == "at") {
    put(shape.at, read_vector(clause.value));
  } else if (clause.word == "axis") {
    put(shape.axis, read_vector(clause.value));
  } else {
    put(shape.turned, Orientation{{}, read_turns(clause.value), false, clause.value});
  }
}

}  // namespace liaison::syntax
