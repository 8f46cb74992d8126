#include "return_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "index.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/simulate/relation_size.hpp"
#include "mechanics/dense.hpp"

namespace liaison {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace

bool ReturnMap::measure(const DoublePoint& values, const std::vector<double>& y, double period,
                        const Tolerance& tolerance) {
  const Index n = index(y.size());
  values_ = values;
  y_ = y;
  measured_period_ = period;
  constexpr double part = 0.381966;  // of no shorter period
  const VectorXd start = Eigen::Map<const VectorXd>(y.data(), n);
  OrbitWay way{VectorXd::Zero(n), start.cwiseAbs(), VectorXd::Zero(n), VectorXd::Zero(n)};
  const auto look = [&](const PerturbedState& state) {
    const VectorXd here = Eigen::Map<const VectorXd>(state.y.data(), n);
    way.reached = way.reached.cwiseMax((here - start).cwiseAbs());
    way.largest = way.largest.cwiseMax(here.cwiseAbs());
    if (!perturbation_.take(state.t, state.y.data())) return true;
    const Index width = n + index(perturbation_.parameter_count()) + 1;
    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> matrix(
        perturbation_.matrix().data(), n, width);
    const MatrixXd growth = matrix.leftCols(n).cwiseAbs() * period;
    const VectorXd size = here.cwiseAbs(),
                   rounding = std::numeric_limits<double>::epsilon() * (growth * size + size);
    way.rounding = way.rounding.cwiseMax(rounding);
    way.noise = way.noise.cwiseMax(growth * rounding + rounding);
    return true;
  };
  look({request_.begin, y, {}});
  sizes_.expect(way.noise);
  const auto middle = follow({request_.begin, y, {}}, part * period, tolerance);
  if (!middle || !follow({request_.begin, y, {}}, period, tolerance, look)) return false;
  sizes_.take(std::move(way), period, tolerance.relative);
  way_ = measured(Eigen::Map<const VectorXd>(middle->y.data(), n) - start);
  return true;
}

bool ReturnMap::is_within_steps() const {
  const VectorXd state = Eigen::Map<const VectorXd>(y_.data(), index(y_.size())).cwiseAbs();
  // the basis is orthonormal beside the sizes
  const MatrixXd all = image * basis.transpose() * sizes().cwiseAbs2().cwiseInverse().asDiagonal();
  const VectorXd allowed = 50 * tolerance_.relative * (all.cwiseAbs() * state + state);
  return (residual.cwiseAbs().array() <= allowed.array()).all();
}

bool ReturnMap::is_within_rounding() const {
  constexpr double far = 1e3 * std::numeric_limits<double>::epsilon();  // a hundred times how far it goes
  return sizes_.rounding_of_deviations() > far &&
         (residual.cwiseAbs().array() <= sizes_.noise().array()).all();
}

bool ReturnMap::take(const DoublePoint& values, const std::vector<double>& y, double period,
                     const Tolerance& tolerance) {
  const std::size_t n = y.size(), parameters = perturbation_.parameter_count();
  values_ = values;
  tolerance_ = tolerance;
  y_ = y;
  const std::vector<std::vector<double>> columns =
      perturbation_.admissible(request_.begin, y.data(), {sizes().data(), n});
  PerturbedState begin{request_.begin, y, columns};
  for (auto& column : begin.deviations) column.resize(n + parameters);
  for (std::size_t p = 0; p < parameters; ++p) {
    std::vector<double> deviation(n + parameters);
    deviation[n + p] = 1;
    if (!perturbation_.make_admissible(request_.begin, y.data(), deviation.data())) {
      failure_ = "a parameter cannot change: the constraints have no states near";
      return false;
    }
    begin.deviations.push_back(std::move(deviation));
  }
  jumps.clear();
  const auto run = follow(begin, period, tolerance);
  if (!run) return false;
  jumps = jumps_;
  period_ = period;
  const auto gather = [&](const PerturbedState& from, std::size_t begin_at, std::size_t count) {
    MatrixXd result(index(n), index(count));
    for (std::size_t j = 0; j < count; ++j)
      for (std::size_t i = 0; i < n; ++i) result(index(i), index(j)) = from.deviations[begin_at + j][i];
    return result;
  };
  basis = gather(begin, 0, columns.size());
  image = gather(*run, 0, columns.size());
  of_parameters = gather(begin, columns.size(), parameters);
  by_parameters = gather(*run, columns.size(), parameters);
  residual.resize(index(n));
  for (std::size_t i = 0; i < n; ++i)
    residual(index(i)) = run->y[i] - y[i] - (request_.turns.empty() ? 0 : request_.turns[i]);
  flow.resize(index(n));
  if (evaluator_.rates(request_.begin + period, run->y.data(), flow.data())) return true;
  failure_ = evaluator_.failure();
  return false;
}

/// The slope of the conserved energy on the basis.
std::optional<VectorXd> ReturnMap::energy_slope() const {
  if (energy_.empty()) return {};
  std::vector<Expr> state = equations_.positions;
  state.insert(state.end(), equations_.parameters.begin(), equations_.parameters.end());
  DoublePoint point = values_;
  point[equations_.system->time] = request_.begin;
  for (std::size_t i = 0; i < state.size(); ++i) point[state[i]] = y_[i];
  const DoubleValues slopes = evaluate(gradient(energy_, state), point);
  if (slopes.status != EvaluationStatus::ok) return {};
  return basis.transpose() * Eigen::Map<const VectorXd>(slopes.values.data(), index(state.size()));
}

PerturbedRunResult ReturnMap::run(const PerturbedState& begin, double time, double every,
                                  const Tolerance& tolerance, const std::vector<EventRecord>& events,
                                  const std::function<bool(const PerturbedState&)>& receive) {
  PerturbedRunOptions options{.until = request_.begin + time,
                              .every = every,
                              .tolerance = tolerance,
                              .absolute = sizes_.absolute(tolerance),
                              .absolute_of_deviations = sizes_.absolute_of_deviations(tolerance),
                              .interrupted = request_.interrupted,
                              .contacts = request_.contacts};
  options.tolerance.relative *= sizes_.part_of_relative();
  constexpr std::size_t many = 5000;
  const bool is_first = !sizes_.is_measured();
  if (is_first) options.max_steps = many;
  const auto follow_with = [&] {
    return follow_deviations(equations_, evaluator_, perturbation_, values_, events, begin, options, receive);
  };
  const bool is_own = sizes_.has_own();
  const double periods = std::max(1.0, std::ceil(time / measured_period_));
  if (is_own) options.max_steps = static_cast<std::size_t>(periods) * (2000 + 50 * usual_steps_);
  PerturbedRunResult result = follow_with();
  if ((is_own || is_first) && result.outcome == SimulationOutcome::step_limit) {
    if (is_own) sizes_.give_up();
    options.absolute = is_first ? sizes_.expected_absolute(tolerance) : std::vector<double>();
    options.max_steps = PerturbedRunOptions().max_steps;
    result = follow_with();
  }
  if (!is_own) usual_steps_ = std::max(usual_steps_, result.steps);
  return result;
}

std::optional<PerturbedState> ReturnMap::follow(const PerturbedState& begin, double time,
                                                const Tolerance& tolerance,
                                                const std::function<bool(const PerturbedState&)>& receive) {
  const auto events = events_of(begin, time);
  if (!events) return std::nullopt;
  PerturbedRunResult result = run(begin, time, 0, tolerance, *events, receive);
  if (result.outcome == SimulationOutcome::finished) return std::move(result.end);
  failure_ = result.outcome == SimulationOutcome::interrupted ? "interrupted" : result.message;
  return std::nullopt;
}

std::optional<std::vector<EventRecord>> ReturnMap::events_of(const PerturbedState& begin, double time) {
  jumps_.clear();
  if (!request_.events) return std::vector<EventRecord>();
  auto found = request_.events(values_, begin.t, begin.y, request_.begin + time, failure_);
  for (const EventRecord& record : found.value_or(std::vector<EventRecord>())) {
    const bool resets = equations_.system->events[record.event].action == EventAction::reset;
    if (resets && !record.touches) jumps_.push_back(record.event);
  }
  return found;
}

bool ReturnMap::closes_again(double period, const Tolerance& tolerance, double size, double& second_defect) {
  const auto run = follow({request_.begin, y_, {}}, 2 * period, tolerance);
  if (!run) return false;
  VectorXd off(index(y_.size()));
  for (std::size_t i = 0; i < y_.size(); ++i) {
    const double turn = request_.turns.empty() ? 0 : request_.turns[i];
    off(index(i)) = run->y[i] - y_[i] - 2 * turn;
  }
  second_defect = measured(off) / size;
  const double allowed = 1e3 * (1 + growth()) * (measured(residual) / size + tolerance.relative);
  if (second_defect <= std::max(allowed, 1e-7)) return true;
  failure_ = "the motion comes back after one period and not after the next";
  if (!request_.autonomous) failure_ += ": it is not the period of the drive";
  return false;
}

bool ReturnMap::closes_within(double part, const Tolerance& tolerance, double size) {
  const auto run = follow({request_.begin, y_, {}}, part, tolerance);
  if (!run) return false;
  const VectorXd off = Eigen::Map<const VectorXd>(run->y.data(), index(y_.size())) -
                       Eigen::Map<const VectorXd>(y_.data(), index(y_.size()));
  const double allowed = 1e3 * (1 + growth()) * (measured(residual) / size + tolerance.relative);
  return measured(off) <= std::min(allowed, 1e-7) * size;
}

std::vector<std::vector<double>> ReturnMap::returns(std::size_t periods, double period) {
  constexpr double relative = 1e-8;  // near to a motion is enough
  std::vector<std::vector<double>> result;
  const auto look = [&](const PerturbedState& state) {
    result.push_back(state.y);
    for (std::size_t i = 0; i < request_.turns.size(); ++i)
      result.back()[i] -= static_cast<double>(result.size() - 1) * request_.turns[i];
    return true;
  };
  const PerturbedState begin{request_.begin, y_, {}};
  const double time = static_cast<double>(periods) * period;
  const auto events = events_of(begin, time);
  if (events)
    run(begin, time, period, tolerance_for(relative, y_, size_of_relations(equations_, values_)), *events,
        look);
  return result;
}

double ReturnMap::growth() const {
  if (image.cols() == 0) return 0;
  return DenseSingular(sizes().cwiseInverse().asDiagonal() * image, DenseSingular::Vectors::none).values()(0);
}

double ReturnMap::distance(const DoublePoint& values, const std::vector<double>& y, double period,
                           const std::vector<double>& other, const Tolerance& tolerance) {
  const Index n = index(y.size());
  const auto in_units = [&](const std::vector<double>& of) {
    return VectorXd(Eigen::Map<const VectorXd>(of.data(), n).cwiseQuotient(own_sizes()));
  };
  std::vector<double> rates(y.size());
  if (!evaluator_.rates(request_.begin, other.data(), rates.data())) return -1;
  const VectorXd target = in_units(other), flow_there = in_units(rates);
  VectorXd before = in_units(y);
  double nearest = (before - target).norm();
  const auto look = [&](const PerturbedState& state) {
    const VectorXd now = in_units(state.y);
    nearest = std::min(nearest, (now - target).norm());
    // where the plane across the flow at the other state is passed
    const double one = flow_there.dot(before - target), two = flow_there.dot(now - target);
    if (one * two < 0) {
      const double part = one / (one - two);
      nearest = std::min(nearest, (before + part * (now - before) - target).norm());
    }
    before = now;
    return true;
  };
  values_ = values;
  const PerturbedState begin{request_.begin, y, {}};
  const auto events = events_of(begin, period);
  if (!events) return -1;
  const PerturbedRunResult result = run(begin, period, period / 2000, tolerance, *events, look);
  return result.outcome == SimulationOutcome::finished ? nearest : -1;
}

std::vector<Multiplier> eigenvalues_of(const MatrixXd& matrix, double relative) {
  const DenseEigen eigen = eigen_of(matrix);
  const double size = matrix.norm(), most = std::cbrt(relative);
  std::vector<Multiplier> result;
  for (Index i = 0; i < matrix.cols(); ++i) {
    const double factor = eigen.right.col(i).norm() * eigen.left.row(i).norm();
    const double doubt = std::isfinite(factor) ? std::min(relative * factor, most) : most;
    result.push_back({eigen.values(i), {}, doubt * size});
  }
  return result;
}

std::vector<Multiplier> ReturnMap::multipliers() {
  std::vector<Multiplier> result;
  if (basis.cols() == 0) return result;  // nothing can deviate
  const auto reduced = [](const MatrixXd& of, const VectorXd& normal) {
    const MatrixXd rest = completed(normal).rightCols(of.cols() - 1);
    return std::pair<MatrixXd, MatrixXd>(rest.transpose() * of * rest, rest);
  };
  const auto scaled = [&](const MatrixXd& of) { return MatrixXd(sizes().cwiseInverse().asDiagonal() * of); };
  const DensePivoted factors(scaled(basis));
  MatrixXd m = factors.solve_all(scaled(image));
  const VectorXd along = factors.solve_all(scaled(flow));
  if (request_.autonomous && along.norm() * period_ > 1e-8 * reach()) {
    const auto slope = energy_slope();
    const auto [quotient, rest] = reduced(m, along);
    m = quotient;
    result.push_back({1, "along the motion"});
    if (slope && m.cols() > 0) {
      // on the quotient the slope is an eigenvector of the transposed matrix: its kernel is invariant
      const VectorXd normal = rest.transpose() * *slope;
      if (normal.norm() > 1e-8 * slope->norm()) {
        m = reduced(m, normal).first;
        result.push_back({1, "of the energy"});
      }
    }
  }
  if (m.cols() > 0) {
    // the steps' errors add up over a period
    const std::vector<Multiplier> others = eigenvalues_of(m, 1e3 * tolerance_.relative);
    result.insert(result.end(), others.begin(), others.end());
  }
  // by their sizes without the last digits, so that pairs stand side by side
  std::stable_sort(result.begin(), result.end(), [](const Multiplier& a, const Multiplier& b) {
    const double one = std::round(1e11 * std::abs(a.value)), two = std::round(1e11 * std::abs(b.value));
    return one != two ? one > two : a.value.imag() > b.value.imag();
  });
  return result;
}

}  // namespace liaison
