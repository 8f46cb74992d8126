#ifndef LIAISON_MODEL_ORIENTATION_HPP
#define LIAISON_MODEL_ORIENTATION_HPP

#include <array>
#include <span>

#include "liaison/model/system.hpp"

/// How a body stands in space, and how fast it turns: by its turns, one behind the other.
namespace liaison {

/// Row by row: components on the axes behind the turns to components on those before them.
std::array<Expr, 9> orientation_matrix(const System& system, std::span<const Turn> turns);

/// The rate of turning on the axes behind the turns: those of the body.
Triple rates_on_body(const System& system, std::span<const Turn> turns);
/// On the axes before them: those of space.
Triple rates_in_space(const System& system, std::span<const Turn> turns);

/// The rate of turning on axes on which the inertia of the body is the given one: its own, or those before
/// the last turn where that does not change the inertia, which has the shorter energy (Lagrange's top).
Triple rates_for_energy(const System& system, const Body& body);

/// J w, with the inertia of a body in space.
Triple inertia_times(const Body& body, const Triple& w);

/// Axes that move with a body, in space or in the plane.
struct BodyAxes {
  std::vector<Expr> origin;
  std::vector<Turn> turns;
  Expr angle;  ///< in the plane; empty otherwise
};
/// The position in space of a point that is given on these axes.
std::vector<Expr> point_of(const System& system, const BodyAxes& axes, std::span<const Expr> point);

}  // namespace liaison

#endif  // LIAISON_MODEL_ORIENTATION_HPP
