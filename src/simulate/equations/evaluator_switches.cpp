#include <algorithm>

#include "evaluator_parts.hpp"
#include "liaison/compile/interpreter.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/term_sizes.hpp"

namespace liaison {

namespace {

bool has_switches(Expr e) {
  if (e.empty()) return false;
  const std::vector<Expr> nodes = postorder(e);
  return std::any_of(nodes.begin(), nodes.end(), is_switch);
}

}  // namespace

/// The equations with sides for their switches; null where there are none.
std::unique_ptr<AssembledEquations> Evaluator::Implementation::held_equations(const Motion* motion) {
  auto result = std::make_unique<AssembledEquations>(written);
  for (SparseMatrix* matrix : {&result->mass, &result->directions, &result->gradients})
    switches.hold(*matrix);
  for (std::vector<Expr>* list : {&result->position_rates, &result->load, &result->bias})
    switches.hold(*list);
  if (motion != nullptr) {
    for (Expr e : motion->acceleration) switches.hold(e);
    for (Expr e : motion->factors) switches.hold(e);
  }
  hold_carried(*result);
  return switches.empty() ? nullptr : std::move(result);
}

/// The energy with sides for what jumps in it: signs, and angles that the equations have too. It has no force
/// where it jumps: the run ends there, and so it must find the place.
void Evaluator::Implementation::hold_energy() {
  std::vector<Expr> terms;
  Substitution held;
  for (Expr energy : {written.kinetic, written.potential}) {
    if (energy.empty()) continue;
    terms.push_back(energy);
    for (Expr node : postorder(energy)) {
      const auto& known = switches.arguments();
      const bool jumps = node.is(Op::sign) || (node.is(Op::atan2) && std::find(known.begin(), known.end(),
                                                                               node.arg(0)) != known.end());
      if (jumps && !node.is_constant()) held.emplace(node, switches.hold(node));
    }
  }
  if (held.empty()) return;
  carried.push_back({Carried::Kind::energy, {}});
  carried_expressions.push_back(substitute(terms[0].pool().add(terms), held));
}

/// The derivative of a sign is zero: what jumps with it is seen in what is differentiated.
void Evaluator::Implementation::hold_carried(AssembledEquations& result) {
  const auto carry = [&](Carried::Kind kind, const std::string& name, Expr e) {
    if (!has_switches(e)) return e;
    carried.push_back({kind, name});
    carried_expressions.push_back(switches.hold(e));
    return carried_expressions.back();
  };
  hold_energy();
  for (std::size_t k = 0; k < written.relation_count; ++k) {
    const bool has_level = !written.levels[k].empty();
    result.levels[k] = carry(Carried::Kind::level, written.names[k], written.levels[k]);
    result.relations[k] = carry(has_level ? Carried::Kind::rate_of_level : Carried::Kind::relation,
                                written.names[k], written.relations[k]);
  }
  for (std::size_t i = 0; i < written.positions.size(); ++i)
    carry(Carried::Kind::position_rate, to_infix(written.positions[i]), written.position_rates[i]);
  if (!has_switches(written.kinetic)) return;
  for (Expr parameter : written.parameters)
    carry(Carried::Kind::momentum, to_infix(parameter), derivative(written.kinetic, parameter));
}

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

const std::vector<Evaluator::Carried>& Evaluator::carried() const {
  return implementation_->carried;
}
bool Evaluator::carried_values(double t, const double* y, double* values, double* sizes) {
  Implementation& self = *implementation_;
  const std::size_t count = self.carried.size();
  if (count == 0) return true;
  if (!self.carried_program) {
    std::vector<Expr> outputs = self.carried_expressions;
    for (Expr e : self.carried_expressions) outputs.push_back(size_of_terms(e));
    self.carried_program.emplace(self.input_symbols, outputs, self.engine);
  }
  const double* found = (*self.carried_program)(self.inputs(t, y));
  std::copy_n(found, count, values);
  std::copy_n(found + count, count, sizes);
  return all_finite(self.carried_program->values());
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
  for (const std::vector<Expr>* list :
       {&written.position_rates, &written.load, &written.bias, &written.relations})
    result.insert(result.end(), list->begin(), list->end());
  for (Expr level : written.levels)
    if (!level.empty()) result.push_back(level);
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
