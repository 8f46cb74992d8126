#include <algorithm>

#include "evaluator_parts.hpp"
#include "liaison/compile/interpreter.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

void Evaluator::Implementation::build_switches() {
  if (switches.empty()) return;
  std::vector<Expr> outputs = switches.held_arguments();
  for (Expr argument : switches.held_arguments()) outputs.push_back(size_of_terms(argument));
  const std::vector<Expr> used = symbols_in(outputs);
  switches_need_factors = std::any_of(used.begin(), used.end(), [&](Expr symbol) {
    return std::find(equations.factors.begin(), equations.factors.end(), symbol) != equations.factors.end();
  });
  switch_program.emplace(input_symbols, outputs, engine);
}

/// The sides as the state has them: sign(0) is 0.
void Evaluator::Implementation::follow_sides(double* in) {
  const double* values = (*switch_program)(in);
  for (std::size_t k = 0; k < switches.size(); ++k) {
    if (switches.is_nested(k)) values = (*switch_program)(in);  // with the sides of those within
    Switches::write(values[k] > 0   ? 1
                    : values[k] < 0 ? -1
                                    : 0,
                    0, in + first_side + Switches::inputs_each * k);
  }
}

bool Evaluator::Implementation::switch_values(double t, const double* y, double* values, double* sizes) {
  if (switches_need_factors) {
    std::vector<double> unused(symbols.size());
    if (!rates(t, y, unused.data())) return false;
    std::copy(factors.begin(), factors.end(),
              input_values.begin() + static_cast<std::ptrdiff_t>(first_factor));
  }
  const double* found = (*switch_program)(inputs(t, y));
  std::copy_n(found, switches.size(), values);
  std::copy_n(found + switches.size(), switches.size(), sizes);
  return all_finite(switch_program->values());
}

const std::vector<Expr>& Evaluator::switch_arguments() const {
  return implementation_->switches.arguments();
}
bool Evaluator::switch_values(double t, const double* y, double* values, double* sizes) {
  return implementation_->switches.empty() || implementation_->switch_values(t, y, values, sizes);
}
bool Evaluator::is_rough(std::size_t argument) const {
  return implementation_->switches.is_rough(argument);
}
bool Evaluator::is_nested(std::size_t argument) const {
  return implementation_->switches.is_nested(argument);
}
void Evaluator::hold_sides(std::span<const double> sides, std::span<const double> nudges) {
  Implementation& self = *implementation_;
  self.sides_are_held = true;
  for (std::size_t k = 0; k < self.switches.size(); ++k)
    Switches::write(sides[k], nudges[k],
                    self.input_values.data() + self.first_side + Switches::inputs_each * k);
}
void Evaluator::let_sides_follow() {
  implementation_->sides_are_held = false;
}

std::vector<Expr> Evaluator::written_equations() const {
  const AssembledEquations& written = implementation_->written;
  std::vector<Expr> result;
  for (const SparseMatrix* matrix : {&written.mass, &written.directions, &written.gradients})
    for (const SparseEntry& entry : matrix->entries) result.push_back(entry.value);
  for (const std::vector<Expr>* list : {&written.position_rates, &written.load, &written.bias})
    result.insert(result.end(), list->begin(), list->end());
  return result;
}
const std::vector<std::pair<Expr, double>>& Evaluator::parameter_values() const {
  return implementation_->fixed;
}
Expr Evaluator::time_symbol() const {
  return implementation_->system.time;
}

std::vector<double> Evaluator::factor_guess() const {
  const Implementation& self = *implementation_;
  if (!self.equations.implicit) return {};
  const double* first = self.input_values.data() + self.first_factor;
  return {first, first + self.forces};
}
void Evaluator::set_factor_guess(std::span<const double> guess) {
  Implementation& self = *implementation_;
  std::copy(guess.begin(), guess.end(),
            self.input_values.begin() + static_cast<std::ptrdiff_t>(self.first_factor));
}

}  // namespace liaison
