#ifndef LIAISON_SIMULATE_PERIODIC_ORBIT_HPP
#define LIAISON_SIMULATE_PERIODIC_ORBIT_HPP

#include <complex>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "liaison/simulate/perturbation.hpp"

/// Motions that come back: found by shooting, with the multipliers of their deviations.
namespace liaison {

/// The events of the motion with these parameters from a state at a time until another time, as a run of it
/// finds them; nothing where there is no such motion, and the text says why.
using EventSource = std::function<std::optional<std::vector<EventRecord>>(
    const DoublePoint& values, double t, const std::vector<double>& y, double until, std::string& why)>;

/// What is asked of a periodic motion.
struct OrbitRequest {
  double begin = 0;           ///< the time of the start
  std::vector<double> y;      ///< near the orbit
  double period = 0;          ///< a guess, or exact where it is fixed
  bool fixed_period = false;  ///< that of a drive
  bool given_period = false;  ///< fixed by a person: that it closes again is asked of each motion
  bool autonomous = true;     ///< the time does not enter: deviations along the motion stay
  std::vector<double> turns;  ///< by how much the state is larger after a period; empty: by nothing
  std::vector<bool> held;     ///< values of the start that stay; empty: none
  Tolerance tolerance{1e-12, 1e-15};
  std::size_t max_rounds = 40;
  std::function<bool()> interrupted = {};
  EventSource events = {};  ///< where events reset the state, or contacts close
  ContactDeviations* contacts = nullptr;
};

enum class OrbitStability {
  stable,    ///< deviations die out, but for those along the orbit
  unstable,  ///< one grows
  neutral,   ///< none grows and some stay: linear deviations do not decide
};
std::string name_of(OrbitStability stability);

/// A multiplier of a periodic motion, or an exponent of a place of rest.
struct Multiplier {
  std::complex<double> value;
  std::string kind;  ///< "along the motion", "of the energy": known to be 1; else empty
  double doubt = 0;  ///< what the error of the matrix may do to it: large where eigenvectors are near
};

struct PeriodicOrbit {
  bool found = false;
  std::string failure;  ///< why not
  double begin = 0, period = 0;
  std::vector<double> y;
  double defect = 0;         ///< of y after a period, relative to its size
  double second_defect = 0;  ///< the same after two
  /// Beside relations entries have one measure: those that go less than a thousandth as far as the largest of
  /// their kind, and what part of it.
  std::vector<std::pair<std::size_t, double>> small_entries;
  std::size_t rounds = 0;
  std::size_t times = 1;                ///< the motion came back so often within the period that was sought
  std::vector<Multiplier> multipliers;  ///< largest first
  double multiplier_error = 0;          ///< by another run with a larger tolerance
  bool autonomous = false;
  bool pairs = false;      ///< Hamiltonian: multipliers come in pairs mu, 1/mu
  double pair_defect = 0;  ///< the largest |mu*nu - 1| of these pairs
  OrbitStability stability = OrbitStability::neutral;
};

/// Newton's method on y(T; y) - y - turns = 0 over the states that the relations allow, and over T where it
/// is not fixed; least changes where the orbits are a family. `energy` is conserved, or empty.
PeriodicOrbit find_periodic_orbit(const AssembledEquations& equations, Evaluator& evaluator,
                                  PerturbationEquations& perturbation, const DoublePoint& values,
                                  const OrbitRequest& request, Expr energy = {}, bool is_hamiltonian = false);

/// What multipliers say that are not 1 for a reason; within `doubt` of 1, or within their own, they do not
/// decide.
OrbitStability stability_of(const std::vector<Multiplier>& multipliers, double doubt);

/// Ideal holonomic relations, forces by a potential alone: multipliers come in pairs.
bool is_hamiltonian(const AssembledEquations& equations);

struct LyapunovExponents {
  SimulationOutcome outcome = SimulationOutcome::finished;
  std::string message;
  double t = 0;                   ///< up to which the motion was followed
  std::vector<double> exponents;  ///< largest first; none where the run ends before any is counted
  std::vector<double> errors;     ///< twice the standard error, by the means over ten parts of the run; NaN
                                  ///< where less than two of them were reached
  std::size_t lost = 0;           ///< further ones that are minus infinity: an event took the direction away
};
/// The first `count` exponents by Benettin's method: deviations are made orthogonal again after each
/// `interval`; the first tenth of the run is not counted.
LyapunovExponents lyapunov_exponents(const AssembledEquations& equations, Evaluator& evaluator,
                                     PerturbationEquations& perturbation, const DoublePoint& values,
                                     PerturbedState begin, std::size_t count, double interval,
                                     const PerturbedRunOptions& options, const EventSource& events = {});

}  // namespace liaison

#endif  // LIAISON_SIMULATE_PERIODIC_ORBIT_HPP
