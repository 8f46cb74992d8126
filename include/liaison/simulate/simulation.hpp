#ifndef LIAISON_SIMULATE_SIMULATION_HPP
#define LIAISON_SIMULATE_SIMULATION_HPP

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "liaison/simulate/evaluator.hpp"
#include "liaison/simulate/integrator.hpp"
#include "liaison/simulate/observations.hpp"

namespace liaison {

struct SimulationOptions {
  double until = 1;
  double every = 0;       ///< rows on a grid of this distance; 0: at each step
  bool project = true;    ///< keep the constraints after each step
  Tolerance tolerance;    ///< of the integrator; here: by which verdicts are given
  double max_step = 0;    ///< no step is longer; 0: any length
  double fixed_step = 0;  ///< of Dormand and Prince where no integrator is given; 0: adaptive
  std::size_t max_steps = 1'000'000'000;
  /// Events whose functions are zero at the begin, which has been told: each with the side to which it is on
  /// its way, or 0.
  std::vector<std::pair<std::size_t, int>> at_zero = {};
  /// Of such events, by what rounding of the rates may change their functions in a unit of time.
  std::vector<std::pair<std::size_t, double>> strays = {};
  /// Events whose functions were on a side of zero before the state jumped to the begin: one that is on the
  /// other side there happens there.
  std::vector<std::pair<std::size_t, int>> came_from = {};
  /// Of such events, what is rounding of their functions there: a factor has no terms that tell it.
  std::vector<std::pair<std::size_t, double>> roundings = {};
  std::optional<double> grid = {};  ///< rows are this plus multiples of `every`; not given: the begin
};

/// One row of a trajectory.
struct Row {
  double t = 0;
  std::vector<double> y, factors, outputs;  ///< an output that has no value is NaN
  double kinetic = 0, potential = 0;
  bool is_between = false;  ///< within a step, for pictures: no row of the trajectory
};

enum class SimulationOutcome {
  finished,
  event,     ///< an event of the model ended the run
  singular,  ///< no value, or a step that fell to nothing: `message` says what, where, when
  step_limit,
  interrupted,  ///< a receiver asked for it
  several,      ///< contacts allow more than one motion from here on: `message` lists them
  impossible,   ///< contacts allow none
};

/// What should be kept, and how well it was.
enum class MonitorKind {
  conserved,  ///< a quantity that stays as it is
  power,      ///< of a constraint that does no work
  residual,   ///< of the constraints
};
struct Monitor {
  std::string name;
  MonitorKind kind = MonitorKind::conserved;
  double largest = 0;      ///< change, power or residual, relative to the size of what is kept
  double amount = 0;       ///< the same, absolutely; of a residual: relative
  bool expected = false;   ///< it should be kept
  double by_resets = 0;    ///< the sum of what resets took from it or gave to it; `largest` is without that
  std::size_t resets = 0;  ///< that changed it
  /// Of what is kept, without what resets did, from the value at the start: the extremes and the end.
  double lowest = 0, highest = 0, last = 0;
  double size = 0;  ///< of what is kept
  /// Digits kept: 0 to 16.
  double digits() const;
};

struct EventRecord {
  double t = 0;
  std::size_t event = 0;  ///< of the model's
  bool touches = false;   ///< its function came to zero and kept its sign: nothing else was done
  double energy = 0;      ///< by how much resets at this time changed the energy; at the last of them
};

/// An impact of unilateral constraints.
struct ImpactRecord {
  double t = 0;
  std::vector<std::size_t> contacts;  ///< that pressed
  std::vector<double> impulses;       ///< along their normals
  double energy = 0;                  ///< by how much it changed: work - loss
  double work = 0;                    ///< of what moves walls and constraints, and of constraints that work
  double loss = 0;  ///< that the law takes: minus the work of the impulses on the motion beside the surfaces
  std::string how;  ///< its phases
};
/// What a unilateral constraint did for a time.
struct ContactSpan {
  std::size_t contact = 0;
  double begin = 0, end = 0;
  std::string mode;  ///< "open", "touches", "closed", "sticks", "rolls", "slips"
};
/// Infinitely many impacts that came to an end.
struct Accumulation {
  std::size_t contact = 0;
  double t = 0;             ///< of the end
  double error = 0;         ///< of that, by the intervals that were seen and the tolerance of the method
  double rests = 0;         ///< from when on the contact rests: the last impact that was followed
  std::size_t impacts = 0;  ///< that were followed
};

/// One way through the places at which several motions were possible.
struct Branch {
  std::vector<std::pair<double, std::string>> choices;  ///< when, and what was taken
  SimulationOutcome outcome = SimulationOutcome::finished;
  std::string message;
  double t = 0;
  std::vector<double> y;
};

/// A singular configuration that the motion passed: relations that depend on each other at one instant.
struct PassedSingularity {
  double t = 0;
  std::string what;
};

/// Everything a run needs to go on later as if it had not stopped: numbers that only `simulate` reads.
struct Checkpoint {
  double t = 0;
  std::size_t rows = 0;  ///< handed on so far
  std::vector<double> numbers;
};

/// A relation between positions whose rate jumps, or one between velocities: a wall that starts or stops, an
/// edge, a belt that turns back.
struct JumpOfRate {
  std::string relation;
  double by = 0;
};

struct SimulationResult {
  SimulationOutcome outcome = SimulationOutcome::finished;
  std::string message;
  double t = 0;
  std::vector<double> y;
  std::size_t steps = 0, rejected = 0, evaluations = 0, rows = 0;
  std::vector<EventRecord> events;
  std::vector<Monitor> monitors;
  std::vector<PassedSingularity> passed;
  /// Directions in which the factors at the start may be changed without changing the motion.
  std::vector<std::vector<double>> open;
  std::optional<std::size_t> again;  ///< the event that ended the run by coming back too soon to tell
  bool unexplored = false;           ///< contacts may have allowed motions that were not looked for
  std::string remedy;                ///< of what ended the run, where no policy for motions is one
  double created = 0;                ///< energy, by the law of an impact that ended the run for it
  std::vector<JumpOfRate> jumps;     ///< that ended the run
  std::vector<ImpactRecord> impacts;
  std::vector<ContactSpan> contact_spans;
  std::vector<Accumulation> accumulations;
  std::set<std::size_t> open_contacts;  ///< whose pressures the motion did not determine at some time
  std::vector<std::string> possible;    ///< where several motions are possible: each in words
  std::vector<Branch> branches;         ///< where every one of them was followed
  std::vector<std::string> notes;       ///< what a reader of the numbers should know
  /// What decides how the motion goes on and was followed at samples alone, in words; empty: nothing.
  std::string sampled;
  Checkpoint checkpoint;  ///< at the end of a run that is finished: it can be prolonged from there
};

/// A run between two steps.
class RunningSimulation {
 public:
  virtual double time() const = 0;
  virtual std::size_t steps() const = 0;
  virtual Checkpoint checkpoint() const = 0;

 protected:
  ~RunningSimulation() = default;
};

struct SimulationReceivers {
  std::function<bool(const Row&)> row;  ///< each row as soon as it is known; false ends the run
  std::function<bool(const RunningSimulation&)> step;  ///< after each step; false ends the run; may be empty
  /// Into how many parts the way from one row to the next is cut where rows are the steps: `row` takes what
  /// lies between, too. It changes nothing else; may be empty.
  std::function<std::size_t(double from, double to)> parts = {};
};

/// Runs from a state, or on from a checkpoint of the same run (t and y are then those of the checkpoint).
SimulationResult simulate(Evaluator& evaluator, Integrator& integrator, Observations& observations, double t,
                          std::vector<double> y, const SimulationOptions& options,
                          const SimulationReceivers& receivers, const Checkpoint* resume = nullptr);

/// By Dormand and Prince, with nothing observed besides the energies and the constraints.
SimulationResult simulate(Evaluator& evaluator, double t, std::vector<double> y,
                          const SimulationOptions& options, const std::function<bool(const Row&)>& receive);

}  // namespace liaison

#endif  // LIAISON_SIMULATE_SIMULATION_HPP
