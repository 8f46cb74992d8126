#include "liaison/mechanics/open_factors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "dense.hpp"

namespace liaison {

namespace {

constexpr double nothing = 1e-9;  ///< of a direction whose largest entry is one

/// Rows reduced so that each has a one where all others are zero; the places of these ones.
std::vector<std::size_t> reduce(std::vector<std::vector<double>>& rows) {
  std::vector<std::size_t> pivots;
  const std::size_t columns = rows.empty() ? 0 : rows[0].size();
  for (std::size_t done = 0; done < rows.size(); ++done) {
    std::size_t row = done, column = 0;
    double largest = 0;
    for (std::size_t i = done; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        // Of nearly equal ones the first: the same numbers give the same combinations.
        if (std::abs(rows[i][j]) > largest * (1 + nothing))
          largest = std::abs(rows[i][j]), row = i, column = j;
      }
    }
    if (largest <= nothing) break;
    std::swap(rows[done], rows[row]);
    const double pivot = rows[done][column];
    for (double& entry : rows[done]) entry /= pivot;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double factor = rows[i][column];
      if (i == done || factor == 0) continue;
      for (std::size_t j = 0; j < columns; ++j) rows[i][j] -= factor * rows[done][j];
    }
    pivots.push_back(column);
  }
  return pivots;
}

}  // namespace

void add_open_directions(const std::vector<std::vector<double>>& more,
                         std::vector<std::vector<double>>& known) {
  constexpr double turned = 1e-7;  // of a direction: less is rounding
  for (const std::vector<double>& direction : more) {
    if (known.size() >= direction.size()) return;
    known.push_back(direction);
    Eigen::MatrixXd columns(static_cast<Eigen::Index>(direction.size()),
                            static_cast<Eigen::Index>(known.size()));
    for (std::size_t k = 0; k < known.size(); ++k) {
      auto column = columns.col(static_cast<Eigen::Index>(k));
      column = Eigen::Map<const Eigen::VectorXd>(known[k].data(), columns.rows());
      column.normalize();
    }
    DenseRank rank(columns);
    rank.set_threshold(turned);
    if (rank.rank() < columns.cols()) known.pop_back();
  }
}

OpenFactors describe_open(const std::vector<std::vector<double>>& directions) {
  OpenFactors result;
  std::vector<std::vector<double>> rows = directions;
  for (std::vector<double>& row : rows) {
    double largest = 0;
    for (double entry : row) largest = std::max(largest, std::abs(entry));
    for (double& entry : row) entry /= largest > 0 ? largest : 1;
  }
  const std::vector<std::size_t> pivots = reduce(rows);
  const std::size_t count = rows.empty() ? 0 : rows[0].size();
  for (std::size_t h = 0; h < count; ++h) {
    const auto moves = [&](const std::vector<double>& row) { return std::abs(row[h]) > nothing; };
    if (std::any_of(rows.begin(), rows.end(), moves)) result.factors.push_back(h);
  }
  for (std::size_t h : result.factors) {  // a factor less what the pivots take of it
    if (std::find(pivots.begin(), pivots.end(), h) != pivots.end()) continue;
    std::vector<double> weights(count, 0);
    weights[h] = 1;
    for (std::size_t p = 0; p < pivots.size(); ++p) weights[pivots[p]] = -rows[p][h];
    const auto first = std::find_if(weights.begin(), weights.end(),
                                    [](double weight) { return std::abs(weight) > nothing; });
    const double scale = *first;
    for (double& weight : weights) weight /= scale;
    result.determined.push_back(std::move(weights));
  }
  return result;
}

std::string combination_of_factors(std::span<const double> weights, std::span<const std::string> names) {
  std::string text;
  for (std::size_t h = 0; h < weights.size(); ++h) {
    if (std::abs(weights[h]) <= nothing) continue;
    const std::string size = fmt::format("{:.6g}", std::abs(weights[h]));
    text += text.empty() ? (weights[h] < 0 ? "-" : "") : (weights[h] < 0 ? " - " : " + ");
    text += (size == "1" ? "" : size + "*") + "lambda(" + names[h] + ")";
  }
  return text;
}

}  // namespace liaison
