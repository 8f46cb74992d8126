#include "passage.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "liaison/expr/print.hpp"
#include "mechanics/dense.hpp"

namespace liaison {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t largest_size = 100;  ///< of a state whose derivatives are taken

struct Look {
  double s = 0;  ///< the time from the state; before it negative
  std::vector<double> y, dy;
  double noise = 0;  ///< accelerations that are an error of the motion
};

/// The largest acceleration without reactions: what reactions hold back is known to a part of that.
double free_acceleration(Evaluator& evaluator, double t, const double* y) {
  const std::vector<double> factors(evaluator.factors().begin(), evaluator.factors().end());
  Evaluator::Pieces at;
  if (!evaluator.pieces(t, y, factors, at)) return 0;
  const auto n = static_cast<Index>(evaluator.direction_count());
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> mass(
      at.mass.data(), n, n);
  const VectorXd free = DenseRank(mass).solve(Eigen::Map<const VectorXd>(at.load.data(), n));
  return free.size() > 0 && free.allFinite() ? free.cwiseAbs().maxCoeff() : 0;
}

std::optional<Look> look(Evaluator& evaluator, const Approach& approach, double s) {
  Look result{s, std::vector<double>(evaluator.size()), std::vector<double>(evaluator.size())};
  const double t = approach.state_near(approach.t + s, result.y.data());
  result.s = t - approach.t;
  if (!evaluator.rates(t, result.y.data(), result.dy.data())) return {};
  constexpr double least_noise = 1e-9, tolerances = 30;
  if (evaluator.factor_count() > 0) {
    result.noise =
        (least_noise + tolerances * approach.tolerance) * free_acceleration(evaluator, t, result.y.data());
  }
  return result;
}

std::string name_of(const Evaluator& evaluator, std::size_t component) {
  return to_infix(evaluator.symbols()[component]);
}

/// The largest rates of positions and of velocities.
struct Sizes {
  double of[2] = {0, 0};
  std::size_t positions;
  Sizes(const Evaluator& evaluator, const Look& at) : positions(evaluator.position_count()) {
    for (std::size_t i = 0; i < at.dy.size(); ++i) {
      double& size = of[i < positions ? 0 : 1];
      size = std::max(size, std::abs(at.dy[i]));
    }
  }
  double operator[](std::size_t component) const { return of[component < positions ? 0 : 1]; }
};
constexpr double least_part = 1e-3;  ///< of the largest rate: what is less may be an error of the motion

/// A rate that grows at least as the cubic root of the distance falls.
std::string growth(const Evaluator& evaluator, const Look& far, const Look& near, const Look& nearest) {
  const Sizes sizes(evaluator, nearest);
  std::optional<std::size_t> worst;
  for (std::size_t i = 0; i < far.dy.size(); ++i) {
    const double a = std::abs(far.dy[i]), b = std::abs(near.dy[i]), c = std::abs(nearest.dy[i]);
    const bool grows = b > std::cbrt(far.s / near.s) * a && c > std::cbrt(near.s / nearest.s) * b &&
                       c > least_part * sizes[i] && (i < sizes.positions || c > nearest.noise);
    if (grows && (!worst || c > std::abs(nearest.dy[*worst]))) worst = i;
  }
  if (!worst) return {};
  return fmt::format("the rate of `{}` grows without bound: it is {:.4g} at a time {:.2g} from there",
                     name_of(evaluator, *worst), nearest.dy[*worst], std::abs(nearest.s));
}

/// A rate whose difference on both sides does not become smaller.
std::string jump(const Evaluator& evaluator, const Look& before, const Look& behind, const Look& just_before,
                 const Look& just_behind) {
  const Sizes sizes(evaluator, just_before);
  for (std::size_t i = 0; i < before.dy.size(); ++i) {
    const double far = std::abs(behind.dy[i] - before.dy[i]);
    const double near = std::abs(just_behind.dy[i] - just_before.dy[i]);
    if (near <= far / 2 || near <= least_part * sizes[i]) continue;
    if (i >= sizes.positions && near <= just_before.noise) continue;
    return fmt::format("the rate of `{}` jumps from {:.4g} to {:.4g}", name_of(evaluator, i),
                       just_before.dy[i], just_behind.dy[i]);
  }
  return {};
}

/// The least real part of the eigenvalues of the rates' derivative along the constraints, times the distance.
std::optional<double> least_index(Evaluator& evaluator, const Approach& approach, const Look& at) {
  constexpr double part = 1e-4;         // of the way to the state
  constexpr double least_share = 1e-6;  // of a direction that the constraints leave
  const std::size_t n = evaluator.size();
  const double t = approach.t + at.s, s = std::abs(at.s);
  const Sizes speeds(evaluator, at);
  const auto size = static_cast<Index>(n);
  MatrixXd ways(size, size), changes(size, size);
  std::vector<double> y[2], dy[2];
  for (std::size_t i = 0; i < n; ++i) {
    const double length = part * s * speeds[i];
    if (length == 0) return {};
    for (int side = 0; side < 2; ++side) {
      y[side] = at.y;
      dy[side].resize(n);
      y[side][i] += side == 0 ? -length : length;
      if (!evaluator.project(t, y[side].data()) || !evaluator.rates(t, y[side].data(), dy[side].data()))
        return {};
    }
    for (std::size_t j = 0; j < n; ++j) {  // positions and velocities in units of their own
      const double unit = speeds[j];
      ways(static_cast<Index>(j), static_cast<Index>(i)) = (y[1][j] - y[0][j]) / (2 * part * s * unit);
      changes(static_cast<Index>(j), static_cast<Index>(i)) = (dy[1][j] - dy[0][j]) / (2 * part * unit);
    }
  }
  if (!ways.allFinite()) return {};
  const DenseRange left = range_of(ways, least_share);
  if (left.basis.cols() == 0) return {};
  const MatrixXd along = product(left.basis.transpose(), product(changes, left.preimages));
  if (!along.allFinite()) return {};
  return least_real_part(along);
}

/// A regular motion has bounded eigenvalues: its indices fall with the distance.
std::string several_motions(Evaluator& evaluator, const Approach& approach, const Look& near,
                            const Look& nearest) {
  constexpr double least = 0.05;
  if (evaluator.size() > largest_size) return {};
  const auto first = least_index(evaluator, approach, near),
             second = least_index(evaluator, approach, nearest);
  if (!first || !second || !(*second < -least) || !(*second < *first / std::sqrt(near.s / nearest.s)))
    return {};
  return fmt::format(
      "motions that differ come to this state, their differences as the power {:.3g} of the time that is "
      "left, "
      "and as many leave it",
      -*second);
}

}  // namespace

std::string why_it_ends(Evaluator& evaluator, const Approach& approach) {
  const double farthest = approach.before / 2, shortest = std::max(approach.before / 128, approach.nearest);
  const auto far = look(evaluator, approach, -farthest);
  const auto near = look(evaluator, approach, -std::sqrt(farthest * shortest));
  const auto nearest = look(evaluator, approach, -shortest);
  if (!far || !near || !nearest) return evaluator.failure();
  if (!(far->s < near->s && near->s < nearest->s && nearest->s < 0)) return {};
  if (std::string grows = growth(evaluator, *far, *near, *nearest); !grows.empty()) return grows;
  if (approach.after > 0) {
    const double length = std::min(approach.before, approach.after);
    const auto before = look(evaluator, approach, -length / 2),
               behind = look(evaluator, approach, length / 2);
    const auto just_before = look(evaluator, approach, -length / 128),
               just_behind = look(evaluator, approach, length / 128);
    if (before && behind && just_before && just_behind) {
      if (std::string jumps = jump(evaluator, *before, *behind, *just_before, *just_behind); !jumps.empty())
        return jumps;
    }
  }
  return several_motions(evaluator, approach, *near, *nearest);
}

}  // namespace liaison
