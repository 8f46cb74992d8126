#include "orbit_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "index.hpp"

namespace liaison {

namespace {

using Eigen::VectorXd;

}  // namespace

OrbitSizes::OrbitSizes(std::size_t size, std::size_t positions, bool may_differ)
    : size_(size),
      positions_(positions),
      may_differ_(may_differ),
      way_{VectorXd::Zero(index(size)), VectorXd::Zero(index(size)), VectorXd::Zero(index(size)),
           VectorXd::Zero(index(size))},
      relative_(VectorXd::Ones(index(size))),
      own_(VectorXd::Ones(index(size))),
      begun_(size, 0),
      chances_(size, 2) {}

void OrbitSizes::take(OrbitWay way, double period, double tolerance) {
  way_ = std::move(way);
  tolerance_ = tolerance;
  double largest[2] = {0, 0};
  kinds_[0] = kinds_[1] = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const std::size_t k = i < positions_ ? 0 : 1;
    kinds_[k] = std::max(kinds_[k], way_.reached(index(i)));
    largest[k] = std::max(largest[k], way_.largest(index(i)));
  }
  part_ = kinds_[0] > 0 ? std::min(1.0, kinds_[0] / largest[0]) : 1;
  // relations are as large as positions are, or much smaller far from the origin
  if (!may_differ_ && part_ > much_smaller_) part_ = 1;
  far_ = 1 / part_;
  constexpr double least_tolerance = 1e-14;
  part_ = std::max(part_, std::min(1.0, least_tolerance / tolerance));
  // where rounding of the values themselves is as large as the tolerance
  const double rounding = 4 * std::numeric_limits<double>::epsilon() / tolerance;
  kinds_[1] = std::max(kinds_[1], rounding * largest[1]);
  if (kinds_[0] < rounding * largest[0]) {
    kinds_[0] = rounding * largest[0];
    kinds_[1] = std::max(kinds_[1], kinds_[0] / period);
  }
  if (kinds_[0] == 0) kinds_[0] = kinds_[1] * period;
  if (kinds_[1] == 0) kinds_[1] = kinds_[0] / period;
  if (!(kinds_[0] > 0)) {  // nothing moves: beside one unit of length
    kinds_[0] = 1;
    kinds_[1] = 1 / period;
  }
  reach_ = std::max(kinds_[0], kinds_[1]);
  const bool is_first = !is_measured_;
  is_measured_ = true;
  choose(is_first);
}

void OrbitSizes::expect(const VectorXd& noise) {
  if (!is_measured_) way_.noise = noise;
}

std::vector<double> OrbitSizes::expected_absolute(const Tolerance& tolerance) const {
  std::vector<double> result;
  for (std::size_t i = 0; i < size_; ++i)
    result.push_back(std::max(tolerance.absolute, way_.noise(index(i))));
  return result;
}

bool OrbitSizes::learn() {
  const std::vector<double> before = begun_;
  choose(true);
  return begun_ != before;
}

void OrbitSizes::give_up() {
  gave_up_ = true;
  choose(false);
}

void OrbitSizes::choose(bool may_begin) {
  for (std::size_t i = 0; i < size_; ++i) {
    const double reached = way_.reached(index(i)), kind = kind_of(i);
    if (reached < at_rest_ * begun_[i]) begun_[i] = 0;
    const bool begins =
        may_begin && may_differ_ && begun_[i] == 0 && reached > 0 && reached < much_smaller_ * kind;
    if (begins && chances_[i] > 0) {
      begun_[i] = reached;
      --chances_[i];
    }
    // no smaller than where rounding is as large as the tolerance
    const bool has_own = begun_[i] > 0 && !gave_up_;
    const double size = has_own ? std::max(reached, way_.rounding(index(i)) / tolerance_) : kind;
    own_(index(i)) = std::min(1.0, size / kind);
    relative_(index(i)) = own_(index(i)) * kind / reach_;
  }
}

double OrbitSizes::largest_part(const VectorXd& change) const {
  double result = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const double size = std::max(way_.reached(index(i)), much_smaller_ * own_(index(i)) * kind_of(i));
    result = std::max(result, std::abs(change(index(i))) / size);
  }
  return result;
}

double OrbitSizes::rounding_part() const {
  return largest_part(std::numeric_limits<double>::epsilon() * way_.largest);
}

std::vector<std::pair<std::size_t, double>> OrbitSizes::small_entries() const {
  constexpr double small = 1e-3;
  std::vector<std::pair<std::size_t, double>> result;
  for (std::size_t i = 0; i < size_; ++i) {
    const double part = way_.reached(index(i)) / kind_of(i);
    if (part > 0 && part < small && own_(index(i)) == 1) result.emplace_back(i, part);
  }
  return result;
}

std::vector<double> OrbitSizes::absolute(const Tolerance& tolerance) const {
  std::vector<double> result;
  if (!is_measured_ || gave_up_) return result;
  for (std::size_t i = 0; i < size_; ++i) {
    const double wanted = 1e-3 * tolerance.relative * relative_(index(i)) * reach_;
    result.push_back(std::min(far_ * tolerance.absolute,
                              std::max(wanted, far_ > 1 ? way_.noise(index(i)) : way_.rounding(index(i)))));
  }
  return result;
}

std::vector<double> OrbitSizes::absolute_of_deviations(const Tolerance& tolerance) const {
  std::vector<double> result;
  if (!is_measured_ || gave_up_) return result;
  // relations bring deviations back with the rounding of all entries
  const double least = may_differ_ ? 0 : 1e-6;
  for (std::size_t i = 0; i < size_; ++i) {
    const double size = std::max(relative_(index(i)), least);
    const double wanted = 1e-3 * tolerance.relative * size;
    result.push_back(far_ > 1 / much_smaller_ ? std::max(tolerance.relative, rounding_of_deviations()) * size
                                              : std::min(tolerance.absolute, wanted));
  }
  return result;
}

}  // namespace liaison
