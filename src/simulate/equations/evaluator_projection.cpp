#include <cmath>
#include <limits>

#include "evaluator_parts.hpp"

namespace liaison {

namespace {

constexpr int most_rounds = 8;
constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();  ///< of a residual: nothing to do
/// Newton's method squares its error: after a step of this relative size nothing is left to do.
constexpr double last_change = 1e-9;
constexpr double largest_change =
    1e-10;  ///< with which its last step may end: badly conditioned, but on the constraints

}  // namespace

ConstraintResiduals::ConstraintResiduals(std::span<const Expr> inputs, Family levels, Family relations,
                                         Engine engine) {
  std::vector<std::vector<Expr>> expressions;
  std::size_t number = 0;
  for (const Family& family : {levels, relations}) {
    if (family.equations != nullptr) {
      const std::vector<SparseEntry>& gradients = family.equations->g.entries;
      auto entry = gradients.begin();
      for (std::size_t k = 0; k < family.equations->c.size(); ++k) {
        expressions.push_back({family.equations->c[k]});
        Row row{number, sources_.size(), 0};
        for (; entry != gradients.end() && entry->row == k; ++entry) {
          expressions.back().push_back(entry->value);
          sources_.push_back(family.first + entry->column);
        }
        row.end = sources_.size();
        rows_.push_back(row);
      }
    }
    ++number;
  }
  if (!rows_.empty()) program_ = EntryProgram(inputs, expressions, engine);
}

void ConstraintResiduals::evaluate(const double* in) {
  largest_[0] = largest_[1] = 0;
  if (rows_.empty()) return;
  const double* values = program_(in);
  for (const Row& row : rows_) {
    const double value = *values++;
    double size = 1;
    for (std::size_t i = row.begin; i < row.end; ++i) size += std::abs(*values++ * in[sources_[i]]);
    const double relative = std::abs(value) / size;
    double& largest = largest_[row.family];
    if (relative > largest || std::isnan(relative)) largest = relative;
  }
}

ConstraintStep::ConstraintStep(SaddlePtr equations, std::size_t first, Assembly assembly, Engine engine)
    : equations_(std::move(equations)),
      first_(first),
      assembly_(assembly),
      engine_(engine),
      change_(equations_->a.rows),
      factors_(equations_->l.rows) {}

double ConstraintStep::take(double* in) {
  if (!solver_) solver_ = make_solver(equations_, choose_solver(*equations_, assembly_, false), engine_);
  if (solver_->solve(in, nullptr, change_.data(), factors_.data()) != SaddleOutcome::solved) return -1;
  double size = 0;
  double* at = in + first_;
  for (std::size_t i = 0; i < change_.size(); ++i) {
    at[i] += change_[i];
    size = std::max(size, std::abs(change_[i]) / std::max(1.0, std::abs(at[i])));
  }
  return size;
}

void Evaluator::Implementation::normalise_quaternions(double* at) const {
  for (std::size_t first = positions - 4 * system.rotations.size(); first < positions; first += 4) {
    double square = 0;
    for (std::size_t k = 0; k < 4; ++k) square += at[first + k] * at[first + k];
    const double length = std::sqrt(square);
    for (std::size_t k = 0; k < 4; ++k) at[first + k] /= length;
  }
}

/// `known`: the residuals belong to the inputs.
bool Evaluator::Implementation::project_positions(double* in, bool& known) {
  double change = 0;
  for (int round = 0; round < most_rounds; ++round) {
    const double left = constraint_residuals.level();
    if (!std::isfinite(left)) return false;
    if (left <= rounding) return true;
    change = level_step.take(in);
    if (change < 0) return false;
    normalise_quaternions(in + 1);
    known = change >= last_change;
    if (!known) return true;
    constraint_residuals.evaluate(in);
  }
  return change < largest_change;
}

bool Evaluator::Implementation::project_velocities(double* in, bool known) {
  double change = 0;
  for (int round = 0; round < most_rounds; ++round) {
    if (known) {
      const double left = constraint_residuals.relation();
      if (!std::isfinite(left)) return false;
      if (left <= rounding) return true;
    }
    change = relation_step.take(in);
    if (change < 0) return false;
    if (change < last_change) return true;
    constraint_residuals.evaluate(in);
    known = true;
  }
  return change < largest_change;
}

/// Where nothing is left but rounding, one evaluation of the residuals and no factorisation.
bool Evaluator::Implementation::project(double t, double* y) {
  double* in = inputs(t, y);
  for (const std::size_t a : at_rest) in[1 + positions + a] = 0;
  normalise_quaternions(in + 1);
  constraint_residuals.evaluate(in);
  bool known = true;
  if (!project_positions(in, known) || !project_velocities(in, known)) return false;
  for (const std::size_t a : at_rest) in[1 + positions + a] = 0;
  std::copy_n(in + 1, symbols.size(), y);
  return true;
}

}  // namespace liaison
