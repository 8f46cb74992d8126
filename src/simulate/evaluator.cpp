#include "liaison/simulate/evaluator.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>

#include "liaison/compile/interpreter.hpp"
#include "liaison/compile/jit.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/derived_quantities.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int most_rounds = 8;
constexpr double smallest_change = 1e-14;  ///< of Newton's method, relative: rounding
constexpr double largest_change =
    1e-10;  ///< with which its last step may end: badly conditioned, but on the constraints
constexpr std::size_t closed_form_limit = 2000;  ///< operations up to which a closed form is taken by itself

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

/// A program and the way it is run.
class Runner {
 public:
  Runner() = default;
  Runner(std::span<const Expr> inputs, std::span<const Expr> outputs, Engine engine)
      : program_(make_program(inputs, outputs)), values_(outputs.size()), scratch_(program_.slot_count) {
    if (engine == Engine::compiled) compiled_ = std::make_unique<CompiledProgram>(program_);
  }
  const double* operator()(const double* in) {
    if (compiled_) {
      (*compiled_)(in, values_.data());
    } else {
      run(program_, in, values_.data(), scratch_.data());
    }
    return values_.data();
  }
  bool finite() const { return all_finite(values_); }
  std::size_t size() const { return program_.instructions.size(); }

 private:
  Program program_;
  std::vector<double> values_, scratch_;
  std::unique_ptr<CompiledProgram> compiled_;
};

}  // namespace

struct Evaluator::Implementation {
  Implementation(Algebra& algebra_in, const Motion& motion_in, const DoublePoint& parameters,
                 const EvaluatorOptions& options);

  void choose_assembly(const EvaluatorOptions& options);
  void build_dynamics();
  void build_constraints();
  void build_outputs();
  double* inputs(double t, const double* y);
  bool rates(double t, const double* y, double* dy);
  bool factorise(const double* values, double* acceleration);
  bool project_positions(double t, double* y);
  bool project_velocities(double t, double* y);
  static double newton_step(const MatrixXd& jacobian, const VectorXd& residual, const MatrixXd& metric,
                            double* y);
  void normalise_quaternions(double* y) const;

  Algebra& algebra;
  const Motion& motion;
  const System& system;
  Engine engine;
  Assembly assembly = Assembly::factorised;
  std::vector<Expr> symbols;  ///< of y
  std::size_t positions = 0, n = 0, relations = 0, forces = 0;
  std::vector<Expr> input_symbols;  ///< t, y, parameters, factors
  std::vector<double> input_values;
  std::size_t first_factor = 0;
  bool implicit = false;
  std::size_t coordinates = 0;                    ///< positions that are not quaternions; they come first
  std::vector<std::size_t> coordinate_direction;  ///< the direction of each

  Runner dynamics, level_program, relation_program, energy_program, output_program;
  std::size_t level_count = 0;
  std::vector<double> factors;
  std::vector<std::string> output_names;
  std::string failure;
};

Evaluator::Implementation::Implementation(Algebra& algebra_in, const Motion& motion_in,
                                          const DoublePoint& parameters, const EvaluatorOptions& options)
    : algebra(algebra_in), motion(motion_in), system(*motion_in.space.system), engine(options.engine) {
  for (const ScalarCoordinate& coordinate : motion.space.coframe->scalar_coordinates()) {
    const bool velocity = std::find(motion.space.parameters.begin(), motion.space.parameters.end(),
                                    coordinate.symbol) != motion.space.parameters.end();
    if (!velocity && coordinate.symbol != system.time) symbols.push_back(coordinate.symbol);
  }
  positions = symbols.size();
  for (std::size_t i = 0; i < system.directions.size(); ++i) {
    if (!system.directions[i].rotation) coordinate_direction.push_back(i);
  }
  coordinates = coordinate_direction.size();
  n = motion.space.size();
  relations = motion.relation_count;
  forces = motion.constraints.size();
  symbols.insert(symbols.end(), motion.space.parameters.begin(), motion.space.parameters.end());

  input_symbols.push_back(system.time);
  input_symbols.insert(input_symbols.end(), symbols.begin(), symbols.end());
  input_values.assign(input_symbols.size(), 0);
  for (const Parameter& parameter : system.parameters) {
    const auto value = parameters.find(parameter.symbol);
    if (value == parameters.end()) {
      throw Error(ErrorCode::missing_value,
                  "the parameter `" + parameter.symbol.symbol().name + "` has no value");
    }
    input_symbols.push_back(parameter.symbol);
    input_values.push_back(value->second);
  }
  first_factor = input_symbols.size();
  for (const ConstraintField& constraint : motion.constraints) {
    input_symbols.push_back(constraint.factor);
    input_values.push_back(0);
    implicit = implicit || constraint.depends_on_factor;
  }
  factors.assign(forces, 0);
  choose_assembly(options);
  build_dynamics();
  build_constraints();
  build_outputs();
}

void Evaluator::Implementation::choose_assembly(const EvaluatorOptions& options) {
  const bool closed = motion.status == FactorStatus::none || motion.status == FactorStatus::determined;
  const bool there = closed && !motion.acceleration.empty();
  if (options.assembly == Assembly::closed_form && !there) {
    throw Error(ErrorCode::limit_reached, "there is no closed form of the motion of this system",
                "use the factorised form");
  }
  assembly = options.assembly;
  if (assembly != Assembly::automatic) return;
  assembly = Assembly::factorised;
  if (!there) return;
  std::vector<Expr> closed_outputs = motion.acceleration;
  closed_outputs.insert(closed_outputs.end(), motion.factors.begin(), motion.factors.end());
  if (count_operations(closed_outputs) <= closed_form_limit) assembly = Assembly::closed_form;
}

/// Position rates first; then accelerations and factors, or mass, load, directions, gradients and biases.
void Evaluator::Implementation::build_dynamics() {
  std::vector<Expr> outputs;
  for (std::size_t i = 0; i < n; ++i) {
    if (!system.directions[i].rotation) outputs.push_back(motion.space.velocities[i]);
  }
  for (const Rotation& rotation : system.rotations) {
    for (Expr rate : quaternion_rates(system, rotation)) outputs.push_back(motion.space.in_parameters(rate));
  }
  const auto add = [&](const std::vector<Expr>& es) { outputs.insert(outputs.end(), es.begin(), es.end()); };
  if (assembly == Assembly::closed_form) {
    add(motion.acceleration);
    add(motion.factors);
  } else {
    add(motion.free.mass.entries);
    add(motion.free.load);
    for (const ConstraintField& constraint : motion.constraints) add(constraint.direction);
    for (std::size_t k = 0; k < relations; ++k) add(motion.constraints[k].gradient);
    for (std::size_t k = 0; k < relations; ++k) outputs.push_back(motion.constraints[k].bias);
  }
  dynamics = Runner(input_symbols, outputs, engine);
}

void Evaluator::Implementation::build_constraints() {
  const std::span<const Expr> position_symbols(symbols.data(), positions);
  std::vector<Expr> levels;
  for (std::size_t k = 0; k < relations; ++k) {
    if (!motion.constraints[k].level.empty()) levels.push_back(motion.constraints[k].level);
  }
  level_count = levels.size();
  std::vector<Expr> outputs = levels;
  for (Expr level : levels) {
    for (Expr entry : gradient(level, position_symbols)) outputs.push_back(entry);
  }
  outputs.insert(outputs.end(), motion.free.mass.entries.begin(), motion.free.mass.entries.end());
  level_program = Runner(input_symbols, outputs, engine);

  outputs.clear();
  for (std::size_t k = 0; k < relations; ++k) outputs.push_back(motion.constraints[k].relation);
  for (std::size_t k = 0; k < relations; ++k) {
    outputs.insert(outputs.end(), motion.constraints[k].gradient.begin(),
                   motion.constraints[k].gradient.end());
  }
  outputs.insert(outputs.end(), motion.free.mass.entries.begin(), motion.free.mass.entries.end());
  relation_program = Runner(input_symbols, outputs, engine);

  const Expr energies[] = {motion.space.in_parameters(system.kinetic), system.potential};
  energy_program = Runner(input_symbols, energies, engine);
}

/// Outputs of the model over the state, the accelerations and the factors.
void Evaluator::Implementation::build_outputs() {
  DerivedQuantities quantities(algebra, motion);
  std::vector<Expr> outputs;
  for (const Output& output : system.outputs) {
    const auto value = quantities.in_state_variables(output.value);
    if (!value) {
      throw Error(ErrorCode::limit_reached,
                  "the output `" + output.name + "` has no closed form: " + quantities.reason(),
                  "outputs of a large system use the state alone, not its accelerations and factors");
    }
    output_names.push_back(output.name);
    outputs.push_back(*value);
  }
  if (!outputs.empty()) output_program = Runner(input_symbols, outputs, engine);
}

double* Evaluator::Implementation::inputs(double t, const double* y) {
  input_values[0] = t;
  std::copy_n(y, symbols.size(), input_values.data() + 1);
  return input_values.data();
}

bool Evaluator::Implementation::rates(double t, const double* y, double* dy) {
  failure.clear();
  double* in = inputs(t, y);
  const double* values = dynamics(in);
  if (!dynamics.finite()) {
    failure = fmt::format("the equations of motion have no value at t = {:.9g}", t);
    return false;
  }
  std::copy_n(values, positions, dy);
  if (assembly == Assembly::closed_form) {
    std::copy_n(values + positions, n, dy + positions);
    std::copy_n(values + positions + n, forces, factors.begin());
    return true;
  }
  return factorise(values + positions, dy + positions);
}

bool Evaluator::Implementation::factorise(const double* values, double* acceleration) {
  const Eigen::Map<const RowMajor> mass(values, index(n), index(n));
  const Eigen::Map<const VectorXd> load(values + n * n, index(n));
  const Eigen::PartialPivLU<MatrixXd> lu(mass);
  const VectorXd free = lu.solve(load);
  if (!free.allFinite()) {
    failure = "the mass matrix is singular";
    return false;
  }
  Eigen::Map<VectorXd> result(acceleration, index(n));
  result = free;
  if (forces == 0) return true;
  const double* directions = values + n * n + n;
  const Eigen::Map<const RowMajor> gradients(directions + forces * n, index(relations), index(n));
  const Eigen::Map<const VectorXd> bias(directions + forces * n + relations * n, index(relations));
  const VectorXd drive = gradients * free + bias;
  MatrixXd fields;
  for (int round = 0; round < (implicit ? 40 : 1); ++round) {
    const Eigen::Map<const RowMajor> l(directions, index(forces), index(n));
    fields = lu.solve(MatrixXd(l.transpose()));
    const MatrixXd r = gradients * fields;  // transposed: one row a relation
    const Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver(r);
    const VectorXd lambda = solver.solve(-drive);
    const double left = (r * lambda + drive).cwiseAbs().maxCoeff();
    if (!lambda.allFinite() || left > 1e-8 * std::max(1.0, drive.cwiseAbs().maxCoeff())) {
      failure = "the constraints are incompatible: no factors keep the relations";
      return false;
    }
    double change = 0;
    for (std::size_t h = 0; h < forces; ++h) {
      change = std::max(change,
                        std::abs(lambda(index(h)) - factors[h]) / std::max(1.0, std::abs(lambda(index(h)))));
      factors[h] = lambda(index(h));
    }
    if (!implicit || change < 1e-14) break;
    std::copy(factors.begin(), factors.end(),
              input_values.begin() + static_cast<std::ptrdiff_t>(first_factor));
    dynamics(input_values.data());  // the same memory: directions at the new factors
  }
  result += fields * Eigen::Map<const VectorXd>(factors.data(), index(forces));
  return true;
}

/// The least step in the metric that meets the linearised relations; its size, or a negative number where
/// there is none.
double Evaluator::Implementation::newton_step(const MatrixXd& jacobian, const VectorXd& residual,
                                              const MatrixXd& metric, double* y) {
  const MatrixXd weighted = metric.ldlt().solve(MatrixXd(jacobian.transpose()));
  const VectorXd change = weighted * (jacobian * weighted).completeOrthogonalDecomposition().solve(-residual);
  if (!change.allFinite()) return -1;
  double size = 0;
  for (Eigen::Index i = 0; i < change.size(); ++i) {
    y[i] += change(i);
    size = std::max(size, std::abs(change(i)) / std::max(1.0, std::abs(y[i])));
  }
  return size;
}

void Evaluator::Implementation::normalise_quaternions(double* y) const {
  for (std::size_t first = positions - 4 * system.rotations.size(); first < positions; first += 4) {
    double square = 0;
    for (std::size_t k = 0; k < 4; ++k) square += y[first + k] * y[first + k];
    const double length = std::sqrt(square);
    for (std::size_t k = 0; k < 4; ++k) y[first + k] /= length;
  }
}

bool Evaluator::Implementation::project_positions(double t, double* y) {
  normalise_quaternions(y);
  double change = 0;
  for (int round = 0; level_count > 0 && round < most_rounds; ++round) {
    const double* values = level_program(inputs(t, y));
    if (!level_program.finite()) return false;
    const Eigen::Map<const VectorXd> residual(values, index(level_count));
    const Eigen::Map<const RowMajor> jacobian(values + level_count, index(level_count), index(positions));
    const Eigen::Map<const RowMajor> mass(values + level_count * (1 + positions), index(n), index(n));
    MatrixXd metric = MatrixXd::Identity(index(positions), index(positions));
    for (std::size_t i = 0; i < coordinates; ++i) {
      for (std::size_t j = 0; j < coordinates; ++j) {
        metric(index(i), index(j)) = mass(index(coordinate_direction[i]), index(coordinate_direction[j]));
      }
    }
    change = newton_step(jacobian, residual, (metric + metric.transpose()) / 2, y);
    if (change < 0) return false;
    normalise_quaternions(y);
    if (change < smallest_change) return true;
  }
  return change < largest_change;
}

bool Evaluator::Implementation::project_velocities(double t, double* y) {
  double change = 0;
  for (int round = 0; relations > 0 && round < most_rounds; ++round) {
    const double* values = relation_program(inputs(t, y));
    if (!relation_program.finite()) return false;
    const Eigen::Map<const VectorXd> residual(values, index(relations));
    const Eigen::Map<const RowMajor> jacobian(values + relations, index(relations), index(n));
    const Eigen::Map<const RowMajor> mass(values + relations * (1 + n), index(n), index(n));
    const bool chart = !system.chart.parameters.empty();  // there the metric of the masses is not this matrix
    const MatrixXd metric =
        chart ? MatrixXd(MatrixXd::Identity(index(n), index(n))) : MatrixXd((mass + mass.transpose()) / 2);
    change = newton_step(jacobian, residual, metric, y + positions);
    if (change < 0) return false;
    if (change < smallest_change) return true;
  }
  return change < largest_change;
}

Evaluator::Evaluator(Algebra& algebra, const Motion& motion, const DoublePoint& parameters,
                     const EvaluatorOptions& options)
    : implementation_(std::make_unique<Implementation>(algebra, motion, parameters, options)) {}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;

std::size_t Evaluator::size() const {
  return implementation_->symbols.size();
}
std::size_t Evaluator::position_count() const {
  return implementation_->positions;
}
const std::vector<Expr>& Evaluator::symbols() const {
  return implementation_->symbols;
}
Assembly Evaluator::assembly() const {
  return implementation_->assembly;
}
std::size_t Evaluator::operation_count() const {
  return implementation_->dynamics.size();
}
std::span<const double> Evaluator::factors() const {
  return implementation_->factors;
}
const std::string& Evaluator::failure() const {
  return implementation_->failure;
}
bool Evaluator::has_relations() const {
  return implementation_->relations > 0;
}
const std::vector<std::string>& Evaluator::output_names() const {
  return implementation_->output_names;
}

std::vector<double> Evaluator::pack(const DoublePoint& point) const {
  std::vector<double> y;
  for (Expr symbol : symbols()) y.push_back(point.at(symbol));
  return y;
}

bool Evaluator::rates(double t, const double* y, double* dy) {
  return implementation_->rates(t, y, dy);
}

bool Evaluator::project(double t, double* y) {
  return implementation_->project_positions(t, y) && implementation_->project_velocities(t, y);
}

Evaluator::Residuals Evaluator::residuals(double t, const double* y) {
  Implementation& self = *implementation_;
  Residuals result;
  const auto largest = [&](const double* values, std::size_t rows, std::size_t columns, const double* at) {
    double worst = 0;
    for (std::size_t k = 0; k < rows; ++k) {  // relative to the sizes of the terms of the differential
      double size = 1;
      for (std::size_t i = 0; i < columns; ++i) size += std::abs(values[rows + k * columns + i] * at[i]);
      worst = std::max(worst, std::abs(values[k]) / size);
    }
    return worst;
  };
  if (self.level_count > 0)
    result.level = largest(self.level_program(self.inputs(t, y)), self.level_count, self.positions, y);
  if (self.relations > 0) {
    result.relation =
        largest(self.relation_program(self.inputs(t, y)), self.relations, self.n, y + self.positions);
  }
  return result;
}

Evaluator::Energies Evaluator::energies(double t, const double* y) {
  const double* values = implementation_->energy_program(implementation_->inputs(t, y));
  return {values[0], values[1]};
}

bool Evaluator::outputs(double t, const double* y, double* values) {
  Implementation& self = *implementation_;
  if (self.output_names.empty()) return true;
  const double* found = self.output_program(self.inputs(t, y));
  std::copy_n(found, self.output_names.size(), values);
  return self.output_program.finite();
}

}  // namespace liaison
