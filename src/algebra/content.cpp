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

}  // namespace liaison
