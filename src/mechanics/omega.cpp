#include "liaison/mechanics/omega.hpp"

#include <algorithm>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/forms/calculus.hpp"

namespace liaison {

namespace {

/// -dV/dtheta^i: on a rotation the derivative along its dual field.
std::vector<Expr> potential_forces(const StateSpace& space) {
  const System& system = *space.system;
  const Form dv = d(space.coframe, system.potential);
  std::vector<Expr> result;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const std::size_t index[] = {space.configuration_form(i)};
    result.push_back(-dv.coefficient(index));
  }
  return result;
}

}  // namespace

std::vector<Expr> derive_momenta(Algebra& algebra, const StateSpace& space, Expr kinetic) {
  const System& system = *space.system;
  std::vector<Expr> velocity_symbols, chosen;
  for (const Direction& direction : system.directions) velocity_symbols.push_back(direction.velocity);
  for (Expr parameter : space.parameters) {
    const bool is_velocity =
        std::find(velocity_symbols.begin(), velocity_symbols.end(), parameter) != velocity_symbols.end();
    if (!is_velocity && depends_on(kinetic, parameter)) chosen.push_back(parameter);
  }
  if (chosen.empty()) {
    std::vector<Expr> momenta = gradient(kinetic, velocity_symbols);
    for (Expr& p : momenta) p = space.in_parameters(p);
    return momenta;
  }
  return space.on_velocities(algebra, gradient(space.in_parameters(kinetic), space.parameters));
}

OmegaForm derive_omega(Algebra& algebra, const StateSpace& space) {
  const System& system = *space.system;
  std::vector<Expr> forces = potential_forces(space);
  for (std::size_t i = 0; i < space.size(); ++i)
    forces[i] = forces[i] + space.in_parameters(system.forces[i]);
  return derive_omega(algebra, space, system.kinetic, forces);
}

OmegaForm derive_omega(Algebra& algebra, const StateSpace& space, Expr kinetic,
                       const std::vector<Expr>& forces) {
  Pool& pool = space.pool();
  std::vector<Expr> momenta = derive_momenta(algebra, space, kinetic);

  std::vector<Expr> powers;
  for (std::size_t i = 0; i < space.size(); ++i) powers.push_back(momenta[i] * space.velocities[i]);
  powers.push_back(-space.in_parameters(kinetic));
  const Expr energy = pool.add(powers);

  std::vector<Form::Term> action, power;
  const std::size_t time = space.time_form();
  for (std::size_t i = 0; i < space.size(); ++i) {
    IndexSet theta, theta_dt;
    theta.set(space.configuration_form(i));
    theta_dt = theta;
    theta_dt.set(time);
    action.emplace_back(theta, momenta[i]);
    power.emplace_back(theta_dt, forces[i]);
  }
  IndexSet dt;
  dt.set(time);
  action.emplace_back(dt, -energy);
  Form kinetic_form = d(Form(space.coframe, 1, std::move(action)));
  Form omega = kinetic_form + Form(space.coframe, 2, std::move(power));
  return {std::move(momenta), energy, forces, std::move(kinetic_form), std::move(omega)};
}

FreeSystem derive_free_system(const StateSpace& space, const Form& omega) {
  Pool& pool = space.pool();
  const std::size_t n = space.size();
  Matrix mass(pool, n, n);
  std::vector<std::vector<Expr>> load(n);
  // i(E) of k du^a^theta^i, g theta^i^theta^j and f theta^i^dt, collected on theta^i. In index order a
  // configuration form stands before a velocity form: theta^i^du^a = -du^a^theta^i.
  for (const auto& [indices, coefficient] : omega.terms()) {
    std::size_t first = 0;
    while (!indices[first]) ++first;
    std::size_t second = first + 1;
    while (!indices[second]) ++second;
    if (first >= n) continue;  // du^a^dt, du^a^du^b: they say theta = v dt
    if (second < n) {
      load[second].push_back(-(coefficient * space.velocities[first]));
      load[first].push_back(coefficient * space.velocities[second]);
    } else if (second < 2 * n) {
      mass(first, second - n) = -coefficient;
    } else {
      load[first].push_back(coefficient);
    }
  }
  FreeSystem result{std::move(mass), {}};
  for (const auto& terms : load) result.load.push_back(pool.add(terms));
  return result;
}

}  // namespace liaison
