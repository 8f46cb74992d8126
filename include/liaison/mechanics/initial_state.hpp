#ifndef LIAISON_MECHANICS_INITIAL_STATE_HPP
#define LIAISON_MECHANICS_INITIAL_STATE_HPP

#include <string>
#include <utility>
#include <vector>

#include "liaison/expr/evaluate.hpp"
#include "liaison/mechanics/assembled_equations.hpp"
#include "liaison/mechanics/motion.hpp"

namespace liaison {

struct StateRequest {
  std::vector<std::pair<Expr, double>>
      given;  ///< coordinates, quaternions, velocities, velocity parameters, the time
  std::vector<std::pair<Expr, double>> parameters;  ///< instead of the model's own values
  bool use_start = true;                            ///< the model's `start` for what is not given
  bool project = false;       ///< move given values onto the constraints, least in the mass metric
  bool name_choices = false;  ///< fill CompletedState::choices
  bool begins = false;        ///< a motion begins here: velocities are those just after the time
};

/// What is wrong with a state.
struct StateProblem {
  std::string constraint;  ///< its name; empty: a parameter or the evaluation itself
  double residual = 0;
  std::string message;
};

/// Values for every symbol of a system: parameters, t, coordinates, quaternions, velocity parameters,
/// velocities.
struct CompletedState {
  DoublePoint values;
  std::vector<StateProblem> problems;          ///< empty: the state is on the constraint manifold
  std::vector<std::pair<Expr, double>> moved;  ///< by the projection: symbol and by how much
  /// What had to be chosen: "y = 0.8 was chosen on `rod`: -0.8 is possible too".
  std::vector<std::string> choices = {};
  /// Other states with the given values that were met on the way: the values of what had to be chosen, to be
  /// given as well.
  std::vector<std::vector<std::pair<Expr, double>>> others = {};
  bool together = false;  ///< places were found from relations between velocities, with these
  bool ok() const { return problems.empty(); }
};

/// Values that are not given are found from the constraints where these determine them, and are zero
/// otherwise. A quaternion of which nothing is given is no rotation; one that is given in part is completed
/// by its scalar part, or, where that is given, by its first part that is not. Values of the model's start
/// stand where they agree with the given ones; where a relation says otherwise they are starting values.
/// Given velocities choose among the places that levels leave, and determine places where a relation between
/// velocities holds these. Given ones that violate a constraint are a problem, with the residual, unless they
/// may be moved. What it takes grows with the number of entries of the Jacobians of the relations: thousands
/// of bodies are completed by sparse factorisation.
CompletedState complete_state(const AssembledEquations& equations, const StateRequest& request);
CompletedState complete_state(const Motion& motion, const StateRequest& request);

/// A random point of the constraint manifold, the same for the same seed; nothing if Newton's method finds
/// none. Parameters without a value are random as well.
std::optional<DoublePoint> random_state(const AssembledEquations& equations, unsigned seed,
                                        bool random_parameters = true);
std::optional<DoublePoint> random_state(const Motion& motion, unsigned seed, bool random_parameters = true);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_INITIAL_STATE_HPP
