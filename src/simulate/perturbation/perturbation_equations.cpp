#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "liaison/model/kinematics.hpp"
#include "liaison/simulate/perturbation.hpp"
#include "mechanics/dense.hpp"
#include "simulate/equations/reset_metric.hpp"
#include "simulate/perturbation/balanced_solve.hpp"
#include "simulate/perturbation/compiled_matrix.hpp"
#include "simulate/perturbation/index.hpp"

namespace liaison {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMatrix = RowMajorMatrix;

/// The solution of least norm, rows brought to one size; nothing where there is none. `terms` are the sizes
/// of what was added up to b: a row holds where what is left is small beside its own terms.
bool solve_least(MatrixXd a, VectorXd b, VectorXd terms, VectorXd& x) {
  for (Index i = 0; i < a.rows(); ++i) {
    double size = a.cols() > 0 ? a.row(i).cwiseAbs().maxCoeff() : 0;
    if (!(size > 0)) size = terms(i);
    if (!(size > 0)) continue;
    a.row(i) /= size;
    b(i) /= size;
    terms(i) /= size;
  }
  x = VectorXd::Zero(a.cols());
  if (a.cols() > 0) x = DenseLeast(a, 1e-10).solve(b);
  const double whole = x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0;
  const VectorXd left = (a * x - b).cwiseAbs(), sizes = a.cwiseAbs() * x.cwiseAbs() + terms;
  return ((1e-7 * sizes - left).array() + 1e-12 * whole >= 0).all();
}

}  // namespace

struct PerturbationEquations::Implementation {
  Implementation(const AssembledEquations& equations_in, Evaluator& evaluator_in,
                 std::vector<Expr> parameters_in, Engine engine)
      : equations(equations_in), evaluator(evaluator_in), parameters(std::move(parameters_in)) {
    const System& system = *equations.system;
    inputs.push_back(system.time);
    std::vector<Expr> state = equations.positions;
    state.insert(state.end(), equations.parameters.begin(), equations.parameters.end());
    inputs.insert(inputs.end(), state.begin(), state.end());
    first_parameter = inputs.size();
    for (const Parameter& parameter : system.parameters) inputs.push_back(parameter.symbol);
    first_unknown = inputs.size();
    for (Expr u : equations.parameters) unknowns.push_back(acceleration_symbol(u));
    unknowns.insert(unknowns.end(), equations.factors.begin(), equations.factors.end());
    inputs.insert(inputs.end(), unknowns.begin(), unknowns.end());
    values.assign(inputs.size(), 0);

    std::vector<Expr> by = state;
    by.insert(by.end(), parameters.begin(), parameters.end());
    std::vector<Expr> with_time = by;
    with_time.push_back(system.time);
    const std::vector<Expr> rows = residuals();
    by_unknowns = CompiledMatrix(rows, unknowns, inputs, engine);
    by_state = CompiledMatrix(rows, with_time, inputs, engine);
    position_rates = CompiledMatrix(equations.position_rates, with_time, inputs, engine);
    std::vector<Expr> levels;
    for (Expr level : equations.levels)
      if (!level.empty()) levels.push_back(level);
    for (const Rotation& rotation : system.rotations) {
      std::vector<Expr> squares;
      for (Expr e : rotation.quaternion) squares.push_back(pow(e, 2));
      levels.push_back(system.pool->add(squares));
    }
    level_rows = CompiledMatrix(levels, by, inputs, engine);
    relation_rows = CompiledMatrix(equations.relations, by, inputs, engine);
    rates.resize(state.size());
    matrix = RowMatrix::Zero(index(state.size()), index(with_time.size()));
    factor_matrix = RowMatrix::Zero(index(equations.factors.size()), index(with_time.size()));
  }

  /// mass u' - load - lambda l, then gradients u' + bias.
  std::vector<Expr> residuals() const {
    Pool& pool = *equations.system->pool;
    const std::size_t n = equations.parameters.size();
    std::vector<std::vector<Expr>> rows(n + equations.relation_count);
    for (const SparseEntry& entry : equations.mass.entries)
      rows[entry.row].push_back(entry.value * unknowns[entry.column]);
    for (std::size_t i = 0; i < n; ++i) rows[i].push_back(-equations.load[i]);
    for (const SparseEntry& entry : equations.directions.entries)
      rows[entry.column].push_back(-(equations.factors[entry.row] * entry.value));
    for (const SparseEntry& entry : equations.gradients.entries)
      rows[n + entry.row].push_back(entry.value * unknowns[entry.column]);
    for (std::size_t k = 0; k < equations.relation_count; ++k) rows[n + k].push_back(equations.bias[k]);
    std::vector<Expr> result;
    for (const auto& terms : rows) result.push_back(pool.add(terms));
    return result;
  }

  void set_parameters(const DoublePoint& point) {
    for (std::size_t i = first_parameter; i < first_unknown; ++i) values[i] = point.at(inputs[i]);
  }

  void set_state(double t, const double* y) {
    values[0] = t;
    std::copy_n(y, rates.size(), values.begin() + 1);
  }

  bool take(double t, const double* y) {
    if (!evaluator.rates(t, y, rates.data())) {
      failure = evaluator.failure();
      return false;
    }
    set_state(t, y);
    const std::size_t n = equations.parameters.size(), positions = equations.positions.size();
    std::copy_n(rates.begin() + static_cast<std::ptrdiff_t>(positions), n,
                values.begin() + static_cast<std::ptrdiff_t>(first_unknown));
    const std::span<const double> lambda = evaluator.factors();
    std::copy(lambda.begin(), lambda.end(), values.begin() + static_cast<std::ptrdiff_t>(first_unknown + n));
    if (!by_unknowns.evaluate(values.data()) || !by_state.evaluate(values.data()) ||
        !position_rates.evaluate(values.data())) {
      failure = "the derivatives of the equations have no value there";
      return false;
    }
    if (!solve()) return false;
    matrix.topRows(index(positions)) = position_rates.values;
    matrix.bottomRows(index(n)) = solution.topRows(index(n));
    factor_matrix = solution.bottomRows(solution.rows() - index(n));
    return true;
  }

  /// Where relations repeat each other the factors are open and the accelerations are not.
  bool solve() {
    if (solver.solve(by_unknowns.values, -by_state.values, solution)) return true;
    failure = "small deviations have no motion there: the equations are singular";
    return false;
  }

  bool evaluate_relations(double t, const double* y) {
    set_state(t, y);
    return level_rows.evaluate(values.data()) && relation_rows.evaluate(values.data());
  }

  /// One family of relations: moves the free entries of `deviation` from `begin` to `end` by the least so
  /// that they hold, in a metric of these entries, or in that of Euclid where it is empty.
  bool meet(const MatrixXd& rows, std::size_t begin, std::size_t end, double* deviation,
            const std::vector<bool>& fixed, const RowMatrix& metric) const {
    if (rows.rows() == 0) return true;
    std::vector<std::size_t> free;
    for (std::size_t j = begin; j < end; ++j)
      if (fixed.empty() || !fixed[j]) free.push_back(j);
    const Eigen::Map<const VectorXd> whole(deviation, rows.cols());
    const VectorXd left = rows * whole;
    MatrixXd a(rows.rows(), index(free.size()));
    for (std::size_t j = 0; j < free.size(); ++j) a.col(index(j)) = rows.col(index(free[j]));
    MatrixXd euclid = MatrixXd::Identity(a.cols(), a.cols());
    if (metric.size() > 0) {
      MatrixXd weight(a.cols(), a.cols());
      for (std::size_t i = 0; i < free.size(); ++i)
        for (std::size_t j = 0; j < free.size(); ++j)
          weight(index(i), index(j)) = metric(index(free[i] - begin), index(free[j] - begin));
      euclid = to_euclid(weight);
    }
    VectorXd change;
    if (!solve_least(a * euclid, -left, rows.cwiseAbs() * whole.cwiseAbs(), change)) return false;
    change = euclid * change;
    for (std::size_t j = 0; j < free.size(); ++j) deviation[free[j]] += change(index(j));
    return true;
  }

  const AssembledEquations& equations;
  Evaluator& evaluator;
  std::vector<Expr> parameters, inputs, unknowns;
  std::size_t first_parameter = 0, first_unknown = 0;
  std::vector<double> values, rates;
  CompiledMatrix by_unknowns, by_state, position_rates, level_rows, relation_rows;
  BalancedSolve solver;
  MatrixXd solution;
  RowMatrix matrix, factor_matrix;
  std::string failure;
};

PerturbationEquations::PerturbationEquations(const AssembledEquations& equations, Evaluator& evaluator,
                                             const DoublePoint& values, std::vector<Expr> parameters,
                                             Engine engine)
    : implementation_(std::make_unique<Implementation>(equations, evaluator, std::move(parameters), engine)) {
  implementation_->set_parameters(values);
}
PerturbationEquations::~PerturbationEquations() = default;
PerturbationEquations::PerturbationEquations(PerturbationEquations&&) noexcept = default;

std::size_t PerturbationEquations::size() const {
  return implementation_->rates.size();
}
std::size_t PerturbationEquations::parameter_count() const {
  return implementation_->parameters.size();
}
const std::vector<Expr>& PerturbationEquations::parameters() const {
  return implementation_->parameters;
}
void PerturbationEquations::set_parameters(const DoublePoint& values) {
  implementation_->evaluator.set_parameters(values);
  implementation_->set_parameters(values);
}
bool PerturbationEquations::take(double t, const double* y) {
  return implementation_->take(t, y);
}
std::span<const double> PerturbationEquations::rates() const {
  return implementation_->rates;
}
std::span<const double> PerturbationEquations::matrix() const {
  const RowMatrix& matrix = implementation_->matrix;
  return {matrix.data(), static_cast<std::size_t>(matrix.size())};
}
std::span<const double> PerturbationEquations::factor_matrix() const {
  const RowMatrix& matrix = implementation_->factor_matrix;
  return {matrix.data(), static_cast<std::size_t>(matrix.size())};
}
std::span<const double> PerturbationEquations::factors() const {
  return implementation_->evaluator.factors();
}
const std::string& PerturbationEquations::failure() const {
  return implementation_->failure;
}

bool PerturbationEquations::make_admissible(double t, const double* y, double* deviation,
                                            const std::vector<bool>& fixed) {
  Implementation& self = *implementation_;
  const std::size_t positions = self.equations.positions.size(), n = self.equations.parameters.size();
  RowMatrix of_positions, of_velocities;
  if (std::vector<double> masses; !fixed.empty()) {  // as the motion itself moves what a reset does not give
    if (!self.evaluator.mass(t, y, masses)) return false;
    const RowMatrix mass = Eigen::Map<const RowMatrix>(masses.data(), index(n), index(n));
    of_positions = metric_of_positions(self.equations, mass);
    of_velocities = metric_of_velocities(self.equations, mass);
  }
  return self.evaluate_relations(t, y) &&
         self.meet(self.level_rows.values, 0, positions, deviation, fixed, of_positions) &&
         self.meet(self.relation_rows.values, positions, size(), deviation, fixed, of_velocities);
}

std::vector<std::vector<double>> PerturbationEquations::admissible(double t, const double* y,
                                                                   std::span<const double> sizes) {
  Implementation& self = *implementation_;
  const Index n = index(size());
  if (!self.evaluate_relations(t, y)) return {};
  const Index levels = self.level_rows.values.rows(), relations = self.relation_rows.values.rows();
  MatrixXd rows(levels + relations, n);
  rows.topRows(levels) = self.level_rows.values.leftCols(n);
  rows.bottomRows(relations) = self.relation_rows.values.leftCols(n);
  VectorXd scale = VectorXd::Ones(n);
  if (!sizes.empty()) scale = Eigen::Map<const VectorXd>(sizes.data(), n);
  MatrixXd basis = MatrixXd::Identity(n, n);
  if (rows.rows() > 0) {
    rows = rows * scale.asDiagonal();
    for (Index i = 0; i < rows.rows(); ++i) {
      const double size = rows.row(i).norm();
      if (size > 0) rows.row(i) /= size;
    }
    const DenseSingular factors(rows, DenseSingular::Vectors::all_right);
    Index rank = 0;
    while (rank < factors.values().size() && factors.values()(rank) > 1e-9) ++rank;
    basis = factors.right().rightCols(n - rank);
  }
  basis = scale.asDiagonal() * basis;
  std::vector<std::vector<double>> result;
  for (Index j = 0; j < basis.cols(); ++j) result.emplace_back(basis.col(j).data(), basis.col(j).data() + n);
  return result;
}

}  // namespace liaison
