#include "liaison/simulate/branch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "index.hpp"
#include "return_map.hpp"

namespace liaison {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// What is to vanish at a point of a branch, with its derivatives by the start, the period and the parameter.
struct Linear {
  VectorXd residual;
  MatrixXd by_start, basis;
  VectorXd by_parameter, of_parameter, flow;
  std::vector<Multiplier> spectrum;
};

/// A place on a branch or a direction of it, in units of the state, the period and the parameter.
struct Place {
  VectorXd y;
  double period = 0, parameter = 0;
};

class Follower {
 public:
  Follower(const AssembledEquations& equations, Evaluator& evaluator, PerturbationEquations& perturbation,
           const DoublePoint& values, const BranchRequest& request, Expr energy)
      : evaluator_(evaluator),
        perturbation_(perturbation),
        values_(values),
        request_(request),
        map_(equations, evaluator, perturbation, request.orbit, energy),
        n_(request.orbit.y.size()) {
    range_ = std::abs(request.to - request.from);
    has_period_ = !request.rest && !request.orbit.fixed_period;
    polish_ = request.rest ? 2 : 0;
  }

  Branches run() {
    Branches result;
    Place place{Eigen::Map<const VectorXd>(request_.orbit.y.data(), index(n_)), request_.orbit.period,
                request_.from};
    size_ = std::max(1.0, place.y.norm());
    if (!correct_at(place, request_.from) || !closes_again(place)) {
      result.failure = message_;
      return result;
    }
    auto direction = tangent(linear_);
    if (!direction) {
      result.failure = message_;
      return result;
    }
    if (direction->parameter * (request_.to - request_.from) < 0) *direction = scaled(*direction, -1);
    result.branches.push_back(follow(place, *direction));
    restore();
    if (!request_.crossing) return result;
    const std::vector<Crossing> crossings = std::exchange(crossings_, {});
    for (const Crossing& crossing : crossings) {
      for (const double side : {1.0, -1.0}) {
        if (is_interrupted()) return result;
        FamilyBranch other = follow_crossing(crossing, side);
        if (other.points.size() > 1) result.branches.push_back(std::move(other));
      }
    }
    restore();
    return result;
  }

 private:
  struct Crossing {
    Place at, along, across;
  };

  bool is_interrupted() const { return request_.orbit.interrupted && request_.orbit.interrupted(); }

  bool fail(std::string message) {
    message_ = std::move(message);
    return false;
  }

  void set_parameter(double value) {
    values_[perturbation_.parameters()[request_.parameter]] = value;
    perturbation_.set_parameters(values_);
  }
  void restore() { set_parameter(request_.from); }

  std::vector<double> state_of(const Place& place) const {
    return {place.y.data(), place.y.data() + place.y.size()};
  }

  /// The period of the drive at a value of the parameter.
  std::optional<double> drive_at(double parameter) {
    DoublePoint values = values_;
    values[perturbation_.parameters()[request_.parameter]] = parameter;
    return request_.period_of(values);
  }

  bool linearise(Place& place) {
    set_parameter(place.parameter);
    double slope = 0;
    if (!request_.rest && request_.period_of) {
      const double h = 1e-4 * range_;
      const auto here = drive_at(place.parameter), before = drive_at(place.parameter - h),
                 after = drive_at(place.parameter + h), far_before = drive_at(place.parameter - 2 * h),
                 far_after = drive_at(place.parameter + 2 * h);
      if (!here || !before || !after || !far_before || !far_after)
        return fail("the drive has no period there");
      place.period = *here;
      slope = (8 * (*after - *before) - (*far_after - *far_before)) / (12 * h);
    }
    const std::vector<double> y = state_of(place);
    const Index p = index(request_.parameter);
    if (request_.rest) return linearise_rest(y);
    if (!(place.period > 0)) return fail("the period falls to nothing");
    if (!map_.take(values_, y, place.period, request_.orbit.tolerance)) return fail(map_.failure());
    linear_.residual = map_.residual;
    linear_.basis = map_.basis;
    linear_.by_start = map_.image - map_.basis;
    linear_.of_parameter = map_.of_parameters.col(p);
    linear_.by_parameter = map_.by_parameters.col(p) - map_.of_parameters.col(p);
    linear_.by_parameter += map_.flow * slope;
    linear_.flow = map_.flow;
    return true;
  }

  /// The rates vanish.
  bool linearise_rest(const std::vector<double>& y) {
    const double t = request_.orbit.begin;
    if (!perturbation_.take(t, y.data())) return fail(perturbation_.failure());
    const std::size_t parameters = perturbation_.parameter_count(), width = n_ + parameters + 1;
    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> matrix(
        perturbation_.matrix().data(), index(n_), index(width));
    linear_.residual = Eigen::Map<const VectorXd>(perturbation_.rates().data(), index(n_));
    const MatrixXd by_state = matrix.leftCols(index(n_));
    const VectorXd by_parameter = matrix.col(index(n_ + request_.parameter));
    const auto columns = perturbation_.admissible(t, y.data());
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
    const MatrixXd reduced = linear_.basis.transpose() * linear_.by_start;
    linear_.spectrum = eigenvalues_of(reduced, 1e-13);
    return true;
  }

  /// Rows for deviations of the start, of the period and of the parameter: what is to vanish, the phase of an
  /// orbit, and what is held. Columns are in units of the sizes.
  MatrixXd rows(const Linear& linear) const {
    const Index d = linear.basis.cols(), period = has_period_ ? 1 : 0;
    const bool phase = !request_.rest && request_.orbit.autonomous;
    const auto held = std::count(request_.orbit.held.begin(), request_.orbit.held.end(), true);
    MatrixXd result = MatrixXd::Zero(index(n_) + (phase ? 1 : 0) + held, d + period + 1);
    result.topLeftCorner(index(n_), d) = linear.by_start * size_;
    if (has_period_) result.col(d).head(index(n_)) = linear.flow * request_.orbit.period;
    result.col(d + period).head(index(n_)) = linear.by_parameter * range_;
    Index row = index(n_);
    if (phase) {
      const double speed = std::max(linear.flow.norm(), 1e-300);
      result.row(row).head(d) = linear.flow.transpose() * linear.basis / speed;
      result(row++, d + period) = linear.flow.dot(linear.of_parameter) / speed * range_ / size_;
    }
    for (std::size_t i = 0; i < request_.orbit.held.size(); ++i) {
      if (!request_.orbit.held[i]) continue;
      result.row(row).head(d) = linear.basis.row(index(i));
      result(row++, d + period) = linear.of_parameter(index(i)) * range_ / size_;
    }
    return result;
  }

  Place place_of(const VectorXd& change, const Linear& linear) const {
    const Index d = linear.basis.cols(), last = change.size() - 1;
    Place result;
    result.parameter = change(last) * range_;
    result.y = linear.basis * change.head(d) * size_ + linear.of_parameter * result.parameter;
    result.period = has_period_ ? change(d) * request_.orbit.period : 0;
    return result;
  }

  double product(const Place& a, const Place& b) const {
    return a.y.dot(b.y) / (size_ * size_) +
           a.period * b.period / std::max(1e-300, request_.orbit.period * request_.orbit.period) +
           a.parameter * b.parameter / (range_ * range_);
  }
  static Place scaled(Place place, double by) {
    place.y *= by;
    place.period *= by;
    place.parameter *= by;
    return place;
  }
  static Place sum(Place a, const Place& b) {
    a.y += b.y;
    a.period += b.period;
    a.parameter += b.parameter;
    return a;
  }

  /// Directions along which nothing changes, the most certain last.
  std::vector<Place> kernel(const Linear& linear, std::size_t count) const {
    const Eigen::JacobiSVD<MatrixXd> factors(rows(linear), Eigen::ComputeFullV);
    std::vector<Place> result;
    const Index columns = factors.matrixV().cols();
    for (std::size_t k = count; k > 0; --k) {
      Place direction = place_of(factors.matrixV().col(columns - index(k)), linear);
      result.push_back(scaled(direction, 1 / std::sqrt(std::max(1e-300, product(direction, direction)))));
    }
    return result;
  }

  std::optional<Place> tangent(const Linear& linear) {
    const Eigen::JacobiSVD<MatrixXd> factors(rows(linear));
    const auto& values = factors.singularValues();
    const Index columns = rows(linear).cols();
    const Index place = columns - 2;  // the last but one: zero where a family stands at one parameter
    if (place >= 0 && place < values.size() && values(place) < 1e-7 * values(0)) {
      fail(
          "the motions are a family at one value of the parameter, or branches cross here: hold a value with "
          "--hold, or begin elsewhere");
      return {};
    }
    return kernel(linear, 1).front();
  }

  /// Newton's method with one more row: the distance along `direction` from `predicted` stays zero.
  bool correct(Place& place, const Place& predicted, const Place& direction) {
    constexpr int most_rounds = 12;
    int polished = 0;
    const double enough = std::max(1e-11, 100 * request_.orbit.tolerance.relative);
    for (int round = 0; round < most_rounds; ++round) {
      if (is_interrupted()) return fail("interrupted");
      if (!linearise(place)) return false;
      const MatrixXd upper = rows(linear_);
      MatrixXd a(upper.rows() + 1, upper.cols());
      a.topRows(upper.rows()) = upper;
      const Index d = linear_.basis.cols(), last = upper.cols() - 1;
      a.row(upper.rows()).setZero();
      a.row(upper.rows()).head(d) = direction.y.transpose() * linear_.basis / size_;
      if (has_period_) a(upper.rows(), d) = direction.period / request_.orbit.period;
      a(upper.rows(), last) =
          direction.y.dot(linear_.of_parameter) * range_ / (size_ * size_) + direction.parameter / range_;
      VectorXd right = VectorXd::Zero(a.rows());
      right.head(index(n_)) = -linear_.residual;
      right(upper.rows()) = -product(direction, sum(place, scaled(predicted, -1)));
      Eigen::CompleteOrthogonalDecomposition<MatrixXd> factors;
      factors.setThreshold(1e-10);
      factors.compute(a);
      const VectorXd change = factors.solve(right);
      const bool converged = linear_.residual.norm() < enough * size_ && change.norm() < 1e-7;
      if (converged && polished++ >= polish_) return true;
      if (!(change.norm() < 10)) return fail("Newton's method leaves the branch");
      place = sum(place, place_of(change, linear_));
      std::vector<double> y = state_of(place);
      set_parameter(place.parameter);
      if (!evaluator_.project(request_.orbit.begin, y.data()))
        return fail("the state does not come back onto the constraints");
      place.y = Eigen::Map<const VectorXd>(y.data(), index(n_));
    }
    return fail("Newton's method does not end");
  }

  /// At one value of the parameter.
  bool correct_at(Place& place, double parameter) {
    Place direction{VectorXd::Zero(index(n_)), 0, range_};
    place.parameter = parameter;
    const Place predicted = place;
    return correct(place, predicted, direction);
  }

  /// Of a period that a person gave. At the place that was linearised last.
  bool closes_again(const Place& place) {
    double defect = 0;
    return request_.rest || !request_.orbit.given_period ||
           map_.closes_again(place.period, request_.orbit.tolerance, defect) || fail(map_.failure());
  }

  BranchPoint point_of(const Place& place) {
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

  /// What changes at special points, told by numbers that jump there.
  struct Signs {
    bool forward = true;  ///< the parameter grows along the branch
    int real = 0;         ///< parity of real multipliers beyond 1, of positive exponents
    int doubled = 0;      ///< parity of those beyond -1
    int growing = 0;      ///< real or not: two real ones that meet and become a pair grow as before
  };
  /// By how much it grows: beyond the unit circle, or the imaginary axis.
  double excess(const Multiplier& one) const {
    return request_.rest ? one.value.real() : std::abs(one.value) - 1;
  }
  Signs signs_of(const BranchPoint& point, const Place& direction) const {
    Signs result;
    result.forward = direction.parameter > 0;
    for (const Multiplier& one : point.spectrum) {
      if (!one.kind.empty()) continue;
      if (!(excess(one) > one.doubt)) continue;
      ++result.growing;
      if (one.value.imag() == 0) (one.value.real() > 0 ? result.real : result.doubled) ^= 1;
    }
    return result;
  }
  std::optional<SpecialKind> change(const Signs& a, const Signs& b) const {
    if (a.forward != b.forward) return SpecialKind::fold;
    if (a.real != b.real) return SpecialKind::branching;
    if (a.doubled != b.doubled) return SpecialKind::doubling;
    if (a.growing != b.growing) return request_.rest ? SpecialKind::swinging : SpecialKind::torus;
    return {};
  }

  /// Two that begin to grow at once are a pair, or two real ones, as a symmetry makes them.
  SpecialKind kind_at(SpecialKind kind, const BranchPoint& at) const {
    if (kind != SpecialKind::torus && kind != SpecialKind::swinging) return kind;
    const Multiplier* nearest = nullptr;
    double size = 0;
    for (const Multiplier& one : at.spectrum) {
      if (!one.kind.empty()) continue;
      size = std::max(size, std::abs(one.value));
      if (!nearest || std::abs(excess(one)) < std::abs(excess(*nearest))) nearest = &one;
    }
    if (!nearest || std::abs(nearest->value.imag()) > 1e-4 * size) return kind;
    return request_.rest || nearest->value.real() > 0 ? SpecialKind::branching : SpecialKind::doubling;
  }

  /// A number of a point that passes zero with the spectrum, without a margin. `rank` stand above it.
  struct Measure {
    enum Kind { none, growth, paired } kind = none;
    bool at_minus_one = false;
    std::size_t rank = 0;
  };
  /// The sorted parts by which all grow are continuous along a branch. Where the spectrum is in pairs and one
  /// that does not grow stays on the circle or the axis, what passes zero is (mu + 1/mu)/2 - 1, or the
  /// square.
  double value_of(const Measure& measure, const BranchPoint& point) const {
    std::vector<double> found;
    for (const Multiplier& one : point.spectrum) {
      if (!one.kind.empty()) continue;
      const auto mu = one.value;
      if (measure.kind == Measure::growth)
        found.push_back(excess(one));
      else if (request_.rest)
        found.push_back((mu * mu).real());
      else
        found.push_back((measure.at_minus_one ? -0.5 : 0.5) * (mu + 1.0 / mu).real() - 1);
    }
    if (measure.rank >= found.size()) return NAN;
    std::sort(found.begin(), found.end(), std::greater<>());
    return found[measure.rank];
  }
  Measure measure_of(SpecialKind kind, const BranchPoint& one, const Signs& before, const BranchPoint& two,
                     const Signs& after) const {
    if (kind == SpecialKind::fold || before.growing == after.growing) return {};
    const BranchPoint& less = before.growing < after.growing ? one : two;
    const BranchPoint& more = before.growing < after.growing ? two : one;
    Measure result{Measure::growth, false, static_cast<std::size_t>(std::min(before.growing, after.growing))};
    double doubt = 0;
    for (const Multiplier& each : less.spectrum) doubt = std::max(doubt, each.doubt);
    if (value_of(result, less) < -doubt && value_of(result, more) > 0) return result;
    if (kind == SpecialKind::torus || kind == SpecialKind::swinging) return {};
    result = {Measure::paired, kind == SpecialKind::doubling, 0};
    for (const Multiplier& each : less.spectrum) {
      const bool at_minus_one = !request_.rest && each.value.real() < 0;
      if (each.kind.empty() && excess(each) > each.doubt && at_minus_one == result.at_minus_one)
        result.rank += 2;
    }
    if (value_of(result, less) < 0 && value_of(result, more) > 0) return result;
    return {};
  }

  /// The root of the measure by secants that keep a bracket (Illinois); halves the way by the signs where
  /// there is none.
  void locate(const Place& from, const Place& direction, double length, const Signs& before, SpecialKind kind,
              FamilyBranch& branch, const BranchPoint& next, const Signs& after) {
    double low = 0, high = length;
    const Measure measure = measure_of(kind, branch.points.back(), before, next, after);
    const bool measured = measure.kind != Measure::none;
    double at_low = measured ? value_of(measure, branch.points.back()) : 0;
    double at_high = measured ? value_of(measure, next) : 0;
    int last_side = 0;
    Place at = from;
    const int usual = std::exchange(polish_, std::max(polish_, 1));
    for (int k = 0; k < 48 && !is_interrupted() && high - low > 1e-11 * length; ++k) {
      double middle = (low + high) / 2;
      if (measured && k % 4 != 3) middle = (low * at_high - high * at_low) / (at_high - at_low);
      const Place predicted = sum(from, scaled(direction, middle));
      Place place = predicted;
      if (!correct(place, predicted, direction)) break;
      auto here = kernel(linear_, 1).front();
      if (product(here, direction) < 0) here = scaled(here, -1);
      at = place;
      const BranchPoint point = point_of(place);
      if (!measured) {
        (change(before, signs_of(point, here)) ? high : low) = middle;
        continue;
      }
      const double value = value_of(measure, point);
      if (!std::isfinite(value) || value == 0) break;
      const int side = value * at_high > 0 ? 1 : -1;
      (side > 0 ? high : low) = middle;
      (side > 0 ? at_high : at_low) = value;
      if (side == last_side) (side > 0 ? at_low : at_high) /= 2;
      last_side = side;
    }
    polish_ = usual;
    if (!linearise(at)) return;
    const BranchPoint found = point_of(at);
    kind = kind_at(kind, found);
    branch.special.push_back({kind, found, branch.points.size() - 1});
    if (kind != SpecialKind::branching) return;
    const std::vector<Place> both = kernel(linear_, 2);
    // of the plane of directions that which stands across the branch
    Place across = both[0];
    if (std::abs(product(both[1], direction)) < std::abs(product(both[0], direction))) across = both[1];
    across = sum(across, scaled(direction, -product(across, direction)));
    const double norm = std::sqrt(product(across, across));
    if (norm > 1e-6) crossings_.push_back({at, direction, scaled(across, 1 / norm)});
  }

  FamilyBranch follow(Place place, Place direction) {
    FamilyBranch branch;
    const double low = std::min(request_.from, request_.to), high = std::max(request_.from, request_.to);
    constexpr double longest = 0.04, shortest = 1e-7;
    double length = 0.01;
    branch.points.push_back(point_of(place));
    Signs before = signs_of(branch.points.back(), direction);
    while (branch.points.size() < request_.max_points) {
      if (is_interrupted()) {
        branch.end = "interrupted";
        return branch;
      }
      const Place predicted = sum(place, scaled(direction, length));
      Place next = predicted;
      const bool found = correct(next, predicted, direction);
      std::optional<Place> turned;
      if (found) {
        turned = kernel(linear_, 1).front();
        if (product(*turned, direction) < 0) turned = scaled(*turned, -1);
      }
      // a sharp turn is a longer way than it seems
      if (!found || product(*turned, direction) < 0.9) {
        length /= 2;
        if (length > shortest) continue;
        branch.end = found ? "the branch turns too sharply" : message_;
        return branch;
      }
      if (next.parameter < low || next.parameter > high) {
        end_at(branch, place, next, direction, before, next.parameter < low ? low : high);
        return branch;
      }
      if (!closes_again(next)) {
        branch.end = message_;
        return branch;
      }
      const BranchPoint point = point_of(next);
      const Signs now = signs_of(point, *turned);
      const Linear here = linear_;
      if (const auto kind = change(before, now))
        locate(place, direction, length, before, *kind, branch, point, now);
      linear_ = here;
      branch.points.push_back(point);
      before = now;
      place = next;
      direction = *turned;
      length = std::min(longest, 1.3 * length);
    }
    branch.end = fmt::format("{} points", branch.points.size());
    return branch;
  }

  void end_at(FamilyBranch& branch, const Place& place, const Place& next, const Place& direction,
              const Signs& before, double bound) {
    const double part = (bound - place.parameter) / (next.parameter - place.parameter);
    Place last = sum(scaled(place, 1 - part), scaled(next, part));
    if (!correct_at(last, bound) || !closes_again(last)) {
      branch.end = message_;
      return;
    }
    const BranchPoint point = point_of(last);
    auto here = kernel(linear_, 1).front();
    if (product(here, direction) < 0) here = scaled(here, -1);
    const Signs now = signs_of(point, here);
    if (const auto kind = change(before, now))
      locate(place, direction, product(direction, sum(last, scaled(place, -1))), before, *kind, branch, point,
             now);
    branch.points.push_back(point);
    branch.end = "the end of the range";
  }

  /// The branch that crosses, on one side.
  FamilyBranch follow_crossing(const Crossing& crossing, double side) {
    for (const double distance : {0.01, 0.003, 0.03}) {
      const Place direction = scaled(crossing.across, side);
      const Place predicted = sum(crossing.at, scaled(direction, distance));
      Place place = predicted;
      if (!correct(place, predicted, direction)) continue;
      auto turned = kernel(linear_, 1).front();
      if (product(turned, direction) < 0) turned = scaled(turned, -1);
      if (product(turned, direction) < 0.3) continue;  // back on the branch that is known
      return follow(place, turned);
    }
    return {};
  }

  Evaluator& evaluator_;
  PerturbationEquations& perturbation_;
  DoublePoint values_;
  const BranchRequest& request_;
  ReturnMap map_;
  std::size_t n_;
  double size_ = 1, range_ = 1;
  bool has_period_ = false;
  int polish_ = 0;  ///< rounds of Newton's method after what is enough: exponents near 0 ask for the digits
  Linear linear_;
  std::vector<Crossing> crossings_;
  std::string message_;
};

}  // namespace

std::string name_of(SpecialKind kind) {
  switch (kind) {
    case SpecialKind::fold: return "fold";
    case SpecialKind::branching: return "branching";
    case SpecialKind::doubling: return "period doubling";
    case SpecialKind::torus: return "torus";
    case SpecialKind::swinging: break;
  }
  return "Hopf";
}

Branches follow_branches(const AssembledEquations& equations, Evaluator& evaluator,
                         PerturbationEquations& perturbation, const DoublePoint& values,
                         const BranchRequest& request, Expr energy) {
  return Follower(equations, evaluator, perturbation, values, request, energy).run();
}

}  // namespace liaison
