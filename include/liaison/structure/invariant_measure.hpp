#ifndef LIAISON_STRUCTURE_INVARIANT_MEASURE_HPP
#define LIAISON_STRUCTURE_INVARIANT_MEASURE_HPP

#include <optional>
#include <string>
#include <vector>

#include "liaison/structure/state_flow.hpp"

namespace liaison {

/// A density rho(q, t) > 0 with theta(X)(rho theta^1 ^ ... ^ dz^1 ^ ... ^ dt) = 0: motions keep the measure
/// (Jacobi's last multiplier). z are the free velocities.
struct InvariantMeasure {
  std::optional<Expr> density;  ///< up to a constant factor, in absolute value
  Rational exponent{1};         ///< the power of R that it is
  Verdict verdict;              ///< of it
  Expr divergence;              ///< of the field on that volume: X(rho) + rho div X = 0
  /// Coordinates satisfy relations: the volume is that of all coordinates and velocity parameters, divided by
  /// the differentials of all relations (Gelfand and Leray).
  bool beside_relations = false;
  std::string origin;           ///< "volume", "determinant of the kinetic energy", "search", "brackets"
  std::string form;             ///< what was searched where nothing simpler was found; empty: nothing
  std::size_t unknowns = 0;     ///< of one search
  Grade none = Grade::unknown;  ///< of "no density of this form is kept"
  /// Would vanish at every place around which there is a density of positions, whatever its form; by brackets
  /// of the admissible directions. Empty: not known.
  std::optional<Expr> obstruction;
  Verdict obstructed;         ///< of "the obstruction vanishes": refuted at a place
  bool none_at_rest = false;  ///< nor one that depends on velocities too and is positive at rest (proved)
  bool near_general_places = false;  ///< no bracket contradicts one: there is one around general places
  std::string reason;                ///< why that is not proved, or why nothing was asked
};

struct MeasureOptions {
  unsigned function_degree = 4;
  std::size_t max_columns = 200;  ///< unknown coefficients
  std::uint64_t seed = 20'260'105;
};
/// X(rho) + rho div X, on the admissible states, of a product rho of powers u^k with u in the place of u^k:
/// zero where motions keep the density.
Expr density_rate(Algebra& algebra, const StateFlow& flow, Expr density);

/// rho = 1, then powers of the determinant of the kinetic energy in the free velocities (1, 1/2, -1/2, -1),
/// then rho = R^a with the same exponents a and R a combination of functions of the model: X(R) + R div X/a =
/// 0 is linear in its coefficients. Brackets of the admissible directions say first whether there is any
/// density of positions, and last what it is where they reach every place. Densities that depend on
/// velocities are not asked for: 1/w of a sleigh is one, and has no value at w = 0.
InvariantMeasure find_invariant_measure(Algebra& algebra, const StateFlow& flow,
                                        const MeasureOptions& options = {});

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_INVARIANT_MEASURE_HPP
