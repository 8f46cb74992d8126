#include "liaison/simulate/variational.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "liaison/compile/derivative_program.hpp"
#include "liaison/compile/interpreter.hpp"
#include "liaison/compile/jit.hpp"
#include "mechanics/dense.hpp"
#include "variational_equations.hpp"

namespace liaison {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most_rounds = 12;
/// Newton's method doubles its digits: after a change this small, relative to the velocities, only rounding
/// is left.
constexpr double last_change = 1e-10;
/// Rounding of the levels, seen in the velocities: this times |q|/h.
constexpr double rounding = 1e-13;

/// Lengths of the steps of a symmetric composition. Order 4: M. Suzuki (1990). Order 6: W. Kahan and R.-C. Li
/// (1997), nine steps.
std::vector<double> composition(int order) {
  if (order == 2) return {1};
  if (order == 4) {
    const double outer = 1 / (4 - std::cbrt(4.0));
    return {outer, outer, 1 - 4 * outer, outer, outer};
  }
  if (order == 6) {
    const double a = 0.39216144400731413927925056, b = 0.33259913678935943859974864,
                 c = -0.70624617255763935980996482, d = 0.08221359629355080023149045;
    return {a, b, c, d, 1 - 2 * (a + b + c + d), d, c, b, a};
  }
  throw Error(not_for_method, fmt::format("there is no variational method of order {}", order),
              "orders are 2, 4 and 6");
}

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

/// Values, and where asked for a Jacobian, of expressions in (t, q, q' or u, parameters).
class Values {
 public:
  Values(std::span<const Expr> inputs, std::span<const Expr> outputs, std::span<const Expr> wrt,
         Engine engine)
      : jacobian_(make_jacobian_program(inputs, outputs, wrt)),
        values_(jacobian_.program.outputs.size()),
        scratch_(jacobian_.program.slot_count) {
    if (engine == Engine::compiled) compiled_ = std::make_unique<CompiledProgram>(jacobian_.program);
  }

  /// False where something has no value.
  bool operator()(const std::vector<double>& in) {
    if (values_.empty()) return true;
    if (compiled_) {
      (*compiled_)(in.data(), values_.data());
    } else {
      run(jacobian_.program, in.data(), values_.data(), scratch_.data());
    }
    return all_finite(values_);
  }
  double operator[](std::size_t i) const { return values_[i]; }
  const double* data() const { return values_.data(); }
  /// f(row, column, value) for every entry of the Jacobian.
  template <typename F>
  void for_each_entry(F f) const {
    for (std::size_t k = 0; k < jacobian_.pattern.size(); ++k) {
      f(jacobian_.pattern[k].row, jacobian_.pattern[k].column, values_[jacobian_.value_count + k]);
    }
  }

 private:
  JacobianProgram jacobian_;
  std::vector<double> values_, scratch_;
  std::unique_ptr<CompiledProgram> compiled_;
};

std::vector<Expr> joined(std::initializer_list<std::vector<Expr>> parts) {
  std::vector<Expr> result;
  for (const std::vector<Expr>& part : parts) result.insert(result.end(), part.begin(), part.end());
  return result;
}

/// What a step starts from and what it leaves.
struct Node {
  double t = 0;
  VectorXd q, p;            ///< p is defined up to a combination of the rows
  VectorXd q_rest, p_rest;  ///< what rounding cut off in their sums
  MatrixXd rows;            ///< of levels and relations by q', transposed: one column each
};

/// sum + rest += change, with what does not fit into the sum kept in the rest (Kahan's summation).
void add(const VectorXd& change, VectorXd& sum, VectorXd& rest) {
  for (Eigen::Index i = 0; i < sum.size(); ++i) {
    const double term = change(i) + rest(i), next = sum(i) + term;
    rest(i) = term - (next - sum(i));
    sum(i) = next;
  }
}

/// The velocities of the middles of steps, continued linearly: where Newton's method begins.
struct Predictor {
  double t = 0;
  VectorXd v, slope;
};

/// One step of length h of the midpoint rule, with P = dL/dq' and F = dL/dq + Q at the middle
/// q_m = q_0 + h v/2, t_m = t_0 + h/2 and A the rows of levels and relations by q':
///   P - h F/2 - A(q_0)^T lambda = p_0,   g(q_0 + h v, t_1) = 0,   a(q_m, v, t_m) = 0,
///   q_1 = q_0 + h v,   p_1 = P + h F/2 = p_0 + A(q_0)^T lambda + h F.
/// At a node that is shown p_1 + A(q_1)^T mu = dL/dq'(q_1, v_1) with mu so that v_1 keeps the level rates and
/// relations. The next step gives the same for every mu: lambda takes up the difference.
class VariationalIntegrator final : public Integrator {
 public:
  VariationalIntegrator(const VariationalEquations& equations, Expr time, const std::vector<Expr>& parameters,
                        const std::vector<double>& values, const VariationalOptions& options);

  bool begin(double t, std::span<const double> y, double end) override;
  StepOutcome step(double end) override;
  bool restart(std::span<const double> y) override;
  double time() const override { return node_.t; }
  std::span<const double> state() const override { return y_; }
  void interpolate(double t, double* y) override;
  double fixed_length() const override { return step_length_; }
  bool interpolates_to_its_order() const override { return false; }
  bool keeps_constraints() const override { return true; }
  std::vector<double> memory() const override;
  void recall(std::span<const double> memory) override;
  std::size_t evaluations() const override { return evaluations_; }
  std::size_t rejected() const override { return 0; }
  std::string failure() const override { return failure_; }

 private:
  void set_input(double t, const VectorXd& q, const VectorXd& v);
  void forget();
  bool substep(double h, double t1);
  bool solve_middle(double h, double t1);
  bool assemble(double h, double t1);
  bool evaluate_node();
  bool show();
  StepOutcome fail(double h);

  std::size_t positions_, directions_, rotations_, levels_, relations_;
  Values middle_, forces_, ahead_, node_values_, rates_, velocities_;
  std::vector<double> weights_;
  double step_length_;
  std::vector<double> input_, state_input_;

  Node node_, before_;
  Predictor predictor_, predictor_before_;
  bool predicts_ = false;
  StepClock clock_;
  std::vector<double> y_;
  VectorXd velocity_;                         ///< q' of the state
  VectorXd start_position_, start_velocity_;  ///< of the last step
  double start_ = 0;
  VectorXd v_, position_, right_, solution_;
  MatrixXd matrix_;
  DenseLu factors_;
  std::size_t evaluations_ = 0;
  std::string failure_;
};

VariationalIntegrator::VariationalIntegrator(const VariationalEquations& equations, Expr time,
                                             const std::vector<Expr>& parameters,
                                             const std::vector<double>& values,
                                             const VariationalOptions& options)
    : positions_(equations.positions.size()),
      directions_(equations.velocity_parameters.size()),
      rotations_(equations.rotation_count),
      levels_(equations.levels.size()),
      relations_(equations.relations.size()),
      middle_(joined({{time}, equations.positions, equations.rates, parameters}),
              joined({equations.momenta, equations.forces, equations.relations}),
              joined({equations.positions, equations.rates}), options.engine),
      forces_(joined({{time}, equations.positions, equations.rates, parameters}), equations.forces, {},
              options.engine),
      ahead_(joined({{time}, equations.positions, equations.rates, parameters}), equations.levels,
             equations.positions, options.engine),
      node_values_(joined({{time}, equations.positions, equations.rates, parameters}),
                   joined({equations.momenta, equations.level_rates, equations.relations}), equations.rates,
                   options.engine),
      rates_(joined({{time}, equations.positions, equations.velocity_parameters, parameters}),
             equations.position_rates, {}, options.engine),
      velocities_(joined({{time}, equations.positions, equations.rates, parameters}),
                  equations.parameter_values, {}, options.engine),
      weights_(composition(options.order)),
      step_length_(options.step) {
  const std::size_t rows = levels_ + relations_, size = positions_ + rows;
  input_.assign(1 + 2 * positions_, 0);
  input_.insert(input_.end(), values.begin(), values.end());
  state_input_.assign(1 + positions_ + directions_, 0);
  state_input_.insert(state_input_.end(), values.begin(), values.end());
  for (VectorXd* vector : {&node_.q, &node_.p, &node_.q_rest, &node_.p_rest, &predictor_.v, &predictor_.slope,
                           &velocity_, &start_position_, &start_velocity_, &v_, &position_}) {
    *vector = VectorXd::Zero(index(positions_));
  }
  node_.rows = MatrixXd::Zero(index(positions_), index(rows));
  right_ = solution_ = VectorXd::Zero(index(size));
  matrix_ = MatrixXd::Zero(index(size), index(size));
  y_.assign(positions_ + directions_, 0);
}

void VariationalIntegrator::set_input(double t, const VectorXd& q, const VectorXd& v) {
  input_[0] = t;
  std::copy_n(q.data(), positions_, input_.data() + 1);
  std::copy_n(v.data(), positions_, input_.data() + 1 + positions_);
}

bool VariationalIntegrator::begin(double t, std::span<const double> y, double end) {
  static_cast<void>(end);
  node_.t = start_ = t;
  clock_.begin(t);
  return restart(y);
}

/// Momenta and rows of a state; the state itself is taken as it is.
bool VariationalIntegrator::restart(std::span<const double> y) {
  failure_.clear();
  std::copy(y.begin(), y.end(), y_.begin());
  std::copy_n(y.data(), positions_, node_.q.data());
  state_input_[0] = node_.t;
  std::copy(y.begin(), y.end(), state_input_.begin() + 1);
  bool known = rates_(state_input_);
  if (known) {
    std::copy_n(rates_.data(), positions_, velocity_.data());
    start_position_ = node_.q;
    start_velocity_ = velocity_;
    known = evaluate_node();
  }
  if (!known) {
    failure_ = fmt::format("the equations of motion have no value at t = {:.9g}", node_.t);
    return false;
  }
  node_.p.setZero();
  node_.q_rest.setZero();
  node_.p_rest.setZero();
  for (std::size_t i = 0; i < positions_; ++i) node_.p(index(i)) = node_values_[i];
  node_values_.for_each_entry([&](std::size_t row, std::size_t column, double value) {
    if (row < positions_) node_.p(index(row)) += value * velocity_(index(column));
  });
  forget();
  const DenseRank rank(matrix_);
  if (!rank.is_invertible()) {
    failure_ = fmt::format(
        "the constraints depend on each other, or the mass matrix is singular on them, at t = {:.9g}",
        node_.t);
    return false;
  }
  return true;
}

void VariationalIntegrator::forget() {
  predictor_.t = node_.t;
  predictor_.v = velocity_;
  predictor_.slope.setZero();
  predicts_ = false;
}

/// dL/dq' and the rows at the node, at q' = 0: T is quadratic in q', so that dL/dq' = b + M q', and the
/// relations are linear. Leaves [M, -A^T; A, 0] in the matrix.
bool VariationalIntegrator::evaluate_node() {
  v_.setZero();
  set_input(node_.t, node_.q, v_);
  if (!node_values_(input_)) return false;
  node_.rows.setZero();
  matrix_.setZero();
  node_values_.for_each_entry([&](std::size_t row, std::size_t column, double value) {
    matrix_(index(row), index(column)) = value;
    if (row >= positions_) {
      node_.rows(index(column), index(row - positions_)) = value;
      matrix_(index(column), index(row)) = -value;
    }
  });
  return true;
}

/// The residuals of a step and their Jacobian by (v, lambda), at v; lambda enters linearly and is solved for
/// as a whole.
bool VariationalIntegrator::assemble(double h, double t1) {
  ++evaluations_;
  position_ = node_.q + (h / 2) * v_;
  set_input(node_.t + (t1 - node_.t) / 2, position_, v_);
  if (!middle_(input_)) return false;
  matrix_.setZero();
  const std::size_t n = positions_, rows = levels_ + relations_;
  if (rows > 0) matrix_.topRightCorner(index(n), index(rows)) = -node_.rows;
  middle_.for_each_entry([&](std::size_t row, std::size_t column, double value) {
    const double by_v = column < n ? value * h / 2 : value;
    const std::size_t at = column < n ? column : column - n;
    if (row < n) {
      matrix_(index(row), index(at)) += by_v;
    } else if (row < 2 * n) {
      matrix_(index(row - n), index(at)) -= by_v * h / 2;
    } else {
      matrix_(index(row - n + levels_), index(at)) += by_v;
    }
  });
  for (std::size_t i = 0; i < n; ++i)
    right_(index(i)) = node_.p(index(i)) - middle_[i] + h / 2 * middle_[n + i];
  for (std::size_t k = 0; k < relations_; ++k) right_(index(n + levels_ + k)) = -middle_[2 * n + k];
  if (levels_ == 0) return true;
  position_ = node_.q + h * v_;
  set_input(t1, position_, v_);
  if (!ahead_(input_)) return false;
  for (std::size_t k = 0; k < levels_; ++k) right_(index(n + k)) = -ahead_[k] / h;
  ahead_.for_each_entry([&](std::size_t row, std::size_t column, double value) {
    matrix_(index(n + row), index(column)) = value;
  });
  return true;
}

bool VariationalIntegrator::solve_middle(double h, double t1) {
  double previous = INFINITY;
  for (int round = 0; round < most_rounds; ++round) {
    if (!assemble(h, t1)) return false;
    factors_.compute(matrix_);
    factors_.solve(right_, solution_);
    v_ += solution_.head(index(positions_));
    const double change = solution_.head(index(positions_)).lpNorm<Eigen::Infinity>();
    const double speed = v_.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(change)) return false;
    if (change <= last_change * speed) return true;
    // No progress, and no more than rounding makes.
    const double floor = rounding * (speed + node_.q.lpNorm<Eigen::Infinity>() / std::abs(h));
    if (change >= previous / 2 && change <= floor) return true;
    previous = change;
  }
  return false;
}

bool VariationalIntegrator::substep(double h, double t1) {
  const double t = node_.t + (t1 - node_.t) / 2;
  v_ = predictor_.v + (t - predictor_.t) * predictor_.slope;
  if (!solve_middle(h, t1)) return false;
  if (predicts_ && t != predictor_.t) predictor_.slope = (v_ - predictor_.v) / (t - predictor_.t);
  predicts_ = true;
  predictor_.v = v_;
  predictor_.t = t;

  position_ = node_.q + (h / 2) * v_;
  set_input(t, position_, v_);
  if (!forces_(input_)) return false;
  for (std::size_t i = 0; i < positions_; ++i) position_(index(i)) = h * forces_[i];
  if (levels_ + relations_ > 0)
    position_.noalias() += node_.rows * solution_.tail(index(levels_ + relations_));
  add(position_, node_.p, node_.p_rest);
  position_ = h * v_;
  add(position_, node_.q, node_.q_rest);
  node_.t = t1;
  return evaluate_node();
}

/// The velocities of the node, and the state.
bool VariationalIntegrator::show() {
  for (std::size_t i = 0; i < positions_; ++i) right_(index(i)) = node_.p(index(i)) - node_values_[i];
  for (std::size_t k = positions_; k < positions_ + levels_ + relations_; ++k)
    right_(index(k)) = -node_values_[k];
  factors_.compute(matrix_);
  factors_.solve(right_, solution_);
  if (!solution_.allFinite()) return false;
  v_ = solution_.head(index(positions_));
  set_input(node_.t, node_.q, v_);
  if (!velocities_(input_)) return false;
  velocity_ = v_;
  std::copy_n(node_.q.data(), positions_, y_.data());
  std::copy_n(velocities_.data(), directions_, y_.data() + positions_);
  return true;
}

StepOutcome VariationalIntegrator::step(double end) {
  const double left = end - node_.t;
  if (left == 0) return StepOutcome::stepped;
  if (step_length_ < shortest_step(node_.t)) return StepOutcome::too_small;
  const double sign = std::copysign(1, left);
  const double h = std::abs(left) < step_length_ * (1 - 1e-9) ? left : sign * step_length_;
  const double t1 = clock_.next(node_.t, step_length_, end);
  before_ = node_;
  predictor_before_ = predictor_;
  double passed = 0;
  for (std::size_t k = 0; k < weights_.size(); ++k) {
    passed += weights_[k];
    if (!substep(weights_[k] * h, k + 1 == weights_.size() ? t1 : before_.t + passed * h)) return fail(h);
  }
  start_velocity_ = velocity_;
  if (!show()) return fail(h);
  start_position_ = before_.q;
  start_ = before_.t;
  clock_.advance(before_.t, step_length_, end);
  return StepOutcome::stepped;
}

StepOutcome VariationalIntegrator::fail(double h) {
  node_ = before_;
  predictor_ = predictor_before_;
  failure_ = fmt::format(
      "Newton's method does not solve the discrete equations of the step from t = {:.9g} with h = {:.3g}; a "
      "shorter step may do",
      node_.t, h);
  return StepOutcome::no_convergence;
}

/// Cubic through positions and q' at both ends; velocities from its derivative.
void VariationalIntegrator::interpolate(double t, double* y) {
  const double h = node_.t - start_;
  if (h == 0) {
    std::copy(y_.begin(), y_.end(), y);
    return;
  }
  const double s = (t - start_) / h;
  const double s2 = s * s, s3 = s2 * s;
  position_ = (2 * s3 - 3 * s2 + 1) * start_position_ + (s3 - 2 * s2 + s) * h * start_velocity_ +
              (3 * s2 - 2 * s3) * node_.q + (s3 - s2) * h * velocity_;
  v_ = (6 * s2 - 6 * s) / h * (start_position_ - node_.q) + (3 * s2 - 4 * s + 1) * start_velocity_ +
       (3 * s2 - 2 * s) * velocity_;
  set_input(t, position_, v_);
  velocities_(input_);
  for (std::size_t first = positions_ - 4 * rotations_; first < positions_; first += 4)
    position_.segment<4>(index(first)).normalize();
  std::copy_n(position_.data(), positions_, y);
  std::copy_n(velocities_.data(), directions_, y + positions_);
}

std::vector<double> VariationalIntegrator::memory() const {
  std::vector<double> result{clock_.origin(), clock_.count(), predictor_.t, predicts_ ? 1.0 : 0.0};
  for (const VectorXd* part :
       {&node_.p, &node_.q_rest, &node_.p_rest, &velocity_, &predictor_.v, &predictor_.slope})
    result.insert(result.end(), part->data(), part->data() + part->size());
  return result;
}

void VariationalIntegrator::recall(std::span<const double> memory) {
  if (memory.size() != 4 + 6 * positions_) return;
  clock_.recall(memory[0], memory[1]);
  predictor_.t = memory[2];
  predicts_ = memory[3] != 0;
  const double* at = memory.data() + 4;
  for (VectorXd* part :
       {&node_.p, &node_.q_rest, &node_.p_rest, &velocity_, &predictor_.v, &predictor_.slope}) {
    std::copy_n(at, positions_, part->data());
    at += positions_;
  }
  start_velocity_ = velocity_;
}

}  // namespace

std::unique_ptr<Integrator> make_variational(Algebra& algebra, const System& system,
                                             const DoublePoint& parameters,
                                             const VariationalOptions& options) {
  if (!(options.step > 0) || !std::isfinite(options.step))
    throw Error(not_for_method, "the variational method needs the length of its steps",
                "give a positive step");
  std::vector<Expr> symbols;
  std::vector<double> values;
  for (const Parameter& parameter : system.parameters) {
    const auto value = parameters.find(parameter.symbol);
    if (value == parameters.end()) {
      throw Error(ErrorCode::missing_value,
                  "the parameter `" + parameter.symbol.symbol().name + "` has no value");
    }
    symbols.push_back(parameter.symbol);
    values.push_back(value->second);
  }
  const VariationalEquations equations = variational_equations(algebra, system);
  return std::make_unique<VariationalIntegrator>(equations, system.time, symbols, values, options);
}

}  // namespace liaison
