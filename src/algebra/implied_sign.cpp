#include "implied_sign.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "feasibility.hpp"
#include "liaison/expr/signs.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_terms = 24, most_columns = 40;

/// A sum by its terms: rational coefficients of what is left of each.
using Terms = std::map<Expr, Rational, StructuralLess>;

Terms terms_of(Expr e) {
  Terms result;
  const std::span<const Expr> all = e.is(Op::add) ? e.args() : std::span<const Expr>(&e, 1);
  for (Expr term : all) {
    const auto [coefficient, rest] = split_coefficient(term);
    result[rest] += coefficient;
  }
  return result;
}

/// Between -1 and 1 wherever it has a value: products of powers of sines, cosines and tanh.
bool is_at_most_one(Expr e) {
  const std::span<const Expr> factors = e.is(Op::mul) ? e.args() : std::span<const Expr>(&e, 1);
  return std::all_of(factors.begin(), factors.end(), [](Expr factor) {
    const auto [base, exponent] = split_power(factor);
    return exponent.sign() > 0 && (base.is(Op::sin) || base.is(Op::cos) || base.is(Op::tanh));
  });
}

}  // namespace

bool is_implied_nonnegative(Expr u, const Domain& domain) {
  if (is_seen_nonnegative(u)) return true;
  std::vector<Terms> columns;
  for (const Requirement& requirement : domain) {
    if (requirement.bound == Bound::nonzero) continue;
    columns.push_back(terms_of(requirement.e));
  }
  const Terms wanted = terms_of(u);
  Terms all = wanted;
  for (const Terms& column : columns) {
    for (const auto& [rest, coefficient] : column) all.try_emplace(rest, Rational(0));
  }
  const Expr one = u.pool().number(1);
  all.try_emplace(one, Rational(0));
  for (const auto& [rest, coefficient] : all) {
    if (is_seen_nonnegative(rest)) columns.push_back({{rest, Rational(1)}});
    if (!is_at_most_one(rest)) continue;
    columns.push_back({{one, Rational(1)}, {rest, Rational(1)}});
    columns.push_back({{one, Rational(1)}, {rest, Rational(-1)}});
  }
  if (columns.empty() || columns.size() > most_columns || all.size() > most_terms) return false;
  std::vector<std::vector<Rational>> rows;
  std::vector<Rational> sides;
  for (const auto& [rest, unused] : all) {
    const auto value = wanted.find(rest);
    const Rational side = value == wanted.end() ? Rational(0) : value->second;
    const Rational sign(side.sign() < 0 ? -1 : 1);
    std::vector<Rational>& row = rows.emplace_back();
    for (const Terms& column : columns) {
      const auto entry = column.find(rest);
      row.push_back(entry == column.end() ? Rational(0) : sign * entry->second);
    }
    sides.push_back(sign * side);
  }
  return Feasibility(std::move(rows), std::move(sides)).has_solution();
}

bool is_implied_positive(Expr u, const Domain& domain) {
  const std::span<const Expr> terms = u.is(Op::add) ? u.args() : std::span<const Expr>(&u, 1);
  const auto is_positive_term = [&](Expr term) {
    return is_seen_positive(term) && is_implied_nonnegative(u - term, domain);
  };
  if (std::any_of(terms.begin(), terms.end(), is_positive_term)) return true;
  const Terms wanted = terms_of(u);
  return std::any_of(domain.begin(), domain.end(), [&](const Requirement& requirement) {
    if (requirement.bound != Bound::positive) return false;
    const auto [rest, coefficient] = *terms_of(requirement.e).begin();
    const auto own = wanted.find(rest);
    if (own == wanted.end() || own->second.sign() != coefficient.sign()) return false;
    return is_implied_nonnegative(u - own->second / coefficient * requirement.e, domain);
  });
}

}  // namespace liaison
