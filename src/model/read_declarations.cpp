#include <fmt/format.h>

#include "liaison/expr/parse.hpp"
#include "liaison/model/quantity.hpp"
#include "reader.hpp"

namespace liaison::syntax {

Reader::Data Reader::read_title() {
  skip_spaces();
  const Span text = rest_;
  const bool quoted = text.end - text.begin >= 2 && text_[text.begin] == '"' && text_[text.end - 1] == '"';
  if (!quoted) fail_missing("the name of the system in quotes", text.begin);
  const std::string_view title = text_.substr(text.begin + 1, text.end - text.begin - 2);
  if (title.find_first_of("\"\n") != std::string_view::npos) {
    fail("L0403", text, "the name of a system is one text between two quotes", "", form_hint());
  }
  return Title{std::string(title)};
}

/// "FILE" as NAME [(NAME = EXPR, ...)]
Import Reader::read_import() {
  const auto word = scan_name(text_.substr(0, span_.end), span_.begin);
  keyword_ = word->text;
  keyword_span_ = {span_.begin, word->end};
  rest_ = {word->end, span_.end};
  Import import;
  skip_spaces();
  const std::size_t begin = rest_.begin;
  const std::size_t close = begin < rest_.end && text_[begin] == '"' ? text_.find('"', begin + 1) : rest_.end;
  if (close >= rest_.end || close < begin + 2 || text_.substr(begin, close - begin).find('\n') != text_.npos)
    fail_missing("the name of a file in quotes", begin);
  import.file = {std::string(text_.substr(begin + 1, close - begin - 1)), {begin, close + 1}};
  rest_.begin = close + 1;
  if (!take_word("as")) fail_missing("`as` and a name for the part", rest_.begin);
  import.name = expect_name("a name for the part");
  if (import.name.text.find('\'') != std::string::npos)
    fail("L0406", import.name.span, fmt::format("`{}` is no name of a part", excerpt(import.name.text)), "",
         "a prime is a time derivative: choose letters, `as A`");
  skip_spaces();
  if (rest_.begin < rest_.end && text_[rest_.begin] == '(') {
    const Span inside = take_bracket('(', ')');
    const Span after = rest_;
    for (Span piece : split(inside, SignKind::comma, "a value `m = 2`"))
      import.values.push_back(read_assignment(piece));
    rest_ = after;
  }
  expect_end();
  return import;
}

/// NAME [> 0] [= VALUE] [[UNIT]], ...
Reader::Data Reader::read_params() {
  Params params;
  for (Span piece : split(trim(text_, rest_), SignKind::comma, "a name")) {
    rest_ = piece;
    Params::Item item;
    item.name = expect_name("the name of a parameter");
    if (take(">")) {
      expect("0", "behind `>`");
      item.positive = true;
    }
    const auto read_unit = [&](Span span) {
      const QuantityText quantity = split_unit(text_, span);
      item.unit = quantity.unit;
      return quantity.value;
    };
    skip_spaces();
    if (take("=")) {
      const std::size_t place = rest_.begin;
      const Span value = read_unit(rest_);
      item.value = require_content(value, place, fmt::format("a value for `{}`", excerpt(item.name.text)));
      require_one_value(*item.value);
    } else {
      rest_ = read_unit(rest_);
      expect_end();
    }
    params.items.push_back(std::move(item));
  }
  return params;
}

/// NAME [[UNIT]], ...
Reader::Data Reader::read_coords() {
  Coords coords;
  for (Span piece : split(trim(text_, rest_), SignKind::comma, "a name")) {
    rest_ = piece;
    Coords::Item item;
    item.name = expect_name("the name of a coordinate");
    skip_spaces();
    if (rest_.begin < rest_.end && text_[rest_.begin] == '[') item.unit = take_bracket('[', ']');
    skip_spaces();
    if (text_at(text_, rest_).starts_with("=")) {
      fail("L0404", rest_, "a coordinate has no value of its own", "",
           fmt::format("give its first value with `start {} {}`", item.name.text, shown(rest_)));
    }
    expect_end();
    coords.items.push_back(std::move(item));
  }
  return coords;
}

/// [NAME] (p, q, r) in body|space
Reader::Data Reader::read_rotation() {
  RotationDeclaration rotation;
  rotation.name = take_name();
  const std::size_t place = rest_.begin;
  rotation.rates = expect_names("`(p, q, r)`, the three rates,");
  if (rotation.rates.size() != 3) {
    fail("L0421", {place, rest_.begin},
         fmt::format("a rotation has three rates, here are {}", rotation.rates.size()), "", form_hint());
  }
  if (!take_word("in")) fail_missing("`in body` or `in space`", rest_.begin);
  const std::size_t axes = rest_.begin;
  if (take_word("body")) {
    rotation.axes = Axes::body;
  } else if (take_word("space")) {
    rotation.axes = Axes::space;
  } else {
    fail_missing("`body` or `space` behind `in`", axes);
  }
  expect_end();
  return rotation;
}

/// u, w: x' = EXPR, ...
Reader::Data Reader::read_chart(bool intrinsic) {
  Chart chart;
  chart.intrinsic = intrinsic;
  const Span whole = rest_;
  for (const Sign& sign : top_level_signs(text_, whole)) {
    if (sign.kind != SignKind::colon) continue;
    for (Span piece : split({whole.begin, sign.span.begin}, SignKind::comma, "a velocity parameter")) {
      rest_ = piece;
      chart.parameters.push_back(expect_name("the name of a velocity parameter"));
      expect_end();
    }
    const Span velocities =
        require_content({sign.span.end, whole.end}, sign.span.end, "`x' = ...` behind the `:`");
    for (Span piece : split(velocities, SignKind::comma, "a velocity"))
      chart.velocities.push_back(read_assignment(piece));
    return chart;
  }
  fail_missing("`:` behind the velocity parameters", whole.end);
}

/// f(x, y) [= EXPR]
Reader::Data Reader::read_function() {
  Function function;
  function.name = expect_name("the name of a function");
  function.parameters =
      expect_names(fmt::format("`(x)`, the arguments of `{}`,", excerpt(function.name.text)));
  if (!at_end()) {
    expect("=", "behind the arguments");
    function.body =
        require_content(rest_, rest_.begin, fmt::format("a value for `{}`", excerpt(function.name.text)));
  }
  return function;
}

Reader::Data Reader::read_definition(Definition::Kind kind) {
  return Definition{kind, read_assignment(require_content(rest_, rest_.begin, "a name"))};
}

/// NAME [= EXPR]
Reader::Data Reader::read_input() {
  Input input;
  input.name = expect_name("the name of an input");
  if (at_end()) return input;
  expect("=", "behind the name of an input");
  input.value =
      require_content(rest_, rest_.begin, fmt::format("a value for `{}`", excerpt(input.name.text)));
  return input;
}

Reader::Data Reader::read_energy(Energy::Kind kind) {
  return Energy{kind, require_content(rest_, rest_.begin, "an expression")};
}

}  // namespace liaison::syntax
