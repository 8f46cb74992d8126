#include "liaison/model/integrals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "liaison/expr/print.hpp"
#include "liaison/expr/text_hash.hpp"
#include "liaison/expr/traverse.hpp"
#include "scope.hpp"
#include "text.hpp"

namespace liaison {

namespace {

constexpr std::string_view beginning = "integral__";  // two underscores: no name of a text

}  // namespace

bool is_name_of_integral(const std::string& name) {
  return name.starts_with(beginning);
}

Expr integral_of(Expr e) {
  Pool& pool = e.pool();
  const std::string name = fmt::format("{}{:016x}", beginning, hash_of_text(to_infix(e)));
  return pool.apply(pool.function(name, 1), std::array{e});
}

bool is_integral(Expr e) {
  return e.is(Op::apply) && is_name_of_integral(e.application().function->name);
}

std::vector<Expr> integrals_in(const std::vector<Expr>& expressions) {
  std::vector<Expr> result;
  for (const Expr e : postorder(expressions))
    if (is_integral(e)) result.push_back(e);
  return result;
}

bool holds_integral(Expr e) {
  return !e.empty() && !integrals_in({e}).empty();
}

/// integral(e)
ResolvedName Scope::resolve_integral(Span span, std::size_t open) {
  const std::string_view text = masked_.text().substr(0, part_end_);
  ResolvedName result;
  std::size_t close = open + 1;
  std::string closers{')'};
  for (; close < text.size(); ++close) {
    const char c = text[close];
    if (c == '(') closers.push_back(')');
    if (c == '[') closers.push_back(']');
    if (c != ')' && c != ']') continue;
    if (closers.back() != c) break;
    closers.pop_back();
    if (closers.empty()) break;
  }
  result.end = std::min(close + 1, text.size());
  if (!closers.empty()) {
    result.diagnostics.push_back(make_diagnostic("L0108", {open, open + 1}, "this bracket is not closed",
                                                 fmt::format("add `{}`", closers.back())));
    return result;
  }
  const Span whole{span.begin, result.end}, inside = trim(text, {open + 1, close});
  if (!context_->queries) {
    result.diagnostics.push_back(
        make_diagnostic("L0430", whole, fmt::format("`integral(...)` cannot stand in {}", context_->what),
                        std::string(place_of_integrals)));
    return result;
  }
  if (inside.begin == inside.end) {
    result.diagnostics.push_back(make_diagnostic("L0429", whole, "`integral` takes an expression",
                                                 "write `integral(tension(S)*rate(S))`"));
    return result;
  }
  const Expr value = read(inside, *context_);
  if (value.empty()) return result;
  if (holds_integral(value)) {
    result.diagnostics.push_back(make_diagnostic("L0430", whole, "an integral cannot stand in another one",
                                                 std::string(place_of_integrals)));
    return result;
  }
  result.value = integral_of(value);
  return result;
}

}  // namespace liaison
