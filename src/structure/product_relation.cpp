#include "product_relation.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "determining_equations.hpp"
#include "liaison/expr/coefficients.hpp"
#include "modular_matrix.hpp"

namespace liaison {

namespace {

constexpr Residue short_number = 100'000;  ///< numerators and denominators that are recognised
constexpr std::size_t most_terms = 10'000;

/// n/d with n = residue*d modulo the prime, both short: remainders of Euclid's algorithm fall, their factors
/// of the residue grow.
std::optional<Rational> short_value(Residue residue, Residue prime) {
  Residue r0 = prime, r1 = residue;
  long s0 = 0, s1 = 1;
  while (r1 > short_number) {
    const Residue q = r0 / r1, r2 = r0 - q * r1;
    if (q > short_number) return std::nullopt;
    const long s2 = s0 - static_cast<long>(q) * s1;
    if (static_cast<Residue>(std::abs(s2)) > short_number) return std::nullopt;
    r0 = r1, r1 = r2, s0 = s1, s1 = s2;
  }
  return Rational(static_cast<long>(r1), s1);
}

using Rows = std::vector<std::vector<Residue>>;

/// The reduced echelon form, from the last column on: products of a higher degree are the first to go.
bool reduce(Rows& rows, const PrimeField& in) {
  const Residue minus_one = in.prime() - 1;
  std::size_t done = 0;
  for (std::size_t k = rows.empty() ? 0 : rows[0].size(); k-- > 0 && done < rows.size();) {
    const auto pivot = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(done), rows.end(),
                                    [&](const auto& row) { return row[k] != 0; });
    if (pivot == rows.end()) continue;
    std::swap(*pivot, rows[done]);
    const auto inverse = in.inverse(rows[done][k]);
    if (!inverse) return false;
    for (Residue& entry : rows[done]) entry = in.mul(entry, *inverse);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == done || rows[i][k] == 0) continue;
      const Residue factor = in.mul(rows[i][k], minus_one);
      for (std::size_t j = 0; j < rows[i].size(); ++j)
        rows[i][j] = in.add(rows[i][j], in.mul(factor, rows[done][j]));
    }
    ++done;
  }
  return done == rows.size();
}

}  // namespace

std::optional<std::vector<Expr>> sums_of_products(const ProductsAtPoints& products,
                                                  const std::vector<std::vector<Residue>>& vectors,
                                                  const PrimeField& field) {
  const std::size_t count = products.values.size(), columns = count + vectors.size();
  ModularMatrix matrix(field, columns);
  for (std::size_t i = 0; i < products.values.front().size(); ++i) {
    std::vector<Residue> row;
    for (const auto& list : products.values) row.push_back(list[i]);
    for (const auto& list : vectors) row.push_back(list[i]);
    matrix.add_row(std::move(row));
  }
  Rows rows;
  for (const std::vector<Residue>& one : matrix.kernel()) {
    const auto behind = one.begin() + static_cast<std::ptrdiff_t>(count);
    if (std::any_of(behind, one.end(), [](Residue entry) { return entry != 0; }))
      rows.emplace_back(one.begin(), behind);
  }
  if (rows.size() != vectors.size() || !reduce(rows, field)) return std::nullopt;
  std::vector<Expr> sums;
  for (const std::vector<Residue>& row : rows) {
    Expr sum = products.expressions.front().pool().number(0);
    for (std::size_t k = 0; k < count; ++k) {
      const auto factor = short_value(row[k], field.prime());
      if (!factor) return std::nullopt;
      if (!factor->is_zero()) sum = sum + *factor * products.expressions[k];
    }
    sums.push_back(sum);
  }
  return sums;
}

bool has_form_of(Algebra& algebra, const StateFlow& flow, const IntegralAnsatz& ansatz,
                 const std::vector<Expr>& fs) {
  if (flow.has_levels) return false;
  const FunctionBasis& basis = ansatz.basis();
  for (unsigned k = 0; k <= ansatz.degree(); ++k) {
    std::vector<Expr> functions;
    for (std::size_t j = 0; j < basis.functions.size(); ++j) {
      if (basis.most.empty() || basis.degrees[j] <= basis.most[k]) functions.push_back(basis.functions[j]);
    }
    const auto rank = exact_rank(algebra, functions, flow.state(), flow.quaternions);
    if (!rank) return false;
    for (Expr f : fs) {
      const auto monomials = polynomial_coefficients(algebra.canonical(f).value, flow.velocities, most_terms);
      if (!monomials) return false;
      for (const Monomial& monomial : *monomials) {
        const unsigned sum = std::accumulate(monomial.exponents.begin(), monomial.exponents.end(), 0U);
        if (sum > ansatz.degree()) return false;
        if (sum == k) functions.push_back(monomial.coefficient);
      }
    }
    if (exact_rank(algebra, functions, flow.state(), flow.quaternions) != rank) return false;
  }
  return true;
}

}  // namespace liaison
