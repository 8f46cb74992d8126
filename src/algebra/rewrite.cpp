#include "rewrite.hpp"

#include <algorithm>
#include <array>

#include "liaison/expr/domain.hpp"
#include "liaison/expr/traverse.hpp"
#include "memory.hpp"

namespace liaison {

namespace {

/// size * rest with size > 0; the rest is a product, so that roots and abs can take squares out.
struct Factored {
  Rational size;
  Expr rest;
};

/// Squares and single generators are factors of their own; all else stays together, expanded.
void take_factors(const Field& field, PolyFactors found, long direction, std::vector<Expr>& parts) {
  Pool& pool = field.pool();
  join_to_sines(field, found);
  Poly core(field.ring(), found.constant.sign());
  for (const PolyFactor& part : found.factors) {
    const bool is_kept = part.base.terms() == 1;
    const unsigned long outside = is_kept ? part.exponent : part.exponent - part.exponent % 2;
    if (outside < part.exponent) core = core * part.base;
    if (outside == 0) continue;
    parts.push_back(pool.pow(field.to_expr(part.base), Rational(direction * static_cast<long>(outside))));
  }
  parts.push_back(pool.pow(field.to_expr(core), Rational(direction)));
}

Factored factored(Algebra& algebra, Expr canonical) {
  if (canonical.is_zero()) return {Rational(1), canonical};
  Pool& pool = algebra.pool();
  if (canonical.is_number()) return {abs(canonical.number()), pool.number(canonical.number().sign())};
  if (canonical.is(Op::symbol)) return {Rational(1), canonical};
  try {
    const std::array es{canonical};
    Field field = make_field(algebra, es);
    const Fraction value = field.convert(canonical);
    if (value.is_zero()) return {Rational(1), pool.number(0)};
    const PolyFactors num = factor(value.num), den = factor(value.den);
    std::vector<Expr> parts;
    take_factors(field, num, 1, parts);
    take_factors(field, den, -1, parts);
    return {abs(num.constant / den.constant), pool.mul(parts)};
  } catch (const LimitReached&) {
    return {Rational(1), canonical};
  }
}

Expr root_of(Algebra& algebra, Expr radicand, const Rational& exponent) {
  const Factored parts = factored(algebra, radicand);
  return pow(algebra.pool().number(parts.size), exponent) * pow(parts.rest, exponent);
}

Expr absolute_of(Algebra& algebra, Expr argument) {
  const Factored parts = factored(algebra, argument);
  return parts.size * abs(parts.rest);
}

struct SineCosine {
  Expr sine;
  Expr cosine;
};

/// Exact values at multiples of pi/12; those of pi/6 and pi/4 are known to the pool.
SineCosine at_twelfth(Pool& pool, const Rational& twelfths) {
  const Expr angle = twelfths / Rational(12) * pool.pi();
  if ((twelfths / Rational(2)).is_integer() || (twelfths / Rational(3)).is_integer())
    return {sin(angle), cos(angle)};
  const Expr sixths = angle - pool.pi() / Rational(4), half_root = sqrt(pool.number(Rational(1, 2)));
  return {half_root * (sin(sixths) + cos(sixths)), half_root * (cos(sixths) - sin(sixths))};
}

/// sin, cos or tan of u + k*pi/12 by the addition theorem, so that the field sees square roots of numbers.
Expr rewrite_angle(Algebra& algebra, Op op, Expr angle) {
  Pool& pool = algebra.pool();
  const auto terms = atom_terms(angle);
  const auto turn =
      std::find_if(terms.begin(), terms.end(), [](const AtomTerm& term) { return term.atom.is(Op::pi); });
  const std::array alone{angle};
  if (turn == terms.end() || !(turn->coefficient * Rational(12)).is_integer())
    return pool.elementary(op, alone);
  const SineCosine v = at_twelfth(pool, turn->coefficient * Rational(12));
  const Expr u = angle - turn->coefficient * turn->atom;
  const Expr sine = sin(u) * v.cosine + cos(u) * v.sine, cosine = cos(u) * v.cosine - sin(u) * v.sine;
  return op == Op::sin ? sine : op == Op::cos ? cosine : sine / cosine;
}

Expr rewrite_extremum(Algebra& algebra, Op op, Expr a, Expr b) {
  const Expr distance = absolute_of(algebra, algebra.canonical(a - b).value);
  return (op == Op::max ? a + b + distance : a + b - distance) / Rational(2);
}

/// A denominator with functions in it may have been rationalised, 1/(2 + sqrt(u)) to (2 - sqrt(u))/(4 - u),
/// which has no value at u = 4.
bool has_new_denominator(Expr given, Expr canonical) {
  const Domain known = natural_domain(std::span(&given, 1));
  const auto has_functions = [](const Requirement& requirement) {
    const std::vector<Expr> nodes = postorder(requirement.e);
    return std::any_of(nodes.begin(), nodes.end(), [](Expr e) {
      return e.op() >= Op::sin || (e.is(Op::pow) && !e.arg(1).number().is_integer());
    });
  };
  if (std::none_of(known.begin(), known.end(), has_functions)) return false;
  const Domain found = natural_domain(std::span(&canonical, 1));
  return std::any_of(found.begin(), found.end(), [&](const Requirement& requirement) {
    return std::find(known.begin(), known.end(), requirement) == known.end();
  });
}

/// In canonical form, unless that is so long that the functions of it would outgrow all limits, or divides by
/// what the argument does not divide by.
Expr canonical_argument(Algebra& algebra, Expr arg) {
  constexpr std::size_t most_terms = 1'000;
  const Expr value = algebra.canonical(arg).value;
  return value.args().size() > most_terms || has_new_denominator(arg, value) ? arg : value;
}

Expr rewrite_function(Algebra& algebra, Expr e, std::vector<Expr> args) {
  for (Expr& arg : args) arg = canonical_argument(algebra, arg);
  switch (e.op()) {
    case Op::sin:
    case Op::cos:
    case Op::tan: return rewrite_angle(algebra, e.op(), args[0]);
    case Op::abs: return absolute_of(algebra, args[0]);
    case Op::min:
    case Op::max: return rewrite_extremum(algebra, e.op(), args[0], args[1]);
    default: return algebra.pool().rebuild(e, args);
  }
}

Expr rewrite_node(Algebra& algebra, Expr e) {
  const auto& known = algebra.memory().rewritten;
  std::vector<Expr> args;
  for (Expr arg : e.args()) args.push_back(known.at(arg));
  switch (e.op()) {
    case Op::number:
    case Op::pi:
    case Op::symbol: return e;
    case Op::pow:
      if (!e.arg(1).number().is_integer()) {
        return root_of(algebra, canonical_argument(algebra, args[0]), e.arg(1).number());
      }
      [[fallthrough]];
    case Op::add:
    case Op::mul:
      return std::equal(args.begin(), args.end(), e.args().begin()) ? e : algebra.pool().rebuild(e, args);
    default: return rewrite_function(algebra, e, std::move(args));
  }
}

}  // namespace

Budget budget_of(Algebra& algebra) {
  const CallScope scope(algebra);
  return *algebra.memory().budget;
}

Field make_field(Algebra& algebra, std::span<const Expr> rewritten) {
  Field field(algebra.pool(), rewritten, budget_of(algebra));
  const auto& known = algebra.memory().canonical;
  for (Expr e : postorder(rewritten)) {
    if (!e.is(Op::apply)) continue;
    for (Expr arg : e.args()) {
      const auto found = known.find(arg);
      const bool is_complete = found != known.end() && found->second.complete && found->second.value == arg;
      if (!is_complete) field.distrust();
    }
  }
  return field;
}

Expr factored_sum(Algebra& algebra, Expr sum) {
  constexpr std::size_t most_terms = 40;
  if (sum.args().size() > most_terms) return sum;
  try {
    const std::array es{rewrite(algebra, sum)};
    Field field = make_field(algebra, es);
    const Fraction value = field.convert(es[0]);
    if (!value.den.is_constant() || value.is_zero() || value.num.terms() > most_terms) return sum;
    const PolyFactors found = factor(value.num);
    if (found.factors.size() < 2) return sum;
    std::vector<Expr> parts{algebra.pool().number(found.constant / value.den.coefficient(0))};
    for (const PolyFactor& part : found.factors)
      parts.push_back(pow(field.to_expr(part.base), Rational(static_cast<long>(part.exponent))));
    return algebra.pool().mul(parts);
  } catch (const LimitReached&) {
    return sum;
  } catch (const NotCanonical&) {
    return sum;
  }
}

Expr rewrite(Algebra& algebra, Expr root) {
  auto& known = algebra.memory().rewritten;
  std::vector<Expr> stack{root};
  while (!stack.empty()) {
    const Expr e = stack.back();
    if (known.contains(e)) {
      stack.pop_back();
      continue;
    }
    const std::size_t before = stack.size();
    for (Expr arg : e.args()) {
      if (!known.contains(arg)) stack.push_back(arg);
    }
    if (stack.size() > before) continue;
    const Expr result = rewrite_node(algebra, e);
    known.emplace(e, result);
    known.emplace(result, result);
    stack.pop_back();
  }
  return known.at(root);
}

}  // namespace liaison
