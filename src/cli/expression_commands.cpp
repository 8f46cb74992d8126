#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>

#include "commands.hpp"
#include "interrupt.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"
#include "problems.hpp"

namespace liaison::cli {

namespace {

/// The expression and where its text has a value; an empty handle after the diagnostics went to stderr.
ParsedExpression read(Pool& pool, const std::string& text) {
  const Source source("expression", text);
  ParsedExpression parsed = parse_expression(pool, source, {.declare_unknown = true});
  if (!parsed.diagnostics.empty()) say(render(parsed.diagnostics, source));
  return parsed;
}

bool is_same(const Requirement& a, const Requirement& b) {
  const auto [size, rest] = split_coefficient(a.e);
  const auto [other_size, other_rest] = split_coefficient(b.e);
  const bool has_same_sign = a.bound == Bound::nonzero || size.sign() == other_size.sign();
  return a.bound == b.bound && rest == other_rest && has_same_sign;
}

/// The text has no value where e vanishes (proved).
bool never_vanishes(Algebra& algebra, Expr e, const Domain& text) {
  const Region zeros{.equations = {e}, .domain = text, .assumed = {}};
  return algebra.follows(algebra.pool().number(1), zeros) ||
         std::any_of(text.begin(), text.end(), [&](const Requirement& known) {
           return known.bound != Bound::nonnegative && algebra.follows(known.e, zeros);
         });
}

/// What a form needs and the text does not: abs(x)*sqrt(y) of sqrt(x^2*y), the denominator y^2 that
/// 1/(x + sqrt(x^2 + y^2)) gets where its root is moved upwards.
Domain added_needs(Algebra& algebra, Expr form, const Domain& text) {
  const std::array one{form};
  Domain added;
  for (const Requirement& needed : natural_domain(one)) {
    const bool is_known = std::any_of(text.begin(), text.end(),
                                      [&](const Requirement& known) { return is_same(known, needed); });
    if (is_known || (needed.bound == Bound::nonzero && never_vanishes(algebra, needed.e, text))) continue;
    added.push_back(needed);
  }
  return added;
}

/// What is said behind a form: where it has a value, and why it may not be the only one.
std::string note_on(Algebra& algebra, Expr form, const Domain& text, const std::string& doubt = {}) {
  const Domain added = added_needs(algebra, form, text);
  std::string note = added.empty() ? "" : "where " + to_infix(added);
  if (!doubt.empty()) note += fmt::format("{}not certain to be unique: {}", note.empty() ? "" : "; ", doubt);
  return note.empty() ? note : "   (" + note + ")";
}

/// An algebra that Ctrl-C and SIGTERM end.
class StoppableAlgebra {
 public:
  explicit StoppableAlgebra(Pool& pool)
      : algebra_(pool, options(flag_)), callback_(interrupt_.token(), [this] { flag_ = true; }) {}
  Algebra& operator*() { return algebra_; }
  bool is_stopped() const { return flag_; }

 private:
  static AlgebraOptions options(const std::atomic<bool>& flag) {
    AlgebraOptions result;
    result.interrupt = &flag;
    return result;
  }

  std::atomic<bool> flag_ = false;
  InterruptScope interrupt_;
  Algebra algebra_;
  std::stop_callback<std::function<void()>> callback_;
};

int say_interrupted() {
  return report(Refused{Status::interrupted, {}});
}

}  // namespace

int run_zero(const std::string& text) {
  Pool pool;
  StoppableAlgebra stoppable(pool);
  Algebra& algebra = *stoppable;
  const ParsedExpression parsed = read(pool, text);
  if (parsed.value.empty()) return bad_input;
  const Region where{.equations = {}, .domain = parsed.domain, .assumed = {}};
  const Verdict verdict = algebra.are_equal(parsed.value, pool.number(0), where);
  if (stoppable.is_stopped()) return say_interrupted();
  fmt::print("{} = 0: {}\n", to_unicode(parsed.value), describe(verdict));
  return verdict.holds() ? done : does_not_hold;
}

int run_simplify(const std::string& text) {
  Pool pool;
  StoppableAlgebra stoppable(pool);
  Algebra& algebra = *stoppable;
  const ParsedExpression parsed = read(pool, text);
  const Expr e = parsed.value;
  if (e.empty()) return bad_input;
  const Canonical canonical = algebra.canonical(e);
  const Expr readable = algebra.readable(e);
  if (stoppable.is_stopped()) return say_interrupted();
  fmt::print("given      {}\n", to_unicode(e));
  fmt::print("canonical  {}{}\n", to_unicode(canonical.value),
             note_on(algebra, canonical.value, parsed.domain, canonical.reason));
  fmt::print("readable   {}{}\n", to_unicode(readable), note_on(algebra, readable, parsed.domain));
  return done;
}

}  // namespace liaison::cli
