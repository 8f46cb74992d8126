#include "liaison/structure/integral_invariant.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "liaison/mechanics/omega.hpp"

namespace liaison {

namespace {

/// d/da of the values of a periodic function at n equal steps of 2 pi, n even: the derivative of the
/// trigonometric polynomial through them.
std::vector<double> periodic_derivative(const std::vector<double>& values) {
  const std::size_t n = values.size();
  std::vector<double> weights(n, 0);
  for (std::size_t k = 1; k < n; ++k) {
    const double angle = std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    weights[k] = (k % 2 == 0 ? 0.5 : -0.5) / std::tan(angle);
  }
  std::vector<double> result(n, 0);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < n; ++k) result[j] += weights[(j + n - k) % n] * values[k];
  }
  return result;
}

/// The three forms of a rotation on a change de of its quaternion e: 2 e* de on the body, 2 de e* in space.
std::array<double, 3> turning(Axes axes, const std::array<double, 4>& e, const std::array<double, 4>& de) {
  const double sign = axes == Axes::body ? 1 : -1;
  std::array<double, 3> result{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    result[i] =
        2 * (e[0] * de[i + 1] - de[0] * e[i + 1] - sign * (e[j + 1] * de[k + 1] - e[k + 1] * de[j + 1]));
  }
  return result;
}

/// theta^i on the tangent of the circuit, one list a direction.
std::vector<std::vector<double>> tangents_of(const System& system, const TubeCircuit& circuit) {
  std::vector<std::vector<double>> changes;
  for (std::size_t p = 0; p < circuit.front().positions.size(); ++p) {
    std::vector<double> values;
    for (const TubePlace& place : circuit) values.push_back(place.positions[p]);
    changes.push_back(periodic_derivative(values));
  }
  const auto coordinates = static_cast<std::size_t>(
      std::count_if(system.directions.begin(), system.directions.end(),
                    [](const Direction& direction) { return !direction.coordinate.empty(); }));
  std::vector<std::vector<double>> result(system.directions.size(), std::vector<double>(circuit.size()));
  std::size_t coordinate = 0;
  for (std::size_t i = 0; i < system.directions.size(); ++i) {
    if (!system.directions[i].coordinate.empty()) result[i] = changes[coordinate++];
  }
  for (std::size_t r = 0; r < system.rotations.size(); ++r) {
    const std::size_t first = coordinates + 4 * r;
    for (std::size_t k = 0; k < circuit.size(); ++k) {
      std::array<double, 4> e{}, de{};
      for (std::size_t c = 0; c < 4; ++c) {
        e[c] = circuit[k].positions[first + c];
        de[c] = changes[first + c][k];
      }
      const auto turned = turning(system.rotations[r].axes, e, de);
      for (std::size_t c = 0; c < 3; ++c) result[system.rotations[r].first_direction + c][k] = turned[c];
    }
  }
  return result;
}

}  // namespace

InvariantForms derive_invariant_forms(Algebra& algebra, const StateSpace& space,
                                      const AssembledEquations& equations) {
  const System& system = *space.system;
  InvariantForms result;
  result.momenta = derive_momenta(algebra, space, system.kinetic);
  result.energy = space.in_parameters(system.potential - system.kinetic);
  for (std::size_t i = 0; i < space.size(); ++i) {
    result.energy = result.energy + result.momenta[i] * space.velocities[i];
    result.forces.push_back(space.in_parameters(system.forces[i]));
  }
  for (const SparseEntry& entry : equations.directions.entries) {
    result.forces[entry.column] =
        result.forces[entry.column] + equations.factors[entry.row] * space.in_parameters(entry.value);
  }
  result.has_forces =
      std::any_of(result.forces.begin(), result.forces.end(), [](Expr force) { return !force.is_zero(); });
  return result;
}

CircuitIntegrals integrate_circuit(const System& system, const TubeCircuit& circuit) {
  const double step = 2 * std::numbers::pi / static_cast<double>(circuit.size());
  const std::vector<std::vector<double>> tangents = tangents_of(system, circuit);
  std::vector<double> times;
  for (const TubePlace& place : circuit) times.push_back(place.t);
  const std::vector<double> time_tangent = periodic_derivative(times);
  CircuitIntegrals result;
  for (std::size_t k = 0; k < circuit.size(); ++k) {
    const TubePlace& place = circuit[k];
    result.form -= step * place.energy * time_tangent[k];
    for (std::size_t i = 0; i < tangents.size(); ++i) {
      result.form += step * place.momenta[i] * tangents[i][k];
      const double power = step * place.duration * place.forces[i] * place.velocities[i] * time_tangent[k];
      result.power += power;
      result.forces += power - step * place.duration * place.forces[i] * tangents[i][k];
    }
  }
  return result;
}

TubeCircuit thinned(const TubeCircuit& circuit) {
  TubeCircuit result;
  for (std::size_t k = 0; k < circuit.size(); k += 2) result.push_back(circuit[k]);
  return result;
}

const std::array<QuadratureNode, 15>& kronrod_nodes() {
  struct Half {
    double at, weight, coarse;
  };
  // On [-1, 1], from the outside to the middle.
  static constexpr Half halves[] = {
      {0.991455371120812639206854697526329, 0.022935322010529224963732008058970, 0},
      {0.949107912342758524526189684047851, 0.063092092629978553290700663189204,
       0.129484966168869693270611432679082},
      {0.864864423359769072789712788640926, 0.104790010322250183839876322541518, 0},
      {0.741531185599394439863864773280788, 0.140653259715525918745189590510238,
       0.279705391489276667901467771423780},
      {0.586087235467691130294144691258729, 0.169004726639267902826583426598550, 0},
      {0.405845151377397166906606412076961, 0.190350578064785409913256402421014,
       0.381830050505118944950369775488975},
      {0.207784955007898467600689403773245, 0.204432940075298892414161999234649, 0},
      {0, 0.209482141084727828012999174891714, 0.417959183673469387755102040816327}};
  static const std::array<QuadratureNode, 15> nodes = [] {
    std::array<QuadratureNode, 15> result{};
    for (std::size_t k = 0; k < 8; ++k) {
      const auto& [at, weight, coarse] = halves[k];
      result[k] = {(1 - at) / 2, weight / 2, coarse / 2};
      result[14 - k] = {(1 + at) / 2, weight / 2, coarse / 2};
    }
    return result;
  }();
  return nodes;
}

double TubeIntegrals::change() const {
  double largest = 0;
  for (const TubeSection& section : sections)
    largest = std::max(largest, std::abs(section.sum() - sections.front().sum()));
  return largest;
}

double TubeIntegrals::change_of_circuit() const {
  double largest = 0;
  for (const TubeSection& section : sections)
    largest = std::max(largest, std::abs(section.circuit - sections.front().circuit));
  return largest;
}

double TubeIntegrals::allowed() const {
  double largest = 0;
  for (const TubeSection& section : sections) largest = std::max(largest, section.error);
  return largest + sections.front().error;
}

}  // namespace liaison
