#include "liaison/algebra/content.hpp"

#include <algorithm>
#include <vector>

namespace liaison {

namespace {

Rational common_divisor(Rational a, Rational b) {  // of integers
  while (!b.is_zero()) {
    const Rational rest = a - floor(a / b) * b;
    a = b;
    b = rest;
  }
  return abs(a);
}

/// Of fractions a/b and c/d: the largest number of which both are whole multiples.
Rational common_measure(const Rational& a, const Rational& b) {
  const Rational over = a.denominator() * b.denominator();
  return common_divisor(abs(a) * over, abs(b) * over) / over;
}

}  // namespace

std::pair<Rational, Expr> split_content(Expr e) {
  if (e.is_zero()) return {Rational(1), e};
  Pool& pool = e.pool();
  const auto [number, rest] = split_coefficient(e);
  const Rational sign(number.sign());
  Rational content = abs(number);
  if (rest.is(Op::mul)) {
    std::vector<Expr> factors;
    for (Expr factor : rest.args()) {
      if (!factor.is(Op::add)) {
        factors.push_back(factor);
        continue;
      }
      const auto [own, plain] = split_content(factor);
      content *= own;
      factors.push_back(plain);
    }
    return {content, content.is_one() ? e : sign * pool.mul(factors)};
  }
  if (!rest.is(Op::add)) return {content, sign * rest};
  Rational common;
  for (Expr term : rest.args()) common = common_measure(common, split_content(term).first);
  content *= common;
  if (content.is_one()) return {content, e};
  std::vector<Expr> terms;
  for (Expr term : rest.args()) {
    const auto [own, plain] = split_content(term);
    terms.push_back(own / common * plain);
  }
  return {content, sign * pool.add(terms)};
}

namespace {

std::vector<Expr> factors_of(Expr e) {
  return e.is(Op::mul) ? std::vector<Expr>(e.args().begin(), e.args().end()) : std::vector<Expr>{e};
}

/// exp(u), 1 + u^2 and powers of them: never zero.
bool is_positive_factor(Expr factor) {
  const Expr base = split_power(factor).first;
  if (base.is(Op::exp)) return true;
  if (!base.is(Op::add)) return false;
  bool has_number = false;
  for (Expr term : base.args()) {
    has_number = has_number || term.is_number();
    const std::vector<Expr> own = factors_of(term);
    const bool is_never_negative = std::all_of(own.begin(), own.end(), [](Expr part) {
      if (part.is_number()) return part.number().sign() > 0;
      const Rational exponent = split_power(part).second;
      return exponent.is_integer() && (exponent / 2).is_integer();
    });
    if (!is_never_negative) return false;
  }
  return has_number;
}

}  // namespace

Expr without_positive_functions(Expr e) {
  const std::span<const Expr> terms = e.is(Op::add) ? e.args() : std::span<const Expr>(&e, 1);
  std::vector<Expr> shared = factors_of(terms[0]);
  std::erase_if(shared, [&](Expr factor) {
    const auto has_it = [&](Expr term) {
      const std::vector<Expr> own = factors_of(term);
      return std::find(own.begin(), own.end(), factor) != own.end();
    };
    return !is_positive_factor(factor) || !std::all_of(terms.begin(), terms.end(), has_it);
  });
  if (shared.empty()) return e;
  std::vector<Expr> rest;
  for (Expr term : terms) {
    std::vector<Expr> own = factors_of(term);
    std::erase_if(
        own, [&](Expr factor) { return std::find(shared.begin(), shared.end(), factor) != shared.end(); });
    rest.push_back(e.pool().mul(own));
  }
  return e.pool().add(rest);
}

}  // namespace liaison
