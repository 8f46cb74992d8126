#include <fmt/format.h>

#include <array>

#include "commands.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"

namespace liaison::cli {

namespace {

/// The expression and where its text has a value; an empty handle after the diagnostics went to stderr.
ParsedExpression read(Pool& pool, const std::string& text) {
  const Source source("expression", text);
  ParsedExpression parsed = parse_expression(pool, source, {.declare_unknown = true});
  if (!parsed.diagnostics.empty()) fmt::print(stderr, "{}", render(parsed.diagnostics, source));
  return parsed;
}

/// What is said behind a canonical form: it leaves out the values of signs on their surfaces, and may not be
/// the only one.
std::string note_on(const Canonical& canonical, Expr given) {
  const std::array one{given};
  std::string note;
  for (Expr u : piece_arguments(one).jumps)
    note += fmt::format("{}{} ≠ 0", note.empty() ? "where " : ", ", to_unicode(u));
  if (!canonical.complete)
    note += fmt::format("{}not certain to be unique: {}", note.empty() ? "" : "; ", canonical.reason);
  return note.empty() ? note : "   (" + note + ")";
}

}  // namespace

int run_zero(const std::string& text) {
  Pool pool;
  Algebra algebra(pool);
  const ParsedExpression parsed = read(pool, text);
  if (parsed.value.empty()) return bad_input;
  const Region where{.equations = {}, .domain = parsed.domain, .assumed = {}};
  const Verdict verdict = algebra.are_equal(parsed.value, pool.number(0), where);
  fmt::print("{} = 0: {}\n", to_unicode(parsed.value), describe(verdict));
  return verdict.holds() ? done : does_not_hold;
}

int run_simplify(const std::string& text) {
  Pool pool;
  Algebra algebra(pool);
  const Expr e = read(pool, text).value;
  if (e.empty()) return bad_input;
  const Canonical canonical = algebra.canonical(e);
  fmt::print("given      {}\n", to_unicode(e));
  fmt::print("canonical  {}{}\n", to_unicode(canonical.value), note_on(canonical, e));
  fmt::print("readable   {}\n", to_unicode(algebra.readable(e)));
  return done;
}

}  // namespace liaison::cli
