#include "reference_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "liaison/expr/differentiate.hpp"

namespace liaison {

namespace {

constexpr int guard_digits = 15;
constexpr int newton_guard_digits = 8;
constexpr int most_newton_rounds = 60;

double size_of(const LongReal& x) {
  return std::abs(x.to_double());
}

void append(std::vector<Expr>& target, const std::vector<Expr>& es) {
  target.insert(target.end(), es.begin(), es.end());
}

void append(std::vector<Expr>& target, const SparseMatrix& matrix) {
  for (const SparseEntry& entry : matrix.entries) target.push_back(entry.value);
}

}  // namespace

ReferencePrecision::ReferencePrecision(int digits_asked)
    : digits(digits_asked),
      bits(bits_for_digits(digits_asked + guard_digits)),
      threshold(std::pow(10.0, -2.0 * digits_asked / 3)) {}

ReferenceEquations::ReferenceEquations(const AssembledEquations& equations, const ExactPoint& fixed,
                                       const ReferencePrecision& precision)
    : equations_(equations),
      precision_(precision),
      positions_(equations.positions.size()),
      n_(equations.parameters.size()),
      forces_(equations.factors.size()),
      relations_(equations.relation_count),
      mass_(n_, n_),
      gradients_(relations_, n_),
      acceleration_(n_, 1),
      fields_(n_, forces_),
      bias_(relations_),
      drive_(relations_),
      factors_(forces_),
      drive_size_(relations_) {
  std::vector<Expr> inputs = {equations.system->time}, outputs;
  append(inputs, equations.positions);
  append(inputs, equations.parameters);
  append(inputs, equations.factors);
  inputs_.resize(inputs.size());

  append(outputs, equations.position_rates);
  append(outputs, equations.mass);
  append(outputs, equations.load);
  append(outputs, equations.gradients);
  append(outputs, equations.bias);
  if (!equations.implicit) append(outputs, equations.directions);
  state_program_ = std::make_unique<MultiprecisionProgram>(inputs, outputs, precision_.bits, fixed);
  state_values_.resize(outputs.size());
  if (equations.implicit) {
    outputs.clear();
    collect_forces(outputs);
    force_program_ = std::make_unique<MultiprecisionProgram>(inputs, outputs, precision_.bits, fixed);
    force_values_.resize(outputs.size());
  }
}

/// Q_i = sum_h lambda_h l^h_i, then dQ_i/dlambda_g, force after force.
void ReferenceEquations::collect_forces(std::vector<Expr>& outputs) const {
  Pool& pool = *equations_.system->pool;
  std::vector<Expr> total(n_, pool.number(0));
  for (const SparseEntry& entry : equations_.directions.entries) {
    total[entry.column] += equations_.factors[entry.row] * entry.value;
  }
  append(outputs, total);
  for (Expr factor : equations_.factors) {
    for (Expr component : total) outputs.push_back(derivative(component, factor));
  }
}

bool ReferenceEquations::evaluate(MultiprecisionProgram& program, std::vector<LongReal>& values) {
  if (program.run(inputs_, values)) return true;
  failure_ = program.reason();
  return false;
}

std::size_t ReferenceEquations::read(const std::vector<LongReal>& values, std::size_t at,
                                     const SparseMatrix& pattern, bool transposed, LongMatrix& target) {
  target.set_zero();
  for (const SparseEntry& entry : pattern.entries) {
    (transposed ? target(entry.column, entry.row) : target(entry.row, entry.column)) = values[at++];
  }
  return at;
}

bool ReferenceEquations::rates(const LongReal& t, const std::vector<LongReal>& y, std::vector<LongReal>& dy) {
  failure_.clear();
  failed_to_converge_ = false;
  inputs_[0] = t;
  std::copy(y.begin(), y.end(), inputs_.begin() + 1);
  if (!evaluate(*state_program_, state_values_)) return false;

  std::size_t at = positions_;
  for (std::size_t i = 0; i < positions_; ++i) dy[i] = state_values_[i];
  at = read(state_values_, at, equations_.mass, false, mass_);
  for (std::size_t i = 0; i < n_; ++i) acceleration_(i, 0) = state_values_[at++];
  at = read(state_values_, at, equations_.gradients, false, gradients_);
  for (std::size_t k = 0; k < relations_; ++k) bias_[k] = state_values_[at++];
  if (!equations_.implicit) read(state_values_, at, equations_.directions, true, fields_);

  if (!factorisation_.factor(mass_, precision_.threshold, precision_.bits)) {
    failure_ = "the mass matrix is singular";
    return false;
  }
  factorisation_.solve(acceleration_, 0);
  if (forces_ > 0 && !(equations_.implicit ? find_factors_by_newton() : find_factors())) return false;
  for (std::size_t i = 0; i < n_; ++i) dy[positions_ + i] = acceleration_(i, 0);
  return true;
}

/// i(E)da^k of the accelerations known so far.
void ReferenceEquations::compute_drive() {
  for (std::size_t k = 0; k < relations_; ++k) {
    drive_[k] = bias_[k];
    drive_size_[k] = size_of(bias_[k]);
    for (std::size_t i = 0; i < n_; ++i) {
      if (gradients_(k, i).is_zero()) continue;
      add_product(drive_[k], gradients_(k, i), acceleration_(i, 0), precision_.bits);
      drive_size_[k] += size_of(gradients_(k, i)) * size_of(acceleration_(i, 0));
    }
  }
}

/// Rows G2.IV-lambda, G3.II-compat: sum_h lambda_h r^{hk} = -i(E)da^k with r^{hk} = da^k/du (M^-1 l^h). What
/// stays open in the factors must not move anything (row G3.ex6).
std::optional<RankSolution> ReferenceEquations::keep_relations() {
  LongMatrix r(relations_, forces_);
  std::vector<LongReal> right(relations_);
  std::vector<double> row_size(relations_, 0);
  for (std::size_t k = 0; k < relations_; ++k) {
    for (std::size_t h = 0; h < forces_; ++h) {
      double size = 0;
      for (std::size_t i = 0; i < n_; ++i) {
        if (gradients_(k, i).is_zero()) continue;
        add_product(r(k, h), gradients_(k, i), fields_(i, h), precision_.bits);
        size += size_of(gradients_(k, i)) * size_of(fields_(i, h));
      }
      row_size[k] = std::max(row_size[k], size);
    }
    arf_neg(right[k].raw(), drive_[k].raw());
  }
  RankSolution solution = solve_with_rank(std::move(r), std::move(right), row_size, drive_size_,
                                          precision_.threshold, precision_.bits);
  if (!solution.consistent) {
    failure_ = fmt::format("no factors keep the relation `{}`", equations_.names[solution.worst_row]);
    return std::nullopt;
  }
  for (const std::vector<LongReal>& direction : solution.open) {
    for (std::size_t i = 0; i < n_; ++i) {
      LongReal sum;
      double size = 0;
      for (std::size_t h = 0; h < forces_; ++h) {
        add_product(sum, fields_(i, h), direction[h], precision_.bits);
        size += size_of(fields_(i, h)) * size_of(direction[h]);
      }
      if (size_of(sum) > precision_.threshold * size) {
        failure_ = fmt::format("the relations do not determine the acceleration of `{}`",
                               equations_.parameters[i].symbol().name);
        return std::nullopt;
      }
    }
  }
  return solution;
}

void ReferenceEquations::move_along_fields(const std::vector<LongReal>& change) {
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t h = 0; h < forces_; ++h) {
      add_product(acceleration_(i, 0), fields_(i, h), change[h], precision_.bits);
    }
  }
}

bool ReferenceEquations::find_factors() {
  for (std::size_t h = 0; h < forces_; ++h) factorisation_.solve(fields_, h);
  compute_drive();
  std::optional<RankSolution> solution = keep_relations();
  if (!solution) return false;
  factors_ = std::move(solution->x);
  move_along_fields(factors_);
  return true;
}

/// Where directions depend on the factors (row G2.VI-N): Newton's method from the last factors on, until it
/// stands still.
bool ReferenceEquations::find_factors_by_newton() {
  const LongMatrix free = acceleration_;
  const double small = std::pow(10.0, -precision_.digits - newton_guard_digits);
  LongMatrix total(n_, 1);
  for (int round = 0; round < most_newton_rounds; ++round) {
    std::copy(factors_.begin(), factors_.end(), inputs_.end() - static_cast<std::ptrdiff_t>(forces_));
    if (!evaluate(*force_program_, force_values_)) return false;
    for (std::size_t i = 0; i < n_; ++i) {
      total(i, 0) = force_values_[i];
      for (std::size_t h = 0; h < forces_; ++h) fields_(i, h) = force_values_[(h + 1) * n_ + i];
    }
    factorisation_.solve(total, 0);
    for (std::size_t h = 0; h < forces_; ++h) factorisation_.solve(fields_, h);
    for (std::size_t i = 0; i < n_; ++i) {
      arf_add(acceleration_(i, 0).raw(), free(i, 0).raw(), total(i, 0).raw(), precision_.bits, ARF_RND_DOWN);
    }
    compute_drive();
    const std::optional<RankSolution> change = keep_relations();
    if (!change) return false;
    move_along_fields(change->x);
    double largest = 0, largest_change = 0;
    for (std::size_t h = 0; h < forces_; ++h) {
      arf_add(factors_[h].raw(), factors_[h].raw(), change->x[h].raw(), precision_.bits, ARF_RND_DOWN);
      largest = std::max(largest, size_of(factors_[h]));
      largest_change = std::max(largest_change, size_of(change->x[h]));
    }
    if (largest_change <= small * largest) return true;
  }
  failure_ =
      fmt::format("the factors are not found: Newton's method does not end in {} rounds", most_newton_rounds);
  failed_to_converge_ = true;
  return false;
}

}  // namespace liaison
