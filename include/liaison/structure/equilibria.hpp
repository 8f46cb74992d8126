#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

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

/// A place of rest, certified: the only one in a box.
struct Equilibrium {
  struct Position {
    Expr coordinate;
    Ball value;
    std::optional<Expr> exact;  ///< 0, pi/2, 3/4: proved
  };
  std::vector<Position> positions;
  bool has_linearisation = false;
  std::vector<Expr> variables;              ///< of the matrix: coordinates, then velocities
  std::vector<std::vector<double>> matrix;  ///< d/dt of small changes
  std::vector<Eigenvalue> eigenvalues;
  Stability stability = Stability::undecided;
};

struct Equilibria {
  std::vector<Equilibrium> found;
  std::vector<Expr> anywhere;   ///< coordinates that may have any value
  std::vector<Expr> equations;  ///< what vanishes at a place of rest, for the parameters as given
  std::string box;              ///< in which all were looked for; empty: nothing was searched
  bool all = false;             ///< proved: there are no others in the box
  std::string reason;           ///< why not all, or why nothing was searched
};
/// Of a motion without time, at rest, for the values of the parameters that the model gives. Subdivision of a
/// box, with Krawczyk's test in balls.
Equilibria find_equilibria(Algebra& algebra, const StateFlow& flow);

}  // namespace liaison
