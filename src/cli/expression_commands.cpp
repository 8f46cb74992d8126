#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>

#include "commands.hpp"
#include "interrupt.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/text_forms.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"
#include "problems.hpp"

namespace liaison::cli {

namespace {

/// The expression and where its text has a value; throws Refused where it is none.
ParsedExpression read(Pool& pool, const std::string& text) {
  const Source source("expression", text);
  ParsedExpression parsed = parse_expression(pool, source, {.declare_unknown = true});
  if (!parsed.diagnostics.empty()) refuse_text(parsed.diagnostics, source);
  return parsed;
}

bool implies(Bound known, Bound needed) {
  return known == needed || known == Bound::positive;
}

/// Written in the same way, up to a number in front.
bool is_same(const Requirement& known, const Requirement& needed) {
  const auto [size, rest] = split_coefficient(known.e);
  const auto [other_size, other_rest] = split_coefficient(needed.e);
  const bool has_same_sign = needed.bound == Bound::nonzero || size.sign() == other_size.sign();
  return implies(known.bound, needed.bound) && rest == other_rest && has_same_sign;
}

/// The same value, written in another way: (1 - x)/x and 1/x - 1.
bool has_same_value(Algebra& algebra, const Requirement& known, const Requirement& needed) {
  return implies(known.bound, needed.bound) && algebra.canonical(known.e - needed.e).value.is_zero();
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
    const bool is_known = std::any_of(text.begin(), text.end(), [&](const Requirement& known) {
      return is_same(known, needed) || has_same_value(algebra, known, needed);
    });
    if (is_known || (needed.bound == Bound::nonzero && never_vanishes(algebra, needed.e, text))) continue;
    added.push_back(needed);
  }
  return added;
}

std::string in_brackets(const std::string& note) {
  return note.empty() ? note : "   (" + note + ")";
}

/// The canonical form; where it has no value at places where the text may have one, the readable form, which
/// has, and behind it the canonical one with what it needs.
std::string canonical_line(Algebra& algebra, const Canonical& canonical, const std::string& readable,
                           const Domain& text) {
  const Domain added = added_needs(algebra, canonical.value, text);
  std::string note =
      added.empty() ? ""
                    : fmt::format("for comparing: {} where {}", to_unicode(canonical.value), to_infix(added));
  if (!canonical.reason.empty())
    note += fmt::format("{}not certain to be unique: {}", note.empty() ? "" : "; ", canonical.reason);
  return (added.empty() ? to_unicode(canonical.value) : readable) + in_brackets(note);
}

std::string readable_line(Algebra& algebra, const WrittenText& readable, const Domain& text) {
  const Domain added = added_needs(algebra, readable.merged(), text);
  return to_unicode(readable) + in_brackets(added.empty() ? "" : "where " + to_infix(added));
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

int run_zero(const std::string& text, bool json) {
  Pool pool;
  StoppableAlgebra stoppable(pool);
  Algebra& algebra = *stoppable;
  const ParsedExpression parsed = read(pool, text);
  const Region where{.equations = {}, .domain = parsed.domain, .assumed = {}};
  const Verdict verdict = algebra.are_equal(parsed.value, pool.number(0), where);
  if (stoppable.is_stopped()) return say_interrupted();
  if (json) {
    print_json(Json{{"schema", 1},
                    {"expression", to_infix(parsed.value)},
                    {"zero", verdict.holds()},
                    {"status", word_for(verdict.grade)},
                    {"how", describe(verdict)}});
  } else {
    fmt::print("{} = 0: {}\n", to_unicode(parsed.value), describe(verdict));
  }
  return verdict.holds() ? done : does_not_hold;
}

int run_simplify(const std::string& text, bool json) {
  Pool pool;
  StoppableAlgebra stoppable(pool);
  Algebra& algebra = *stoppable;
  const ParsedExpression parsed = read(pool, text);
  const Expr e = parsed.value;
  const Canonical canonical = algebra.canonical(on_domain(e, parsed.domain));
  const WrittenText shortest =
      readable(algebra, read_with_sums(pool, Source("expression", text)), parsed.domain);
  if (stoppable.is_stopped()) return say_interrupted();
  if (json) {
    print_json(Json{{"schema", 1},
                    {"given", to_infix(e)},
                    {"canonical", to_infix(canonical.value)},
                    {"canonical_needs", to_infix(added_needs(algebra, canonical.value, parsed.domain))},
                    {"unique", canonical.reason.empty()},
                    {"readable", to_infix(shortest)},
                    {"readable_needs", to_infix(added_needs(algebra, shortest.merged(), parsed.domain))}});
    return done;
  }
  fmt::print("given      {}\n", to_unicode(e));
  fmt::print("canonical  {}\n", canonical_line(algebra, canonical, to_unicode(shortest), parsed.domain));
  fmt::print("readable   {}\n", readable_line(algebra, shortest, parsed.domain));
  return done;
}

}  // namespace liaison::cli
