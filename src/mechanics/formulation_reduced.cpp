#include <algorithm>

#include "formulations.hpp"
#include "liaison/forms/calculus.hpp"
#include "liaison/forms/two_form.hpp"
#include "liaison/mechanics/reduction.hpp"

namespace liaison {

namespace {

/// Basis forms of a 2-form that are left, dt apart.
struct Left {
  std::vector<std::size_t> configuration, velocity;
};

Left forms_left(const StateSpace& space, const ReducedForm& reduced) {
  const auto is_left = [](const std::vector<std::size_t>& eliminated, std::size_t form) {
    return std::find(eliminated.begin(), eliminated.end(), form) == eliminated.end();
  };
  Left left;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const std::size_t theta = space.configuration_form(i), du = space.velocity_form(i);
    if (is_left(reduced.configuration_forms, theta)) left.configuration.push_back(theta);
    if (is_left(reduced.velocity_forms, du)) left.velocity.push_back(du);
  }
  return left;
}

/// The component on basis form b of i(X)Omega, Omega = sum_(j<k) k_jk theta^j^theta^k.
Expr contraction(const Matrix& k, const std::vector<Expr>& X, std::size_t b) {
  std::vector<Expr> terms;
  for (std::size_t j = 0; j < X.size(); ++j) terms.push_back(X[j] * k(j, b));
  return X.front().pool().add(terms);
}

/// theta^i(X) from the components on du^a, which hold no accelerations: the form has no du^a^du^b. Where
/// there are more theta left than du, the further ones are the known velocities.
bool solve_configuration_part(Algebra& algebra, const Motion& motion, const Matrix& k, const Left& left,
                              const Substitution& values, std::vector<Expr>& X) {
  const StateSpace& space = motion.space;
  if (left.velocity.empty()) {
    for (std::size_t i : left.configuration) X[i] = substitute(space.velocities[i], values);
    return true;
  }
  Matrix all(algebra.pool(), left.velocity.size(), left.configuration.size());
  for (std::size_t b = 0; b < all.rows; ++b) {
    for (std::size_t j = 0; j < all.columns; ++j) all(b, j) = k(left.configuration[j], left.velocity[b]);
  }
  const RankResult pivots = rank(algebra, all);
  if (pivots.rank < all.rows) return false;
  for (std::size_t j = 0; j < all.columns; ++j) {
    const bool open = std::find(pivots.columns.begin(), pivots.columns.end(), j) != pivots.columns.end();
    if (!open) X[left.configuration[j]] = substitute(space.velocities[left.configuration[j]], values);
  }
  Matrix square(algebra.pool(), all.rows, all.rows);
  std::vector<Expr> right;
  for (std::size_t b = 0; b < all.rows; ++b) {
    for (std::size_t j = 0; j < all.rows; ++j) square(b, j) = all(b, pivots.columns[j]);
    right.push_back(-contraction(k, X, left.velocity[b]));
  }
  const SolveResult solution = solve(algebra, square, right);
  if (solution.status != SolveStatus::unique) return false;
  for (std::size_t j = 0; j < all.rows; ++j) X[left.configuration[pivots.columns[j]]] = solution.x[j];
  return true;
}

/// i(X)Omega = 0, i(X)dt = 1 on the forms that are left, with the factors in Omega and `further` rows = 0;
/// then the eliminated velocity parameters by their values.
FormulationResult solve_characteristics(Algebra& algebra, const Motion& motion, Formulation formulation,
                                        const ReducedForm& reduced, const std::vector<Expr>& factors,
                                        const std::vector<Expr>& further) {
  const StateSpace& space = motion.space;
  Pool& pool = space.pool();
  const std::vector<Expr> accelerations = acceleration_symbols(space);
  const Left left = forms_left(space, reduced);
  const Matrix k = coefficient_matrix(reduced.form);
  std::vector<Expr> X(space.coframe->dimension(), pool.number(0));
  X[space.time_form()] = pool.number(1);
  if (!solve_configuration_part(algebra, motion, k, left, reduced.values, X)) {
    return not_applicable(formulation, "the reduced form has more than one characteristic direction");
  }
  std::vector<Expr> unknowns;
  for (std::size_t du : left.velocity) {
    X[du] = accelerations[du - space.size()];
    unknowns.push_back(X[du]);
  }
  const std::size_t kept = unknowns.size();
  unknowns.insert(unknowns.end(), factors.begin(), factors.end());
  std::vector<Expr> rows;
  for (std::size_t theta : left.configuration) rows.push_back(contraction(k, X, theta));
  rows.insert(rows.end(), further.begin(), further.end());
  const auto solution = solve_rows(algebra, rows, unknowns, kept);
  if (!solution) {
    return not_applicable(formulation, "the reduced form has not one characteristic direction");
  }

  FormulationResult result;
  result.formulation = formulation;
  result.applicable = true;
  for (Expr row : rows) result.equations.emplace_back(row, pool.number(0));
  Substitution known = reduced.values;
  for (std::size_t j = 0; j < kept; ++j) known.emplace(unknowns[j], (*solution)[j]);
  for (std::size_t a = 0; a < space.size(); ++a) {
    Expr value = accelerations[a];
    if (const auto solved = reduced.values.find(space.parameters[a]); solved != reduced.values.end()) {
      value = rate_along_motion(space, solved->second);
      result.equations.emplace_back(accelerations[a], substitute(value, reduced.values));
    }
    result.acceleration.push_back(algebra.readable(substitute(value, known)));
  }
  for (std::size_t h = 0; h < factors.size(); ++h) {
    result.factors.push_back(algebra.readable((*solution)[kept + h]));
  }
  return result;
}

ReducedForm whole(const Form& form) {
  return {form, {}, {}, {}, {}};
}

/// Omega + sum lambda_h l^h_i theta^i ^ dt.
Form omega_with_reactions(const Motion& motion) {
  const StateSpace& space = motion.space;
  const std::vector<Expr> pushes = reactions(motion);
  std::vector<Form::Term> terms;
  for (std::size_t i = 0; i < space.size(); ++i) {
    IndexSet theta_dt;
    theta_dt.set(space.configuration_form(i)).set(space.time_form());
    terms.emplace_back(theta_dt, pushes[i]);
  }
  return motion.omega.omega + Form(space.coframe, 2, std::move(terms));
}

constexpr const char* not_reducible = "the relations are not linear and independent in the velocities";

}  // namespace

/// The characteristics of Omega + sum lambda_h l^h ^ dt that satisfy da^k = 0 (rows G2.IV-lambda,
/// G3.II-compat).
FormulationResult derive_characteristic(Algebra& algebra, const Motion& motion) {
  if (!obstacle_to_solving(motion)) {
    std::vector<Expr> rows;
    for (std::size_t k = 0; k < motion.relation_count; ++k) {
      rows.push_back(rate_along_motion(motion.space, motion.constraints[k].relation));
    }
    return solve_characteristics(algebra, motion, Formulation::characteristic,
                                 whole(omega_with_reactions(motion)), factor_symbols(motion), rows);
  }
  FormulationResult result;
  result.formulation = Formulation::characteristic;
  result.applicable = true;
  const std::vector<Expr> accelerations = acceleration_symbols(motion.space), pushes = reactions(motion);
  for (std::size_t i = 0; i < accelerations.size(); ++i) {
    std::vector<Expr> inertia;
    for (std::size_t a = 0; a < accelerations.size(); ++a) {
      inertia.push_back(motion.free.mass(i, a) * accelerations[a]);
    }
    result.equations.emplace_back(algebra.pool().add(inertia), motion.free.load[i] + pushes[i]);
  }
  add_relations(motion, result);
  return result;
}

/// Omega_r keeps the factors: n contractions with the fields of theta^i for n - p accelerations and p factors
/// (rows G2.VII-ThI, G3.III-ThI).
FormulationResult derive_by_omega_r(Algebra& algebra, const Motion& motion) {
  if (const auto obstacle = obstacle_to_solving(motion))
    return not_applicable(Formulation::omega_r, *obstacle);
  const auto reduced =
      motion.relation_count == 0 ? whole(omega_with_reactions(motion)) : derive_omega_r(algebra, motion);
  if (!reduced) return not_applicable(Formulation::omega_r, not_reducible);
  return solve_characteristics(algebra, motion, Formulation::omega_r, *reduced, factor_symbols(motion), {});
}

/// Omega_s has lost the factors: its characteristics are the motion (rows G2.VII-ThII, G3.IV-ThII).
FormulationResult derive_by_omega_s(Algebra& algebra, const Motion& motion) {
  if (const auto obstacle = obstacle_to_solving(motion))
    return not_applicable(Formulation::omega_s, *obstacle);
  if (motion.constraints.size() > motion.relation_count) {
    return not_applicable(Formulation::omega_s, "a reaction has no relation to be eliminated with");
  }
  const auto reduced =
      motion.relation_count == 0 ? whole(motion.omega.omega) : derive_omega_s(algebra, motion);
  if (!reduced) return not_applicable(Formulation::omega_s, not_reducible);
  return solve_characteristics(algebra, motion, Formulation::omega_s, *reduced, {}, {});
}

}  // namespace liaison
