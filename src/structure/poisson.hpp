#pragma once

#include <optional>
#include <string>

#include "liaison/structure/state_flow.hpp"

namespace liaison {

/// The bracket of functions on the states of a system without constraints, whose Omega is closed: the inverse
/// of Omega at a fixed time. With `values` in the place of parameters. Where ideal relations bind the
/// coordinates it is Dirac's: that of the pull-back of Omega to the states (P. A. M. Dirac, Can. J. Math. 2
/// (1950) 129), of functions in all coordinates and velocities.
class PoissonStructure {
 public:
  Expr bracket(Expr f, Expr g) const;
  /// T2 - T0 + V, whose field the motion is; empty where forces have a potential that is not written.
  Expr energy() const { return energy_; }
  /// p_i = dT/dv^i, on positions and velocities.
  const std::vector<Expr>& momenta() const { return momenta_; }
  /// No force across the velocity: Omega = dp_i ^ theta^i at a fixed time.
  bool is_canonical() const { return is_canonical_; }
  Grade grade() const { return grade_; }

  struct Result;
  static Result of(Algebra& algebra, const StateFlow& flow, const Substitution& values);

 private:
  PoissonStructure(Algebra& algebra, const StateFlow& flow) : algebra_(algebra), flow_(flow) {}
  std::vector<Expr> differential(Expr f) const;
  Expr ambient_bracket(Expr f, Expr g) const;            ///< as if nothing were constrained
  std::string bind(const std::vector<Expr>& relations);  ///< not empty: why there is no bracket on them
  Algebra& algebra_;
  const StateFlow& flow_;
  std::vector<std::vector<Expr>> inverse_;   ///< of the mass matrix dp_i/du^a
  std::vector<std::vector<Expr>> gyration_;  ///< coefficients of theta^i ^ theta^j
  std::vector<Expr> momenta_;
  Expr energy_;
  bool is_canonical_ = true;
  Grade grade_ = Grade::proved;
  std::vector<Expr> relations_;             ///< levels and their rates
  std::vector<std::vector<Expr>> between_;  ///< the inverse of their brackets
};

struct PoissonStructure::Result {
  std::optional<PoissonStructure> structure;
  std::string reason;  ///< why there is none
};

}  // namespace liaison
