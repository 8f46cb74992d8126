#include "integral_ansatz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "determining_equations.hpp"
#include "liaison/expr/traverse.hpp"
#include "parametric_lift.hpp"
#include "polynomial_field.hpp"
#include "state_variety.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_support = 60;
constexpr std::size_t further_points = 12;
constexpr int primes_tried = 8;

}  // namespace

IntegralAnsatz::IntegralAnsatz(Algebra& algebra, const StateFlow& flow, FunctionBasis basis, unsigned degree,
                               PointChoices choices, std::uint64_t seed)
    : algebra_(algebra),
      flow_(flow),
      basis_(std::move(basis)),
      degree_(degree),
      choices_(std::move(choices)),
      seed_(seed) {
  for (const auto& exponents : exponents_up_to(flow.velocities.size(), degree)) {
    const unsigned k = std::accumulate(exponents.begin(), exponents.end(), 0U);
    for (std::size_t j = 0; j < basis_.functions.size(); ++j) {
      if (basis_.most.empty() || basis_.degrees[j] <= basis_.most[k]) columns_.push_back({j, exponents});
    }
  }
  asked_ = basis_.functions;
  for (Expr function : basis_.functions) asked_.push_back(apply(flow.field, function));
  const std::size_t n = flow.coframe->dimension() - 1 - flow.velocities.size();
  for (std::size_t a = 0; a < flow.velocities.size(); ++a) asked_.push_back(flow.field.component(n + a));
  asked_.insert(asked_.end(), flow.velocities.begin(), flow.velocities.end());
}

template <class Value, class Arithmetic>
std::pair<std::vector<Value>, std::vector<Value>> IntegralAnsatz::at_point(
    const std::vector<Value>& values, const Arithmetic& in, const std::vector<std::size_t>& columns) const {
  const std::size_t m = basis_.functions.size(), r = flow_.velocities.size();
  const auto function = [&](std::size_t j) { return values[j]; };
  const auto rate = [&](std::size_t j) { return values[m + j]; };
  const auto acceleration = [&](std::size_t a) { return values[2 * m + a]; };
  const auto velocity = [&](std::size_t a) { return values[2 * m + r + a]; };
  std::vector<std::vector<Value>> powers;  // of each velocity
  for (std::size_t a = 0; a < r; ++a) {
    powers.push_back({in.number(Rational(1))});
    while (powers[a].size() <= degree_) powers[a].push_back(in.mul(powers[a].back(), velocity(a)));
  }
  const auto power = [&](std::size_t a, unsigned exponent) -> const Value& { return powers[a][exponent]; };
  std::pair<std::vector<Value>, std::vector<Value>> result;
  const std::vector<unsigned>* exponents = nullptr;  // of the column before: functions share their monomial
  Value monomial = in.number(Rational(1)), change = in.number(Rational(0));
  for (const std::size_t k : columns) {
    const Column& column = columns_[k];
    if (exponents == nullptr || *exponents != column.exponents) {
      monomial = in.number(Rational(1)), change = in.number(Rational(0));
      for (std::size_t a = 0; a < r; ++a) monomial = in.mul(monomial, power(a, column.exponents[a]));
      for (std::size_t a = 0; a < r; ++a) {
        if (column.exponents[a] == 0) continue;
        Value part = in.mul(in.number(Rational(static_cast<long>(column.exponents[a]))), acceleration(a));
        for (std::size_t b = 0; b < r; ++b)
          part = in.mul(part, power(b, b == a ? column.exponents[b] - 1 : column.exponents[b]));
        change = in.add(change, part);
      }
    }
    exponents = &column.exponents;
    result.first.push_back(in.mul(function(column.function), monomial));
    result.second.push_back(
        in.add(in.mul(rate(column.function), monomial), in.mul(function(column.function), change)));
    if (has_weight_)
      result.second.back() = in.add(result.second.back(), in.mul(values[2 * m + 2 * r], result.first.back()));
  }
  return result;
}

std::vector<Residue> IntegralAnsatz::rates_at(const std::vector<Residue>& values,
                                              const PrimeField& in) const {
  std::vector<std::size_t> all(columns_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return at_point(values, in, all).second;
}

std::vector<PolyFraction> IntegralAnsatz::rates_in(const std::vector<PolyFraction>& values,
                                                   const PolynomialField& in) const {
  std::vector<std::size_t> all(columns_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return at_point(values, in, all).second;
}

bool IntegralAnsatz::solve() {
  std::vector<Expr> asked = asked_;
  asked.insert(asked.end(), known_.begin(), known_.end());
  asked.insert(asked.end(), choices_.relations.begin(), choices_.relations.end());
  std::optional<StateVariety> variety;
  if (!choices_.relations.empty()) variety.emplace(algebra_, flow_, choices_.relations, basis_, degree_);
  const std::size_t before_slopes = asked.size();
  if (variety && variety->is_irreducible())
    asked.insert(asked.end(), variety->slopes().begin(), variety->slopes().end());
  table_.emplace(algebra_, asked, flow_.state());
  if (!table_->refusal().empty()) {
    refusal_ = table_->refusal();
    return false;
  }
  is_whole_ = (table_->is_complete() || is_a_field(algebra_, *table_, choices_.quaternions)) &&
              (!variety || variety->is_irreducible());
  std::vector<std::size_t> all(columns_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (int attempt = 0; attempt < primes_tried; ++attempt, ++seed_) {
    points_.emplace(*table_, choices_, seed_);
    values_.emplace(points_->field(), columns_.size());
    ModularMatrix rates(points_->field(), columns_.size());
    std::size_t singular = 0;
    known_values_.assign(known_.size(), {});
    while (values_->rows() < columns_.size() + further_points) {
      if (algebra_.options().is_interrupted()) {
        refusal_ = "interrupted";
        return false;
      }
      const auto at = points_->next();
      if (!at) break;
      if (is_whole_ && variety) {
        const auto slopes = at->begin() + static_cast<std::ptrdiff_t>(before_slopes);
        if (!variety->is_smooth({slopes, at->end()}, points_->field())) {
          is_whole_ = ++singular < further_points;
          continue;
        }
      }
      auto [value, rate] = at_point(*at, points_->field(), all);
      values_->add_row(std::move(value));
      rates.add_row(std::move(rate));
      for (std::size_t k = 0; k < known_.size(); ++k) known_values_[k].push_back((*at)[asked_.size() + k]);
    }
    if (values_->rows() < columns_.size() + further_points) continue;  // a constant without a root
    if (const std::vector<std::size_t> kept = values_->pivots(); kept.size() < columns_.size()) {
      // Columns that depend on others, as far as the points tell: as many as certainly do?
      is_whole_ =
          is_whole_ && (variety ? columns_.size() - kept.size() == variety->vanishing_forms(points_->field())
                                : independent_columns() == kept.size());
      values_ = values_->with_columns(kept);
      rates = rates.with_columns(kept);
      std::vector<Column> columns;
      for (const std::size_t k : kept) columns.push_back(columns_[k]);
      columns_ = std::move(columns);
    }
    kernel_ = rates.kernel();
    return true;
  }
  refusal_ = !choices_.relations.empty()
                 ? "no points of the relations were found modulo primes (polynomials in coordinates, "
                   "sines, cosines and exponentials are solved)"
             : choices_.values.empty()
                 ? "no points were found at which everything has a value"
                 : "the closed forms of the motion have no value for the parameters as given";
  return false;
}

std::optional<std::size_t> IntegralAnsatz::independent_columns() const {
  std::size_t sum = 0;
  std::map<std::size_t, std::optional<std::size_t>> ranks;  // of the first functions, by their number
  for (unsigned k = 0; k <= degree_; ++k) {
    const unsigned most = basis_.most.empty() ? basis_.degree : basis_.most[k];
    auto functions = independent_products(basis_, flow_, most);
    if (!functions) {
      std::vector<Expr> some;
      for (std::size_t j = 0; j < basis_.functions.size(); ++j) {
        if (basis_.most.empty() || basis_.degrees[j] <= most) some.push_back(basis_.functions[j]);
      }
      const auto [known, is_new] = ranks.try_emplace(some.size());
      if (is_new) known->second = exact_rank(algebra_, some, flow_.state(), choices_.quaternions);
      functions = known->second;
    }
    if (!functions) return std::nullopt;
    const std::size_t monomials = count_exponents(flow_.velocities.size(), k) -
                                  (k == 0 ? 0 : count_exponents(flow_.velocities.size(), k - 1));
    sum += *functions * monomials;
  }
  return sum;
}

std::vector<Residue> IntegralAnsatz::values_of(const std::vector<Residue>& vector) const {
  std::vector<Residue> result;
  for (std::size_t i = 0; i < values_->rows(); ++i) {
    Residue sum = 0;
    for (std::size_t k = 0; k < vector.size(); ++k) {
      if (vector[k] != 0) sum = field().add(sum, field().mul(vector[k], values_->row(i)[k]));
    }
    result.push_back(sum);
  }
  return result;
}

std::vector<std::size_t> IntegralAnsatz::pivots_of(const std::vector<std::vector<Residue>>& lists) const {
  ModularMatrix matrix(field(), lists.size());
  for (std::size_t i = 0; i < points(); ++i) {
    std::vector<Residue> row;
    for (const auto& list : lists) row.push_back(list[i]);
    matrix.add_row(std::move(row));
  }
  return matrix.pivots();
}

std::vector<std::vector<Residue>> IntegralAnsatz::new_vectors(
    const std::vector<std::vector<Residue>>& known) const {
  // Short ones first: what is new is then written with few terms.
  std::vector<std::vector<Residue>> candidates = kernel_;
  const auto support = [](const std::vector<Residue>& v) {
    return v.size() - static_cast<std::size_t>(std::count(v.begin(), v.end(), Residue{0}));
  };
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const auto& a, const auto& b) { return support(a) < support(b); });
  std::vector<std::vector<Residue>> list = known;
  for (const auto& candidate : candidates) list.push_back(values_of(candidate));
  std::vector<std::vector<Residue>> result;
  for (const std::size_t pivot : pivots_of(list)) {
    if (pivot >= known.size()) result.push_back(candidates[pivot - known.size()]);
  }
  return result;
}

Expr IntegralAnsatz::column_function(const Column& column) const {
  std::vector<Expr> factors{basis_.functions[column.function]};
  for (std::size_t a = 0; a < column.exponents.size(); ++a) {
    if (column.exponents[a] > 0)
      factors.push_back(pow(flow_.velocities[a], Rational(static_cast<long>(column.exponents[a]))));
  }
  return algebra_.pool().mul(factors);
}

std::optional<Expr> IntegralAnsatz::irrational_in(Expr parameter) const {
  for (Expr node : postorder(asked_)) {
    if (!depends_on(node, parameter) || node == parameter || node.is(Op::add) || node.is(Op::mul)) continue;
    if (node.is(Op::pow) && node.arg(1).is_number() && node.arg(1).number().is_integer()) continue;
    return node;
  }
  return std::nullopt;
}

std::optional<Expr> IntegralAnsatz::lift(const std::vector<Residue>& vector) {
  std::vector<std::size_t> columns;
  for (std::size_t k = 0; k < vector.size(); ++k) {
    if (vector[k] != 0) columns.push_back(k);
  }
  if (!choices_.relations.empty()) return lift_on_relations(columns);
  if (columns.size() > max_support) return std::nullopt;
  const FunctionTable table(algebra_, asked_, flow_.state());
  RationalPoints points(algebra_.pool(), table, choices_, seed_);
  const ConstantField in(algebra_.pool());
  Matrix matrix(algebra_.pool(), columns.size() + 2, columns.size());
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    const auto at = points.next();
    if (!at) return std::nullopt;
    const auto rates = at_point(*at, in, columns).second;
    for (std::size_t k = 0; k < columns.size(); ++k) matrix(i, k) = rates[k];
  }
  const NullSpaceResult kernel = null_space(algebra_, matrix);
  if (kernel.basis.size() != 1) return std::nullopt;
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < columns.size(); ++k)
    terms.push_back(kernel.basis[0][k] * column_function(columns_[columns[k]]));
  return algebra_.readable(algebra_.pool().add(terms));
}

std::optional<Expr> IntegralAnsatz::lift_on_relations(const std::vector<std::size_t>& columns) {
  ParametricEquations equations{asked_, flow_.state(), choices_, columns.size(), seed_, {}};
  equations.asked.insert(equations.asked.end(), choices_.relations.begin(), choices_.relations.end());
  equations.rows = [&](const PrimeField& in, const std::vector<Residue>& values) {
    return std::vector<std::vector<Residue>>{at_point(values, in, columns).second};
  };
  const auto coefficients = solve_over_parameters(algebra_, equations);
  if (!coefficients) return std::nullopt;
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < columns.size(); ++k)
    terms.push_back((*coefficients)[k] * column_function(columns_[columns[k]]));
  return algebra_.readable(algebra_.pool().add(terms));
}

}  // namespace liaison
