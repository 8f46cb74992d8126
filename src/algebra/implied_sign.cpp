#include "implied_sign.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

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

/// Numbers c >= 0 with A*c = b, b >= 0: the first phase of the simplex method, with Bland's rule, so that it
/// ends.
class Feasibility {
 public:
  Feasibility(std::vector<std::vector<Rational>> rows, std::vector<Rational> sides)
      : rows_(std::move(rows)), sides_(std::move(sides)), basis_(rows_.size(), none) {}

  bool has_solution() {
    while (const auto column = entering()) {
      const auto row = leaving(*column);
      if (!row) return false;  // cannot be: the sum that is made smaller is >= 0
      pivot(*row, *column);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (basis_[i] == none && !sides_[i].is_zero()) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);  // an artificial variable

  /// A column that makes the sum of the artificial variables smaller.
  std::optional<std::size_t> entering() const {
    for (std::size_t j = 0; j < rows_.front().size(); ++j) {
      Rational gain;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (basis_[i] == none) gain += rows_[i][j];
      }
      if (gain.sign() > 0) return j;
    }
    return std::nullopt;
  }

  std::optional<std::size_t> leaving(std::size_t column) const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i][column].sign() <= 0) continue;
      if (!best) {
        best = i;
        continue;
      }
      const Rational here = sides_[i] / rows_[i][column], there = sides_[*best] / rows_[*best][column];
      // an artificial variable leaves first: its index is the largest
      if (here < there || (here == there && (basis_[*best] != none && basis_[i] < basis_[*best]))) best = i;
    }
    return best;
  }

  void pivot(std::size_t row, std::size_t column) {
    const Rational by = rows_[row][column];
    for (Rational& entry : rows_[row]) entry = entry / by;
    sides_[row] = sides_[row] / by;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Rational times = rows_[i][column];
      if (i == row || times.is_zero()) continue;
      for (std::size_t j = 0; j < rows_[i].size(); ++j) rows_[i][j] += -times * rows_[row][j];
      sides_[i] += -times * sides_[row];
    }
    basis_[row] = column;
  }

  std::vector<std::vector<Rational>> rows_;
  std::vector<Rational> sides_;
  std::vector<std::size_t> basis_;
};

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
