#ifndef LIAISON_SIMULATE_EVALUATOR_HPP
#define LIAISON_SIMULATE_EVALUATOR_HPP

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "liaison/compile/program.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/mechanics/assembled_equations.hpp"
#include "liaison/mechanics/motion.hpp"

namespace liaison {

enum class Engine {
  compiled,     ///< machine code
  interpreted,  ///< the reference
};
enum class Assembly {
  automatic,    ///< by size and by how many entries are zero
  closed_form,  ///< accelerations and factors as expressions of a Motion
  unrolled,     ///< elimination written out as a straight-line program; where a pivot is small, factorised
  factorised,   ///< mass, directions and relations are evaluated; dense factorisation at each state
  sparse,       ///< the same with sparse factorisation: linear in the number of bodies of a chain
};
enum class ParameterUse {
  folded,  ///< constants of the program: the quickest, for one set of values
  inputs,  ///< of the program: other values later, without compiling again
};
struct EvaluatorOptions {
  Engine engine = Engine::compiled;
  Assembly assembly = Assembly::automatic;
  ParameterUse parameters = ParameterUse::folded;
};

/// The motion in numbers. The state is y = (coordinates, quaternions, velocity parameters), in this order.
/// Not thread safe: each thread has its own.
class Evaluator {
 public:
  /// By the assembled equations, which outlive it. `motion` is needed for Assembly::closed_form.
  Evaluator(const AssembledEquations& equations, const DoublePoint& parameters,
            const EvaluatorOptions& options = {}, const Motion* motion = nullptr);
  /// Parameters have their values in `parameters`. Throws missing_value for one that has none and for an
  /// unknown function, limit_reached where a closed form is asked for that is not there.
  Evaluator(const Motion& motion, const DoublePoint& parameters, const EvaluatorOptions& options = {});
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;

  /// Other values for the parameters, without compiling anything again; what was learned about the motion is
  /// forgotten. Throws missing_value for one that has none, limit_reached where they are folded.
  void set_parameters(const DoublePoint& parameters);

  std::size_t size() const;
  std::size_t position_count() const;
  const std::vector<Expr>& symbols() const;  ///< of y
  std::vector<double> pack(const DoublePoint& point) const;
  Assembly assembly() const;            ///< what was chosen
  std::size_t operation_count() const;  ///< of one evaluation of the rates

  Engine engine() const;
  /// The rates as one straight-line program, where they are one: its inputs are t, y and what does not change
  /// (rates_inputs), its outputs begin with dy/dt. Else null.
  const Program* rates_program() const;
  std::span<const double> rates_inputs() const;
  /// The inputs at a state.
  std::span<const double> rates_inputs(double t, const double* y);

  /// dy/dt; false where there is none, and failure() says why.
  bool rates(double t, const double* y, double* dy);
  /// The factors that belong to the last rates.
  std::span<const double> factors() const;
  const std::string& failure() const;
  /// Directions in which the last factors could be changed without changing the motion: relations that repeat
  /// each other. The factors are then those with the least sum of squares, unless others are chosen. Empty:
  /// all are determined.
  const std::vector<std::vector<double>>& open_factors() const;
  /// Of factors that are open others than those with the least sum of squares: `choice` changes them, by
  /// multiples of the open directions, where they are asked for.
  using FactorChoice = std::function<void(double t, const double* y, const std::vector<std::vector<double>>&,
                                          std::vector<double>& factors)>;
  void choose_open_factors(FactorChoice choice);
  /// Factors that are open may change the motion by this part of what they do one by one, before it counts as
  /// undetermined: what a method has left of velocities that are zero.
  void allow_open_motion(double part);
  /// Takes the number of independent relations from a state of the motion, on the constraints. False where it
  /// has no rates: there relations that repeat each other are held to be true to rounding.
  bool learn_rank(double t, const double* y);

  /// Where the relations allow no velocity but zero, at this state and as long as they are as many, all
  /// velocities are exactly zero until `leave_rest`: no rounding creeps. False where they allow others; then
  /// those are zero that a relation says are, and those to which relations among them alone allow nothing
  /// else, whatever moves beside them. From now on also a velocity of zero stays so while its acceleration is
  /// rounding of the forces that cancel there.
  bool stay_at_rest(double t, const double* y);
  void leave_rest();

  /// The rates with some relations alone, one flag a relation: what is not active has neither its relation
  /// nor its force; reactions without a relation stay. All sets share one program, by dense factors at each
  /// state.
  bool active_rates(double t, const double* y, const std::vector<bool>& active, double* dy);
  /// What the relations do to each other at a state, active or not, with the directions at the given factors:
  ///   r(h, k) = gradients_k M^-1 directions_h, one row a force,   drive_k = gradients_k M^-1 load + bias_k.
  struct Couplings {
    std::vector<double> r, drive;
  };
  bool couplings(double t, const double* y, std::span<const double> factors, Couplings& result);

  /// The equations at a state, dense, row by row, for methods that solve them in their own way; directions
  /// at the given factors. False where something has no value.
  struct Pieces {
    std::vector<double> position_rates;  ///< of each position, from the state alone
    std::vector<double> mass, load, directions, gradients, bias, relations;
    std::vector<double> levels, level_gradients;  ///< of the holonomic relations; gradients by the positions
  };
  bool pieces(double t, const double* y, std::span<const double> factors, Pieces& result);
  /// Of these the mass matrix alone, and the gradients alone.
  bool mass(double t, const double* y, std::vector<double>& result);
  bool gradients(double t, const double* y, std::vector<double>& result);
  const AssembledEquations& equations() const;
  std::size_t direction_count() const;  ///< n: of velocity parameters
  std::size_t factor_count() const;
  std::size_t relation_count() const;
  std::size_t level_count() const;

  /// Moves y onto the relations, positions first, then velocities, each by the least change in the mass
  /// metric; quaternions to length one. False where Newton's method does not end.
  bool project(double t, double* y);
  /// The same with some values of y that keep every bit. Empty, or why it is impossible, with the constraint
  /// that is off the most.
  std::string project_rest(double t, double* y, const std::vector<bool>& fixed);
  /// The largest residual of a level, and of a relation; each relative to the size of its terms, the largest
  /// since the sizes were set.
  struct Residuals {
    double level = 0, relation = 0;
  };
  Residuals residuals(double t, const double* y);
  std::vector<double> constraint_sizes() const;
  void set_constraint_sizes(std::span<const double> sizes);  ///< empty: a new run begins
  bool has_relations() const;

  /// Arguments at whose changes of sign the equations change their form: those of abs, sign, min, max (the
  /// difference of the two) and the first one of atan2. The sides follow the state unless they are held: with
  /// sides that are held (-1, 0 or 1 an argument) the equations are smooth across a change.
  /// An argument within another one stands before it.
  const std::vector<Expr>& switch_arguments() const;
  /// Their values with the sides of those within them, and the sums of the sizes of their terms. False where
  /// one has no value.
  bool switch_values(double t, const double* y, double* values, double* sizes);
  /// Whether some place keeps its written form although sides are held: what lies beyond the change of that
  /// argument has no smooth continuation, as the root of abs(x).
  bool is_rough(std::size_t argument) const;
  /// Whether there are switches in an argument: it jumps where one of their sides changes.
  bool is_nested(std::size_t argument) const;
  /// A nudge is added to an argument whose switch keeps its written form: where the argument is zero but for
  /// rounding, it takes it to its side.
  void hold_sides(std::span<const double> sides, std::span<const double> nudges);
  void let_sides_follow();

  /// What a motion carries over a change of form and the rates do not show: the energy, levels, relations,
  /// momenta and rates of positions that have switches in them. Where one jumps, the motion needs an impulse.
  struct Carried {
    enum class Kind { energy, level, relation, rate_of_level, momentum, position_rate };
    Kind kind;
    std::string name;  ///< of the relation, the velocity parameter or the position; of the energy: none
  };
  const std::vector<Carried>& carried() const;
  /// Their values, and the sums of the sizes of their terms. False where one has no value.
  bool carried_values(double t, const double* y, double* values, double* sizes);

  /// The equations of motion as they are written, and the values of the parameters.
  std::vector<Expr> written_equations() const;
  const std::vector<std::pair<Expr, double>>& parameter_values() const;
  Expr time_symbol() const;

  /// Where the search begins for factors that enter their own directions: it makes a difference of rounding.
  std::vector<double> factor_guess() const;
  void set_factor_guess(std::span<const double> guess);

  struct Energies {
    double kinetic = 0, potential = 0;
  };
  Energies energies(double t, const double* y);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace liaison

#endif  // LIAISON_SIMULATE_EVALUATOR_HPP
