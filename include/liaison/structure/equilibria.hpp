#ifndef LIAISON_STRUCTURE_EQUILIBRIA_HPP
#define LIAISON_STRUCTURE_EQUILIBRIA_HPP

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "liaison/model/drives.hpp"
#include "liaison/structure/state_flow.hpp"

namespace liaison {

/// An eigenvalue of a linearisation, enclosed.
struct Eigenvalue {
  Ball re, im;
};

enum class Stability {
  asymptotic,  ///< every eigenvalue has a negative real part (Lyapunov's first method)
  stable,      ///< the energy, or Jacobi's function, is conserved and has a strict minimum there (Lagrange,
               ///< Dirichlet)
  unstable,    ///< an eigenvalue has a positive real part (Lyapunov's first method)
  undecided,   ///< no eigenvalue is certainly on the right, some are not certainly on the left
};
std::string name_of(Stability stability);  ///< "asymptotically stable", "stable", "unstable", "undecided"

/// A coordinate that the relations move while the others rest.
struct MovingCoordinate {
  Expr coordinate;
  Expr law;  ///< a function of the time; empty: only its rate is known
  Expr rate;
};

/// What a drive supplies at a place of rest, in the time and in coordinates whose values are not exact;
/// empty: no value.
struct DriveAtRest {
  std::string name;
  Expr force, power;
};

/// A place of rest, certified: the only one in a box.
struct Equilibrium {
  struct Position {
    Expr coordinate;
    Ball value;
    std::optional<Expr> exact;  ///< 0, pi/2, 3/4: proved
  };
  std::vector<Position> positions;
  bool has_linearisation = false;
  std::string no_linearisation;             ///< why not
  std::vector<Expr> variables;              ///< of the matrix: coordinates, then velocities
  std::vector<std::vector<double>> matrix;  ///< d/dt of small changes
  std::vector<Eigenvalue> eigenvalues;
  Stability stability = Stability::undecided;
  std::vector<DriveAtRest> drives;  ///< what holds it
  std::optional<bool>
      is_absolute;  ///< with drives: whether every point is at rest (proved); nothing: not decided
};

struct Equilibria {
  std::vector<Equilibrium> found;
  std::vector<Expr> anywhere;  ///< coordinates that may have any value
  /// "R about axis 3 of space": attitudes turned so are places of rest, too, and what is stable is the set of
  /// them.
  std::vector<std::string> turned;
  std::vector<Expr>
      equations;  ///< what vanishes at a place of rest, at all times, for the parameters as given
  std::vector<MovingCoordinate> moving;  ///< relative to which it rests; a law that is constant is no motion
  bool is_driven = false;                ///< drives were asked for
  std::string
      held;         ///< "everywhere", "where abs(x) <= 1": what dry friction holds, exactly; empty: not known
  std::string box;  ///< in which all were looked for; empty: nothing was searched
  bool all = false;    ///< proved: there are no others in the box
  std::string reason;  ///< why not all, or why nothing was searched
};
/// Coordinates that stay, at all times, while those that the relations give as functions of the time go on;
/// for the values of the parameters that the model gives. Subdivision of a box, with Krawczyk's test in
/// balls.
Equilibria find_equilibria(Algebra& algebra, const StateFlow& flow, std::span<const AskedDrive> drives = {});

/// At a place of rest an energy that every motion keeps has a strict minimum on the states: it is stable
/// (Lagrange, Dirichlet). False: it has none, or that is not certain. `place`: all positions and quaternions.
bool has_energy_minimum(Algebra& algebra, const StateFlow& flow, const Substitution& values,
                        const BallPoint& place);

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_EQUILIBRIA_HPP
