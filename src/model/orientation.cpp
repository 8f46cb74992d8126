#include "liaison/model/orientation.hpp"

#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

using Nine = std::array<Expr, 9>;

Nine unit_matrix(Pool& pool) {
  const Expr one = pool.number(1), zero = pool.number(0);
  return {one, zero, zero, zero, one, zero, zero, zero, one};
}

Triple row(const Nine& m, std::size_t i) {
  return {m[3 * i], m[3 * i + 1], m[3 * i + 2]};
}
Triple column(const Nine& m, std::size_t i) {
  return {m[i], m[3 + i], m[6 + i]};
}

Nine product(const Nine& a, const Nine& b) {
  Nine result;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) result[3 * i + j] = dot(row(a, i), column(b, j));
  }
  return result;
}

Triple times(const Nine& m, const Triple& w) {
  return {dot(row(m, 0), w), dot(row(m, 1), w), dot(row(m, 2), w)};
}
Triple transposed_times(const Nine& m, const Triple& w) {
  return {dot(column(m, 0), w), dot(column(m, 1), w), dot(column(m, 2), w)};
}

Triple sum(const Triple& a, const Triple& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

/// Rodrigues: u u^T + cos (1 - u u^T) + sin [u x]; about an axis of the frame without its zeros.
Nine turn_about(const Triple& u, Expr angle) {
  const Expr c = cos(angle), s = sin(angle);
  const Triple along_s{s * u[0], s * u[1], s * u[2]};
  const Nine cross_part{angle.pool().number(0), -along_s[2], along_s[1],  along_s[2],
                        angle.pool().number(0), -along_s[0], -along_s[1], along_s[0],
                        angle.pool().number(0)};
  Nine result;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const Expr square = u[i] * u[j];
      const Expr rest = Rational(i == j ? 1 : 0) - square;
      result[3 * i + j] = square + c * rest + cross_part[3 * i + j];
    }
  }
  return result;
}

Nine matrix_of(const System& system, const Turn& turn) {
  if (turn.rotation) return rotation_matrix(system.rotations[*turn.rotation].quaternion);
  return turn_about(turn.axis, turn.angle);
}

/// What one turn adds to the rate, on the axes before it; an axis is the same on both sides of its turn.
Triple own_rate_before(const System& system, const Turn& turn) {
  if (!turn.rotation) {
    const Expr rate = time_derivative(system, turn.angle);
    return {turn.axis[0] * rate, turn.axis[1] * rate, turn.axis[2] * rate};
  }
  const Rotation& rotation = system.rotations[*turn.rotation];
  const Triple rates = rates_of(system, rotation);
  return rotation.axes == Axes::space ? rates : times(rotation_matrix(rotation.quaternion), rates);
}

/// The rate behind a turn, of that before it.
Triple carried(const System& system, const Turn& turn, const Triple& before) {
  if (!turn.rotation)
    return sum(transposed_times(matrix_of(system, turn), before), own_rate_before(system, turn));
  const Rotation& rotation = system.rotations[*turn.rotation];
  const Nine matrix = rotation_matrix(rotation.quaternion);
  const Triple rates = rates_of(system, rotation);
  return rotation.axes == Axes::space ? transposed_times(matrix, sum(before, rates))
                                      : sum(transposed_times(matrix, before), rates);
}

/// Whether the inertia is the same before and behind the turn, whatever its angle.
bool keeps_inertia(const Body& body, const Turn& turn) {
  const auto& J = body.inertia;
  if (!J[3].is_zero() || !J[4].is_zero() || !J[5].is_zero()) return false;
  if (J[0] == J[1] && J[1] == J[2]) return true;
  if (turn.rotation) return false;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    if (turn.axis[i].is_zero() && turn.axis[j].is_zero()) return J[i] == J[j];
  }
  return false;
}

}  // namespace

std::array<Expr, 9> orientation_matrix(const System& system, std::span<const Turn> turns) {
  if (turns.empty()) return unit_matrix(*system.pool);
  Nine result = matrix_of(system, turns.front());
  for (const Turn& turn : turns.subspan(1)) result = product(result, matrix_of(system, turn));
  return result;
}

Triple rates_on_body(const System& system, std::span<const Turn> turns) {
  const Expr zero = system.pool->number(0);
  Triple result{zero, zero, zero};
  for (const Turn& turn : turns) result = carried(system, turn, result);
  return result;
}

Triple rates_in_space(const System& system, std::span<const Turn> turns) {
  const Expr zero = system.pool->number(0);
  Triple result{zero, zero, zero};
  for (std::size_t k = turns.size(); k-- > 0;) {
    const Triple own = own_rate_before(system, turns[k]);
    result = k + 1 == turns.size() ? own : sum(times(matrix_of(system, turns[k]), result), own);
  }
  return result;
}

Triple rates_for_energy(const System& system, const Body& body) {
  if (body.turns.empty() || !keeps_inertia(body, body.turns.back())) return rates_on_body(system, body.turns);
  const Turn& last = body.turns.back();
  if (last.rotation && system.rotations[*last.rotation].axes == Axes::body)
    return rates_on_body(system, body.turns);
  const std::span<const Turn> others = std::span(body.turns).first(body.turns.size() - 1);
  return sum(rates_on_body(system, others), own_rate_before(system, last));
}

Triple inertia_times(const Body& body, const Triple& w) {
  const auto& J = body.inertia;
  return {J[0] * w[0] - J[5] * w[1] - J[4] * w[2], J[1] * w[1] - J[5] * w[0] - J[3] * w[2],
          J[2] * w[2] - J[4] * w[0] - J[3] * w[1]};
}

std::vector<Expr> point_of(const System& system, const BodyAxes& axes, std::span<const Expr> point) {
  std::vector<Expr> position = axes.origin;
  if (position.size() == 2) {
    const Expr c = cos(axes.angle), s = sin(axes.angle);
    position[0] += c * point[0] - s * point[1];
    position[1] += s * point[0] + c * point[1];
    return position;
  }
  const Triple turned = times(orientation_matrix(system, axes.turns), {point[0], point[1], point[2]});
  for (std::size_t i = 0; i < 3; ++i) position[i] += turned[i];
  return position;
}

}  // namespace liaison
