#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "liaison/expr/evaluate.hpp"
#include "liaison/mechanics/motion.hpp"

namespace liaison {

enum class Engine {
  compiled,     ///< machine code
  interpreted,  ///< the reference
};
enum class Assembly {
  automatic,    ///< the closed form where it is short, else factorised
  closed_form,  ///< accelerations and factors as expressions
  factorised,   ///< mass, directions and relations are evaluated, and the linear systems solved at each state
};
struct EvaluatorOptions {
  Engine engine = Engine::compiled;
  Assembly assembly = Assembly::automatic;
};

/// The motion in numbers. The state is y = (coordinates, quaternions, velocity parameters), in this order.
/// Not thread safe: each thread has its own.
class Evaluator {
 public:
  /// Parameters have their values in `parameters`. Throws missing_value for one that has none and for an
  /// unknown function, limit_reached where a closed form is asked for that is not there.
  Evaluator(Algebra& algebra, const Motion& motion, const DoublePoint& parameters,
            const EvaluatorOptions& options = {});
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;

  std::size_t size() const;
  std::size_t position_count() const;
  const std::vector<Expr>& symbols() const;  ///< of y
  std::vector<double> pack(const DoublePoint& point) const;
  Assembly assembly() const;            ///< what was chosen
  std::size_t operation_count() const;  ///< of one evaluation of the rates

  /// dy/dt; false where there is none, and failure() says why.
  bool rates(double t, const double* y, double* dy);
  /// The factors that belong to the last rates.
  std::span<const double> factors() const;
  const std::string& failure() const;

  /// Moves y onto the relations, positions first, then velocities, each by the least change in the mass
  /// metric; quaternions to length one. False where Newton's method does not end.
  bool project(double t, double* y);
  /// The largest residual of a level, and of a relation; each relative to the size of its terms.
  struct Residuals {
    double level = 0, relation = 0;
  };
  Residuals residuals(double t, const double* y);
  bool has_relations() const;

  struct Energies {
    double kinetic = 0, potential = 0;
  };
  Energies energies(double t, const double* y);
  /// Values of the model's outputs, in order; they may use accelerations and factors.
  bool outputs(double t, const double* y, double* values);
  const std::vector<std::string>& output_names() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace liaison
