#include "verdict_laws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace liaison::test {

namespace {

constexpr std::uint64_t other_seed = 7;  ///< of points that the decision has not seen
constexpr int points = 20;
constexpr double rounding = 1e-9;  ///< what 17 digits of a printed point may do to a value of size 1

Verdict decide(const VerdictOperations& op, VerdictTrial& t, const Statement& s) {
  return op.are_equal(t.algebra(), s.left, s.right, s.region);
}

bool passes_and_fails(const Verdict& a, const Verdict& b) {
  const auto fails = [](const Verdict& v) { return v.is_refuted() || v.grade == Grade::empty; };
  return (a.holds() && fails(b)) || (b.holds() && fails(a));
}

bool a_statement_and_its_negation_never_both_pass(const VerdictOperations& op, VerdictTrial& t) {
  const Verdict verdict = decide(op, t, t.statement()), made = t.verdict();
  return !(verdict.holds() && op.negation(verdict).holds()) && !(made.holds() && op.negation(made).holds());
}

bool a_negation_is_never_better_known(const VerdictOperations& op, VerdictTrial& t) {
  const Verdict verdict = t.verdict(), opposite = op.negation(verdict);
  const bool was_certain = verdict.is_proved() || verdict.is_refuted();
  const bool is_certain = opposite.is_proved() || opposite.is_refuted();
  const bool is_empty = verdict.grade == Grade::empty;
  return was_certain == is_certain && is_empty == (opposite.grade == Grade::empty) &&
         op.negation(op.negation(verdict)).is_proved() == verdict.is_proved();
}

bool same(const Verdict& a, const Verdict& b) {
  return a.grade == b.grade && a.divided == b.divided &&
         std::is_permutation(a.conditions.begin(), a.conditions.end(), b.conditions.begin(),
                             b.conditions.end());
}

bool conjunction_is_a_lattice(const VerdictOperations& op, VerdictTrial& t) {
  const Verdict a = t.verdict(), b = t.verdict(), c = t.verdict();
  const Verdict both = op.conjunction(a, b), proved = Verdict::of(Grade::proved);
  return same(both, op.conjunction(b, a)) && same(op.conjunction(a, a), a) &&
         same(op.conjunction(both, c), op.conjunction(a, op.conjunction(b, c))) &&
         same(op.conjunction(a, proved), a);
}

bool a_conjunction_is_no_better_than_its_parts(const VerdictOperations& op, VerdictTrial& t) {
  const Verdict a = t.verdict(), b = t.verdict(), both = op.conjunction(a, b);
  const auto contains = [&](Expr e) {
    return std::find(both.conditions.begin(), both.conditions.end(), e) != both.conditions.end();
  };
  return both.holds() == (a.holds() && b.holds()) && both.is_proved() == (a.is_proved() && b.is_proved()) &&
         both.is_refuted() == (a.is_refuted() || b.is_refuted()) &&
         std::all_of(a.conditions.begin(), a.conditions.end(), contains) &&
         std::all_of(b.conditions.begin(), b.conditions.end(), contains);
}

bool what_is_proved_holds_at_other_points(const VerdictOperations& op, VerdictTrial& t) {
  const Statement s = t.statement();
  if (!decide(op, t, s).is_proved()) return true;
  const std::array sides{s.left, s.right};
  PointFinder finder(t.algebra(), s.region, sides, {.seed = other_seed});
  for (int i = 0; i < points; ++i) {
    const auto point = finder.next();
    if (!point) break;
    const auto values = finder.values(*point, sides, 256);
    if (values && !overlaps((*values)[0], (*values)[1])) return false;
  }
  return true;
}

/// At the printed point, where what is not rational is rounded.
bool agrees(Expr e, const RationalPoint& point, const Ball& expected) {
  const LongValue value = evaluate_digits(e, point, 30);
  if (!value.value) return false;
  const double size = 1 + std::abs(expected.mid());
  return std::abs(value.value->mid() - expected.mid()) <= rounding * size;
}

bool what_is_refuted_fails_at_its_witness(const VerdictOperations& op, VerdictTrial& t) {
  const Statement s = t.statement();
  const Verdict verdict = decide(op, t, s);
  if (!verdict.is_refuted()) return true;
  RationalPoint point;
  double size = 1;
  for (const auto& [symbol, value] : verdict.witness.point) {
    point.emplace(symbol, value);
    size = std::max(size, std::abs(value.to_double()));
  }
  for (Expr equation : s.region.equations) {  // of degree four at most
    const LongValue value = evaluate_digits(equation, point, 30);
    if (!value.value || std::abs(value.value->mid()) > rounding * std::pow(size, 4)) return false;
  }
  return !overlaps(verdict.witness.left, verdict.witness.right) &&
         agrees(s.left, point, verdict.witness.left) && agrees(s.right, point, verdict.witness.right);
}

bool scaling_an_equation_changes_nothing(const VerdictOperations& op, VerdictTrial& t) {
  Statement s = t.statement();
  const Verdict before = decide(op, t, s);
  const std::array factors{Rational(-1), Rational(10'000'000'000'000), Rational(1, 1024), Rational(7, 3)};
  for (Expr& equation : s.region.equations) equation = equation * factors[t.below(factors.size())];
  return !passes_and_fails(before, decide(op, t, s));
}

bool the_order_of_equations_changes_nothing(const VerdictOperations& op, VerdictTrial& t) {
  Statement s = t.statement();
  const Verdict before = decide(op, t, s);
  std::reverse(s.region.equations.begin(), s.region.equations.end());
  std::swap(s.left, s.right);
  return !passes_and_fails(before, decide(op, t, s));
}

}  // namespace

VerdictTrial::VerdictTrial(std::uint64_t seed)
    : algebra_(pool_),
      random_(seed),
      x_(pool_.symbol("x", SymbolKind::coordinate)),
      y_(pool_.symbol("y", SymbolKind::coordinate)),
      z_(pool_.symbol("z", SymbolKind::coordinate)),
      l_(pool_.symbol("l", SymbolKind::parameter, true)) {}

Expr VerdictTrial::quantity() {
  switch (below(6)) {
    case 0: return x_;
    case 1: return y_;
    case 2: return x_ * y_ + z_;
    case 3: return abs(x_ - number());
    case 4: return cos(z_) + x_;
    default: return pow(x_, 2) - y_ * number();
  }
}

/// Reducible, of two signs, with a point alone, with a coefficient that vanishes, regular.
Expr VerdictTrial::equation() {
  switch (below(8)) {
    case 0: return (x_ - number()) * (y_ - number());
    case 1: return pow(x_, 2) - Rational(static_cast<long>(below(4)));
    case 2: return pow(x_ - number(), 2) + pow(y_ - number(), 2);
    case 3: return x_ * (y_ - z_);
    case 4: return pow(x_, 2) + pow(y_, 2) - pow(l_, 2);
    case 5: return z_ - x_ * y_;
    case 6: return y_ - cos(z_);
    default: return (pow(x_, 2) + Rational(1)) * (z_ - number());
  }
}

Statement VerdictTrial::statement() {
  Statement s;
  const std::uint64_t count = 1 + below(2);
  for (std::uint64_t i = 0; i < count; ++i) s.region.equations.push_back(equation());
  s.left = s.right = quantity();
  const Expr first = s.region.equations.front(), last = s.region.equations.back();
  switch (below(4)) {
    case 0: s.left = s.left + first * quantity() - last * number(); break;  // true
    case 1: s.left = s.left + last * quantity() + Rational(1, 1'000'000) * quantity(); break;
    case 2: s.left = first.is(Op::mul) ? first.arg(0) : first + Rational(1, 7); break;  // on one component
    default: s.left = quantity(); break;
  }
  if (below(2) == 0) s.right = s.left.is(Op::mul) ? s.right : pool_.number(0);
  return s;
}

Verdict VerdictTrial::verdict() {
  constexpr std::array grades{Grade::proved, Grade::checked, Grade::refuted, Grade::unknown, Grade::empty};
  Verdict verdict = Verdict::of(grades[below(grades.size())], "drawn");
  const std::array conditions{x_, y_, z_};
  if (verdict.holds() && below(2) == 0) verdict.conditions.push_back(conditions[below(3)]);
  verdict.divided = verdict.grade == Grade::checked && below(2) == 0;
  return verdict;
}

const std::vector<VerdictLaw>& verdict_laws() {
  static const std::vector<VerdictLaw> laws{
      {"a_statement_and_its_negation_never_both_pass", a_statement_and_its_negation_never_both_pass, 60},
      {"a_negation_is_never_better_known", a_negation_is_never_better_known, 60},
      {"conjunction_is_a_lattice", conjunction_is_a_lattice, 300},
      {"a_conjunction_is_no_better_than_its_parts", a_conjunction_is_no_better_than_its_parts, 100},
      {"what_is_proved_holds_at_other_points", what_is_proved_holds_at_other_points, 120},
      {"what_is_refuted_fails_at_its_witness", what_is_refuted_fails_at_its_witness, 120},
      {"scaling_an_equation_changes_nothing", scaling_an_equation_changes_nothing, 80},
      {"the_order_of_equations_changes_nothing", the_order_of_equations_changes_nothing, 80},
  };
  return laws;
}

const VerdictLaw& verdict_law_named(const std::string& name) {
  for (const VerdictLaw& law : verdict_laws()) {
    if (law.name == name) return law;
  }
  throw std::invalid_argument("no law " + name);
}

std::string find_failure(const VerdictLaw& law, const VerdictOperations& op) {
  for (std::uint64_t seed : seeds(law.seeds)) {
    VerdictTrial trial(seed);
    if (!law.holds(op, trial)) return seed_note(seed);
  }
  return {};
}

}  // namespace liaison::test
