#ifndef LIAISON_SIMULATE_QUANTITIES_HPP
#define LIAISON_SIMULATE_QUANTITIES_HPP

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "liaison/simulate/evaluator.hpp"

namespace liaison {

class IntegralHistory;

/// Expressions of a model along a motion: outputs, events, what a claim says is conserved. They may use the
/// state, accelerations and factors, T, V and power(c), and with a Motion every derived quantity of a claim.
class Quantities {
 public:
  /// None.
  Quantities();
  /// Throws missing_value for a parameter without a value and an unknown function, limit_reached for a
  /// derived quantity that has no closed form.
  Quantities(Algebra& algebra, const AssembledEquations& equations, const DoublePoint& parameters,
             const std::vector<Expr>& expressions, Engine engine = Engine::compiled,
             const Motion* motion = nullptr);
  ~Quantities();
  Quantities(Quantities&&) noexcept;
  Quantities& operator=(Quantities&&) noexcept;

  /// Other values for the parameters, without compiling anything again. Throws missing_value.
  void set_parameters(const DoublePoint& parameters);

  /// The integrals along a motion that the expressions hold, by the names of their functions; what is
  /// integrated, where there are some, and behind that the sizes of its terms.
  const std::vector<std::string>& integrals() const;
  Quantities& integrands();
  /// What they are at the state that is asked for next: without them what holds one has no value.
  void set_integrals(std::span<const double> values);
  /// Of a run that is made of several: where they are kept from one part to the next.
  void set_history(std::shared_ptr<IntegralHistory> history);
  const std::shared_ptr<IntegralHistory>& history() const;

  std::size_t size() const;
  /// y as in Evaluator, accelerations du^a/dt and factors as the rates at y give them. False where a value
  /// is not finite.
  bool evaluate(double t, const double* y, const double* accelerations, std::span<const double> factors,
                double* values);
  /// Whether an expression needs the accelerations or the factors.
  bool needs_rates() const;
  /// In the time, the state, accelerations x'', factors and parameters.
  const std::vector<Expr>& expressions() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace liaison

#endif  // LIAISON_SIMULATE_QUANTITIES_HPP
