#include "liaison/mechanics/state_space.hpp"

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

/// d w1 = -w2^w3 in body axes, + in space axes, and cyclic (row G1.II-structure).
std::vector<StructureTerm> rotation_structure(Pool& pool, const Rotation& rotation, std::size_t axis) {
  const std::size_t next = rotation.first_direction + (axis + 1) % 3,
                    last = rotation.first_direction + (axis + 2) % 3;
  const int sign = (rotation.axes == Axes::body ? -1 : 1) * (next < last ? 1 : -1);
  return {{std::min(next, last), std::max(next, last), pool.number(sign)}};
}

std::vector<BasisForm> basis_forms(const System& system, const std::vector<Expr>& parameters) {
  std::vector<BasisForm> basis;
  for (std::size_t i = 0; i < system.directions.size(); ++i) {
    const Direction& direction = system.directions[i];
    BasisForm form{direction.form, {}};
    if (direction.rotation) {
      const Rotation& rotation = system.rotations[*direction.rotation];
      form.derivative = rotation_structure(*system.pool, rotation, i - rotation.first_direction);
    }
    basis.push_back(std::move(form));
  }
  for (Expr parameter : parameters) basis.push_back({"d" + parameter.symbol().name, {}});
  basis.push_back({"d" + system.time.symbol().name, {}});
  return basis;
}

std::vector<ScalarCoordinate> scalar_coordinates(const System& system, const std::vector<Expr>& parameters) {
  Pool& pool = *system.pool;
  const Expr one = pool.number(1);
  std::vector<ScalarCoordinate> result;
  for (std::size_t i = 0; i < system.directions.size(); ++i) {
    if (!system.directions[i].rotation) result.push_back({system.directions[i].coordinate, {{i, one}}});
  }
  for (const Rotation& rotation : system.rotations) {
    const auto rates =
        quaternion_rates(system, rotation);  // linear in the rates, so that de_k is the same in the forms
    for (std::size_t k = 0; k < 4; ++k) {
      ScalarCoordinate scalar{rotation.quaternion[k], {}};
      for (std::size_t j = rotation.first_direction; j < rotation.first_direction + 3; ++j) {
        scalar.differential.emplace_back(j, derivative(rates[k], system.directions[j].velocity));
      }
      result.push_back(std::move(scalar));
    }
  }
  for (std::size_t a = 0; a < parameters.size(); ++a) {
    result.push_back({parameters[a], {{system.directions.size() + a, one}}});
  }
  result.push_back({system.time, {{2 * parameters.size(), one}}});
  return result;
}

}  // namespace

StateSpace make_state_space(Algebra& algebra, const System& system) {
  StateSpace space;
  space.system = &system;
  if (system.chart.parameters.empty()) {
    for (const Direction& direction : system.directions) space.parameters.push_back(direction.velocity);
    space.velocities = space.parameters;
  } else {
    space.parameters = system.chart.parameters;
    space.velocities = system.chart.velocities;
  }
  space.coframe = Coframe::make(algebra, basis_forms(system, space.parameters),
                                scalar_coordinates(system, space.parameters));
  return space;
}

Expr StateSpace::in_parameters(Expr e) const {
  if (system->chart.parameters.empty()) return e;
  Substitution velocities_in_parameters;
  for (std::size_t i = 0; i < size(); ++i)
    velocities_in_parameters.emplace(system->directions[i].velocity, velocities[i]);
  return substitute(e, velocities_in_parameters);
}

Matrix chart_jacobian(const StateSpace& space) {
  const std::size_t n = space.size();
  Matrix result(space.pool(), n, n);
  for (const JacobianEntry& entry : jacobian(space.velocities, space.parameters)) {
    result(entry.row, entry.column) = entry.value;
  }
  return result;
}

std::vector<Expr> StateSpace::on_velocities(Algebra& algebra, const std::vector<Expr>& on_parameters) const {
  if (system->chart.parameters.empty()) return on_parameters;
  SolveResult solution = solve(algebra, transpose(chart_jacobian(*this)), on_parameters);
  if (solution.status != SolveStatus::unique) {
    throw Error(ErrorCode::not_a_basis, "the velocity parameters do not determine the velocities",
                "each velocity of the system must follow from the parameters, and each parameter from the "
                "velocities");
  }
  return std::move(solution.x);
}

VectorField StateSpace::motion_field(const std::vector<Expr>& accelerations) const {
  std::vector<Expr> components = velocities;
  components.insert(components.end(), accelerations.begin(), accelerations.end());
  components.push_back(pool().number(1));
  return VectorField(coframe, std::move(components));
}

VectorField StateSpace::velocity_field(const std::vector<Expr>& velocity_components) const {
  std::vector<Expr> components(2 * size() + 1, pool().number(0));
  for (std::size_t a = 0; a < size(); ++a) components[velocity_form(a)] = velocity_components[a];
  return VectorField(coframe, std::move(components));
}

}  // namespace liaison
