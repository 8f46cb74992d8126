#include "output_deviations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/simulate/integrator.hpp"

namespace liaison {

namespace {

EvaluatorOptions with_parameters() {
  EvaluatorOptions options;
  options.parameters = ParameterUse::inputs;
  return options;
}

}  // namespace

OutputDeviations::OutputDeviations(Algebra& algebra, const AssembledEquations& equations,
                                   const DoublePoint& values, const std::vector<Expr>& varied,
                                   const Motion* motion)
    : count_(equations.system->outputs.size()),
      varied_(varied),
      n_(equations.positions.size() + equations.parameters.size()),
      positions_(equations.positions.size()),
      evaluator_(equations, values, with_parameters()),
      perturbation_(equations, evaluator_, values, varied) {
  std::vector<Expr> outputs;
  for (const Output& output : equations.system->outputs) outputs.push_back(output.value);
  outputs = Quantities(algebra, equations, values, outputs, Engine::interpreted, motion).expressions();
  std::vector<Expr> by = equations.positions;
  by.insert(by.end(), equations.parameters.begin(), equations.parameters.end());
  by.insert(by.end(), varied.begin(), varied.end());
  for (Expr velocity : equations.parameters) by.push_back(acceleration_symbol(velocity));
  by.insert(by.end(), equations.factors.begin(), equations.factors.end());
  std::vector<Expr> all = outputs;
  for (const JacobianEntry& entry : jacobian(outputs, by)) {
    entries_.push_back({entry.row, entry.column});
    all.push_back(entry.value);
  }
  const PieceArguments pieces = piece_arguments(outputs);
  std::vector<Expr> arguments = pieces.jumps;
  arguments.insert(arguments.end(), pieces.kinks.begin(), pieces.kinks.end());
  for (std::size_t k = 0, count = arguments.size(); k < count; ++k) {
    std::vector<Expr> parts;
    for (Expr symbol : symbols_in(arguments[k]))
      parts.push_back(abs(derivative(arguments[k], symbol) * symbol));
    arguments.push_back(arguments[k].pool().add(parts));
  }
  values_ = Quantities(algebra, equations, values, all, Engine::interpreted);
  arguments_ = Quantities(algebra, equations, values, arguments, Engine::interpreted);
  found_.resize(all.size());
}

bool OutputDeviations::take(double t, const std::vector<double>& y) {
  return perturbation_.take(t, y.data());
}

/// After `take`.
bool OutputDeviations::is_on_change(double t, const std::vector<double>& y, bool& of_output) {
  constexpr double rounding = 1e-12;
  const std::size_t count = evaluator_.switch_arguments().size();
  std::vector<double> values(count), sizes(count), own(arguments_.size());
  of_output = false;
  if (arguments_.evaluate(t, y.data(), perturbation_.rates().data() + positions_, perturbation_.factors(),
                          own.data()))
    for (std::size_t k = 0; k < own.size() / 2; ++k)
      of_output = of_output || std::abs(own[k]) <= rounding * own[own.size() / 2 + k];
  if (!evaluator_.switch_values(t, y.data(), values.data(), sizes.data())) return of_output;
  for (std::size_t k = 0; k < count; ++k)
    if (std::abs(values[k]) <= rounding * sizes[k]) return true;
  return of_output;
}

OutputDeviations::Values OutputDeviations::at(const PerturbedState& state) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  Values result{std::vector<double>(count_, none), {}};
  result.deviations.assign(state.deviations.size(), std::vector<double>(count_, none));
  double t = state.t;
  std::vector<double> y = state.y;
  if (!take(t, y)) return result;
  bool of_output = false;
  double back = 64 * shortest_step(t);
  for (int round = 0; round < 6 && is_on_change(t, y, of_output); ++round, back *= 32) {
    const std::vector<double> rates(perturbation_.rates().begin(), perturbation_.rates().end());
    t = state.t - back;
    for (std::size_t j = 0; j < n_; ++j) y[j] = state.y[j] - back * rates[j];
    if (!take(t, y)) return result;
  }
  const bool stays = is_on_change(t, y, of_output) && of_output;
  const bool has_values = values_.evaluate(t, y.data(), perturbation_.rates().data() + positions_,
                                           perturbation_.factors(), found_.data());
  std::copy_n(found_.begin(), count_, result.values.begin());
  if (stays || !has_values) return result;
  const std::span<const double> a = perturbation_.matrix(), l = perturbation_.factor_matrix();
  const std::size_t known = n_ + varied_.size(), width = known + 1, u = n_ - positions_;
  for (std::size_t c = 0; c < state.deviations.size(); ++c) {
    const std::vector<double>& deviation = state.deviations[c];
    const auto change_of = [&](std::size_t by) {
      if (by < known) return deviation[by];
      const std::size_t unknown = by - known;
      const double* row =
          unknown < u ? a.data() + (positions_ + unknown) * width : l.data() + (unknown - u) * width;
      double sum = 0;
      for (std::size_t j = 0; j < known; ++j) sum += row[j] * deviation[j];
      return sum;
    };
    std::vector<double>& into = result.deviations[c];
    std::fill(into.begin(), into.end(), 0.0);
    for (std::size_t k = 0; k < entries_.size(); ++k)
      into[entries_[k].output] += found_[count_ + k] * change_of(entries_[k].by);
  }
  return result;
}

}  // namespace liaison
