#include <algorithm>
#include <array>

#include "liaison/expr/expr.hpp"
#include "require.hpp"

namespace liaison {

namespace {

struct Factor {
  Expr base;
  Expr whole;  ///< base^exponent as it came, reused if nothing merges
};

Expr base_of(Expr factor) {
  return factor.is(Op::pow) ? factor.arg(0) : factor;
}

void collect(std::span<const Expr> factors, std::vector<Factor>& out, Rational& coefficient) {
  for (Expr factor : factors) {
    if (factor.is_number()) {
      coefficient *= factor.number();
    } else if (factor.is(Op::mul)) {
      collect(factor.args(), out, coefficient);  // a product's factors are never products
    } else {
      out.push_back({base_of(factor), factor});
    }
  }
}

/// Collects equal bases. A merged power may be a number or a product (2^(1/2)*2^(1/2), abs(x)*abs(x)): then
/// `again`.
void merge(Pool& pool, std::vector<Factor>& factors, Rational& coefficient, bool& again) {
  std::sort(factors.begin(), factors.end(),
            [](const Factor& a, const Factor& b) { return compare(a.base, b.base) < 0; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < factors.size();) {
    Factor merged = factors[i];
    std::size_t next = i + 1;
    while (next < factors.size() && factors[next].base == merged.base) ++next;
    if (next > i + 1) {
      Rational sum;
      for (std::size_t k = i; k < next; ++k) sum += split_power(factors[k].whole).second;
      merged.whole = pool.pow(merged.base, sum);
      if (merged.whole.is_number()) {
        coefficient *= merged.whole.number();
        i = next;
        continue;
      }
      again = again || merged.whole.is(Op::mul) || base_of(merged.whole) != merged.base;
    }
    factors[kept++] = merged;
    i = next;
  }
  factors.resize(kept);
}

/// number * sum is written out, so that 2*(x + y) and 2*x + 2*y are one expression.
Expr distribute(Pool& pool, const Rational& coefficient, Expr sum) {
  std::vector<Expr> terms;
  terms.reserve(sum.args().size());
  for (Expr term : sum.args()) {
    auto [c, rest] = split_coefficient(term);
    if (rest.is_one()) {
      terms.push_back(pool.number(coefficient * c));
      continue;
    }
    const std::array factors{pool.number(coefficient * c), rest};
    terms.push_back(pool.mul(factors));
  }
  return pool.add(terms);
}

}  // namespace

std::pair<Expr, Rational> split_power(Expr factor) {
  if (factor.is(Op::pow)) return {factor.arg(0), factor.arg(1).number()};
  return {factor, Rational(1)};
}

Expr Pool::mul(std::span<const Expr> factors) {
  require_pool(*this, factors);
  Rational coefficient(1);
  std::vector<Factor> collected;
  collected.reserve(factors.size());
  collect(factors, collected, coefficient);
  if (coefficient.is_zero()) return number(0);
  bool again = false;
  merge(*this, collected, coefficient, again);

  std::vector<Expr> args;
  args.reserve(collected.size() + 1);
  if (!coefficient.is_one() || collected.empty()) args.push_back(number(coefficient));
  for (const Factor& factor : collected) args.push_back(factor.whole);
  if (again) return mul(args);
  if (args.size() == 1) return args[0];
  if (args.size() == 2 && args[0].is_number() && args[1].is(Op::add))
    return distribute(*this, coefficient, args[1]);
  return intern(Op::mul, args);
}

Expr operator*(Expr a, Expr b) {
  const std::array factors{a, b};
  require_same_pool(a, b);
  return a.pool().mul(factors);
}

Expr operator/(Expr a, Expr b) {
  return a * pow(b, Rational(-1));
}

Expr operator*(const Rational& a, Expr b) {
  require_not_empty(b);
  return b.pool().number(a) * b;
}

Expr operator*(Expr a, const Rational& b) {
  return b * a;
}

Expr operator/(Expr a, const Rational& b) {
  return (Rational(1) / b) * a;
}

Expr operator/(const Rational& a, Expr b) {
  return a * pow(b, Rational(-1));
}

}  // namespace liaison
