#include "state_variety.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "liaison/algebra/matrix.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_multiples = 20'000;
constexpr std::size_t max_terms = 1'000;

bool mentions(Expr e, const std::vector<Expr>& symbols) {
  return std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) { return depends_on(e, symbol); });
}

unsigned sum_of(const std::vector<unsigned>& exponents, std::size_t first, std::size_t last) {
  return std::accumulate(exponents.begin() + static_cast<std::ptrdiff_t>(first),
                         exponents.begin() + static_cast<std::ptrdiff_t>(last), 0U);
}

}  // namespace

StateVariety::StateVariety(Algebra& algebra, const StateFlow& flow, const std::vector<Expr>& relations,
                           const FunctionBasis& basis, unsigned degree)
    : algebra_(algebra), flow_(flow), basis_(basis), degree_(degree) {
  const auto& positions = flow.positions;
  const bool are_products =
      flow.quaternions.empty() && basis.generators.size() == positions.size() &&
      std::is_permutation(positions.begin(), positions.end(), basis.generators.begin()) &&
      basis.functions.size() == count_exponents(positions.size(), basis.degree);
  is_irreducible_ = are_products && read(relations);
}

bool StateVariety::read(const std::vector<Expr>& relations) {
  std::vector<Expr> variables = flow_.positions, levels;
  variables.insert(variables.end(), flow_.velocities.begin(), flow_.velocities.end());
  const std::size_t n = flow_.positions.size();
  std::mt19937_64 generator(20'261'118);
  Substitution numbers;
  for (Expr symbol : symbols_in(relations)) {
    if (symbol.symbol().kind == SymbolKind::parameter)
      numbers.emplace(symbol, algebra_.pool().number(static_cast<long>(generator() % 1'000'000 + 1)));
  }
  for (Expr relation : relations) {
    const auto monomials = polynomial_coefficients(algebra_.canonical(substitute(relation, numbers)).value,
                                                   variables, max_terms);
    if (!monomials) return false;
    Polynomial polynomial;
    polynomial.is_level = !mentions(relation, flow_.velocities);
    for (const Monomial& monomial : *monomials) {
      if (!monomial.coefficient.is_number()) return false;  // the time, or a function
      if (sum_of(monomial.exponents, n, variables.size()) > 1) return false;
      polynomial.exponents.emplace_back(monomial.exponents.begin(), monomial.exponents.end());
      polynomial.coefficients.push_back(monomial.coefficient.number());
    }
    polynomials_.push_back(std::move(polynomial));
    const bool is_level = polynomials_.back().is_level;
    if (is_level) levels.push_back(relation);
    (is_level ? levels_ : speeds_) += 1;
    for (Expr symbol : is_level ? flow_.positions : flow_.velocities)
      slopes_.push_back(derivative(relation, symbol));
  }
  return are_levels_irreducible(std::move(levels));
}

/// One level after the other: each has coordinates that those before do not have, and is irreducible in them
/// over the functions on these. Then so is the whole, for by Krull no component has a smaller dimension.
bool StateVariety::are_levels_irreducible(std::vector<Expr> levels) {
  std::vector<Expr> fresh = flow_.positions;
  while (!levels.empty()) {
    const auto next = std::find_if(levels.begin(), levels.end(), [&](Expr level) {
      std::vector<Expr> own;
      std::copy_if(fresh.begin(), fresh.end(), std::back_inserter(own),
                   [&](Expr x) { return depends_on(level, x); });
      return extends(level, own);
    });
    if (next == levels.end()) return false;
    std::erase_if(fresh, [&](Expr x) { return depends_on(*next, x); });
    levels.erase(next);
  }
  return true;
}

/// Linear in a new coordinate, with a constant factor; or a quadric in the new ones whose part of the second
/// degree is constant and whose matrix, made homogeneous, has at least the rank three.
bool StateVariety::extends(Expr level, const std::vector<Expr>& fresh) {
  const auto is_constant = [&](Expr e) { return !mentions(e, flow_.positions); };
  const auto exact = [&](Expr e) { return algebra_.canonical(e).value; };
  for (Expr x : fresh) {
    const Expr slope = exact(derivative(level, x));
    if (is_constant(slope) && !slope.is_zero()) return true;
  }
  Pool& pool = algebra_.pool();
  const std::size_t m = fresh.size();
  if (m < 2) return false;
  Substitution origin;
  for (Expr x : fresh) origin.emplace(x, pool.number(0));
  Matrix second(pool, m, m);
  std::vector<Expr> first;
  for (std::size_t i = 0; i < m; ++i) {
    const Expr slope = derivative(level, fresh[i]);
    first.push_back(-substitute(slope, origin));
    for (std::size_t j = 0; j < m; ++j) {
      second(i, j) = exact(derivative(slope, fresh[j]));
      if (!is_constant(second(i, j))) return false;
    }
  }
  const RankResult found = rank(algebra_, second);
  if (found.grade != Grade::proved) return false;
  if (found.rank >= 3) return true;
  if (found.rank < 2) return false;
  // Rank two, and what is left at the centre is a constant that is not zero.
  const SolveResult centre = solve(algebra_, second, first);
  if (centre.status == SolveStatus::inconsistent || centre.grade != Grade::proved) return false;
  Substitution there;
  for (std::size_t i = 0; i < m; ++i) there.emplace(fresh[i], centre.x[i]);
  const Expr rest = exact(substitute(level, there));
  return is_constant(rest) && algebra_.is_zero(rest).is_refuted();
}

bool StateVariety::is_smooth(std::vector<Residue> values, const PrimeField& field) const {
  ModularMatrix places(field, flow_.positions.size()), speeds(field, flow_.velocities.size());
  auto at = values.begin();
  for (const Polynomial& polynomial : polynomials_) {
    ModularMatrix& matrix = polynomial.is_level ? places : speeds;
    const auto end = at + static_cast<std::ptrdiff_t>(matrix.columns());
    matrix.add_row({at, end});
    at = end;
  }
  return places.rank() == levels_ && speeds.rank() == speeds_;
}

std::size_t StateVariety::vanishing_forms(const PrimeField& field) const {
  const std::size_t n = flow_.positions.size(), r = flow_.velocities.size();
  std::map<std::vector<unsigned>, std::size_t> column_of;
  const auto products = exponents_up_to(n, basis_.degree), monomials = exponents_up_to(r, degree_);
  std::vector<std::map<std::size_t, Residue>> multiples;
  for (const Polynomial& polynomial : polynomials_) {
    for (const auto& monomial : monomials) {
      for (const auto& product : products) {
        std::map<std::size_t, Residue> row;
        bool is_inside = true;
        for (std::size_t k = 0; k < polynomial.exponents.size() && is_inside; ++k) {
          std::vector<unsigned> exponents = polynomial.exponents[k];
          for (std::size_t i = 0; i < n; ++i) exponents[i] += product[i];
          for (std::size_t i = 0; i < r; ++i) exponents[n + i] += monomial[i];
          const unsigned velocity_degree = sum_of(exponents, n, n + r);
          is_inside = velocity_degree <= degree_ && sum_of(exponents, 0, n) <= most(velocity_degree);
          const auto column = column_of.emplace(std::move(exponents), column_of.size()).first->second;
          row[column] = field.number(polynomial.coefficients[k]);
        }
        if (!is_inside) continue;
        if (multiples.size() == max_multiples) return 0;
        multiples.push_back(std::move(row));
      }
    }
  }
  ModularMatrix matrix(field, column_of.size());
  for (const auto& multiple : multiples) {
    std::vector<Residue> row(column_of.size());
    for (const auto& [column, value] : multiple) row[column] = value;
    matrix.add_row(std::move(row));
  }
  return matrix.rank();
}

}  // namespace liaison
