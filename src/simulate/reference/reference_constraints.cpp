#include "reference_constraints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "liaison/expr/differentiate.hpp"

namespace liaison {

namespace {

constexpr double largest_settling =
    1e-8;  ///< relative to max(1, |y|): beyond it a start is not rounded but wrong
constexpr int most_rounds = 20;
constexpr int settling_guard_digits = 8;

double size_of(const LongReal& x) {
  return std::abs(x.to_double());
}

}  // namespace

ReferenceConstraints::ReferenceConstraints(const AssembledEquations& equations, const ExactPoint& fixed,
                                           const ReferencePrecision& precision)
    : precision_(precision) {
  const System& system = *equations.system;
  std::vector<Expr> inputs = {system.time};
  inputs.insert(inputs.end(), equations.positions.begin(), equations.positions.end());
  inputs.insert(inputs.end(), equations.parameters.begin(), equations.parameters.end());
  inputs_.resize(inputs.size());

  std::vector<Expr> outputs;
  for (std::size_t k = 0; k < equations.relation_count; ++k) {
    if (equations.levels[k].empty()) continue;
    outputs.push_back(equations.levels[k]);
    levels_.names.push_back(equations.names[k]);
  }
  for (const Rotation& rotation : system.rotations) {
    Expr norm = system.pool->number(-1);
    for (Expr component : rotation.quaternion) norm += pow(component, 2);
    outputs.push_back(norm);
    levels_.names.emplace_back("the length of a quaternion");
  }
  const std::vector<Expr> levels = outputs;
  for (const JacobianEntry& entry : jacobian(levels, equations.positions)) {
    outputs.push_back(entry.value);
    levels_.pattern.emplace_back(entry.row, entry.column);
  }
  levels_.values.resize(outputs.size());
  levels_.program = std::make_unique<MultiprecisionProgram>(inputs, outputs, precision.bits, fixed);

  outputs = equations.relations;
  relations_.names.assign(equations.names.begin(),
                          equations.names.begin() + static_cast<std::ptrdiff_t>(equations.relation_count));
  for (const SparseEntry& entry : equations.gradients.entries) {
    outputs.push_back(entry.value);
    relations_.pattern.emplace_back(entry.row, equations.positions.size() + entry.column);
  }
  relations_.values.resize(outputs.size());
  relations_.program = std::make_unique<MultiprecisionProgram>(inputs, outputs, precision.bits, fixed);

  const Expr energies[] = {equations.kinetic, equations.potential};
  energy_program_ = std::make_unique<MultiprecisionProgram>(inputs, energies, precision.bits, fixed);
  energy_values_.resize(2);
}

void ReferenceConstraints::evaluate(MultiprecisionProgram& program, const LongReal& t,
                                    const std::vector<LongReal>& y, std::vector<LongReal>& values) {
  inputs_[0] = t;
  std::copy(y.begin(), y.end(), inputs_.begin() + 1);
  if (program.run(inputs_, values)) return;
  throw Error(ErrorCode::undefined_constant,
              fmt::format("at t = {:.9g}: {}", t.to_double(), program.reason()));
}

double ReferenceConstraints::largest(const Block& block) const {
  double result = 0;
  for (std::size_t k = 0; k < block.size(); ++k) result = std::max(result, size_of(block.values[k]));
  return result;
}

ReferenceConstraints::Residuals ReferenceConstraints::residuals(const LongReal& t,
                                                                const std::vector<LongReal>& y) {
  evaluate(*levels_.program, t, y, levels_.values);
  evaluate(*relations_.program, t, y, relations_.values);
  return {.level = largest(levels_), .relation = largest(relations_)};
}

ReferenceConstraints::Energies ReferenceConstraints::energies(const LongReal& t,
                                                              const std::vector<LongReal>& y) {
  evaluate(*energy_program_, t, y, energy_values_);
  return {.kinetic = energy_values_[0], .potential = energy_values_[1]};
}

void ReferenceConstraints::settle(const LongReal& t, std::vector<LongReal>& y) {
  settle(levels_, t, y);
  settle(relations_, t, y);
}

void ReferenceConstraints::settle(Block& block, const LongReal& t, std::vector<LongReal>& y) {
  const double small = std::pow(10.0, -precision_.digits - settling_guard_digits);
  for (int round = 0; round < most_rounds; ++round) {
    evaluate(*block.program, t, y, block.values);
    if (largest(block) == 0) return;
    std::size_t worst = 0;
    for (std::size_t k = 1; k < block.size(); ++k) {
      if (size_of(block.values[k]) > size_of(block.values[worst])) worst = k;
    }
    const double residual = block.values[worst].to_double();
    const double change = newton_step(block, y);
    if (!(change <= largest_settling)) {
      throw Error(
          ErrorCode::undefined_constant,
          fmt::format("the start at t = {:.9g} is off the constraints: the residual of `{}` is {:.6g}",
                      t.to_double(), block.names[worst], residual),
          "complete the state first");
    }
    if (change <= small) return;
  }
  throw Error(ErrorCode::limit_reached,
              fmt::format("the start at t = {:.9g} cannot be moved onto the constraints", t.to_double()));
}

/// y -= J^T (J J^T)^-1 a; the largest change, relative to max(1, |y|).
double ReferenceConstraints::newton_step(const Block& block, std::vector<LongReal>& y) const {
  const long bits = precision_.bits;
  const std::size_t m = block.size();
  LongMatrix jacobian(m, y.size()), gram(m, m);
  for (std::size_t e = 0; e < block.pattern.size(); ++e) {
    jacobian(block.pattern[e].first, block.pattern[e].second) = block.values[m + e];
  }
  std::vector<double> row_size(m, 0), right_size(m);
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t h = 0; h < m; ++h) {
      double size = 0;
      for (std::size_t i = 0; i < y.size(); ++i) {
        if (jacobian(k, i).is_zero() || jacobian(h, i).is_zero()) continue;
        add_product(gram(k, h), jacobian(k, i), jacobian(h, i), bits);
        size += size_of(jacobian(k, i)) * size_of(jacobian(h, i));
      }
      row_size[k] = std::max(row_size[k], size);
    }
    // What redundant relations disagree about is of the size of the change: not a contradiction.
    right_size[k] = 1 / precision_.threshold;
  }
  const RankSolution solution = solve_with_rank(
      std::move(gram), {block.values.begin(), block.values.begin() + static_cast<std::ptrdiff_t>(m)},
      row_size, right_size, precision_.threshold, bits);
  double largest_change = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    LongReal change;
    for (std::size_t k = 0; k < m; ++k) add_product(change, jacobian(k, i), solution.x[k], bits);
    largest_change = std::max(largest_change, size_of(change) / std::max(1.0, size_of(y[i])));
    arf_sub(y[i].raw(), y[i].raw(), change.raw(), bits, ARF_RND_DOWN);
  }
  return largest_change;
}

}  // namespace liaison
