#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "evaluator_parts.hpp"

#include "liaison/mechanics/term_sizes.hpp"
#include "mechanics/dense.hpp"
#include "reset_metric.hpp"
#include "switches.hpp"

namespace liaison {

namespace {

using RowMajor = RowMajorMatrix;
constexpr int most_rounds = 50;
constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
constexpr double still_met = 1e-10;  ///< a residual that Newton's method may leave, badly conditioned

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

/// Relations with their gradients, to be met by some of the unknowns.
struct Relations {
  Eigen::VectorXd left;
  Eigen::VectorXd sizes;  ///< to which the terms of each add up
  RowMajor gradients;
  RowMajor metric;
  std::vector<std::string> names;

  /// The largest residual, relative to the sizes of its terms and of those of its differential, and whose it
  /// is.
  std::pair<double, std::size_t> largest(const double* unknowns) const {
    std::pair<double, std::size_t> result{0, 0};
    for (Eigen::Index k = 0; k < left.size(); ++k) {
      double size = sizes(k);
      for (Eigen::Index i = 0; i < gradients.cols(); ++i) size += std::abs(gradients(k, i) * unknowns[i]);
      const double relative = left(k) == 0 ? 0 : std::abs(left(k)) / size;
      if (relative > result.first || std::isnan(relative)) result = {relative, static_cast<std::size_t>(k)};
    }
    return result;
  }

  /// The least change of the free unknowns in the metric that meets the linearised relations.
  void move(const std::vector<std::size_t>& free, double* unknowns) const {
    const Eigen::Index count = index(free.size());
    Eigen::MatrixXd part(left.size(), count), weight(count, count);
    for (Eigen::Index i = 0; i < count; ++i) {
      part.col(i) = gradients.col(index(free[static_cast<std::size_t>(i)]));
      for (Eigen::Index j = 0; j < count; ++j)
        weight(i, j) =
            metric(index(free[static_cast<std::size_t>(i)]), index(free[static_cast<std::size_t>(j)]));
    }
    const Eigen::MatrixXd euclid = to_euclid(weight);
    const Eigen::VectorXd change = product(euclid, least_squares(product(part, euclid), -left));
    for (Eigen::Index i = 0; i < count; ++i) unknowns[free[static_cast<std::size_t>(i)]] += change(i);
  }
};

RowMajor matrix_of(const std::vector<double>& values, std::size_t rows, std::size_t columns) {
  return Eigen::Map<const RowMajor>(values.data(), index(rows), index(columns));
}

}  // namespace

std::string Evaluator::project_rest(double t, double* y, const std::vector<bool>& fixed) {
  Implementation& self = *implementation_;
  const AssembledEquations& equations = self.equations;
  const System& system = self.system;
  const std::size_t positions = self.positions, n = self.n, rotations = system.rotations.size();
  Pieces at;
  const auto sizes_of = [&](std::optional<Runner>& program, std::span<const Expr> relations, double* sizes) {
    if (!program) {
      std::vector<Expr> outputs;
      for (Expr relation : relations)
        if (!relation.empty()) outputs.push_back(size_of_terms(relation));
      program.emplace(self.input_symbols, outputs, self.engine);
    }
    const double* values = (*program)(self.inputs(t, y));
    std::copy_n(values, program->values().size(), sizes);
  };

  const auto of_positions = [&](Relations& result) {
    if (!self.pieces(t, y, self.factors, at)) return false;
    const std::size_t rows = self.levels + rotations;
    result.left = Eigen::VectorXd::Zero(index(rows));
    result.sizes = Eigen::VectorXd::Ones(index(rows));
    sizes_of(self.level_sizes, std::span(equations.levels).first(equations.relation_count),
             result.sizes.data());
    result.gradients = RowMajor::Zero(index(rows), index(positions));
    result.gradients.topRows(index(self.levels)) = matrix_of(at.level_gradients, self.levels, positions);
    result.names.clear();
    for (std::size_t k = 0; k < equations.relation_count; ++k) {
      if (!equations.levels[k].empty()) result.names.push_back(equations.names[k]);
    }
    for (std::size_t k = 0; k < self.levels; ++k) result.left(index(k)) = at.levels[k];
    for (std::size_t r = 0; r < rotations; ++r) {
      const std::size_t first = positions - 4 * (rotations - r), row = self.levels + r;
      double square = -1;
      for (std::size_t k = first; k < first + 4; ++k) {
        square += y[k] * y[k];
        result.gradients(index(row), index(k)) = 2 * y[k];
      }
      result.left(index(row)) = square;
      result.names.emplace_back("the length of a quaternion");
    }
    result.metric = metric_of_positions(equations, matrix_of(at.mass, n, n));
    return true;
  };
  const auto of_velocities = [&](Relations& result) {
    if (!self.pieces(t, y, self.factors, at)) return false;
    result.left = Eigen::Map<const Eigen::VectorXd>(at.relations.data(), index(equations.relation_count));
    result.sizes = Eigen::VectorXd::Zero(index(equations.relation_count));
    sizes_of(self.relation_sizes, std::span(equations.relations).first(equations.relation_count),
             result.sizes.data());
    result.gradients = matrix_of(at.gradients, equations.relation_count, n);
    result.names.assign(equations.names.begin(),
                        equations.names.begin() + static_cast<std::ptrdiff_t>(equations.relation_count));
    result.metric = metric_of_velocities(equations, matrix_of(at.mass, n, n));
    return true;
  };
  const auto meet = [&](const auto& make, std::size_t first, std::size_t count) -> std::string {
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < count; ++i) {
      if (!fixed[first + i]) free.push_back(i);
    }
    Relations relations;
    double best = std::numeric_limits<double>::infinity();
    std::string worst;
    for (int round = 0; round < most_rounds; ++round) {
      if (!make(relations)) return "the constraints have no value";
      const auto [left, which] = relations.largest(y + first);
      if (left <= rounding) return {};
      if (!(left < best)) {
        if (best <= still_met) return {};
      } else {
        best = left;
      }
      worst = fmt::format(
          "the state cannot be moved onto the constraints without changing what was reset: `{}` is off by "
          "{:.3g}",
          relations.names[which], relations.left(index(which)));
      if (free.empty()) return worst;
      relations.move(free, y + first);
    }
    return best <= still_met ? std::string{} : worst;
  };

  if (self.levels + rotations > 0) {
    if (std::string why = meet(of_positions, 0, positions); !why.empty()) return why;
  }
  if (equations.relation_count == 0) return {};
  return meet(of_velocities, positions, n);
}

}  // namespace liaison
