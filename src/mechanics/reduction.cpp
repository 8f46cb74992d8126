#include "liaison/mechanics/reduction.hpp"

#include <algorithm>

#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/forms/calculus.hpp"

namespace liaison {

namespace {

Matrix columns_of(Pool& pool, const Matrix& a, const std::vector<std::size_t>& columns) {
  Matrix result(pool, a.rows, columns.size());
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) result(i, j) = a(i, columns[j]);
  }
  return result;
}

bool is_constant_in_time(Expr e) {
  const std::vector<Expr> symbols = symbols_in(e);
  return std::all_of(symbols.begin(), symbols.end(),
                     [](Expr symbol) { return symbol.symbol().kind == SymbolKind::parameter; });
}

/// Independent columns to solve for: those whose entries do not change with the state before the others
/// (nothing is divided by that may vanish on the way), and among these the last ones first.
std::optional<std::vector<std::size_t>> pivot_columns(Algebra& algebra, const Matrix& a) {
  std::vector<std::size_t> order;
  for (const bool constant : {true, false}) {
    for (std::size_t j = a.columns; j-- > 0;) {
      bool same = true;
      for (std::size_t i = 0; i < a.rows; ++i) same = same && is_constant_in_time(a(i, j));
      if (same == constant) order.push_back(j);
    }
  }
  std::vector<std::size_t> chosen;
  for (std::size_t j : order) {
    if (chosen.size() == a.rows) break;
    chosen.push_back(j);
    if (rank(algebra, columns_of(algebra.pool(), a, chosen)).rank < chosen.size()) chosen.pop_back();
  }
  if (chosen.size() < a.rows) return std::nullopt;
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

/// Basis forms replaced by 1-forms, coefficients by values.
Form replace_basis(const Form& a, const std::vector<std::optional<Form>>& images,
                   const Substitution& values) {
  Form result(a.coframe(), a.degree());
  for (const auto& [indices, coefficient] : a.terms()) {
    Form product = Form::function(a.coframe(), substitute(coefficient, values));
    for (std::size_t i = 0; i < a.coframe()->dimension(); ++i) {
      if (indices[i]) product = wedge(product, images[i] ? *images[i] : Form::basis(a.coframe(), i));
    }
    result = result + product;
  }
  return result;
}

/// theta^c = L_c^-1 (P_u dt - L_rest theta^rest), from l^h_i theta^i = P_u^h dt.
bool eliminate_directions(Algebra& algebra, const Motion& motion, ReducedForm& reduced,
                          std::vector<std::optional<Form>>& images) {
  Pool& pool = algebra.pool();
  const StateSpace& space = motion.space;
  const std::size_t n = space.size(), p = motion.relation_count;
  Matrix directions(pool, p, n);
  std::vector<Expr> power(p);
  for (std::size_t h = 0; h < p; ++h) {
    power[h] = pool.number(0);
    for (std::size_t i = 0; i < n; ++i) {
      directions(h, i) =
          algebra.canonical(substitute(motion.constraints[h].direction[i], reduced.values)).value;
      power[h] += directions(h, i) * substitute(space.velocities[i], reduced.values);
    }
  }
  const auto columns = pivot_columns(algebra, directions);
  if (!columns) return false;
  const Matrix pivots = columns_of(pool, directions, *columns);
  std::vector<Form> solved(p, Form(space.coframe, 1));
  const auto add_part = [&](const std::vector<Expr>& right, std::size_t form) {
    const SolveResult part = solve(algebra, pivots, right);
    for (std::size_t c = 0; c < p; ++c) solved[c] = solved[c] + part.x[c] * Form::basis(space.coframe, form);
    reduced.conditions = part.conditions;
  };
  add_part(power, space.time_form());
  for (std::size_t i = 0; i < n; ++i) {
    if (std::find(columns->begin(), columns->end(), i) != columns->end()) continue;
    std::vector<Expr> right;
    for (std::size_t h = 0; h < p; ++h) right.push_back(-directions(h, i));
    add_part(right, space.configuration_form(i));
  }
  for (std::size_t c = 0; c < p; ++c) images[space.configuration_form((*columns)[c])] = solved[c];
  reduced.configuration_forms = *columns;
  return true;
}

/// du^c = d(value of u^c) on the constraint manifold; a configuration form in it is replaced after.
void eliminate_velocities(const Motion& motion, const SolvedRelations& relations, ReducedForm& reduced,
                          std::vector<std::optional<Form>>& images) {
  const StateSpace& space = motion.space;
  for (std::size_t a : relations.eliminated) {
    const Form differential = d(space.coframe, relations.values.at(space.parameters[a]));
    images[space.velocity_form(a)] = replace_basis(differential, images, relations.values);
    reduced.velocity_forms.push_back(space.velocity_form(a));
  }
}

/// Omega with the reactions: + sum lambda_h l^h_i theta^i ^ dt.
Form with_reactions(const Motion& motion) {
  const StateSpace& space = motion.space;
  const Form dt = Form::basis(space.coframe, space.time_form());
  Form result = motion.omega.omega;
  for (const ConstraintField& constraint : motion.constraints) {
    Form l(space.coframe, 1);
    for (std::size_t i = 0; i < space.size(); ++i) {
      l = l + constraint.direction[i] * Form::basis(space.coframe, space.configuration_form(i));
    }
    result = result + wedge(constraint.factor * l, dt);
  }
  return result;
}

std::optional<ReducedForm> reduce(Algebra& algebra, const Motion& motion, const Form& form,
                                  bool without_factors) {
  const auto relations = solve_relations(algebra, motion);
  if (!relations) return std::nullopt;
  ReducedForm reduced{form, {}, {}, relations->values, relations->conditions};
  std::vector<std::optional<Form>> images(form.coframe()->dimension());
  if (without_factors && !eliminate_directions(algebra, motion, reduced, images)) return std::nullopt;
  eliminate_velocities(motion, *relations, reduced, images);
  reduced.form = readable(algebra, simplified(algebra, replace_basis(form, images, relations->values)));
  return reduced;
}

}  // namespace

std::optional<SolvedRelations> solve_relations(Algebra& algebra, const Motion& motion) {
  Pool& pool = algebra.pool();
  const StateSpace& space = motion.space;
  const std::size_t n = space.size(), p = motion.relation_count;
  Matrix gradients(pool, p, n);
  std::vector<Expr> rests;
  for (std::size_t h = 0; h < p; ++h) {
    const auto linear = linear_coefficients(motion.constraints[h].relation, space.parameters);
    if (!linear) return std::nullopt;
    for (std::size_t a = 0; a < n; ++a) gradients(h, a) = linear->coefficients[a];
    rests.push_back(linear->rest);
  }
  const auto columns = pivot_columns(algebra, gradients);
  if (!columns) return std::nullopt;
  std::vector<Expr> right;
  for (std::size_t h = 0; h < p; ++h) {
    std::vector<Expr> terms{-rests[h]};
    for (std::size_t a = 0; a < n; ++a) {
      const bool kept = std::find(columns->begin(), columns->end(), a) == columns->end();
      if (kept) terms.push_back(-(gradients(h, a) * space.parameters[a]));
    }
    right.push_back(pool.add(terms));
  }
  const SolveResult solution = solve(algebra, columns_of(pool, gradients, *columns), right);
  if (solution.status != SolveStatus::unique) return std::nullopt;
  SolvedRelations result{*columns, {}, solution.conditions};
  for (std::size_t c = 0; c < p; ++c) {
    result.values.emplace(space.parameters[(*columns)[c]], algebra.readable(solution.x[c]));
  }
  return result;
}

std::optional<ReducedForm> derive_omega_s(Algebra& algebra, const Motion& motion) {
  return reduce(algebra, motion, motion.omega.omega, true);
}

std::optional<ReducedForm> derive_omega_r(Algebra& algebra, const Motion& motion) {
  return reduce(algebra, motion, with_reactions(motion), false);
}

}  // namespace liaison
