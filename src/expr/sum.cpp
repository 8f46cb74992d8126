#include <algorithm>
#include <array>

#include "liaison/expr/expr.hpp"
#include "require.hpp"

namespace liaison {

namespace {

struct Term {
  Expr rest;
  Expr whole;  ///< coefficient*rest as it came, reused if nothing merges
};

bool has_coefficient(Expr term) {
  return term.is(Op::mul) && term.arg(0).is_number();
}

Expr without_coefficient(Expr term) {
  if (!has_coefficient(term)) return term;
  const auto rest = term.args().subspan(1);
  return rest.size() == 1 ? rest[0] : term.pool().intern(Op::mul, rest);
}

/// Flattens sums into terms; numbers go to `constant`.
void collect(std::span<const Expr> terms, std::vector<Term>& out, Rational& constant) {
  for (Expr term : terms) {
    if (term.is_number()) {
      constant += term.number();
    } else if (term.is(Op::add)) {
      collect(term.args(), out, constant);  // a sum's terms are never sums: depth two at most
    } else {
      out.push_back({without_coefficient(term), term});
    }
  }
}

Expr scaled(Pool& pool, const Rational& coefficient, Expr rest) {
  if (coefficient.is_one()) return rest;
  const std::array factors{pool.number(coefficient), rest};
  return pool.mul(factors);
}

/// Sorts by rest and adds up equal rests.
void append_merged(Pool& pool, std::vector<Term>& terms, std::vector<Expr>& out) {
  std::sort(terms.begin(), terms.end(),
            [](const Term& a, const Term& b) { return compare(a.rest, b.rest) < 0; });
  for (std::size_t i = 0; i < terms.size();) {
    const Expr rest = terms[i].rest;
    std::size_t next = i + 1;
    while (next < terms.size() && terms[next].rest == rest) ++next;
    if (next == i + 1) {
      out.push_back(terms[i].whole);
    } else {
      Rational sum;
      for (std::size_t k = i; k < next; ++k) {
        sum += has_coefficient(terms[k].whole) ? terms[k].whole.arg(0).number() : Rational(1);
      }
      if (!sum.is_zero()) out.push_back(scaled(pool, sum, rest));
    }
    i = next;
  }
}

}  // namespace

std::pair<Rational, Expr> split_coefficient(Expr term) {
  Pool& pool = term.pool();
  if (term.is_number()) return {term.number(), pool.number(1)};
  if (!has_coefficient(term)) return {Rational(1), term};
  return {term.arg(0).number(), without_coefficient(term)};
}

Expr Pool::add(std::span<const Expr> terms) {
  require_pool(*this, terms);
  std::vector<Term> collected;
  collected.reserve(terms.size());
  Rational constant;
  collect(terms, collected, constant);

  std::vector<Expr> args;
  args.reserve(collected.size() + 1);
  if (!constant.is_zero()) args.push_back(number(constant));
  append_merged(*this, collected, args);
  if (args.empty()) return number(0);
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
