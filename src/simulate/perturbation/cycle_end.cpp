#include <algorithm>
#include <cmath>
#include <numbers>

#include "follower.hpp"
#include "index.hpp"
#include "mechanics/dense.hpp"

namespace liaison {

namespace {

using Eigen::VectorXd;

/// The exponent on the upper half plane that turns nearest to a rate; none: zero.
std::complex<double> turning_at(const std::vector<Multiplier>& exponents, double rate) {
  std::complex<double> result = 0;
  for (const Multiplier& one : exponents) {
    if (!(one.value.imag() > 0)) continue;
    const bool nearer = std::abs(one.value.imag() - rate) < std::abs(result.imag() - rate);
    if (result == 0.0 || nearer) result = one.value;
  }
  return result;
}

}  // namespace

bool Follower::rest_near(VectorXd& y, double parameter) {
  set_parameter(parameter);
  constexpr int most_rounds = 20;
  for (int round = 0; round < most_rounds; ++round) {
    std::vector<double> state(y.data(), y.data() + y.size());
    if (!linearise_rest(state)) return false;
    const VectorXd scale = units().cwiseInverse();
    const Eigen::MatrixXd rows = scale.asDiagonal() * linear_.by_start;
    const VectorXd change = linear_.basis * DenseLeast(rows).solve(-scale.cwiseProduct(linear_.residual));
    const double length = in_units(change).norm();
    if (!(length < 10 * size_)) return false;
    if (length < 1e-13 * size_) return true;
    BranchPlace moved{y + change, 0, parameter};
    if (!bring_back(moved)) return false;
    y = moved.y;
    if (length < 1e-10 * size_ && round > 2) {
      const std::vector<double> last(y.data(), y.data() + y.size());
      return linearise_rest(last);
    }
  }
  return false;
}

bool Follower::ends_at_rest(FamilyBranch& branch, const BranchPlace& place, const VectorXd& flow,
                            const BranchPlace& next) {
  if (!has_period_ || !request_.orbit.autonomous) return false;
  // a motion that shrinks through nothing begins on its other side: the rates at the start turn round
  const double before = in_units(flow).norm(), after = in_units(linear_.flow).norm();
  const bool vanishes = after * next.period < 1e-6 * size_;
  if (in_units(flow).dot(in_units(linear_.flow)) >= 0 && !vanishes) return false;
  const double part = before / std::max(before + after, 1e-300);
  const BranchPlace middle = sum(scaled(place, 1 - part), scaled(next, part));
  const double rate = 2 * std::numbers::pi / middle.period;
  VectorXd y = middle.y;
  double p = middle.parameter, q = p + 1e-4 * range_;
  if (!rest_near(y, p)) return false;
  const std::complex<double> first = turning_at(linear_.spectrum, rate);
  double at_p = first.real();
  const auto is_rounding = [](std::complex<double> exponent) {
    return std::abs(exponent.real()) < 1e-11 * std::abs(exponent);
  };
  for (int round = 0; round < 30; ++round) {
    if (!rest_near(y, q)) return false;
    const std::complex<double> exponent = turning_at(linear_.spectrum, rate);
    if (exponent.imag() == 0) return false;
    const double at_q = exponent.real();
    if (round == 0 && is_rounding(first) && is_rounding(exponent)) {  // it stays on the axis: nothing passes
      if (in_units(y - middle.y).norm() > 0.2 * size_) return false;
      branch.end = "the motions shrink to a place of rest";
      return true;
    }
    if (std::abs(at_q) < 1e-13 * std::abs(exponent) || at_p == at_q) break;
    const double better = q - at_q * (q - p) / (at_q - at_p);
    if (!(std::abs(better - middle.parameter) < 0.2 * range_)) return false;
    p = q;
    at_p = at_q;
    if (std::abs(better - q) < 1e-15 * (std::abs(q) + range_)) break;
    q = better;
  }
  if (!rest_near(y, q)) return false;
  const std::complex<double> exponent = turning_at(linear_.spectrum, rate);
  const BranchPlace at{y, 2 * std::numbers::pi / exponent.imag(), q};
  const bool is_near = std::abs(exponent.real()) < 1e-6 * std::abs(exponent) &&
                       std::abs(exponent.imag() - rate) < 0.1 * rate &&
                       in_units(y - middle.y).norm() < 0.2 * size_;
  const bool is_asked = q > std::min(request_.from, request_.to) - 1e-6 * range_ &&
                        q < std::max(request_.from, request_.to) + 1e-6 * range_;
  if (!is_near || !is_asked) return false;
  BranchPoint end{q, at.period, state_of(at), {}, OrbitStability::neutral};
  for (const Multiplier& one : linear_.spectrum) {
    const std::complex<double> multiplier = std::exp(one.value * at.period);
    end.spectrum.push_back({multiplier, {}, std::abs(multiplier) * one.doubt * at.period});
  }
  branch.special.push_back(
      {SpecialKind::swinging, end, branch.points.size() - 1, "the motions shrink to rest"});
  branch.points.push_back(end);
  branch.end = "the motions shrink to a place of rest";
  return true;
}

}  // namespace liaison
