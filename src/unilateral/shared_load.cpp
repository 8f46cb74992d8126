#include "liaison/unilateral/shared_load.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

// The largest margin by the path of analytic centres: of
//   -weight margin - sum log(cones) - log(enough - margin) - log(farthest^2 - |x|^2)
// the minimum by Newton's method, for weights that grow. It is below the largest margin by at most the sum of
// the parameters of the barriers over the weight, and by nearly a constant over the weight: two of them give
// the end of the path. What is said of it is the margin of a member, never more.
namespace liaison {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double farthest = 1e4;  ///< of a member from the point
constexpr double moved = 1e-9;    ///< a smaller part of a direction is rounding
constexpr double last_weight = 1e12;
constexpr double weight_step = 20;
constexpr double rounding = 1e-14;                           ///< of a margin
constexpr int most_newton_steps = 60, most_whole_steps = 6;  ///< for one weight

/// The forces of the open cones in units of the load, x the multiples of an orthonormal basis:
///   value = point + basis x, of each cone its normal first.
struct Scaled {
  struct Cone {
    Index first, resisted;
  };
  std::vector<Cone> cones;
  VectorXd point;
  MatrixXd basis;
  MatrixXd back;  ///< of x to multiples of the directions
  double load = 0;
};

/// Distance to the limit of a cone.
double slack(const Scaled::Cone& cone, const VectorXd& value) {
  return value(cone.first) - value.segment(cone.first + 1, cone.resisted).norm();
}

double least_slack(const Scaled& problem, const VectorXd& value) {
  double least = SharedLoad::enough;
  for (const Scaled::Cone& cone : problem.cones) least = std::min(least, slack(cone, value));
  return least;
}

/// One row of values, as a multiple of a force.
struct ScaledRow {
  std::size_t force;
  double weight;
};

std::vector<ScaledRow> rows_of(const ForceCone& cone) {
  const bool resists = cone.resisted.empty() || cone.coefficient > 0;
  std::vector<ScaledRow> rows{{cone.normal, resists ? cone.unit : 0}};
  for (const std::size_t force : cone.resisted)
    rows.push_back({force, resists ? cone.unit / cone.coefficient : cone.unit});
  return rows;
}

bool is_moved(const ForceFamily& family, std::size_t force) {
  return std::any_of(family.directions.begin(), family.directions.end(), [&](const auto& direction) {
    double largest = 0;
    for (const double entry : direction) largest = std::max(largest, std::abs(entry));
    return std::abs(direction[force]) > moved * largest;
  });
}

Scaled scaled(const ForceFamily& family, const std::vector<ForceCone>& cones,
              const std::vector<bool>& is_open) {
  Scaled problem;
  std::vector<ScaledRow> rows;
  for (std::size_t j = 0; j < cones.size(); ++j) {
    if (!is_open[j]) continue;
    problem.cones.push_back({static_cast<Index>(rows.size()), static_cast<Index>(cones[j].resisted.size())});
    const std::vector<ScaledRow> own = rows_of(cones[j]);
    rows.insert(rows.end(), own.begin(), own.end());
  }
  const auto count = static_cast<Index>(rows.size());
  problem.point.resize(count);
  MatrixXd directions(count, static_cast<Index>(family.directions.size()));
  for (Index i = 0; i < count; ++i) {
    const ScaledRow& row = rows[static_cast<std::size_t>(i)];
    problem.point(i) = row.weight * family.point[row.force];
    for (Index k = 0; k < directions.cols(); ++k)
      directions(i, k) = row.weight * family.directions[static_cast<std::size_t>(k)][row.force];
  }
  problem.load = count > 0 ? problem.point.cwiseAbs().maxCoeff() : 0;
  if (!(problem.load > 0)) return problem;
  problem.point /= problem.load;
  Eigen::ColPivHouseholderQR<MatrixXd> factors(directions);
  factors.setThreshold(moved);
  const Index rank = factors.rank();
  problem.basis = factors.householderQ() * MatrixXd::Identity(count, rank);
  const MatrixXd triangle = factors.matrixR().topLeftCorner(rank, rank);
  MatrixXd chosen = MatrixXd::Zero(directions.cols(), rank);
  chosen.topRows(rank) = triangle.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(rank, rank));
  problem.back = problem.load * (factors.colsPermutation() * chosen);
  return problem;
}

/// The path, in x and the margin as its last unknown.
class Centres {
 public:
  explicit Centres(const Scaled& problem)
      : problem_(problem), n_(problem.basis.cols()), unknowns_(VectorXd::Zero(n_ + 1)) {
    unknowns_(n_) = least_slack(problem, problem.point) - 1;
  }

  /// The member at the end of the path.
  VectorXd end() {
    VectorXd before = unknowns_;
    double last = 0;
    for (double weight = 1; weight <= last_weight; weight *= weight_step) {
      const VectorXd centre = unknowns_;
      if (!take_to_centre(weight)) break;
      before = centre;
      last = weight;
    }
    const VectorXd near = unknowns_.head(n_);
    if (last < last_weight / weight_step) return near;
    const VectorXd beyond = near + (near - before.head(n_)) / (weight_step - 1);
    return margin_of(beyond) > margin_of(near) ? beyond : near;
  }
  double margin_of(const VectorXd& x) const {
    return least_slack(problem_, problem_.point + problem_.basis * x);
  }

 private:
  double margin() const { return unknowns_(n_); }
  VectorXd value(const VectorXd& unknowns) const {
    return problem_.point + problem_.basis * unknowns.head(n_);
  }

  /// Without the weight; infinite outside.
  double barrier(const VectorXd& unknowns) const {
    const VectorXd at = value(unknowns);
    const double margin = unknowns(n_);
    const double room = farthest * farthest - unknowns.head(n_).squaredNorm();
    const double below = SharedLoad::enough - margin;
    if (!(room > 0) || !(below > 0)) return std::numeric_limits<double>::infinity();
    double sum = -std::log(below) - std::log(room);
    for (const Scaled::Cone& cone : problem_.cones) {
      const double depth = at(cone.first) - margin;
      const double resisted = at.segment(cone.first + 1, cone.resisted).norm();
      if (!(depth > resisted)) return std::numeric_limits<double>::infinity();
      sum -= cone.resisted == 0 ? std::log(depth) : std::log(depth - resisted) + std::log(depth + resisted);
    }
    return sum;
  }

  /// The barrier as rows: b^T b are its second derivatives, -b^T c its gradient. A squared condition number
  /// would leave nothing of them where the best members are many.
  struct Rows {
    MatrixXd b;
    VectorXd c;
    Index next = 0;

    void add(const VectorXd& row, double gradient) {
      b.row(next) = row.transpose();
      c(next++) = gradient;
    }
  };
  Rows rows() const {
    Index count = n_ + 2;
    for (const Scaled::Cone& cone : problem_.cones) count += 1 + cone.resisted;
    Rows result{MatrixXd::Zero(count, n_ + 1), VectorXd::Zero(count)};
    const VectorXd at = value(unknowns_), x = unknowns_.head(n_);
    const double room = farthest * farthest - x.squaredNorm();
    VectorXd row = VectorXd::Zero(n_ + 1);
    row(n_) = -1 / (SharedLoad::enough - margin());
    result.add(row, 1);
    row.setZero();
    row.head(n_) = -2 / room * x;
    result.add(row, 1);
    for (Index i = 0; i < n_; ++i) result.add(std::sqrt(2 / room) * VectorXd::Unit(n_ + 1, i), 0);
    for (const Scaled::Cone& cone : problem_.cones) add_cone(cone, at, result);
    return result;
  }
  /// log(d - f) + log(d + f), with f the length of what is resisted.
  void add_cone(const Scaled::Cone& cone, const VectorXd& at, Rows& result) const {
    VectorXd depth = VectorXd::Zero(n_ + 1), along = depth;
    depth.head(n_) = problem_.basis.row(cone.first).transpose();
    depth(n_) = -1;
    const double d = at(cone.first) - margin();
    if (cone.resisted == 0) return result.add(depth / d, 1);
    const VectorXd resisted = at.segment(cone.first + 1, cone.resisted);
    const double f = resisted.norm();
    const VectorXd direction = f > 0 ? VectorXd(resisted / f) : VectorXd(VectorXd::Unit(cone.resisted, 0));
    const MatrixXd own = problem_.basis.middleRows(cone.first + 1, cone.resisted);
    along.head(n_) = own.transpose() * direction;
    result.add((depth - along) / (d - f), 1);
    result.add((depth + along) / (d + f), 1);
    if (cone.resisted == 1) return;
    VectorXd across = VectorXd::Zero(n_ + 1);
    across.head(n_) = own.transpose() * Eigen::Vector2d(-direction(1), direction(0));
    result.add(std::sqrt(2 / ((d - f) * (d + f))) * across, 0);
  }

  /// Newton's method for one weight; false where rounding ends it.
  bool take_to_centre(double weight) {
    constexpr double near = 1e-12, quadratic = 1e-2, least_part = 1e-9;
    int whole = 0;
    for (int i = 0; i < most_newton_steps; ++i) {
      const Rows at = rows();
      const VectorXd size = at.b.colwise().norm().cwiseInverse().transpose();
      if (!size.allFinite() || !at.b.allFinite()) return false;
      const Eigen::HouseholderQR<MatrixXd> factors(at.b * size.asDiagonal());
      const auto triangle = factors.matrixQR().topRows(n_ + 1).triangularView<Eigen::Upper>();
      VectorXd right = VectorXd::Zero(n_ + 1);
      right(n_) = weight * size(n_);
      right = triangle.transpose().solve(right);
      right += VectorXd(factors.householderQ().transpose() * at.c).head(n_ + 1);
      const VectorXd step = size.cwiseProduct(triangle.solve(right));
      const double decrement = right.squaredNorm();
      if (!step.allFinite()) return false;
      const double now = barrier(unknowns_);
      const auto descends =
          [&](double part) {  // the weight times a difference, which is not lost in rounding
            const double change = barrier(unknowns_ + part * step) - now - weight * part * step(n_);
            return change <= -0.1 * part * decrement;
          };
      double part = 1;
      if (decrement <
          quadratic) {  // Newton's steps are whole from here on, and what the barrier tells is rounding
        if (!std::isfinite(barrier(unknowns_ + step))) return true;
      } else {
        while (part > least_part && !descends(part)) part /= 2;
        if (part <= least_part) return false;
      }
      unknowns_ += part * step;
      if (decrement < near) return true;
      if (decrement < quadratic && ++whole > most_whole_steps) return true;
    }
    return false;
  }

  const Scaled& problem_;
  Index n_;
  VectorXd unknowns_;
};

/// Conditions that decide the margin: what they say is zero at the best members, with its rows by x and the
/// margin.
struct Active {
  std::vector<VectorXd> rows;
  std::vector<double> values;
};
Active active_at(const Scaled& problem, const VectorXd& value, double margin) {
  constexpr double near = 1e4 / last_weight;
  Active result;
  const auto add = [&](const VectorXd& weights, Index first, double with_margin) {
    const double left = weights.dot(value.segment(first, weights.size())) - with_margin * margin;
    VectorXd row(problem.basis.cols() + 1);
    row << problem.basis.middleRows(first, weights.size()).transpose() * weights, -with_margin;
    result.rows.push_back(row);
    result.values.push_back(left);
  };
  for (const Scaled::Cone& cone : problem.cones) {
    const VectorXd resisted = value.segment(cone.first + 1, cone.resisted);
    const double depth = value(cone.first) - margin, force = resisted.norm();
    if (depth - force > near) continue;
    const VectorXd normal = VectorXd::Unit(1 + cone.resisted, 0);
    if (depth < near) {  // the tip: nothing is resisted
      add(normal, cone.first, 1);
      for (Index k = 0; k < cone.resisted; ++k) add(VectorXd::Unit(1, 0), cone.first + 1 + k, 0);
      continue;
    }
    VectorXd weights = normal;
    if (force > 0) weights.tail(cone.resisted) = -resisted / force;
    add(weights, cone.first, 1);
  }
  return result;
}

/// The member where the conditions that decide hold to rounding, by the least changes. With them the margin
/// does not change to first order along all that is left open.
VectorXd polished(const Scaled& problem, VectorXd x) {
  constexpr int rounds = 3;
  const auto value = [&] { return VectorXd(problem.point + problem.basis * x); };
  double margin = least_slack(problem, value());
  if (margin >= SharedLoad::enough) return x;
  for (int i = 0; i < rounds; ++i) {
    const Active active = active_at(problem, value(), margin);
    const auto count = static_cast<Index>(active.rows.size());
    if (count == 0) return x;
    MatrixXd rows(count, x.size() + 1);
    VectorXd left(count);
    for (Index j = 0; j < count; ++j) {
      rows.row(j) = active.rows[static_cast<std::size_t>(j)].transpose();
      left(j) = active.values[static_cast<std::size_t>(j)];
    }
    const VectorXd change = Eigen::CompleteOrthogonalDecomposition<MatrixXd>(rows).solve(-left);
    x += change.head(x.size());
    margin += change(x.size());
  }
  return x;
}

/// How far from the point to a member: as little as takes every cone to the level.
double part_of_way(const Scaled& problem, const VectorXd& member, double level) {
  double part = 0;
  for (const Scaled::Cone& cone : problem.cones) {
    const double from = slack(cone, problem.point), to = slack(cone, member);
    if (from >= level) continue;
    part = std::max(part, to > level ? (level - from) / (to - from) : 1.0);
  }
  return part;
}

}  // namespace

SharedLoad share_load(const ForceFamily& family, const std::vector<ForceCone>& cones) {
  SharedLoad result;
  result.forces = family.point;
  result.margin = SharedLoad::enough;
  for (const ForceCone& cone : cones) {
    const auto is_free = [&](std::size_t force) { return is_moved(family, force); };
    result.is_open.push_back(is_free(cone.normal) ||
                             std::any_of(cone.resisted.begin(), cone.resisted.end(), is_free));
  }
  const Scaled problem = scaled(family, cones, result.is_open);
  if (problem.cones.empty()) return result;
  if (!(problem.load > 0)) {
    result.margin = 0;
    return result;
  }
  if (least_slack(problem, problem.point) >= SharedLoad::enough / 2) return result;
  Centres centres(problem);
  VectorXd end = centres.end();
  result.margin = centres.margin_of(end);
  if (const VectorXd better = polished(problem, end); centres.margin_of(better) >= result.margin - rounding) {
    end = better;
    result.margin = centres.margin_of(end);
  }
  const VectorXd member = problem.point + problem.basis * end;
  const double level = result.margin > 0 ? result.margin / 2 : result.margin;
  const VectorXd multiples = part_of_way(problem, member, level) * (problem.back * end);
  for (std::size_t k = 0; k < family.directions.size(); ++k) {
    for (std::size_t h = 0; h < result.forces.size(); ++h)
      result.forces[h] += multiples(static_cast<Index>(k)) * family.directions[k][h];
  }
  return result;
}

}  // namespace liaison
