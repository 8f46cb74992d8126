#include "liaison/mechanics/derived_quantities.hpp"

#include <algorithm>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

std::string basis_name(const std::string& name) {
  return name.starts_with("w_") ? name : "d" + name;
}

bool contains(const std::vector<std::size_t>& list, std::size_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

bool mentions_any(Expr e, const std::vector<Expr>& symbols) {
  return std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) { return depends_on(e, symbol); });
}

}  // namespace

DerivedQuantities::DerivedQuantities(Algebra& algebra, const Motion& motion)
    : algebra_(algebra), motion_(motion) {}

std::optional<std::size_t> DerivedQuantities::constraint_named(const std::string& name) const {
  for (std::size_t h = 0; h < motion_.constraints.size(); ++h) {
    if (motion_.constraints[h].name == name) return h;
  }
  return std::nullopt;
}

std::optional<std::size_t> DerivedQuantities::parameter_of_acceleration(const std::string& name) const {
  for (std::size_t a = 0; a < motion_.space.size(); ++a) {
    if (acceleration_symbol(motion_.space.parameters[a]).symbol().name == name) return a;
  }
  return std::nullopt;
}

/// lambda_h l_i v^i: the real power of the reaction on the velocities.
Expr DerivedQuantities::power_of(std::size_t h) const {
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < motion_.space.size(); ++i) {
    terms.push_back(motion_.constraints[h].direction[i] * motion_.space.velocities[i]);
  }
  return motion_.constraints[h].factor * motion_.space.pool().add(terms);
}

const ReducedForm* DerivedQuantities::reduced(QueryKind kind) {
  auto& form = kind == QueryKind::omega_r ? omega_r_ : omega_s_;
  if (!form)
    form = kind == QueryKind::omega_r ? derive_omega_r(algebra_, motion_) : derive_omega_s(algebra_, motion_);
  if (!form->has_value()) {
    reason_ =
        "there is no reduced form: the relations are not solved for velocities, or depend on each other";
    return nullptr;
  }
  return &**form;
}

Expr DerivedQuantities::form_coefficient(const Form& form, const std::vector<std::string>& names) const {
  const std::string first = basis_name(names[0]), second = basis_name(names[1]);
  return form.coefficient({first, second});
}

std::optional<Expr> DerivedQuantities::query_expression(const Query& query) {
  const System& system = *motion_.space.system;
  switch (query.kind) {
    case QueryKind::kinetic: return motion_.space.in_parameters(system.kinetic);
    case QueryKind::potential: return system.potential;
    case QueryKind::omega: return form_coefficient(motion_.omega.omega, query.names);
    case QueryKind::omega_r:
    case QueryKind::omega_s: {
      const ReducedForm* form = reduced(query.kind);
      if (form == nullptr) return std::nullopt;
      for (const std::string& name : query.names) {
        const std::size_t index = motion_.space.coframe->index_of(basis_name(name));
        const bool eliminated =
            contains(form->velocity_forms, index) || contains(form->configuration_forms, index);
        if (!eliminated) continue;
        reason_ = basis_name(name) + " is eliminated from the reduced form, which is written on";
        for (std::size_t i = 0; i < motion_.space.coframe->dimension(); ++i) {
          if (!contains(form->velocity_forms, i) && !contains(form->configuration_forms, i)) {
            reason_ += " " + motion_.space.coframe->name(i);
          }
        }
        return std::nullopt;
      }
      return form_coefficient(form->form, query.names);
    }
    case QueryKind::power: return power_of(*constraint_named(query.names[0]));
    default: break;
  }
  if (!motion_.closed_form) {
    reason_ = motion_.open_reason;
    return std::nullopt;
  }
  switch (query.kind) {
    case QueryKind::r: return motion_.r(*constraint_named(query.names[0]), *constraint_named(query.names[1]));
    case QueryKind::det_r: return motion_.determinant;
    case QueryKind::drive: return motion_.drive[*constraint_named(query.names[0])];
    case QueryKind::free:
      if (const auto a = parameter_of_acceleration(query.names[0])) return motion_.free_acceleration[*a];
      break;
    case QueryKind::direction:
      if (const auto a = parameter_of_acceleration(query.names[1])) {
        return motion_.fields[*constraint_named(query.names[0])][*a];
      }
      break;
    default: break;
  }
  reason_ = "components of fields are those of the velocity parameters";
  return std::nullopt;
}

/// z'^A of q' = psi(t, q, z): G_AB z'^B = dpsi^i/dz^A M_ij (q''^j - dpsi^j/dt - psi^k dpsi^j/dq^k), always
/// solvable where the chart is regular (row MP3.3-intrinsic); on the constraint manifold.
bool DerivedQuantities::add_intrinsic_rates(Substitution& values, const std::vector<Expr>& accelerations) {
  const System& system = *motion_.space.system;
  const auto& z = system.intrinsic.parameters;
  if (z.empty() || !system.chart.parameters.empty()) return true;
  Pool& pool = algebra_.pool();
  const std::size_t n = motion_.space.size();
  Substitution psi, still;
  for (std::size_t i = 0; i < n; ++i)
    psi.emplace(system.directions[i].velocity, system.intrinsic.velocities[i]);
  for (Expr parameter : z) still.emplace(acceleration_symbol(parameter), pool.number(0));
  std::vector<Expr> lift(n);
  for (std::size_t j = 0; j < n; ++j) {
    const Expr drift = substitute(time_derivative(system, system.intrinsic.velocities[j]), still);
    lift[j] = substitute(accelerations[j] - drift, psi);
  }
  Matrix metric(pool, z.size(), z.size());
  std::vector<Expr> right(z.size(), pool.number(0));
  Matrix jacobian(pool, n, z.size());
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<Expr> row = gradient(system.intrinsic.velocities[i], z);
    for (std::size_t a = 0; a < z.size(); ++a) jacobian(i, a) = row[a];
  }
  for (std::size_t a = 0; a < z.size(); ++a) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const Expr weight = jacobian(i, a) * substitute(motion_.free.mass(i, j), psi);
        right[a] += weight * lift[j];
        for (std::size_t b = 0; b < z.size(); ++b) metric(a, b) += weight * jacobian(j, b);
      }
    }
  }
  const SolveResult solution = solve(algebra_, metric, right);
  if (solution.status != SolveStatus::unique || solution.grade != Grade::proved) {
    reason_ = "the intrinsic chart is singular";
    return false;
  }
  for (std::size_t a = 0; a < z.size(); ++a) values.emplace(acceleration_symbol(z[a]), solution.x[a]);
  return true;
}

bool DerivedQuantities::mentions_motion(Expr e) const {
  const System& system = *motion_.space.system;
  std::vector<Expr> derived;
  for (Expr parameter : motion_.space.parameters) derived.push_back(acceleration_symbol(parameter));
  for (const Direction& direction : system.directions)
    derived.push_back(acceleration_symbol(direction.velocity));
  for (Expr parameter : system.intrinsic.parameters) derived.push_back(acceleration_symbol(parameter));
  return mentions_any(e, derived) || mentions_factors(e);
}

bool DerivedQuantities::mentions_factors(Expr e) const {
  return std::any_of(motion_.constraints.begin(), motion_.constraints.end(),
                     [&](const ConstraintField& constraint) { return depends_on(e, constraint.factor); });
}

std::optional<Expr> DerivedQuantities::without_queries(Expr e) {
  Substitution queries;
  for (const Query& query : motion_.space.system->queries) {
    if (!depends_on(e, query.symbol)) continue;
    const auto value = query_expression(query);
    if (!value) return std::nullopt;
    queries.emplace(query.symbol, *value);
  }
  return motion_.space.in_parameters(substitute(e, queries));
}

std::optional<Expr> DerivedQuantities::in_motion_variables(Expr e) {
  const auto plain = without_queries(e);
  if (!plain) return std::nullopt;
  const System& system = *motion_.space.system;
  for (Expr parameter : system.intrinsic.parameters) {
    if (!depends_on(*plain, acceleration_symbol(parameter))) continue;
    reason_ = "rates of the intrinsic chart need closed forms";
    return std::nullopt;
  }
  Substitution others;  // x'' where the parameters are others
  for (std::size_t i = 0; i < motion_.space.size(); ++i) {
    const Expr symbol = acceleration_symbol(system.directions[i].velocity);
    const auto& parameters = motion_.space.parameters;
    if (std::find(parameters.begin(), parameters.end(), system.directions[i].velocity) != parameters.end())
      continue;
    others.emplace(symbol, time_derivative(system, motion_.space.velocities[i]));
  }
  return motion_.space.in_parameters(substitute(*plain, others));
}

std::optional<Expr> DerivedQuantities::in_state_variables(Expr e) {
  const System& system = *motion_.space.system;
  const auto plain = without_queries(e);
  if (!plain) return std::nullopt;
  e = *plain;
  if (!mentions_motion(e)) return e;
  if (motion_.acceleration.empty()) {
    switch (motion_.status) {
      case FactorStatus::implicit:
        reason_ = "the factors enter their own directions: there is no closed form";
        break;
      case FactorStatus::incompatible:
        reason_ = "the constraints are contradictory: there is no motion";
        break;
      case FactorStatus::singular_mass: reason_ = "the mass matrix is singular: there is no motion"; break;
      default: reason_ = motion_.open_reason; break;
    }
    return std::nullopt;
  }
  if (!closed_forms_) {
    Substitution values;
    for (std::size_t a = 0; a < motion_.space.size(); ++a) {
      values.emplace(acceleration_symbol(motion_.space.parameters[a]), motion_.acceleration[a]);
    }
    for (std::size_t i = 0; i < motion_.space.size(); ++i) {  // x'' where the parameters are others
      const Expr symbol = acceleration_symbol(system.directions[i].velocity);
      if (values.contains(symbol)) continue;
      values.emplace(symbol, substitute(time_derivative(system, motion_.space.velocities[i]), values));
    }
    for (std::size_t h = 0; h < motion_.factors.size(); ++h) {
      values.emplace(motion_.constraints[h].factor, motion_.factors[h]);
    }
    if (!add_intrinsic_rates(values, motion_.acceleration)) return std::nullopt;
    closed_forms_ = std::move(values);
  }
  return motion_.space.in_parameters(substitute(e, *closed_forms_));
}

bool DerivedQuantities::add_query_number(const Query& query, const StateValues& values,
                                         const StateMotion& chosen, DoublePoint& point) {
  const auto constraint = [&](std::size_t i) { return *constraint_named(query.names[i]); };
  switch (query.kind) {
    case QueryKind::r: point[query.symbol] = values.r[constraint(0)][constraint(1)]; return true;
    case QueryKind::det_r: point[query.symbol] = values.determinant; return true;
    case QueryKind::drive: point[query.symbol] = values.drive[constraint(0)]; return true;
    case QueryKind::free:
      if (const auto a = parameter_of_acceleration(query.names[0])) {
        point[query.symbol] = values.free_acceleration[*a];
        return true;
      }
      break;
    case QueryKind::direction:
      if (const auto a = parameter_of_acceleration(query.names[1])) {
        point[query.symbol] = values.fields[constraint(0)][*a];
        return true;
      }
      break;
    default:
      if (const auto expression = query_expression(query)) {
        for (std::size_t h = 0; h < chosen.factors.size(); ++h)
          point[motion_.constraints[h].factor] = chosen.factors[h];
        const Expr one[] = {*expression};
        const DoubleValues found = evaluate(one, point);
        if (found.status == EvaluationStatus::ok) {
          point[query.symbol] = found.values[0];
          return true;
        }
        if (!chosen.factors.empty() || motion_.constraints.empty()) reason_ = found.reason();
      }
      return false;
  }
  reason_ = "components of fields are those of the velocity parameters";
  return false;
}

std::optional<DoublePoint> DerivedQuantities::point_of(Expr e, const DoublePoint& state,
                                                       const StateValues& values, const StateMotion& chosen) {
  const System& system = *motion_.space.system;
  DoublePoint point = state;
  for (std::size_t a = 0; a < chosen.acceleration.size(); ++a) {
    point[acceleration_symbol(motion_.space.parameters[a])] = chosen.acceleration[a];
  }
  for (std::size_t i = 0; i < chosen.acceleration.size(); ++i) {
    const Expr symbol = acceleration_symbol(system.directions[i].velocity);
    if (point.contains(symbol)) continue;
    const Expr rate[] = {time_derivative(system, motion_.space.velocities[i])};
    const DoubleValues found = evaluate(rate, point);
    if (found.status == EvaluationStatus::ok) point[symbol] = found.values[0];
  }
  for (std::size_t h = 0; h < chosen.factors.size(); ++h)
    point[motion_.constraints[h].factor] = chosen.factors[h];
  for (const Query& query : system.queries) {
    if (depends_on(e, query.symbol) && !add_query_number(query, values, chosen, point)) return std::nullopt;
  }
  for (Expr parameter : system.intrinsic.parameters) {
    const Expr symbol = acceleration_symbol(parameter);
    if (!depends_on(e, symbol)) continue;
    const auto rate = in_state_variables(symbol);
    if (!rate) return std::nullopt;
    const Expr one[] = {*rate};
    const DoubleValues found = evaluate(one, point);
    if (found.status == EvaluationStatus::ok) point[symbol] = found.values[0];
  }
  return point;
}

std::vector<std::vector<DoublePoint>> DerivedQuantities::at_state(Expr e, const DoublePoint& state) {
  StateValues values = evaluate_state(algebra_, motion_, state);
  if (!values.failure.empty()) {
    reason_ = values.failure;
    return {};
  }
  reason_ = values.remark;
  if (values.motions.empty())
    values.motions.emplace_back();  // quantities that need no motion still have values
  std::vector<std::vector<DoublePoint>> result;
  for (const StateMotion& chosen : values.motions) {
    std::vector<StateMotion> variants{chosen};
    for (const std::vector<double>& open : values.open) {
      if (chosen.factors.empty()) break;  // no motion that could be moved along what is open
      StateMotion moved = chosen;
      for (std::size_t h = 0; h < open.size(); ++h) {
        moved.factors[h] += open[h];
        for (std::size_t a = 0; a < moved.acceleration.size(); ++a)
          moved.acceleration[a] += open[h] * values.fields[h][a];
      }
      variants.push_back(std::move(moved));
    }
    std::vector<DoublePoint> points;
    for (const StateMotion& variant : variants) {
      const auto point = point_of(e, state, values, variant);
      if (!point) return {};
      points.push_back(*point);
    }
    result.push_back(std::move(points));
  }
  return result;
}

}  // namespace liaison
