#include <fmt/format.h>

#include <array>

#include "builder.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/model/orientation.hpp"
#include "text.hpp"

/// Bushings: springs and dampers along the axes of a place and about them, between it and another place.
namespace liaison {

namespace {

const Context stiffness_context{"the stiffness of a bushing", false, false};
const Context damping_context{"the damping of a bushing", true, false};

Triple column(const std::array<Expr, 9>& matrix, std::size_t k) {
  return {matrix[k], matrix[3 + k], matrix[6 + k]};
}

Triple times(const std::array<Expr, 9>& matrix, const Triple& v) {
  Triple result;
  for (std::size_t i = 0; i < 3; ++i)
    result[i] = matrix[3 * i] * v[0] + matrix[3 * i + 1] * v[1] + matrix[3 * i + 2] * v[2];
  return result;
}

/// Seen on the axes of the first place: where the second is, how it is turned, and how fast it turns.
struct Offset {
  std::vector<Expr> along;  ///< two or three lengths
  std::vector<Expr> about;  ///< in the plane an angle; in space sin(angle) times the axis of the turn
  std::vector<Expr> spin;   ///< its rate of turning
};

Offset offset_in_plane(const System& system, const BodyAxes& first, const BodyAxes& second) {
  const Expr c = cos(first.angle), s = sin(first.angle);
  const Expr dx = second.origin[0] - first.origin[0], dy = second.origin[1] - first.origin[1];
  const Expr angle = second.angle - first.angle;
  return {{c * dx + s * dy, c * dy - s * dx}, {angle}, {time_derivative(system, angle)}};
}

Offset offset_in_space(const System& system, const BodyAxes& first, const BodyAxes& second) {
  const auto one = orientation_matrix(system, first.turns), other = orientation_matrix(system, second.turns);
  const Triple w1 = rates_in_space(system, first.turns), w2 = rates_in_space(system, second.turns);
  Triple distance, rate;
  for (std::size_t k = 0; k < 3; ++k) {
    distance[k] = second.origin[k] - first.origin[k];
    rate[k] = w2[k] - w1[k];
  }
  Offset result;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    result.along.push_back(dot(column(one, k), distance));
    // of R = R1^T R2: (R_ji - R_ij)/2
    result.about.push_back((dot(column(one, j), column(other, i)) - dot(column(one, i), column(other, j))) /
                           2);
    result.spin.push_back(dot(column(one, k), rate));
  }
  return result;
}

/// On the axes of the first place, what the moment of the springs about them is: the power of
/// V = K_i*theta_i^2/2 with theta' = (tr(R) - R) w/2 is -w . M, M = (tr(R) - R^T) K theta/2.
Triple turning_moment(const std::array<Expr, 9>& one, const std::array<Expr, 9>& other, const Triple& pull) {
  std::array<Expr, 9> relative;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) relative[3 * i + j] = dot(column(one, i), column(other, j));
  const Expr trace = relative[0] + relative[4] + relative[8];
  Triple result;
  for (std::size_t i = 0; i < 3; ++i) result[i] = (trace * pull[i] - dot(column(relative, i), pull)) / 2;
  return result;
}

}  // namespace

/// One number for all lengths, one a length, or one a length and one an angle.
std::optional<std::vector<Expr>> Builder::read_along_axes(const syntax::Vector& vector, std::string_view what,
                                                          bool plane, bool is_damping) {
  const std::size_t lengths = plane ? 2 : 3, all = plane ? 3 : 6;
  const std::size_t given = vector.components.size();
  if (given != 1 && given != lengths && given != all) {
    reports_.add("L0421", vector.span, fmt::format("{} has {} components", what, given),
                 plane
                     ? "write `k` for both lengths, `[kx, ky]`, or `[kx, ky, kt]` with that against turning"
                     : "write `k` for all lengths, `[kx, ky, kz]`, or `[kx, ky, kz, ka, kb, kc]` with those "
                       "against turning");
    return std::nullopt;
  }
  std::vector<Expr> values = read_vector(vector, is_damping ? damping_context : stiffness_context);
  if (values.empty()) return std::nullopt;
  if (values.size() == 1) values.assign(lengths, values[0]);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k].is_zero()) continue;
    values[k] = measured(values[k]);
    if (values[k].is_number()) continue;
    const Span span = vector.components[std::min(k, vector.components.size() - 1)];
    const int power = is_damping ? -1 : -2;
    obligations_.is(values[k], span, std::string(what),
                    k < lengths ? base_dimension(0, 1, power) : base_dimension(2, 1, power));
  }
  values.resize(all, system_.pool->number(0));
  return values;
}

/// The potential K_i*d_i^2/2 of the place of the second on the axes of the first, and the dissipation of its
/// rate; about the axes K_i*theta_i^2/2 and the rate of turning.
void Builder::build(const syntax::Bushing& syntax, const Statement&) {
  const bool named = name_object(syntax.name, "the bushing");
  JointReaction& reaction = joints_[syntax.name.text];
  const bool plane = dimension_of_places(syntax.first, syntax.second) == 2;
  const std::string what = fmt::format("the bushing `{}`", excerpt(syntax.name.text));
  if (!check_two_roots(syntax.first, syntax.second, syntax.span, what)) return;
  const auto first = read_joint_place(syntax.first, plane ? 2 : 3, true);
  const auto second = read_joint_place(syntax.second, plane ? 2 : 3, false);
  const auto stiffness = read_along_axes(syntax.stiffness, "the stiffness of " + what, plane, false);
  const auto damping = syntax.damping
                           ? read_along_axes(*syntax.damping, "the damping of " + what, plane, true)
                           : std::optional(std::vector<Expr>(plane ? 3 : 6, system_.pool->number(0)));
  if (!named || !first || !second || !stiffness || !damping) return;
  if (first->origin.size() != second->origin.size()) {
    reports_.add("L0421", syntax.second.parent.span,
                 fmt::format("one place has {} coordinates and the other {}", first->origin.size(),
                             second->origin.size()),
                 "a bushing is between two places of the plane, or two of space");
    return;
  }
  const Offset offset =
      plane ? offset_in_plane(system_, *first, *second) : offset_in_space(system_, *first, *second);
  const std::size_t lengths = offset.along.size();
  const Expr zero = system_.pool->number(0);
  std::vector<Expr> energy, losses, pull;
  for (std::size_t k = 0; k < stiffness->size(); ++k) {
    const Expr value = k < lengths ? offset.along[k] : offset.about[k - lengths];
    const Expr rate = k < lengths ? time_derivative(system_, value) : offset.spin[k - lengths];
    energy.push_back((*stiffness)[k] * pow(value, 2) / 2);
    losses.push_back((*damping)[k] * pow(rate, 2) / 2);
    pull.push_back(k < lengths ? -((*stiffness)[k] * value + (*damping)[k] * rate)
                               : -(*stiffness)[k] * value);
  }
  const Expr potential = system_.pool->add(energy);
  potential_.push_back(potential);
  if (syntax.damping) add_dissipation(system_.pool->add(losses));
  reaction.plane = plane;
  JointPart part{system_.pool->number(1), {zero, zero, zero}, {zero, zero, zero}};
  if (plane) {
    const Expr c = cos(first->angle), s = sin(first->angle);
    part.force = {c * pull[0] - s * pull[1], s * pull[0] + c * pull[1], zero};
    part.moment[2] = pull[2] - (*damping)[2] * offset.spin[0];
  } else {
    const auto one = orientation_matrix(system_, first->turns);
    Triple moment =
        turning_moment(one, orientation_matrix(system_, second->turns), {pull[3], pull[4], pull[5]});
    for (std::size_t k = 0; k < 3; ++k) moment[k] -= (*damping)[3 + k] * offset.spin[k];
    part.force = times(one, {pull[0], pull[1], pull[2]});
    part.moment = times(one, moment);
  }
  reaction.parts.push_back(std::move(part));
  attach(syntax.first.parent.text, first->origin);
  attach(syntax.second.parent.text, second->origin);
}

}  // namespace liaison
