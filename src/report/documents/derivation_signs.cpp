#include <unordered_map>

#include "derivation_parts.hpp"

/// Signs as a person sets them: (2 - cos(2 phi))/m for -(cos(2 phi) - 2)/m. The value stays the same.
namespace liaison {

namespace {

struct TermSigns {
  std::size_t plus = 0, minus = 0;
};

TermSigns count_signs(Expr sum) {
  TermSigns signs;
  for (Expr term : sum.args()) ++(split_coefficient(term).first.sign() < 0 ? signs.minus : signs.plus);
  return signs;
}

/// A factor whose change of sign changes the sign of the product: a sum under an odd power.
bool can_turn(Expr factor) {
  const auto [base, exponent] = split_power(factor);
  if (!base.is(Op::add)) return false;
  for (long odd : {1, -1, 3, -3}) {
    if (exponent == Rational(odd)) return true;
  }
  return false;
}

Expr turned(Expr factor) {
  const auto [base, exponent] = split_power(factor);
  return pow(-base, exponent);
}

/// The minus sign of a product goes into the first sum, numerators first, that is no worse with it.
Expr tidy_product(Expr product) {
  std::vector<Expr> factors(product.args().begin(), product.args().end());
  const bool negative = factors[0].is_number() && factors[0].number().sign() < 0;
  for (Expr& factor : factors) {
    if (!can_turn(factor) || count_signs(split_power(factor).first).plus > 0) continue;
    factor = turned(factor);
    factors.push_back(product.pool().number(-1));
    return product.pool().mul(factors);
  }
  if (!negative) return product;
  for (int sign : {1, -1}) {
    for (Expr& factor : factors) {
      if (!can_turn(factor) || split_power(factor).second.sign() != sign) continue;
      const TermSigns signs = count_signs(split_power(factor).first);
      if (signs.minus < signs.plus) continue;
      factor = turned(factor);
      factors.push_back(product.pool().number(-1));
      return product.pool().mul(factors);
    }
  }
  return product;
}

/// Outer products first: a sign that goes into a sum turns the signs of its terms.
Expr tidy_from_outside(Expr e, std::unordered_map<Expr, Expr>& done) {
  if (e.args().empty()) return e;
  if (const auto known = done.find(e); known != done.end()) return known->second;
  const Expr outer = e.is(Op::mul) ? tidy_product(e) : e;
  std::vector<Expr> args;
  bool changed = false;
  for (Expr arg : outer.args()) {
    args.push_back(tidy_from_outside(arg, done));
    changed = changed || args.back() != arg;
  }
  const Expr result = changed ? e.pool().rebuild(outer, args) : outer;
  done.emplace(e, result);
  return result;
}

}  // namespace

Expr tidy(Expr e) {
  constexpr std::uint32_t deepest = 500;  // nobody reads the signs of what is nested deeper
  if (e.depth() > deepest) return e;
  std::unordered_map<Expr, Expr> done;
  return tidy_from_outside(e, done);
}

std::vector<Expr> tidy(const std::vector<Expr>& es) {
  std::vector<Expr> result;
  for (Expr e : es) result.push_back(tidy(e));
  return result;
}

Matrix tidy(const Matrix& matrix) {
  return Matrix(matrix.rows, matrix.columns, tidy(matrix.entries));
}

}  // namespace liaison
