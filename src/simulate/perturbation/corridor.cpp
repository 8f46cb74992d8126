#include <algorithm>
#include <cmath>

#include "follower.hpp"
#include "index.hpp"
#include "mechanics/dense.hpp"

namespace liaison {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double norm_of(const MatrixXd& matrix) {
  return matrix.size() == 0 ? 0 : DenseSingular(matrix, DenseSingular::Vectors::none).values()(0);
}

}  // namespace

MatrixXd Follower::rows_from(const Linear& linear, const Linear& base) const {
  const MatrixXd all = rows(linear);
  const Index d = linear.basis.cols(), last = all.cols() - 1;
  // bases are orthonormal beside the units
  const MatrixXd to_basis = linear.basis.transpose() * units().cwiseAbs2().cwiseInverse().asDiagonal();
  MatrixXd change = MatrixXd::Identity(all.cols(), all.cols());
  change.topLeftCorner(d, d) = to_basis * base.basis;
  change.col(last).head(d) = to_basis * (base.of_parameter - linear.of_parameter) * (range_ / size_);
  return all * change;
}

double Follower::strain(const Linear& base, const BranchPlace& direction, const Linear& other) const {
  const MatrixXd upper = rows(base);
  const Index last = upper.cols() - 1;
  if (other.basis.cols() != base.basis.cols() || last < 1) return 0;
  const DenseSingular factors(upper, DenseSingular::Vectors::left);
  const MatrixXd left = factors.left().leftCols(last).transpose();
  MatrixXd a(upper.cols(), upper.cols()), change = MatrixXd::Zero(upper.cols(), upper.cols());
  a.topRows(last) = left * upper;
  a.row(last) = border(direction, base);
  change.topRows(last) = left * (rows_from(other, base) - upper);
  const DenseRank solver(a);
  if (!solver.is_invertible()) return 0;
  // what errors of the derivatives do to it
  const double rounding = digits_ * factors.values()(0) * norm_of(solver.inverse());
  return rounding > 0.1 ? 0 : norm_of(solver.solve_all(change));
}

double Follower::turns_within(const BranchPlace& direction, double length, const BranchPlace& turned,
                              double change) const {
  const double along = product(turned, direction);
  if (!(direction.parameter * turned.parameter > 0) || !(along > 0)) return 0;
  // the slope of the cubic, on parts of the step
  const double first = direction.parameter * length, last = turned.parameter / along * length;
  const double a = 3 * (first + last - 2 * change), b = 6 * change - 4 * first - 2 * last;
  const double part = -b / (2 * a);
  if (!(part > 0.01 && part < 0.99)) return 0;
  const double least = (first + part * (b + part * a)) * (first > 0 ? 1 : -1);
  return least < -digits_ * range_ ? part : 0;
}

bool Follower::crosses_near(BranchPlace place, double length) {
  constexpr int most_rounds = 12;
  // Where the parameter does little the derivatives change much far before a crossing: the whole range is
  // near.
  const double farthest = std::max(4 * length, 1.0);
  const BranchPlace begin = place;
  for (int round = 0; round < most_rounds && !is_interrupted(); ++round) {
    if (!linearise(place)) return false;
    const Linear here = linear_;
    const MatrixXd all = rows(here);
    const Index columns = all.cols(), count = columns - 1;
    const DenseSingular factors(all, DenseSingular::Vectors::left_and_all_right);
    const VectorXd& values = factors.values();
    // what is as small as the smallest vanishes with it
    Index kept = 0;
    while (kept < count - 1 && values(kept) > 3 * values(count - 1)) ++kept;
    const Index small = count - kept;
    const MatrixXd left = factors.left().leftCols(count), right = factors.right();
    VectorXd residual = VectorXd::Zero(all.rows());
    residual.head(index(n_)) = here.residual.cwiseQuotient(row_units());
    const VectorXd reduced = left.transpose() * residual;
    // derivatives of what is left when the others are solved for
    const auto rest_of = [&](const MatrixXd& of) {
      const MatrixXd m = left.transpose() * of * right;
      MatrixXd result = m.bottomRightCorner(small, small + 1);
      if (kept > 0)
        result -= m.bottomLeftCorner(small, kept) *
                  DenseLu(m.topLeftCorner(kept, kept)).solve_all(m.topRightCorner(kept, small + 1));
      return VectorXd(result.reshaped());
    };
    const VectorXd now = rest_of(all);
    const double h = std::clamp(0.1 * length, 1e-5, 1e-3);
    MatrixXd slopes(now.size(), small + 1);
    for (Index j = 0; j <= small; ++j) {
      BranchPlace beside = sum(place, place_of(h * right.col(kept + j), here));
      if (!bring_back(beside) || !linearise(beside) || linear_.basis.cols() != here.basis.cols())
        return false;
      slopes.col(j) = (rest_of(rows_from(linear_, here)) - now) / h;
    }
    const DensePivoted solver(slopes);
    if (solver.rank() <= small) return false;
    VectorXd change = VectorXd::Zero(columns);
    change.head(kept) = -reduced.head(kept).cwiseQuotient(values.head(kept));
    change.tail(small + 1) = -solver.solve(now);
    const VectorXd moved = right * change;
    if (!(moved.norm() < farthest)) return false;
    // so near that another round would not change what is left open by more than its errors
    if (slopes.norm() * moved.squaredNorm() < digits_) {
      // what is left open there: by how much branches miss each other
      const VectorXd open =
          reduced.tail(small) + 0.5 * now.reshaped(small, small + 1) * change.tail(small + 1);
      return open.norm() < digits_ * std::max(1.0, values(0)) && now.norm() < 1e-5 * std::max(1.0, values(0));
    }
    place = sum(place, place_of(moved, here));
    if (!bring_back(place)) return false;
    const BranchPlace way = sum(place, scaled(begin, -1));
    if (product(way, way) > farthest * farthest) return false;
  }
  return false;
}

bool Follower::stays(const BranchPlace& place, const Linear& at, const BranchPlace& direction, double length,
                     const BranchPlace& next, std::optional<bool>& crossed) {
  constexpr double most = 0.5;  // Newton's method with the derivatives of the place contracts along the step
  const Linear there = linear_;
  bool is_kept = strain(at, direction, there) < most && strain(at, direction, first_linear_) < 2 * most;
  if (is_kept && request_.rest) {
    for (const double part : {0.25, 0.5, 0.75}) {
      BranchPlace between = sum(place, scaled(direction, part * length));
      if (!bring_back(between) || !linearise(between)) continue;
      is_kept = is_kept && strain(at, direction, linear_) < 2 * most;
    }
  }
  if (!is_kept) {
    if (!crossed) crossed = crosses_near(place, length) || crosses_near(next, length);
    is_kept = *crossed;
  }
  BranchPlace again = next;
  return is_kept && linearise(again);
}

}  // namespace liaison
