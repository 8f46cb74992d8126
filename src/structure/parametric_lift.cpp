#include "parametric_lift.hpp"

#include <cstdlib>

#include "function_basis.hpp"
#include "liaison/expr/traverse.hpp"
#include "modular_matrix.hpp"

namespace liaison {

namespace {

constexpr std::size_t further_rows = 12;
constexpr unsigned max_parameter_degree = 8;
constexpr std::size_t max_unknowns = 1200;

std::vector<Expr> parameters_in(const ParametricEquations& equations) {
  std::vector<Expr> result;
  for (Expr symbol : symbols_in(equations.asked)) {
    const SymbolKind kind = symbol.symbol().kind;
    if (kind == SymbolKind::parameter && !equations.choices.values.contains(symbol)) result.push_back(symbol);
  }
  return result;
}

/// Each number of a row times the products of the parameters, product by product.
std::vector<Residue> with_products(const PrimeField& in, const std::vector<Residue>& row,
                                   std::span<const Residue> parameters,
                                   const std::vector<std::vector<unsigned>>& exponents) {
  std::vector<Residue> result;
  for (const auto& powers : exponents) {
    Residue factor = 1;
    for (std::size_t k = 0; k < powers.size(); ++k) {
      for (unsigned n = 0; n < powers[k]; ++n) factor = in.mul(factor, parameters[k]);
    }
    for (const Residue entry : row) result.push_back(in.mul(factor, entry));
  }
  return result;
}

}  // namespace

std::optional<Rational> short_fraction(Residue value, Residue prime) {
  constexpr Residue most = Residue{1} << 29;
  Residue before = prime, rest = value;
  std::int64_t factor_before = 0, factor = 1;
  while (rest > most) {
    const auto quotient = static_cast<std::int64_t>(before / rest);
    const Residue next = before % rest;
    before = rest;
    rest = next;
    const std::int64_t further = factor_before - quotient * factor;
    factor_before = factor;
    factor = further;
    if (std::abs(factor) > static_cast<std::int64_t>(most)) return std::nullopt;
  }
  const auto above = static_cast<long>(rest);
  return Rational(factor < 0 ? -above : above, static_cast<long>(std::abs(factor)));
}

std::optional<std::vector<Expr>> solve_over_parameters(Algebra& algebra,
                                                       const ParametricEquations& equations) {
  const std::vector<Expr> parameters = parameters_in(equations);
  std::vector<Expr> asked = equations.asked, state = equations.state;
  asked.insert(asked.end(), parameters.begin(), parameters.end());
  state.insert(state.end(), parameters.begin(), parameters.end());
  const FunctionTable table(algebra, asked, state);
  for (unsigned degree = 0; parameters.empty() ? degree == 0 : degree <= max_parameter_degree; ++degree) {
    const auto exponents = exponents_up_to(parameters.size(), degree);
    const std::size_t unknowns = exponents.size() * equations.columns;
    if (unknowns > max_unknowns) return std::nullopt;
    ModularPoints points(table, equations.choices, equations.seed + degree);
    const PrimeField& in = points.field();
    ModularMatrix matrix(in, unknowns);
    std::size_t empty_points = 0;
    while (matrix.rows() < unknowns + further_rows && empty_points < unknowns + further_rows) {
      auto at = algebra.options().is_interrupted() ? std::nullopt : points.next();
      if (!at) return std::nullopt;
      const std::vector<Residue> values(at->end() - static_cast<std::ptrdiff_t>(parameters.size()),
                                        at->end());
      at->resize(equations.asked.size());
      const std::size_t before = matrix.rows();
      for (const auto& row : equations.rows(in, *at))
        matrix.add_row(with_products(in, row, values, exponents));
      if (matrix.rows() == before) ++empty_points;
    }
    const auto kernel = matrix.kernel();
    if (kernel.empty()) continue;
    // Of the lowest degree there is one up to a factor, for the columns have one over the parameters.
    const auto& found = kernel.front();
    std::vector<std::vector<Expr>> terms(equations.columns);
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (found[k] == 0) continue;
      const auto number = short_fraction(found[k], in.prime());
      if (!number) return std::nullopt;
      std::vector<Expr> factors{algebra.pool().number(*number)};
      const auto& powers = exponents[k / equations.columns];
      for (std::size_t j = 0; j < powers.size(); ++j) {
        if (powers[j] > 0) factors.push_back(pow(parameters[j], Rational(static_cast<long>(powers[j]))));
      }
      terms[k % equations.columns].push_back(algebra.pool().mul(factors));
    }
    std::vector<Expr> result;
    for (const auto& sum : terms) result.push_back(algebra.pool().add(sum));
    return result;
  }
  return std::nullopt;
}

}  // namespace liaison
