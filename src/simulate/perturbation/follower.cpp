#include "follower.hpp"

#include <algorithm>
#include <cmath>

#include "index.hpp"
#include "mechanics/dense.hpp"

namespace liaison {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace

Follower::Follower(const AssembledEquations& equations, Evaluator& evaluator,
                   PerturbationEquations& perturbation, const DoublePoint& values,
                   const BranchRequest& request, Expr energy)
    : evaluator_(evaluator),
      perturbation_(perturbation),
      values_(values),
      request_(request),
      map_(equations, evaluator, perturbation, request.orbit, energy),
      n_(request.orbit.y.size()),
      positions_(equations.positions.size()),
      rest_units_(VectorXd::Ones(index(n_))) {
  range_ = std::abs(request.to - request.from);
  has_period_ = !request.rest && !request.orbit.fixed_period;
  polish_ = request.rest ? 2 : 0;
  if (!request.rest) digits_ = std::max(1e-11, 100 * request.orbit.tolerance.relative);
}

void Follower::set_parameter(double value) {
  values_[perturbation_.parameters()[request_.parameter]] = value;
  perturbation_.set_parameters(values_);
}

std::optional<double> Follower::drive_at(double parameter) {
  DoublePoint values = values_;
  values[perturbation_.parameters()[request_.parameter]] = parameter;
  return request_.period_of(values);
}

bool Follower::linearise(BranchPlace& place) {
  set_parameter(place.parameter);
  double slope = 0;
  if (!request_.rest && request_.period_of) {
    const double h = 1e-4 * range_;
    const auto here = drive_at(place.parameter), before = drive_at(place.parameter - h),
               after = drive_at(place.parameter + h), far_before = drive_at(place.parameter - 2 * h),
               far_after = drive_at(place.parameter + 2 * h);
    if (!here || !before || !after || !far_before || !far_after)
      return fail("the drive has no period at values of the parameter next to this one");
    place.period = *here;
    slope = (8 * (*after - *before) - (*far_after - *far_before)) / (12 * h);
  }
  const std::vector<double> y = state_of(place);
  const Index p = index(request_.parameter);
  if (request_.rest) return linearise_rest(y);
  if (!(place.period > 0)) return fail("the period falls to nothing");
  if (!is_measured_) {
    is_measured_ = true;
    if (!map_.measure(values_, y, place.period, request_.orbit.tolerance)) return fail(map_.failure());
    // a rounding of zero has no size
    const double unit = unit_of(request_.orbit.tolerance),
                 size = std::max(map_.reach(), in_units(place.y).norm());
    size_ = size < 1e-6 * unit ? unit : size;
  }
  if (!map_.take(values_, y, place.period, request_.orbit.tolerance)) return fail(map_.failure());
  if (map_.basis.cols() == 0) return fail("the relations leave nothing that could deviate");
  linear_.residual = map_.residual;
  linear_.basis = map_.basis;
  linear_.by_start = map_.image - map_.basis;
  linear_.of_parameter = map_.of_parameters.col(p);
  linear_.by_parameter = map_.by_parameters.col(p) - map_.of_parameters.col(p);
  linear_.by_parameter += map_.flow * slope;
  linear_.flow = map_.flow;
  return true;
}

bool Follower::linearise_rest(const std::vector<double>& y) {
  const double t = request_.orbit.begin;
  if (!perturbation_.take(t, y.data())) return fail(perturbation_.failure());
  const std::size_t parameters = perturbation_.parameter_count(), width = n_ + parameters + 1;
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> matrix(
      perturbation_.matrix().data(), index(n_), index(width));
  linear_.residual = Eigen::Map<const VectorXd>(perturbation_.rates().data(), index(n_));
  const MatrixXd by_state = matrix.leftCols(index(n_));
  const VectorXd by_parameter = matrix.col(index(n_ + request_.parameter));
  if (request_.rest && !is_measured_) measure_rest(by_state);
  const auto columns = perturbation_.admissible(t, y.data(), {units().data(), n_});
  if (columns.empty()) return fail("the relations leave nothing that could move");
  linear_.basis.resize(index(n_), index(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j)
    linear_.basis.col(index(j)) = Eigen::Map<const VectorXd>(columns[j].data(), index(n_));
  std::vector<double> deviation(n_ + parameters);
  deviation[n_ + request_.parameter] = 1;
  if (!perturbation_.make_admissible(t, y.data(), deviation.data()))
    return fail("the parameter cannot change: the constraints have no states near");
  linear_.of_parameter = Eigen::Map<const VectorXd>(deviation.data(), index(n_));
  linear_.by_start = by_state * linear_.basis;
  linear_.by_parameter = by_state * linear_.of_parameter + by_parameter;
  linear_.flow = VectorXd::Zero(index(n_));
  // the basis is orthonormal beside the units
  const MatrixXd reduced =
      linear_.basis.transpose() * units().cwiseAbs2().cwiseInverse().asDiagonal() * linear_.by_start;
  linear_.spectrum = eigenvalues_of(reduced, 1e-13);
  return true;
}

void Follower::measure_rest(const MatrixXd& by_state) {
  is_measured_ = true;
  const Index p = index(positions_), u = index(n_) - p;
  if (p == 0 || u == 0) return;
  const double swing = std::sqrt(by_state.bottomLeftCorner(u, p).cwiseAbs().maxCoeff());
  const double damping = by_state.bottomRightCorner(u, u).cwiseAbs().maxCoeff();
  rest_rate_ = swing > 0 ? swing : damping > 0 ? damping : 1;
  rest_units_.tail(u).setConstant(rest_rate_);
}

MatrixXd Follower::rows(const Linear& linear) const {
  const Index d = linear.basis.cols(), period = has_period_ ? 1 : 0;
  const bool phase = !request_.rest && request_.orbit.autonomous;
  const auto held = std::count(request_.orbit.held.begin(), request_.orbit.held.end(), true);
  MatrixXd result = MatrixXd::Zero(index(n_) + (phase ? 1 : 0) + held, d + period + 1);
  result.topLeftCorner(index(n_), d) = linear.by_start * size_;
  if (has_period_) result.col(d).head(index(n_)) = linear.flow * request_.orbit.period;
  result.col(d + period).head(index(n_)) = linear.by_parameter * range_;
  // rows of one size, so that no unit decides what is small
  result.topRows(index(n_)) = row_units().cwiseInverse().asDiagonal() * result.topRows(index(n_));
  Index row = index(n_);
  if (phase) {
    const double speed = std::max(in_units(linear.flow).norm(), 1e-300);
    const VectorXd along = in_units(in_units(linear.flow)) / speed;
    result.row(row).head(d) = along.transpose() * linear.basis;
    result(row++, d + period) = along.dot(linear.of_parameter) * range_ / size_;
  }
  for (std::size_t i = 0; i < request_.orbit.held.size(); ++i) {
    if (!request_.orbit.held[i]) continue;
    result.row(row).head(d) = linear.basis.row(index(i)) / units()(index(i));
    result(row++, d + period) = linear.of_parameter(index(i)) * range_ / (size_ * units()(index(i)));
  }
  return result;
}

BranchPlace Follower::place_of(const VectorXd& change, const Linear& linear) const {
  const Index d = linear.basis.cols(), last = change.size() - 1;
  BranchPlace result;
  result.parameter = change(last) * range_;
  result.y = linear.basis * change.head(d) * size_ + linear.of_parameter * result.parameter;
  result.period = has_period_ ? change(d) * request_.orbit.period : 0;
  return result;
}

Eigen::RowVectorXd Follower::border(const BranchPlace& direction, const Linear& linear) const {
  const Index d = linear.basis.cols(), last = d + (has_period_ ? 1 : 0);
  Eigen::RowVectorXd result = Eigen::RowVectorXd::Zero(last + 1);
  const VectorXd along = in_units(in_units(direction.y));
  result.head(d) = along.transpose() * linear.basis / size_;
  if (has_period_) result(d) = direction.period / request_.orbit.period;
  result(last) = along.dot(linear.of_parameter) * range_ / (size_ * size_) + direction.parameter / range_;
  return result;
}

double Follower::product(const BranchPlace& a, const BranchPlace& b) const {
  return in_units(a.y).dot(in_units(b.y)) / (size_ * size_) +
         a.period * b.period / std::max(1e-300, request_.orbit.period * request_.orbit.period) +
         a.parameter * b.parameter / (range_ * range_);
}
BranchPlace Follower::scaled(BranchPlace place, double by) {
  place.y *= by;
  place.period *= by;
  place.parameter *= by;
  return place;
}
BranchPlace Follower::sum(BranchPlace a, const BranchPlace& b) {
  a.y += b.y;
  a.period += b.period;
  a.parameter += b.parameter;
  return a;
}

std::vector<BranchPlace> Follower::kernel(const Linear& linear, std::size_t count) const {
  const DenseSingular factors(rows(linear), DenseSingular::Vectors::all_right);
  std::vector<BranchPlace> result;
  const Index columns = factors.right().cols();
  for (std::size_t k = count; k > 0; --k) {
    BranchPlace direction = place_of(factors.right().col(columns - index(k)), linear);
    result.push_back(scaled(direction, 1 / std::sqrt(std::max(1e-300, product(direction, direction)))));
  }
  return result;
}

bool Follower::is_crossed(const Linear& linear, double within) const {
  const MatrixXd all = rows(linear);
  const DenseSingular factors(all, DenseSingular::Vectors::none);
  const VectorXd& values = factors.values();
  const Index place = all.cols() - 2;  // the last but one: zero where a family stands at one parameter
  return place >= 0 && place < values.size() && values(place) < within * values(0);
}

BranchPlace Follower::turned_from(const BranchPlace& direction) const {
  if (is_crossed(linear_)) return direction;
  const BranchPlace here = kernel(linear_, 1).front();
  return product(here, direction) < 0 ? scaled(here, -1) : here;
}

std::optional<BranchPlace> Follower::tangent(const Linear& linear) {
  if (is_crossed(linear)) {
    fail(
        "the motions are a family at one value of the parameter, or branches cross here: hold a value with "
        "--hold, or begin elsewhere");
    return {};
  }
  return kernel(linear, 1).front();
}

bool Follower::bring_back(BranchPlace& place) {
  std::vector<double> y = state_of(place);
  set_parameter(place.parameter);
  const bool is_back =
      request_.orbit.held.empty()
          ? evaluator_.project(request_.orbit.begin, y.data())
          : evaluator_.project_rest(request_.orbit.begin, y.data(), request_.orbit.held).empty();
  if (!is_back) return fail("the state does not come back onto the constraints");
  place.y = Eigen::Map<const VectorXd>(y.data(), index(n_));
  if (!request_.rest && request_.period_of)
    if (const auto period = drive_at(place.parameter)) place.period = *period;
  return true;
}

bool Follower::correct(BranchPlace& place, const BranchPlace& predicted, const BranchPlace& direction) {
  constexpr int most_rounds = 12;
  int polished = 0;
  const double enough = std::max(1e-11, 100 * request_.orbit.tolerance.relative);
  for (int round = 0; round < most_rounds; ++round) {
    if (is_interrupted()) return fail("interrupted");
    if (!linearise(place)) return false;
    if (round == 0) first_linear_ = linear_;
    const MatrixXd upper = rows(linear_);
    MatrixXd a(upper.rows() + 1, upper.cols());
    a.topRows(upper.rows()) = upper;
    a.row(upper.rows()) = border(direction, linear_);
    VectorXd right = VectorXd::Zero(a.rows());
    const VectorXd left = linear_.residual.cwiseQuotient(row_units());
    right.head(index(n_)) = -left;
    right(upper.rows()) = -product(direction, sum(place, scaled(predicted, -1)));
    const VectorXd change = DenseLeast(a, 1e-10).solve(right);
    const double scale = std::max(1.0, in_units(place.y).norm() / size_);  // a branch may have grown much
    const bool is_small = left.norm() < enough * scale || (!request_.rest && map_.is_within_steps());
    const bool converged = is_small && change.norm() < 1e-7 * scale;
    const bool is_last = converged && polished++ >= polish_;
    if (!(change.norm() < 10 * scale)) return fail("Newton's method leaves the branch", true);
    place = sum(place, place_of(change, linear_));
    if (!bring_back(place)) return false;
    if (is_last) return true;
  }
  return fail("Newton's method does not end", true);
}

bool Follower::come_to_rest(BranchPlace& place) {
  constexpr int most_rounds = 60, most_halvings = 20;
  for (int round = 0; round < most_rounds; ++round) {
    if (!linearise(place)) return false;
    const double rate = linear_.residual.cwiseQuotient(row_units()).norm();
    const MatrixXd all = rows(linear_);
    VectorXd right = VectorXd::Zero(all.rows());
    right.head(index(n_)) = -linear_.residual.cwiseQuotient(row_units());
    VectorXd change = VectorXd::Zero(all.cols());  // at one value of the parameter
    change.head(all.cols() - 1) = DenseLeast(all.leftCols(all.cols() - 1)).solve(right);
    if (change.norm() < 1e-9) return true;
    const BranchPlace step = place_of(change, linear_);
    double part = std::min(1.0, 1 / change.norm());
    bool is_nearer = false;
    for (int halving = 0; halving < most_halvings; ++halving, part /= 2) {
      BranchPlace next = sum(place, scaled(step, part));
      if (!bring_back(next) || !linearise(next)) continue;
      if (!(linear_.residual.cwiseQuotient(row_units()).norm() < rate)) continue;
      place = next;
      is_nearer = true;
      break;
    }
    if (!is_nearer) break;
  }
  return fail("Newton's method finds no place of rest from this start");
}

bool Follower::correct_at(BranchPlace& place, double parameter) {
  BranchPlace direction{VectorXd::Zero(index(n_)), 0, range_};
  place.parameter = parameter;
  const BranchPlace predicted = place;
  return correct(place, predicted, direction);
}

bool Follower::closes_again(const BranchPlace& place) {
  double defect = 0;
  return request_.rest || !request_.orbit.given_period ||
         map_.closes_again(place.period, request_.orbit.tolerance,
                           std::max(size_, in_units(place.y).norm()) / map_.reach(), defect) ||
         fail(map_.failure());
}

BranchPoint Follower::point_of(const BranchPlace& place) {
  BranchPoint point{place.parameter, place.period, state_of(place), {}, OrbitStability::neutral};
  point.spectrum = request_.rest ? linear_.spectrum : map_.multipliers();
  if (!request_.rest) {
    point.stability = stability_of(point.spectrum, 1e-9);
    return point;
  }
  bool grows = false, stays = false;
  for (const Multiplier& one : point.spectrum) {
    grows = grows || one.value.real() > one.doubt;
    stays = stays || one.value.real() > -one.doubt;
  }
  point.stability = grows   ? OrbitStability::unstable
                    : stays ? OrbitStability::neutral
                            : OrbitStability::stable;
  return point;
}

}  // namespace liaison
