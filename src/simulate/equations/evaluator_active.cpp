#include <algorithm>

#include "evaluator_parts.hpp"

namespace liaison {

ActiveSolver& Evaluator::Implementation::active_solver() {
  if (!active_dynamics) {
    active_equations = std::make_shared<const SaddleEquations>(motion_equations());
    active_dynamics = make_active_solver(active_equations, engine);
    active_now.assign(equations.relation_count, true);
  }
  return *active_dynamics;
}

void Evaluator::Implementation::activate(const std::vector<bool>& active) {
  if (active.size() != equations.relation_count) {
    throw Error(ErrorCode::not_square, "an active set has one flag for each relation");
  }
  ActiveSolver& solver = active_solver();
  if (active == active_now) return;
  solver.set_active(active);
  active_now = active;
}

bool Evaluator::active_rates(double t, const double* y, const std::vector<bool>& active, double* dy) {
  Implementation& self = *implementation_;
  self.activate(active);
  return self.solve_with(*self.active_dynamics, *self.active_equations->ranks, t, y, dy);
}

bool Evaluator::couplings(double t, const double* y, std::span<const double> factors, Couplings& result) {
  Implementation& self = *implementation_;
  self.failure.clear();
  self.activate(std::vector<bool>(self.equations.relation_count, true));
  std::copy(factors.begin(), factors.end(),  // first: sides may follow them
            self.input_values.begin() + static_cast<std::ptrdiff_t>(self.first_factor));
  double* in = self.inputs(t, y);
  const SaddleOutcome outcome = self.active_dynamics->couple(in, result.r, result.drive);
  if (outcome == SaddleOutcome::solved) return true;
  self.failure = self.in_words(outcome, *self.active_equations->ranks, t);
  return false;
}

void Evaluator::set_parameters(const DoublePoint& parameters) {
  Implementation& self = *implementation_;
  if (self.parameter_use == ParameterUse::folded) {
    throw Error(ErrorCode::limit_reached, "the parameters are constants of the compiled equations",
                "make them inputs: EvaluatorOptions::parameters");
  }
  const std::vector<std::pair<Expr, double>> values = values_of_parameters(self.system, parameters);
  self.fixed = values;
  self.has_rates = false;
  for (std::size_t i = 0; i < values.size(); ++i)
    self.input_values[self.first_parameter + i] = values[i].second;
  std::fill(self.input_values.begin() + static_cast<std::ptrdiff_t>(self.first_factor),
            self.input_values.begin() + static_cast<std::ptrdiff_t>(self.first_side), 0.0);
  std::fill(self.factors.begin(), self.factors.end(), 0.0);
  std::fill(self.earlier_guess.begin(), self.earlier_guess.end(), 0.0);
  self.ranks->rank = 0;
  self.ranks->open.clear();
}

}  // namespace liaison
