#pragma once

#include <optional>
#include <string>
#include <vector>

#include "liaison/expr/evaluate.hpp"
#include "liaison/structure/state_flow.hpp"

namespace liaison {

/// A motion beside its relations, without closed forms and without a chart: functions of positions, parts of
/// quaternions, all velocity parameters u, their rates du/dt and the factors, that vanish along motions.
struct ManifoldEquations {
  std::vector<Expr> places;      ///< coordinates, then parts of quaternions
  std::vector<Expr> velocities;  ///< all velocity parameters
  std::vector<Expr> place_rates;
  std::vector<Expr> rates;      ///< the symbols du/dt
  std::vector<Expr> factors;    ///< the symbols lambda
  std::vector<Expr> residuals;  ///< mass*u' - load - sum lambda_h l^h, then gradient*u' + bias
  std::vector<Expr> levels;  ///< vanish at every place: holonomic relations, lengths of quaternions less one
  std::vector<Expr> speeds;  ///< vanish at every state: relations at velocity level
  std::vector<std::string> level_names;
  bool is_holonomic = true;  ///< each relation is the rate of a level
  std::string reason;        ///< not empty: why there are none

  std::vector<Expr> state() const;      ///< places and velocities
  std::vector<Expr> unknowns() const;   ///< rates and factors: the residuals are linear in them
  std::vector<Expr> relations() const;  ///< levels and speeds
  void leave_out(Expr place);           ///< it does not deviate
};
/// Needs as many relations as factors, forces whose directions are free of the factors, and no time.
ManifoldEquations manifold_equations(const Motion& motion, const Substitution& values = {});

/// The tangent space of the states at one of them: each of `dependent` changes as `basis` says with those
/// that are `free`.
struct TangentSpace {
  std::vector<std::size_t> free, dependent;  ///< columns
};
/// By columns of a matrix of slopes in doubles: those with the largest pivots depend on the others. Nothing
/// where the rows are not independent. What it says is a choice, and proves nothing.
std::optional<TangentSpace> split_columns(std::vector<std::vector<double>> rows, std::size_t columns);

}  // namespace liaison
