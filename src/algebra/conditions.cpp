#include <algorithm>
#include <array>

#include "liaison/expr/print.hpp"
#include "linear.hpp"
#include "one_sign.hpp"

namespace liaison {

namespace {

/// Rationalising doubles the work with each sine or root: worth a try for small denominators only.
constexpr std::size_t small_terms = 16;
constexpr std::size_t small_relations = 2;
constexpr std::size_t factored_terms = 3'000;  // of what is still factored
constexpr std::size_t readable_terms = 8;      // of a condition that is worth another look

bool is_sine(const Field& field, std::size_t generator) {
  return field.generators()[generator].kind == GeneratorKind::sine;
}

std::vector<Poly> irreducible_factors(const Field& field, const Poly& a) {
  if (a.terms() > factored_terms) return {a};
  PolyFactors found = factor_if_small(a);
  join_to_sines(field, found);
  std::vector<Poly> result;
  for (PolyFactor& part : found.factors) result.push_back(std::move(part.base));
  return result;
}

bool is_small(const Field& field, const Poly& denominator) {
  std::size_t relations = 0;
  for (std::size_t i = 0; i < field.generators().size(); ++i) {
    const GeneratorKind kind = field.generators()[i].kind;
    const bool has_relation = kind != GeneratorKind::plain && kind != GeneratorKind::cosine;
    relations += has_relation && denominator.degree(i) > 0;
  }
  return relations <= small_relations && denominator.terms() <= small_terms;
}

/// b/f is a polynomial modulo the relations, as cos^2/(1 + sin) is 1 - sin.
bool divides_in_field(const Field& field, const Poly& f, const Poly& b) {
  try {
    return field.is_independent() && field.rationalise({b, f}).den.is_constant();
  } catch (const NotCanonical&) {
    return false;
  }
}

Expr fraction_to_expr(const Field& field, const Fraction& value) {
  const Poly one(field.ring(), 1);
  const Rational top = value.num.content(), bottom = value.den.content();
  const Expr num = field.to_expr(Fraction{exact_quotient(value.num, top), one});
  const Expr den = field.to_expr(Fraction{exact_quotient(value.den, bottom), one});
  return top / bottom * (num / den);
}

}  // namespace

/// With cos^2 written as 1 - sin^2 too, angle by angle: M + m - m*cos^2 is M + m*sin^2.
bool is_seen_positive(const Field& field, const Poly& a) {
  if (is_never_zero(field, a)) return true;
  Poly in_sines = a;
  for (std::size_t i = 0; i < field.generators().size(); ++i) {
    if (!is_sine(field, i) || in_sines.degree(i - 1) < 2) continue;
    const Poly other = with_sine_for_cosine(in_sines, i - 1);
    if (is_never_zero(field, other)) return true;
    if (other.terms() < in_sines.terms()) in_sines = other;
  }
  return is_never_zero(field, in_sines);
}

bool divides(const Poly& divisor, const Poly& a) {
  Poly quotient(a.ring());
  return fmpz_mpoly_divides(quotient.raw(), a.raw(), divisor.raw(), a.ring().raw());
}

bool has_no_new_zero(const Field& field, const Poly& a, const Poly& b) {
  if (a.is_constant()) return true;
  const auto factors = irreducible_factors(field, a);
  return std::all_of(factors.begin(), factors.end(), [&](const Poly& f) {
    return divides(f, b) || (is_small(field, f) && divides_in_field(field, f, b));
  });
}

Expr quotient_to_expr(PolyMatrix& matrix, const Poly& num, const Poly& den) {
  const Field& field = matrix.field();
  if (num.is_zero()) return field.pool().number(0);
  const Fraction plain = field.multiply({num, Poly(field.ring(), 1)}, {Poly(field.ring(), 1), den});
  if (field.is_rational(plain.den)) return field.to_expr(plain);
  if (field.is_independent() && is_small(field, plain.den)) {
    try {
      const Fraction rationalised = field.rationalise(plain);
      if (has_no_new_zero(field, rationalised.den, plain.den)) return field.to_expr(rationalised);
    } catch (const NotCanonical&) {
    } catch (const LimitReached&) {
    }
  }
  return fraction_to_expr(field, plain);
}

void add_conditions(PolyMatrix& matrix, const Poly& nonzero, Conditions& conditions) {
  const Field& field = matrix.field();
  if (nonzero.is_constant()) return;
  for (const Poly& part : irreducible_factors(field, nonzero)) {
    if (is_seen_positive(field, part)) continue;
    Expr condition = field.to_expr(Fraction{part, Poly(field.ring(), 1)});
    if (part.terms() <= readable_terms) condition = matrix.algebra().readable(condition);
    if (condition.is_constant()) continue;
    if (has_negative_lead(condition)) condition = -condition;
    if (std::find(conditions.begin(), conditions.end(), condition) == conditions.end())
      conditions.push_back(condition);
  }
}

std::string describe(const Conditions& conditions) {
  std::string result;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    result += i == 0 ? "assuming " : i + 1 == conditions.size() ? " and " : ", ";
    result += to_infix(conditions[i]) + " != 0";
  }
  return result;
}

}  // namespace liaison
