#ifndef LIAISON_SIMULATE_PERTURBATION_HPP
#define LIAISON_SIMULATE_PERTURBATION_HPP

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "liaison/simulate/simulation.hpp"

/// Small deviations from a motion: the equations of motion, linearised along it and integrated beside it.
namespace liaison {

/// What the equations of motion become for small deviations of the state, of some parameters and of the time,
/// compiled. With the equations as R(y, p, t; u', lambda) = 0 a deviation of u' and lambda solves
/// R_z dz = -(R_y dy + R_p dp + R_t dt).
class PerturbationEquations {
 public:
  /// The evaluator is that of the motion; both outlive this. Throws missing_value as it does.
  PerturbationEquations(const AssembledEquations& equations, Evaluator& evaluator, const DoublePoint& values,
                        std::vector<Expr> parameters, Engine engine = Engine::compiled);
  ~PerturbationEquations();
  PerturbationEquations(PerturbationEquations&&) noexcept;

  std::size_t size() const;             ///< of y
  std::size_t parameter_count() const;  ///< that may deviate
  const std::vector<Expr>& parameters() const;
  /// Other values of the parameters, those of the evaluator too.
  void set_parameters(const DoublePoint& values);

  /// The rates at a state and their derivatives: a row a component of y, the columns those of y, the
  /// parameters, the time. False where there are none, and failure() says why.
  bool take(double t, const double* y);
  std::span<const double> rates() const;
  std::span<const double> matrix() const;
  /// Of the factors at the same state, a row a factor.
  std::span<const double> factor_matrix() const;
  std::span<const double> factors() const;
  const std::string& failure() const;

  /// Moves a deviation (of y, then of the parameters) by the least onto those that the relations allow at a
  /// state. What is `fixed` of y stays, and the least is that of Evaluator::project_rest, by the masses.
  /// False where that is impossible.
  bool make_admissible(double t, const double* y, double* deviation, const std::vector<bool>& fixed = {});
  /// A basis of the deviations of y that the relations allow, column after column: orthonormal where each
  /// entry is measured by its size, or by 1.
  std::vector<std::vector<double>> admissible(double t, const double* y, std::span<const double> sizes = {});

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// A motion with its deviations, column after column: each has those of y, then those of the parameters.
struct PerturbedState {
  double t = 0;
  std::vector<double> y;
  std::vector<std::vector<double>> deviations;
};

class ContactDeviations;

struct PerturbedRunOptions {
  double until = 1;
  double every = 0;  ///< states are handed on at this distance, or at each step
  Tolerance tolerance;
  /// Of each entry of the state, and of each entry of a deviation: absolute tolerances; empty: one for all.
  std::vector<double> absolute = {}, absolute_of_deviations = {};
  std::size_t max_steps = 10'000'000;
  std::function<bool()> interrupted = {};
  ContactDeviations* contacts = nullptr;  ///< the equations are those of its open mode
};

struct PerturbedRunResult {
  SimulationOutcome outcome = SimulationOutcome::finished;
  std::string message;
  PerturbedState end;
  std::size_t steps = 0, rejected = 0, jumps = 0;
};

/// Runs a motion with its deviations, by Dormand and Prince, on the constraints. `events` are the events of
/// the motion as a run of it found them; across a reset the deviations jump by the rule of saltation: with
/// the function g of the event, the reset R and the rates f before and after it
///   dtau = -(g_y dy + g_p dp)/(g_y f + g_t),   dy -> R_y dy + R_p dp + (R_y f + R_t - f_after) dtau.
/// Where abs, sign, min or max change their side in between, the same rule without a reset; where the motion
/// does not pass there, or only touches, the run ends and says so.
PerturbedRunResult follow_deviations(const AssembledEquations& equations, Evaluator& evaluator,
                                     PerturbationEquations& perturbation, const DoublePoint& values,
                                     const std::vector<EventRecord>& events, PerturbedState begin,
                                     const PerturbedRunOptions& options,
                                     const std::function<bool(const PerturbedState&)>& receive = {});

}  // namespace liaison

#endif  // LIAISON_SIMULATE_PERTURBATION_HPP
