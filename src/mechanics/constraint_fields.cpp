#include "liaison/mechanics/constraint_fields.hpp"

#include <algorithm>

#include "constraint_power.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/forms/calculus.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

std::vector<Expr> velocity_symbols(const System& system) {
  std::vector<Expr> result;
  for (const Direction& direction : system.directions) result.push_back(direction.velocity);
  return result;
}

bool mentions_chart(const StateSpace& space, Expr e) {
  const std::vector<Expr> velocities = velocity_symbols(*space.system);
  return std::any_of(space.parameters.begin(), space.parameters.end(), [&](Expr parameter) {
    return std::find(velocities.begin(), velocities.end(), parameter) == velocities.end() &&
           depends_on(e, parameter);
  });
}

bool is_linear_chart(const StateSpace& space) {
  return std::all_of(space.velocities.begin(), space.velocities.end(), [&](Expr velocity) {
    return linear_coefficients(velocity, space.parameters).has_value();
  });
}

/// The direction l of a power lambda*X (row G2.VI-ThI). Where X is written in velocity parameters of the
/// system's own, its derivatives by them are taken over to the velocities; in a chart that is not linear the
/// coefficients are differentiated too.
std::vector<Expr> direction_of_power(Algebra& algebra, const StateSpace& space, const std::string& name,
                                     Expr power) {
  if (!mentions_chart(space, power)) {
    if (auto direction = power_gradient(power, velocity_symbols(*space.system))) return *direction;
    refuse_power(name, power);
  }
  const Expr in_parameters = space.in_parameters(power);
  if (!is_linear_chart(space)) return space.on_velocities(algebra, gradient(in_parameters, space.parameters));
  if (auto direction = power_gradient(in_parameters, space.parameters))
    return space.on_velocities(algebra, *direction);
  refuse_power(name, power);
}

/// Chetaev: l = da/dv.
std::vector<Expr> ideal_direction(Algebra& algebra, const StateSpace& space, Expr relation) {
  if (!mentions_chart(space, relation)) return gradient(relation, velocity_symbols(*space.system));
  return space.on_velocities(algebra, gradient(space.in_parameters(relation), space.parameters));
}

void finish_direction(const StateSpace& space, ConstraintField& field) {
  for (Expr& l : field.direction) {
    l = space.in_parameters(l);
    for (const Constraint& other : space.system->constraints) {
      field.depends_on_factor = field.depends_on_factor || depends_on(l, other.factor);
    }
  }
}

ConstraintField derive_reaction(Algebra& algebra, const StateSpace& space, const Reaction& reaction) {
  ConstraintField field;
  field.name = reaction.name;
  field.factor = reaction.factor;
  field.direction = direction_of_power(algebra, space, reaction.name, reaction.power);
  finish_direction(space, field);
  return field;
}

ConstraintField derive_field(Algebra& algebra, const StateSpace& space, const Constraint& constraint) {
  const System& system = *space.system;
  ConstraintField field;
  field.name = constraint.name;
  field.factor = constraint.factor;
  const Expr relation =
      constraint.holonomic ? time_derivative(system, constraint.relation) : constraint.relation;
  if (constraint.holonomic) field.level = constraint.relation;

  switch (constraint.power_kind) {
    case PowerKind::ideal: field.direction = ideal_direction(algebra, space, relation); break;
    case PowerKind::along: field.direction = constraint.direction; break;
    case PowerKind::given:
    case PowerKind::actuated:
      field.direction = direction_of_power(algebra, space, constraint.name, constraint.power);
      break;
  }
  finish_direction(space, field);

  field.relation = space.in_parameters(relation);
  RelationRate rate = derive_relation_rate(space, field.relation);
  field.gradient = std::move(rate.gradient);
  field.bias = rate.bias;
  return field;
}

}  // namespace

RelationRate derive_relation_rate(const StateSpace& space, Expr relation) {
  RelationRate result;
  const Form da = d(space.coframe, relation);
  std::vector<Expr> bias;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const std::size_t theta[] = {space.configuration_form(i)}, du[] = {space.velocity_form(i)};
    bias.push_back(da.coefficient(theta) * space.velocities[i]);
    result.gradient.push_back(da.coefficient(du));
  }
  const std::size_t dt[] = {space.time_form()};
  bias.push_back(da.coefficient(dt));
  result.bias = space.pool().add(bias);
  return result;
}

std::vector<ConstraintField> derive_constraint_fields(Algebra& algebra, const StateSpace& space) {
  std::vector<ConstraintField> result;
  for (const Constraint& constraint : space.system->constraints) {
    result.push_back(derive_field(algebra, space, constraint));
  }
  for (const Reaction& reaction : space.system->reactions)
    result.push_back(derive_reaction(algebra, space, reaction));
  return result;
}

}  // namespace liaison
