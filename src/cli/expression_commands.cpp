#include <fmt/format.h>

#include "commands.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"

namespace liaison::cli {

namespace {

/// The expression, or an empty handle after the diagnostics went to stderr.
Expr read(Pool& pool, const std::string& text) {
  const Source source("expression", text);
  const ParsedExpression parsed = parse_expression(pool, source, {.declare_unknown = true});
  if (!parsed.diagnostics.empty()) fmt::print(stderr, "{}", render(parsed.diagnostics, source));
  return parsed.value;
}

}  // namespace

int run_zero(const std::string& text) {
  Pool pool;
  Algebra algebra(pool);
  const Expr e = read(pool, text);
  if (e.empty()) return bad_input;
  const Verdict verdict = algebra.is_zero(e);
  fmt::print("{} = 0: {}\n", to_unicode(e), describe(verdict));
  return verdict.holds() ? done : does_not_hold;
}

int run_simplify(const std::string& text) {
  Pool pool;
  Algebra algebra(pool);
  const Expr e = read(pool, text);
  if (e.empty()) return bad_input;
  const Canonical canonical = algebra.canonical(e);
  fmt::print("given      {}\n", to_unicode(e));
  fmt::print("canonical  {}{}\n", to_unicode(canonical.value),
             canonical.complete ? "" : "   (not certain to be unique: " + canonical.reason + ")");
  fmt::print("readable   {}\n", to_unicode(algebra.readable(e)));
  return done;
}

}  // namespace liaison::cli
