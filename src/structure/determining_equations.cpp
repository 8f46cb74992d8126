#include "determining_equations.hpp"

#include <fmt/format.h>

#include "liaison/expr/print.hpp"
#include "polynomial_point.hpp"
#include "rank_loss.hpp"

namespace liaison {

namespace {

constexpr std::uint64_t most_operations = 2'000'000'000;

/// Factors of all coefficients of a denominator.
std::vector<Poly> common_factors(const std::map<Exponents, Poly>& coefficients) {
  std::vector<Poly> result;
  if (coefficients.empty()) throw LimitReached{"something that the rates divide by vanishes"};
  Poly common = coefficients.begin()->second;
  for (const auto& [state, coefficient] : coefficients) common = gcd(common, coefficient);
  for (PolyFactor& one : factor(common).factors) result.push_back(std::move(one.base));
  return result;
}

}  // namespace

DeterminingEquations write_determining_equations(Algebra& algebra, const IntegralAnsatz& ansatz,
                                                 const std::vector<Expr>& parameters,
                                                 const std::optional<RationalChart>& chart) {
  DeterminingEquations result;
  result.columns = ansatz.columns();
  try {
    if (!ansatz.choices().relations.empty() && !chart)
      throw LimitReached{"relations bind the coordinates, and are not solved by rational functions"};
    std::optional<FunctionTable> free;
    if (chart) {
      std::vector<Expr> asked;
      for (Expr e : ansatz.asked()) asked.push_back(substitute(e, chart->states));
      free.emplace(algebra, asked, chart->symbols);
      if (!free->refusal().empty()) throw LimitReached{free->refusal()};
    }
    for (Expr parameter : parameters) {
      if (const auto node = ansatz.irrational_in(parameter))
        throw LimitReached{fmt::format("`{}` is not rational in {}", to_infix(*node), to_infix(parameter))};
    }
    const Budget budget = budget_of(algebra, most_operations);
    const PolynomialPoint point(free ? *free : ansatz.table(), ansatz.choices().quaternions, parameters,
                                budget);
    if (!point.refusal().empty()) throw LimitReached{point.refusal()};
    result.ring = std::make_unique<PolyRing>(parameters.size(), budget);
    Poly below(point.ring(), Rational(1));
    const auto rates = over_one_denominator(ansatz.rates_in(point.values(), point.field()), below);
    std::map<Exponents, DeterminingEquations::Row> rows;
    for (std::size_t k = 0; k < rates.size(); ++k) {
      for (auto& [state, coefficient] : point.coefficients(point.reduced(rates[k]), *result.ring))
        rows[state].emplace(k, std::move(coefficient));
    }
    for (auto& [state, row] : rows) result.rows.push_back(std::move(row));
    result.divisors = common_factors(point.coefficients(point.reduced(below), *result.ring));
  } catch (const LimitReached& limit) {
    result.refusal = limit.reason;
    result.rows.clear();
  }
  return result;
}

std::optional<std::size_t> exact_rank(Algebra& algebra, const std::vector<Expr>& functions,
                                      const std::vector<Expr>& state,
                                      const std::vector<std::array<Expr, 4>>& quaternions) {
  const FunctionTable table(algebra, functions, state);
  if (!table.refusal().empty()) return std::nullopt;
  std::vector<Expr> constants;
  for (Expr node : table.free_nodes()) {
    if (!table.depends_on_state(table.place_of(node)) && node.is(Op::symbol)) constants.push_back(node);
  }
  try {
    const Budget budget = budget_of(algebra, most_operations / 4);
    const PolynomialPoint point(table, quaternions, constants, budget);
    if (!point.refusal().empty()) return std::nullopt;
    DeterminingEquations equations;
    equations.ring = std::make_unique<PolyRing>(constants.size(), budget);
    Poly below(point.ring(), Rational(1));
    std::map<Exponents, std::size_t> column_of;
    for (const Poly& above : over_one_denominator(point.values(), below)) {
      equations.rows.emplace_back();
      for (auto& [exponents, coefficient] : point.coefficients(point.reduced(above), *equations.ring)) {
        const std::size_t column = column_of.emplace(exponents, column_of.size()).first->second;
        equations.rows.back().emplace(column, std::move(coefficient));
      }
    }
    return general_rank(equations);
  } catch (const LimitReached&) {
    return std::nullopt;
  }
}

bool is_a_field(Algebra& algebra, const FunctionTable& table,
                const std::vector<std::array<Expr, 4>>& quaternions) {
  std::vector<Expr> constants;
  for (Expr node : table.free_nodes()) {
    if (!table.depends_on_state(table.place_of(node)) && node.is(Op::symbol)) constants.push_back(node);
  }
  try {
    return PolynomialPoint(table, quaternions, constants, budget_of(algebra, most_operations / 4))
        .refusal()
        .empty();
  } catch (const LimitReached&) {
    return false;
  }
}

Budget budget_of(Algebra& algebra, std::uint64_t operations) {
  auto count = std::make_shared<OperationCount>();
  count->limit = operations;
  count->interrupt = algebra.options().interrupt;
  return {algebra.options().max_terms, operations, std::move(count)};
}

}  // namespace liaison
