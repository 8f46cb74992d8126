#include "return_map.hpp"

#include <algorithm>
#include <cmath>

#include "index.hpp"
#include "liaison/expr/differentiate.hpp"

namespace liaison {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace

bool ReturnMap::measure(const DoublePoint& values, const std::vector<double>& y, double period,
                        const Tolerance& tolerance) {
  const std::size_t n = y.size(), positions = equations_.positions.size();
  values_ = values;
  y_ = y;
  constexpr double part = 0.381966;  // of no shorter period
  double reached[2] = {0, 0}, sums[2] = {0, 0};
  const auto look = [&](const PerturbedState& state) {
    for (std::size_t i = 0; i < n; ++i) {
      double& one = reached[i < positions ? 0 : 1];
      one = std::max(one, std::abs(state.y[i] - y[i]));
    }
    return true;
  };
  const auto middle = follow({request_.begin, y, {}}, part * period, tolerance);
  if (!middle || !follow({request_.begin, y, {}}, period, tolerance, look)) return false;
  for (std::size_t i = 0; i < n; ++i) {
    sums[i < positions ? 0 : 1] += std::pow(middle->y[i] - y[i], 2);
    double& one = reached[i < positions ? 0 : 1];
    if (!request_.autonomous) one = std::max(one, std::abs(y[i]));  // a driven motion may stay where it is
  }
  if (reached[0] == 0) reached[0] = reached[1] * period;
  if (reached[1] == 0) reached[1] = reached[0] / period;
  reach_ = std::max(reached[0], reached[1]);
  if (!(reach_ > 0)) reached[0] = reached[1] = reach_ = 1;
  way_ = std::sqrt(sums[0] / (reached[0] * reached[0]) + sums[1] / (reached[1] * reached[1]));
  for (std::size_t i = 0; i < n; ++i) sizes_(index(i)) = reached[i < positions ? 0 : 1] / reach_;
  return true;
}

bool ReturnMap::take(const DoublePoint& values, const std::vector<double>& y, double period,
                     const Tolerance& tolerance) {
  const std::size_t n = y.size(), parameters = perturbation_.parameter_count();
  values_ = values;
  tolerance_ = tolerance;
  y_ = y;
  const std::vector<std::vector<double>> columns =
      perturbation_.admissible(request_.begin, y.data(), {sizes_.data(), n});
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
  const PerturbedState first = begin;
  jumps.clear();
  const auto run = follow(std::move(begin), period, tolerance);
  if (!run) return false;
  jumps = jumps_;
  period_ = period;
  const auto gather = [&](const PerturbedState& from, std::size_t begin_at, std::size_t count) {
    MatrixXd result(index(n), index(count));
    for (std::size_t j = 0; j < count; ++j)
      for (std::size_t i = 0; i < n; ++i) result(index(i), index(j)) = from.deviations[begin_at + j][i];
    return result;
  };
  basis = gather(first, 0, columns.size());
  image = gather(*run, 0, columns.size());
  of_parameters = gather(first, columns.size(), parameters);
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

std::optional<PerturbedState> ReturnMap::follow(PerturbedState begin, double time, const Tolerance& tolerance,
                                                const std::function<bool(const PerturbedState&)>& receive) {
  const auto events = events_of(begin, time);
  if (!events) return std::nullopt;
  PerturbedRunResult run =
      follow_deviations(equations_, evaluator_, perturbation_, values_, *events, std::move(begin),
                        {.until = request_.begin + time,
                         .every = 0,
                         .tolerance = tolerance,
                         .interrupted = request_.interrupted,
                         .contacts = request_.contacts},
                        receive);
  if (run.outcome == SimulationOutcome::finished) return std::move(run.end);
  failure_ = run.outcome == SimulationOutcome::interrupted ? "interrupted" : run.message;
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

double ReturnMap::growth() const {
  if (image.cols() == 0) return 0;
  const Eigen::JacobiSVD<MatrixXd> values(MatrixXd(sizes_.cwiseInverse().asDiagonal() * image));
  return values.singularValues()(0);
}

double ReturnMap::distance(const DoublePoint& values, const std::vector<double>& y, double period,
                           const std::vector<double>& other, const Tolerance& tolerance) {
  const VectorXd target = Eigen::Map<const VectorXd>(other.data(), index(other.size()));
  VectorXd flow_there(index(other.size()));
  if (!evaluator_.rates(request_.begin, other.data(), flow_there.data())) return -1;
  double nearest = (Eigen::Map<const VectorXd>(y.data(), index(y.size())) - target).norm();
  VectorXd before = Eigen::Map<const VectorXd>(y.data(), index(y.size()));
  const auto look = [&](const PerturbedState& state) {
    const VectorXd now = Eigen::Map<const VectorXd>(state.y.data(), index(state.y.size()));
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
  const PerturbedRunResult run =
      follow_deviations(equations_, evaluator_, perturbation_, values, *events, begin,
                        {.until = request_.begin + period,
                         .every = period / 2000,
                         .tolerance = tolerance,
                         .interrupted = request_.interrupted,
                         .contacts = request_.contacts},
                        look);
  return run.outcome == SimulationOutcome::finished ? nearest : -1;
}

std::vector<Multiplier> eigenvalues_of(const MatrixXd& matrix, double relative) {
  const Eigen::EigenSolver<MatrixXd> eigen(matrix);
  const Eigen::MatrixXcd right = eigen.eigenvectors(), left = right.inverse();
  const double size = matrix.norm(), most = std::cbrt(relative);
  std::vector<Multiplier> result;
  for (Index i = 0; i < matrix.cols(); ++i) {
    const double factor = right.col(i).norm() * left.row(i).norm();
    const double doubt = std::isfinite(factor) ? std::min(relative * factor, most) : most;
    result.push_back({eigen.eigenvalues()(i), {}, doubt * size});
  }
  return result;
}

std::vector<Multiplier> ReturnMap::multipliers() {
  std::vector<Multiplier> result;
  if (basis.cols() == 0) return result;  // nothing can deviate
  const auto reduced = [](const MatrixXd& of, const VectorXd& normal) {
    Eigen::HouseholderQR<MatrixXd> factors{MatrixXd(normal)};
    const MatrixXd q = factors.householderQ();
    const MatrixXd rest = q.rightCols(of.cols() - 1);
    return std::pair<MatrixXd, MatrixXd>(rest.transpose() * of * rest, rest);
  };
  const auto scaled = [&](const MatrixXd& of) { return MatrixXd(sizes_.cwiseInverse().asDiagonal() * of); };
  const Eigen::ColPivHouseholderQR<MatrixXd> factors(scaled(basis));
  MatrixXd m = factors.solve(scaled(image));
  const VectorXd along = factors.solve(scaled(flow));
  if (request_.autonomous && along.norm() * period_ > 1e-8 * reach_) {
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
  std::stable_sort(result.begin(), result.end(), [](const Multiplier& a, const Multiplier& b) {
    const double one = std::abs(a.value), two = std::abs(b.value);
    return std::abs(one - two) > 1e-12 ? one > two : a.value.imag() > b.value.imag();
  });
  return result;
}

}  // namespace liaison
