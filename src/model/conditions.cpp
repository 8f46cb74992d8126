#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "scope.hpp"
#include "text.hpp"

/// `if C then A else B`, `piecewise(C, A, ..., B)` and `step(u)` in expressions, each short for signs: where
/// u changes its sign the algebra, the reports and the runs know it as any other switch.
namespace liaison {

namespace {

constexpr std::size_t max_nesting = 64;
constexpr std::string_view condition_form = "compare two values: `x > 0`, `0 < x < l`, `x > 0 and t < 1`";

bool is_comparison(SignKind kind) {
  return kind == SignKind::greater || kind == SignKind::less || kind == SignKind::at_least ||
         kind == SignKind::at_most;
}

/// Where an expression that began inside of brackets ends: at what closes them, or at a comma.
std::size_t end_of_operand(std::string_view text, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth < 0) return i;
    if ((c == ',' || c == ';') && depth == 0) return i;
  }
  return text.size();
}

/// The pieces of a text between some of its signs.
template <class IsSeparator>
std::vector<Span> pieces_between(std::string_view text, Span span, const IsSeparator& is_separator) {
  std::vector<Span> pieces;
  std::size_t begin = span.begin;
  for (const Sign& sign : top_level_signs(text, span)) {
    if (!is_separator(sign)) continue;
    pieces.push_back(trim(text, {begin, sign.span.begin}));
    begin = sign.span.end;
  }
  pieces.push_back(trim(text, {begin, span.end}));
  return pieces;
}

/// 1 where u > 0, 0 where u < 0, and 1/2 between.
Expr step_of(Expr u) {
  return (u.pool().number(1) + sign(u)) / 2;
}

struct IfParts {
  Span condition, first, second;
};

/// Of the text behind `if`; an `if` inside of it has its own `then` and `else`.
std::optional<IfParts> split_if(std::string_view text, Span behind) {
  std::size_t inner = 0;
  std::optional<Span> then;
  for (const Sign& sign : top_level_signs(text, behind)) {
    if (sign.kind != SignKind::word) continue;
    if (sign.word == "if") ++inner;
    if (sign.word == "then" && inner == 0 && !then) then = sign.span;
    if (sign.word != "else") continue;
    if (inner == 0 && then) {
      return IfParts{trim(text, {behind.begin, then->begin}), trim(text, {then->end, sign.span.begin}),
                     trim(text, {sign.span.end, behind.end})};
    }
    if (inner > 0) --inner;
  }
  return std::nullopt;
}

}  // namespace

void Scope::report_condition(Span span, std::string message, std::string hint) {
  reports_.add("L0451", span, std::move(message), std::move(hint));
}

/// A part that stands inside of an expression; empty: it has been reported.
Expr Scope::read_part(Span span, std::string_view what) {
  if (span.begin == span.end) {
    report_condition(span, fmt::format("{} is missing", what), "write `if x > 0 then A else B`");
    return {};
  }
  if (nesting_ >= max_nesting) {
    report_condition(span, fmt::format("more than {} conditions inside of each other", max_nesting),
                     "name parts of it with `let`");
    return {};
  }
  ++nesting_;
  const Expr value = read(span, *context_);
  --nesting_;
  return value;
}

/// A > B, A < B < C: 1 where it holds and 0 where it does not.
Expr Scope::read_comparison(Span span) {
  const std::string_view text = masked_.text();
  span = trim(text, span);
  std::vector<Sign> comparisons;
  for (const Sign& sign : top_level_signs(text, span)) {
    if (is_comparison(sign.kind)) comparisons.push_back(sign);
    if (sign.kind == SignKind::equals || sign.kind == SignKind::equal_equal) {
      report_condition(sign.span, "an equation holds at single moments: it is no condition",
                       std::string(condition_form));
      return {};
    }
  }
  if (comparisons.empty()) {
    const bool in_brackets = span.end > span.begin + 1 && text[span.begin] == '(' &&
                             end_of_operand(text.substr(0, span.end), span.begin + 1) + 1 == span.end;
    if (in_brackets) return read_condition({span.begin + 1, span.end - 1});
    report_condition(span, "this is no condition", std::string(condition_form));
    return {};
  }
  const std::vector<Span> sides =
      pieces_between(text, span, [](const Sign& sign) { return is_comparison(sign.kind); });
  std::vector<Expr> values;
  for (Span side : sides) {
    values.push_back(read_part(side, "a side of the comparison"));
    if (values.back().empty()) return {};
  }
  // a number alone on a side is in SI units, as in a relation
  const auto is_number = [](Expr value) { return value.is_constant(); };
  if (objects_ != nullptr && !std::all_of(values.begin(), values.end(), is_number)) {
    for (Expr& value : values) {
      if (is_number(value) && !value.is_zero()) value *= objects_->unit_of_number();
    }
  }
  Expr holds = system_.pool->number(1);
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    const bool rises = comparisons[i].kind == SignKind::less || comparisons[i].kind == SignKind::at_most;
    holds *= step_of(rises ? values[i + 1] - values[i] : values[i] - values[i + 1]);
  }
  return holds;
}

/// Comparisons with `and`, which binds tighter, and `or`.
Expr Scope::read_condition(Span span) {
  if (nesting_ >= max_nesting) {
    report_condition(span, fmt::format("more than {} conditions inside of each other", max_nesting),
                     "name parts of it with `let`");
    return {};
  }
  ++nesting_;
  const auto is_word = [](std::string_view word) {
    return [word](const Sign& sign) { return sign.kind == SignKind::word && sign.word == word; };
  };
  Expr fails = system_.pool->number(1);
  const Expr one = fails;
  for (Span option : pieces_between(masked_.text(), span, is_word("or"))) {
    Expr holds = one;
    for (Span part : pieces_between(masked_.text(), option, is_word("and"))) {
      const Expr one_of = read_comparison(part);
      holds = holds.empty() || one_of.empty() ? Expr() : holds * one_of;
    }
    fails = fails.empty() || holds.empty() ? Expr() : fails * (one - holds);
  }
  --nesting_;
  return fails.empty() ? Expr() : one - fails;
}

/// if C then A else B, up to the end of the brackets around it.
ResolvedName Scope::resolve_if(Span word) {
  const std::string_view text = masked_.text().substr(0, part_end_);
  ResolvedName result;
  result.end = end_of_operand(text, word.end);
  const auto parts = split_if(text, {word.end, result.end});
  if (!parts) {
    report_condition(word, "`if` without its `then` and `else`",
                     "write `if x > 0 then A else B`, in brackets where more stands around it");
    return result;
  }
  const Expr holds = read_condition(parts->condition);
  const Expr first = read_part(parts->first, "what stands behind `then`");
  const Expr second = read_part(parts->second, "what stands behind `else`");
  if (!holds.empty() && !first.empty() && !second.empty()) result.value = second + holds * (first - second);
  return result;
}

/// piecewise(C1, A1, C2, A2, ..., B): the first value whose condition holds, else the last.
ResolvedName Scope::resolve_piecewise(Span whole, Span inside) {
  ResolvedName result;
  result.end = whole.end;
  std::vector<Span> parts = pieces_between(masked_.text().substr(0, part_end_), inside,
                                           [](const Sign& sign) { return sign.kind == SignKind::comma; });
  if (parts.size() < 3 || parts.size() % 2 == 0) {
    report_condition(whole, "`piecewise` takes conditions, each with its value, and one value for the rest",
                     "write `piecewise(x < 0, A, x < 1, B, C)`");
    return result;
  }
  Expr value = read_part(parts.back(), "the last value");
  for (std::size_t i = parts.size() - 1; i > 0; i -= 2) {
    const Expr holds = read_condition(parts[i - 2]);
    const Expr here = read_part(parts[i - 1], "the value behind a condition");
    value = value.empty() || holds.empty() || here.empty() ? Expr() : value + holds * (here - value);
  }
  result.value = value;
  return result;
}

/// step(u)
ResolvedName Scope::resolve_step(Span whole, Span inside) {
  ResolvedName result;
  result.end = whole.end;
  const Expr u = read_part(trim(masked_.text(), inside), "the argument of `step`");
  if (!u.empty()) result.value = step_of(u);
  return result;
}

/// Calls that are short for conditions; nothing: another call.
std::optional<ResolvedName> Scope::resolve_condition_call(const std::string& name, Span span,
                                                          std::size_t open) {
  if (name == "if") return resolve_if(span);
  if (name != "step" && name != "piecewise") return std::nullopt;
  if (find(name) != nullptr || later_.contains(name) || locals_.contains(name)) return std::nullopt;
  const std::string_view text = masked_.text().substr(0, part_end_);
  std::size_t close = open + 1;
  for (int depth = 1; close < text.size(); ++close) {
    if (text[close] == '(' || text[close] == '[') ++depth;
    if ((text[close] == ')' || text[close] == ']') && --depth == 0) break;
  }
  const Span inside{open + 1, close}, whole{span.begin, std::min(close + 1, text.size())};
  return name == "step" ? resolve_step(whole, inside) : resolve_piecewise(whole, inside);
}

}  // namespace liaison
