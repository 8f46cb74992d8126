#ifndef LIAISON_SIMULATE_OBSERVATIONS_HPP
#define LIAISON_SIMULATE_OBSERVATIONS_HPP

#include <string>
#include <vector>

#include "liaison/mechanics/pushing_friction.hpp"
#include "liaison/simulate/quantities.hpp"

namespace liaison {

/// What a run looks at besides its state: the outputs and events of the model, the powers of its constraints
/// and what should stay as it is.
struct Observations {
  std::vector<std::string> output_names;
  Quantities outputs;

  std::vector<Event> events;
  Quantities event_values;               ///< with the sign of left - right of each, then sizes of terms
  std::vector<Quantities> reset_values;  ///< one an event; empty unless it resets
  std::vector<std::vector<std::size_t>> reset_targets;  ///< places in y

  /// Conserved quantities: T + V, and what the model claims with conserved(...).
  struct Kept {
    std::string name;
    bool expected = false;  ///< by the kind of the system, or by a claim
  };
  std::vector<Kept> kept;
  Quantities kept_values;  ///< of each, then the sizes of their terms

  /// The power lambda_h l_i v^i of each force, then the sum of the sizes of its terms.
  struct Power {
    std::string name;            ///< as it is shown
    bool expected_zero = false;  ///< an ideal constraint that does not move
  };
  std::vector<Power> powers;
  Quantities power_values;

  /// T + V, the power of all that works on it, T, V, p_0 = 2*T - v^i p_i of what T says of moved places;
  /// empty where no constraint works and the time does not enter.
  Quantities work_values;

  /// Frictions of constraints that cannot open, by their factors: power, size of its terms, factor of each.
  std::vector<ConstraintFriction> frictions = {};
  Quantities friction_values = {};
};

/// Where there are many forces, their powers are not watched.
inline constexpr std::size_t most_watched_powers = 40;

Observations observe(Algebra& algebra, const AssembledEquations& equations, const DoublePoint& parameters,
                     Engine engine = Engine::compiled, const Motion* motion = nullptr);

/// Adds `work_values` where a constraint works or the time enters: d(T + V)/dt is the sum of the powers of
/// the constraints and the forces, and of what the time does to T and V (row V2.energy-law). `always`: also
/// elsewhere, as in a mode of contacts of which others are moved.
void observe_work(Algebra& algebra, const AssembledEquations& equations, const DoublePoint& parameters,
                  Engine engine, Observations& observations, bool always = false);

/// Whether the time enters an energy, or a relation asks for velocities that are not zero.
bool is_moved(const AssembledEquations& equations);

}  // namespace liaison

#endif  // LIAISON_SIMULATE_OBSERVATIONS_HPP
