#include <algorithm>
#include <array>

#include "liaison/expr/expr.hpp"
#include "require.hpp"

namespace liaison {

namespace {

struct Term {
  Expr rest;
  Rational coefficient;
};

/// Flattens sums into (rest, coefficient) pairs; numbers go to `constant`.
void collect(std::span<const Expr> terms, std::vector<Term>& out, Rational& constant) {
  for (Expr term : terms) {
    if (term.is_number()) {
      constant += term.number();
    } else if (term.is(Op::add)) {
      collect(term.args(), out, constant);  // a sum's terms are never sums: depth two at most
    } else {
      auto [coefficient, rest] = split_coefficient(term);
      out.push_back({rest, std::move(coefficient)});
    }
  }
}

/// Sorts by rest and adds up equal rests.
void merge(std::vector<Term>& terms) {
  std::sort(terms.begin(), terms.end(),
            [](const Term& a, const Term& b) { return compare(a.rest, b.rest) < 0; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < terms.size();) {
    Rational sum = terms[i].coefficient;
    std::size_t next = i + 1;
    for (; next < terms.size() && terms[next].rest == terms[i].rest; ++next) sum += terms[next].coefficient;
    if (!sum.is_zero()) {
      const Expr rest = terms[i].rest;
      terms[kept++] = {rest, std::move(sum)};
    }
    i = next;
  }
  terms.resize(kept);
}

Expr scaled(Pool& pool, const Term& term) {
  if (term.coefficient.is_one()) return term.rest;
  const std::array factors{pool.number(term.coefficient), term.rest};
  return pool.mul(factors);
}

}  // namespace

std::pair<Rational, Expr> split_coefficient(Expr term) {
  Pool& pool = term.pool();
  if (term.is_number()) return {term.number(), pool.number(1)};
  if (!term.is(Op::mul) || !term.arg(0).is_number()) return {Rational(1), term};
  auto rest = term.args().subspan(1);
  return {term.arg(0).number(), rest.size() == 1 ? rest[0] : pool.intern(Op::mul, rest)};
}

Expr Pool::add(std::span<const Expr> terms) {
  require_pool(*this, terms);
  std::vector<Term> collected;
  collected.reserve(terms.size());
  Rational constant;
  collect(terms, collected, constant);
  merge(collected);

  std::vector<Expr> args;
  args.reserve(collected.size() + 1);
  if (!constant.is_zero() || collected.empty()) args.push_back(number(constant));
  for (const Term& term : collected) args.push_back(scaled(*this, term));
  if (args.size() == 1) return args[0];
  return intern(Op::add, args);
}

bool has_negative_lead(Expr e) {
  if (e.is_number()) return e.number().sign() < 0;
  if (e.is(Op::mul)) return e.arg(0).is_number() && e.arg(0).number().sign() < 0;
  if (!e.is(Op::add)) return false;
  // A leading number does not decide unless it stands alone: 1 - x and x - 1 are told apart by x.
  return has_negative_lead(e.arg(e.arg(0).is_number() ? 1 : 0));
}

Expr operator+(Expr a, Expr b) {
  const std::array terms{a, b};
  require_same_pool(a, b);
  return a.pool().add(terms);
}

Expr operator-(Expr a, Expr b) {
  return a + (-b);
}

Expr operator-(Expr a) {
  return Rational(-1) * a;
}

Expr operator+(Expr a, const Rational& b) {
  require_not_empty(a);
  return a + a.pool().number(b);
}

Expr operator+(const Rational& a, Expr b) {
  return b + a;
}

Expr operator-(Expr a, const Rational& b) {
  return a + (-b);
}

Expr operator-(const Rational& a, Expr b) {
  return (-b) + a;
}

}  // namespace liaison
