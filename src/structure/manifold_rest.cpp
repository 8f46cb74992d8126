#include "manifold_rest.hpp"

#include <algorithm>

#include "expr/ball_matrix.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/structure/first_integrals.hpp"
#include "linear_part.hpp"

namespace liaison {

namespace {

constexpr long bits = 192;

/// Slopes of rows at a point; nothing where one of them has no value.
std::optional<BallMatrix> slopes_of(std::span<const Expr> rows, std::span<const Expr> symbols,
                                    const BallPoint& at) {
  BallMatrix result(rows.size(), symbols.size());
  const std::vector<JacobianEntry> entries = jacobian(rows, symbols);
  std::vector<Expr> values;
  for (const JacobianEntry& entry : entries) values.push_back(entry.value);
  const BallValues found = evaluate_balls(values, at, bits);
  if (found.status != EvaluationStatus::ok) return std::nullopt;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (!found.values[k].is_finite()) return std::nullopt;
    arb_set(result.at(entries[k].row, entries[k].column), found.values[k].raw());
  }
  return result;
}

std::optional<BallMatrix> solved(const BallMatrix& a, const BallMatrix& b) {
  BallMatrix x(a.columns(), b.columns());
  if (a.rows() == 0) return x;
  if (arb_mat_solve(x.raw(), a.raw(), b.raw(), bits) == 0) return std::nullopt;
  return x;
}

BallMatrix columns_of(const BallMatrix& matrix, const std::vector<std::size_t>& columns) {
  BallMatrix result(matrix.rows(), columns.size());
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    for (std::size_t k = 0; k < columns.size(); ++k) arb_set(result.at(i, k), matrix.at(i, columns[k]));
  }
  return result;
}

BallMatrix transposed(const BallMatrix& matrix) {
  BallMatrix result(matrix.columns(), matrix.rows());
  arb_mat_transpose(result.raw(), matrix.raw());
  return result;
}

BallMatrix product(const BallMatrix& a, const BallMatrix& b) {
  BallMatrix result(a.rows(), b.columns());
  arb_mat_mul(result.raw(), a.raw(), b.raw(), bits);
  return result;
}

/// The null space of some rows: one column for each free variable, 1 in it.
struct NullSpace {
  TangentSpace split;
  BallMatrix basis;
};
/// `kept`: variables that shall be free.
std::optional<NullSpace> null_space_of(const BallMatrix& rows, const std::vector<std::size_t>& kept = {}) {
  std::vector<std::vector<double>> middle(rows.rows(), std::vector<double>(rows.columns()));
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t k = 0; k < rows.columns(); ++k) middle[i][k] = rows.ball(i, k).mid();
  }
  for (std::vector<double>& row : middle)
    for (const std::size_t k : kept) row[k] = 0;
  const auto split = split_columns(std::move(middle), rows.columns());
  if (!split) return std::nullopt;
  const auto depend = solved(columns_of(rows, split->dependent), columns_of(rows, split->free));
  if (!depend) return std::nullopt;
  BallMatrix basis(rows.columns(), split->free.size());
  for (std::size_t k = 0; k < split->free.size(); ++k) arb_one(basis.at(split->free[k], k));
  for (std::size_t i = 0; i < split->dependent.size(); ++i) {
    for (std::size_t k = 0; k < split->free.size(); ++k)
      arb_neg(basis.at(split->dependent[i], k), depend->at(i, k));
  }
  return NullSpace{*split, std::move(basis)};
}

bool is_definite_on(const BallMatrix& form, const BallMatrix& basis) {
  const BallMatrix restricted = product(transposed(basis), product(form, basis));
  BallMatrix factor(restricted.rows(), restricted.columns());
  return restricted.rows() == 0 || arb_mat_cho(factor.raw(), restricted.raw(), bits) != 0;
}

std::optional<BallMatrix> hessian_of(Expr e, const std::vector<Expr>& symbols, const BallPoint& at) {
  return slopes_of(gradient(e, symbols), symbols, at);
}

}  // namespace

std::optional<RestEnergy> rest_energy(Algebra& algebra, const Motion& motion,
                                      const ManifoldEquations& equations, const Substitution& values) {
  const Expr energy = motion.omega.energy + motion.space.system->potential;
  Substitution rest;
  for (Expr velocity : equations.velocities) rest.emplace(velocity, algebra.pool().number(0));
  for (Expr velocity : equations.velocities) {
    const Expr slope = algebra.readable(substitute(derivative(energy, velocity), rest));
    if (!slope.is_zero() && !algebra.is_zero(slope).is_proved()) return std::nullopt;
  }
  if (!is_conserved(algebra, motion, energy).is_proved()) return std::nullopt;
  return RestEnergy{substitute(substitute(energy, rest), values), substitute(energy, values)};
}

ManifoldRest::ManifoldRest(const ManifoldEquations& equations, const BallPoint& place)
    : equations_(equations), at_(place) {
  const Ball zero{Rational(0)};
  for (Expr velocity : equations.velocities) at_.emplace(velocity, zero);
  for (const std::vector<Expr>* list : {&equations.rates, &equations.factors})
    for (Expr symbol : *list) at_.insert_or_assign(symbol, zero);
  const BallValues speeds = evaluate_balls(equations.speeds, at_, bits);
  if (speeds.status == EvaluationStatus::ok &&
      !std::all_of(speeds.values.begin(), speeds.values.end(),
                   [](const Ball& b) { return b.contains_zero(); })) {
    reason_ = "not computed: relations move what would rest there";
    return;
  }
  const std::vector<Expr> unknowns = equations.unknowns();
  const BallValues load = evaluate_balls(equations.residuals, at_, bits);
  const auto matrix = slopes_of(equations.residuals, unknowns, at_);
  if (load.status != EvaluationStatus::ok || !matrix) {
    reason_ = "have no value there";
    return;
  }
  const auto values = solved(*matrix, BallMatrix(unknowns.size(), 1, load.values));
  if (!values) {
    reason_ = "not computed: the relations, or the mass matrix, lose rank there";
    return;
  }
  for (std::size_t h = 0; h < equations.factors.size(); ++h) {
    Ball factor = values->ball(equations.rates.size() + h, 0);
    arb_neg(factor.raw(), factor.raw());
    at_.insert_or_assign(equations.factors[h], factor);
    factors_.push_back(std::move(factor));
  }
}

void ManifoldRest::linearise(Equilibrium& equilibrium, const std::vector<RestFamily>& families) const {
  const std::vector<Expr> state = equations_.state(), unknowns = equations_.unknowns();
  const auto matrix = slopes_of(equations_.residuals, unknowns, at_);
  const auto by_state = slopes_of(equations_.residuals, state, at_);
  const auto moves = slopes_of(equations_.place_rates, state, at_);
  const auto relations = slopes_of(equations_.relations(), state, at_);
  if (!matrix || !by_state || !moves || !relations) return;
  std::vector<std::size_t> pivots;
  for (const RestFamily& family : families)
    pivots.push_back(
        static_cast<std::size_t>(std::find(state.begin(), state.end(), family.pivot) - state.begin()));
  const auto answer = solved(*matrix, *by_state);
  const auto tangent = null_space_of(*relations, pivots);
  if (!answer || !tangent) return;
  BallMatrix whole(state.size(), state.size());
  for (std::size_t k = 0; k < state.size(); ++k) {
    for (std::size_t i = 0; i < equations_.places.size(); ++i) arb_set(whole.at(i, k), moves->at(i, k));
    for (std::size_t a = 0; a < equations_.rates.size(); ++a)
      arb_neg(whole.at(equations_.places.size() + a, k), answer->at(a, k));
  }
  // A family is at rest: what moves along it is taken off each row, and its pivot left out.
  BallMatrix along = product(whole, tangent->basis);
  for (std::size_t f = 0; f < families.size(); ++f) {
    const BallValues field = evaluate_balls(families[f].components, at_, bits);
    if (field.status != EvaluationStatus::ok || field.values[pivots[f]].contains_zero()) return;
    for (std::size_t i = 0; i < field.values.size(); ++i) {
      if (i == pivots[f]) continue;
      Ball share;
      arb_div(share.raw(), field.values[i].raw(), field.values[pivots[f]].raw(), bits);
      for (std::size_t k = 0; k < along.columns(); ++k)
        arb_submul(along.at(i, k), share.raw(), along.at(pivots[f], k), bits);
    }
  }
  std::vector<std::size_t> columns;
  std::vector<Expr> variables;
  for (std::size_t k = 0; k < tangent->split.free.size(); ++k) {
    const std::size_t at = tangent->split.free[k];
    if (std::find(pivots.begin(), pivots.end(), at) != pivots.end()) continue;
    columns.push_back(k);
    variables.push_back(state[at]);
  }
  BallMatrix free(columns.size(), columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t k = 0; k < columns.size(); ++k)
      arb_set(free.at(i, k), along.at(tangent->split.free[columns[i]], columns[k]));
  }
  judge_linear_part(free, variables, equilibrium);
}

bool ManifoldRest::has_strict_minimum(const RestEnergy& energy, const std::vector<Expr>& fixed) const {
  const std::vector<Expr>& places = equations_.places;
  std::vector<Expr> levels = equations_.levels;
  const auto slopes = slopes_of(levels, places, at_);
  const Expr one[] = {energy.at_rest};
  const auto force = slopes_of(one, places, at_);
  auto form = hessian_of(energy.at_rest, places, at_);
  const auto squares = hessian_of(energy.whole, equations_.velocities, at_);
  const auto speeds = slopes_of(equations_.speeds, equations_.velocities, at_);
  if (!slopes || !force || !form || !squares || !speeds) return false;
  const auto tangent = null_space_of(*slopes);
  const auto moving = null_space_of(*speeds);
  if (!tangent || !moving || !is_definite_on(*squares, moving->basis)) return false;
  const auto multipliers = solved(transposed(columns_of(*slopes, tangent->split.dependent)),
                                  transposed(columns_of(*force, tangent->split.dependent)));
  if (!multipliers) return false;
  for (std::size_t h = 0; h < levels.size(); ++h) {
    const auto curved = hessian_of(levels[h], places, at_);
    if (!curved) return false;
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t k = 0; k < places.size(); ++k)
        arb_submul(form->at(i, k), multipliers->at(h, 0), curved->at(i, k), bits);
    }
  }
  levels.insert(levels.end(), fixed.begin(), fixed.end());
  const auto section = slopes_of(levels, places, at_);
  const auto asked = section ? null_space_of(*section) : std::nullopt;
  return asked && is_definite_on(*form, asked->basis);
}

}  // namespace liaison
