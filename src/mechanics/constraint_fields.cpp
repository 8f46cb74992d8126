#include "liaison/mechanics/constraint_fields.hpp"

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
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

/// The direction l of a power lambda*X (row G2.VI-ThI).
std::vector<Expr> direction_of_power(const std::string& name, Expr power,
                                     const std::vector<Expr>& velocities) {
  if (auto direction = power_gradient(power, velocities)) return *direction;
  throw Error(
      ErrorCode::not_polynomial,
      "the power of `" + name + "` is not of degree one in the velocities: " + to_infix(power),
      "each term is a coefficient times a velocity or a norm of velocities, as in N' - f*sqrt(u^2 + v^2)");
}

void finish_direction(const StateSpace& space, ConstraintField& field) {
  for (Expr& l : field.direction) {
    l = space.in_parameters(l);
    for (const Constraint& other : space.system->constraints) {
      field.depends_on_factor = field.depends_on_factor || depends_on(l, other.factor);
    }
  }
}

ConstraintField derive_reaction(const StateSpace& space, const Reaction& reaction) {
  ConstraintField field;
  field.name = reaction.name;
  field.factor = reaction.factor;
  field.direction = direction_of_power(reaction.name, reaction.power, velocity_symbols(*space.system));
  finish_direction(space, field);
  return field;
}

ConstraintField derive_field(const StateSpace& space, const Constraint& constraint) {
  const System& system = *space.system;
  const std::vector<Expr> velocities = velocity_symbols(system);
  ConstraintField field;
  field.name = constraint.name;
  field.factor = constraint.factor;
  const Expr relation =
      constraint.holonomic ? time_derivative(system, constraint.relation) : constraint.relation;
  if (constraint.holonomic) field.level = constraint.relation;

  field.direction = constraint.power_kind == PowerKind::ideal
                        ? gradient(relation, velocities)
                        : direction_of_power(constraint.name, constraint.power, velocities);
  finish_direction(space, field);

  field.relation = space.in_parameters(relation);
  const Form da = d(space.coframe, field.relation);
  std::vector<Expr> bias;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const std::size_t theta[] = {space.configuration_form(i)}, du[] = {space.velocity_form(i)};
    bias.push_back(da.coefficient(theta) * space.velocities[i]);
    field.gradient.push_back(da.coefficient(du));
  }
  const std::size_t dt[] = {space.time_form()};
  bias.push_back(da.coefficient(dt));
  field.bias = space.pool().add(bias);
  return field;
}

}  // namespace

std::vector<ConstraintField> derive_constraint_fields(const StateSpace& space) {
  std::vector<ConstraintField> result;
  for (const Constraint& constraint : space.system->constraints) {
    result.push_back(derive_field(space, constraint));
  }
  for (const Reaction& reaction : space.system->reactions) result.push_back(derive_reaction(space, reaction));
  return result;
}

}  // namespace liaison
