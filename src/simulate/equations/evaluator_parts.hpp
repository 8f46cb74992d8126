#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "entry_program.hpp"
#include "liaison/simulate/evaluator.hpp"
#include "saddle.hpp"
#include "switches.hpp"

namespace liaison {

/// Which solver suits some equations; `often`: solved at each stage of each step.
struct SolverChoice {
  Assembly assembly = Assembly::factorised;
  std::optional<EliminationPlan> plan;
};
SolverChoice choose_solver(const SaddleEquations& equations, Assembly wanted, bool often);
std::unique_ptr<SaddleSolver> make_solver(SaddlePtr equations, SolverChoice choice, Engine engine);

/// Accelerations and factors as the expressions of a motion.
std::unique_ptr<SaddleSolver> make_closed_solver(const Motion& motion, const SaddleEquations& equations,
                                                 Switches& switches, Engine engine);

/// The functions and powers of equations as they are written.
class WrittenForms {
 public:
  explicit WrittenForms(std::span<const Expr> written);
  /// Whether another form of the equations has no functions of other arguments, but for sums and small
  /// multiples of angles, and multiplies no power of a sum out.
  bool are_kept_in(std::span<const Expr> candidate) const;

 private:
  bool is_made_of_angles(Expr angle) const;

  std::unordered_set<Expr> functions_, bases_, powers_;
  std::vector<std::pair<Rational, Expr>> angles_;  ///< terms: a rational and what it multiplies
};

/// What is left of the levels and of the relations at a state.
class ConstraintResiduals {
 public:
  ConstraintResiduals() = default;
  /// Relations as c and their gradients as g; null where there are none. The unknowns of each stand in the
  /// inputs from its `first` on.
  struct Family {
    const SaddleEquations* equations = nullptr;
    std::size_t first = 0;
  };
  ConstraintResiduals(std::span<const Expr> inputs, Family levels, Family relations, Engine engine);

  void evaluate(const double* in);
  /// The largest, relative to the terms of each and of its differential; not finite where one has no value.
  double level() const { return largest_[0]; }
  double relation() const { return largest_[1]; }
  /// The same beside the largest that the terms, and those of sums in them, were in the run, with the largest
  /// unknown in place of each.
  double level_along_run() const { return along_[0]; }
  double relation_along_run() const { return along_[1]; }
  /// The same beside what rounding of any relation leaves open of the unknowns: relations that repeat each
  /// other cannot all be met better, as a sum of large terms and one of small terms.
  double level_beside_others() const { return beside_others(0); }
  double relation_beside_others() const { return beside_others(1); }
  /// What was seen, of each of them; fewer numbers are zeros.
  std::vector<double> sizes() const;
  void set_sizes(std::span<const double> sizes);

 private:
  struct Row {
    std::size_t family, terms;
    std::size_t hidden;          ///< terms with sums among their factors: the sizes of these
    std::size_t begin, end;      ///< its part of `sources_`
    double size = 0, along = 0;  ///< the largest that were seen
    double value = 0, gradients = 0;
    bool vanishing = false;  ///< rounding on the pieces where it asks nothing
  };
  double beside_others(std::size_t family) const;
  EntryProgram program_;  ///< the terms of each relation, the sizes of those that hide sums, its gradient
  std::vector<Row> rows_;
  std::vector<std::size_t> sources_;                     ///< inputs that gradients belong to
  std::size_t firsts_[2] = {0, 0}, counts_[2] = {0, 0};  ///< the unknowns of each family among the inputs
  double largest_[2] = {0, 0}, along_[2] = {0, 0};
};

/// The least step in a metric that meets linearised relations.
class ConstraintStep {
 public:
  ConstraintStep() = default;
  /// The unknowns stand in the inputs from `first` on.
  ConstraintStep(SaddlePtr equations, std::size_t first, Assembly assembly, Engine engine);
  /// Moves the unknowns in the inputs; the step beside the largest of them, negative where there is none.
  double take(double* in);

 private:
  SaddlePtr equations_;
  std::size_t first_ = 0;
  Assembly assembly_ = Assembly::factorised;
  Engine engine_ = Engine::interpreted;
  std::unique_ptr<SaddleSolver> solver_;  ///< made at the first step
  std::vector<double> change_, factors_;
};

/// Throws missing_value for a parameter that has none.
std::vector<std::pair<Expr, double>> values_of_parameters(const System& system,
                                                          const DoublePoint& parameters);

struct Evaluator::Implementation {
  Implementation(const AssembledEquations& equations_in, const DoublePoint& parameters,
                 const EvaluatorOptions& options, const Motion* motion);

  double* inputs(double t, const double* y);
  bool are_inputs(double t, const double* y) const;
  void follow_sides(double* in);
  bool switch_values(double t, const double* y, double* values, double* sizes);
  bool rates(double t, const double* y, double* dy);
  bool solve_with(SaddleSolver& solver, const RankMemory& memory, double t, const double* y, double* dy);
  std::string in_words(SaddleOutcome outcome, const RankMemory& memory, double t) const;
  ActiveSolver& active_solver();
  void activate(const std::vector<bool>& active);
  std::string open_in_words(const RankMemory& memory) const;
  double improve_guess(std::span<double> guess, int round);
  void find_implicit_factors();
  bool follow_factors(SaddleSolver& solver, double* in, double* dy);
  bool pieces(double t, const double* y, std::span<const double> given, Pieces& result);
  bool matrix(const SparseMatrix& of, std::optional<Runner>& program, double t, const double* y,
              std::vector<double>& result);
  bool project(double t, double* y);
  bool project_with_sides(double t, double* y);
  bool project_positions(double* in, bool& known);
  bool project_velocities(double* in, bool known);
  void normalise_quaternions(double* at) const;
  std::vector<bool> held_by(std::span<const std::size_t> relations, std::span<const double> gradients,
                            std::span<const double> masses) const;
  void join_accelerations();
  bool measure_accelerations(double t, const double* y);
  void stand(double t, const double* y);
  void rest_where_forces_cancel(double t, const double* y, double* dy);

  std::unique_ptr<AssembledEquations> kept;  ///< where they were made from a motion
  const AssembledEquations& written;
  std::vector<Carried> carried;
  std::vector<Expr> carried_expressions;  ///< with sides
  Switches switches;
  std::unique_ptr<AssembledEquations>
      held;  ///< the equations with sides for their switches, where they have any
  const AssembledEquations& equations;
  const System& system;
  Engine engine;
  Assembly assembly = Assembly::factorised;
  std::vector<Expr> symbols;  ///< of y
  std::size_t positions = 0, n = 0, forces = 0, levels = 0;
  std::vector<std::size_t> said_to_rest;  ///< velocity parameters that a relation says are zero
  std::vector<std::size_t> at_rest;       ///< these are exactly zero
  std::vector<std::pair<std::size_t, double>> standing;  ///< positions that only these move, from
  double standing_from = 0;                              ///< this time on
  std::vector<Expr> input_symbols;                       ///< t, y, parameters, factors
  std::vector<double> input_values;
  std::vector<std::pair<Expr, double>> fixed;  ///< the parameters
  std::size_t first_parameter = 0;
  ParameterUse parameter_use;
  std::size_t first_factor = 0, first_side = 0;
  std::optional<Runner> switch_program;   ///< arguments, then the sizes of their terms
  std::optional<Runner> carried_program;  ///< these, then the sizes of their terms
  bool switches_need_factors = false, sides_are_held = false;

  std::unique_ptr<SaddleSolver> dynamics;
  std::shared_ptr<RankMemory> ranks;
  SaddlePtr active_equations;  ///< made when relations are first asked for by themselves
  std::unique_ptr<ActiveSolver> active_dynamics;
  std::vector<bool> active_now;
  ConstraintResiduals constraint_residuals;
  ConstraintStep level_step, relation_step;
  EntryProgram energy_terms;  ///< of the kinetic, then of the potential energy
  std::size_t kinetic_terms = 0;
  std::optional<Runner> piece_program, mass_program, gradient_program;
  std::optional<Runner> level_sizes, relation_sizes;  ///< of their terms
  SparseMatrix level_pattern;
  std::vector<double> factors, earlier_guess;
  FactorChoice choice;
  bool is_chosen = true;  ///< for the last rates
  double chosen_at = 0;
  std::vector<double> chosen_state, chosen;   ///< factors
  std::vector<std::size_t> implicit_factors;  ///< those that directions depend on
  std::string failure;
  /// The last rates are those of the inputs, and of nothing else: asked for again, they are not solved for. A
  /// step asks for those of its end when it begins again there, for its factors, and where the next begins.
  bool has_rates = false;
  bool rounding_is_rest = false;           ///< of accelerations of what has no velocity
  std::vector<std::size_t> joined;         ///< of each velocity a number of what it is joined with
  std::vector<double> acceleration_sizes;  ///< where they were last measured

 private:
  void lay_out_inputs(const DoublePoint& parameters);
  std::vector<std::pair<Expr, double>> folded() const;
  std::unique_ptr<AssembledEquations> held_equations(const Motion* motion);
  void hold_energy();
  void hold_carried(AssembledEquations& result);
  void build_switches();
  SaddleEquations motion_equations() const;
  std::vector<std::size_t> vanishing_relations() const;
  SaddleEquations projection_equations() const;
  bool is_as_exact(const Motion& motion) const;
  void build_dynamics(const EvaluatorOptions& options, const Motion* motion);
  void build_constraints(Assembly wanted);
  SaddleEquations level_equations() const;
  SaddleEquations level_step_equations() const;
  SparseMatrix metric_of_positions() const;
  std::vector<std::vector<std::pair<std::size_t, Expr>>> directions_by_positions() const;
  SaddleEquations relation_equations() const;
  void build_energies();
  std::vector<Expr> piece_outputs() const;
};

}  // namespace liaison
