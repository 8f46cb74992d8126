#include "least_change.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "dense.hpp"
#include "expr/raw.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/term_sizes.hpp"

namespace liaison {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using SparseMatrixXd = Eigen::SparseMatrix<double>;

constexpr std::size_t most_dense = 200;  ///< equations or unknowns
constexpr int max_steps = 120;

VectorXd dense_step(const NumericEquations::Values& values, Eigen::Index columns, const Metric& metric,
                    const DoublePoint& point) {
  MatrixXd jacobian = MatrixXd::Zero(values.residual.size(), columns);
  for (const auto& entry : values.jacobian) jacobian(entry.row(), entry.col()) = entry.value();
  MatrixXd weighted = jacobian.transpose();
  if (metric) weighted = solve_symmetric(MatrixXd(metric(point)), weighted);
  return weighted * least_squares(product(jacobian, weighted), -values.residual);
}

/// Solves K x = right, K = [W J^T; J 0], with the factors of K - [0 0; 0 delta]: each round takes away what
/// delta and rounding left.
VectorXd refined_solution(const Eigen::SimplicialLDLT<SparseMatrixXd>& factors, const SparseMatrixXd& shifted,
                          double delta, const VectorXd& right, Eigen::Index rows) {
  constexpr int most_rounds = 8;
  VectorXd solution = VectorXd::Zero(right.size()), left = right;
  double last = INFINITY;
  for (int round = 0; round < most_rounds && left.norm() < last / 2; ++round) {
    last = left.norm();
    solution += factors.solve(left);
    left = right - shifted.selfadjointView<Eigen::Lower>() * solution;
    left.tail(rows) -= delta * solution.tail(rows);
  }
  return solution;
}

/// The same step by the quasi-definite system [W J^T; J -delta] (dx, y) = (0, -f). With delta it has a
/// factorisation in any order even where relations depend on each other; the smaller delta, the more digits
/// that order may cost.
VectorXd sparse_step(const NumericEquations::Values& values, Eigen::Index columns, const Metric& metric,
                     const DoublePoint& point) {
  const Eigen::Index rows = values.residual.size();
  VectorXd row_size = VectorXd::Zero(rows);
  for (const auto& entry : values.jacobian) row_size(entry.row()) += entry.value() * entry.value();
  const double largest = row_size.maxCoeff();
  SparseMatrixXd weight(columns, columns);
  weight.setIdentity();
  if (metric) weight = metric(point);
  const double delta =
      1e-10 * (largest > 0 ? largest : 1) / std::max(1e-300, weight.diagonal().cwiseAbs().maxCoeff());

  std::vector<Eigen::Triplet<double>> entries;  // the lower half
  for (Eigen::Index j = 0; j < weight.outerSize(); ++j) {
    for (SparseMatrixXd::InnerIterator entry(weight, j); entry; ++entry) {
      if (entry.row() >= j)
        entries.emplace_back(static_cast<int>(entry.row()), static_cast<int>(j), entry.value());
    }
  }
  for (const auto& entry : values.jacobian)
    entries.emplace_back(static_cast<int>(columns) + entry.row(), entry.col(), entry.value());
  for (Eigen::Index k = 0; k < rows; ++k) {
    entries.emplace_back(static_cast<int>(columns + k), static_cast<int>(columns + k), -delta);
  }
  SparseMatrixXd system(columns + rows, columns + rows);
  system.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<SparseMatrixXd> factors(system);
  if (factors.info() != Eigen::Success) return VectorXd::Constant(columns, NAN);
  VectorXd right = VectorXd::Zero(columns + rows);
  right.tail(rows) = -values.residual;
  return refined_solution(factors, system, delta, right, rows).head(columns);
}

/// When Newton's method has come to its end, by residuals beside the sizes of their terms: whatever the units
/// are. At a double root at zero the terms fall with the residual, and the sizes that they began with tell.
class Progress {
 public:
  explicit Progress(bool large) : large_(large) {}

  void see(const NumericEquations::Values& values) {
    const auto relative = [&](const VectorXd& sizes) {
      double largest = 0;
      for (Eigen::Index k = 0; k < values.residual.size(); ++k)
        if (values.residual(k) != 0) largest = std::max(largest, std::abs(values.residual(k)) / sizes(k));
      return largest;
    };
    first_ = first_.size() == 0 ? values.size : VectorXd(first_.cwiseMax(values.size));
    now_ = relative(values.size);
    since_first_ = relative(first_);
    stalled_ = since_first_ >= last_ / 2 ? stalled_ + 1 : 0;
    last_ = since_first_;
  }
  double residual() const { return now_; }
  // One more step after the residual is small: it costs little and reaches the last digits.
  bool is_done() const { return now_ == 0 || (now_ < 1e-12 && stalled_ > 0) || since_first_ < 1e-60; }
  bool is_hopeless() const { return large_ && stalled_ >= 5; }
  bool is_good() const { return now_ < 1e-10 || since_first_ < 1e-30; }

 private:
  bool large_;
  VectorXd first_;  ///< the largest sizes
  double now_ = INFINITY, since_first_ = INFINITY, last_ = INFINITY;
  int stalled_ = 0;  ///< steps in a row that did not halve the residual
};

}  // namespace

NumericEquations::NumericEquations(std::vector<Expr> equations, std::vector<Expr> unknowns)
    : equations_(std::move(equations)), unknowns_(std::move(unknowns)), outputs_(equations_) {
  for (const JacobianEntry& entry : jacobian(equations_, unknowns_)) {
    places_.emplace_back(static_cast<int>(entry.row), static_cast<int>(entry.column));
    outputs_.push_back(entry.value);
  }
  if (!unknowns_.empty()) {
    for (Expr symbol : symbols_in(equations_))
      if (symbol.symbol().kind == unknowns_[0].symbol().kind) like_unknowns_.push_back(symbol);
  }
  for (std::size_t k = 0; k < equations_.size(); ++k) {
    outputs_.push_back(size_of_terms(equations_[k]));
  }
  find_vanishing();
  if (equations_.size() > most_dense) return;
  std::vector<Expr> others;
  for (Expr symbol : symbols_in(equations_)) {
    if (std::find(unknowns_.begin(), unknowns_.end(), symbol) == unknowns_.end()) others.push_back(symbol);
  }
  for (const JacobianEntry& entry : jacobian(equations_, others)) {
    by_others_.push_back(entry.value);
    other_places_.emplace_back(static_cast<Eigen::Index>(entry.row), others[entry.column]);
  }
}

/// Equations that ask nothing of the unknowns on a piece.
void NumericEquations::find_vanishing() {
  std::vector<std::vector<Expr>> rows(equations_.size());
  for (std::size_t i = 0; i < places_.size(); ++i)
    rows[static_cast<std::size_t>(places_[i].first)].push_back(outputs_[equations_.size() + i]);
  first_size_ = outputs_.size();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!vanish_on_a_piece(rows[k], {})) continue;
    vanishing_.push_back(k);
    for (const Expr entry : rows[k]) outputs_.push_back(size_of_terms(entry));
  }
}

/// Where they ask nothing, their numbers are rounding.
void NumericEquations::drop_vanishing(std::span<const double> found, Values& values) const {
  const std::span<const double> whole = found.subspan(first_size_ - equations_.size());
  auto size = found.begin() + static_cast<std::ptrdiff_t>(first_size_);
  for (const std::size_t k : vanishing_) {
    double& residual = values.residual(static_cast<Eigen::Index>(k));
    bool vanishes = true;
    for (const auto& entry : values.jacobian)
      if (static_cast<std::size_t>(entry.row()) == k)
        vanishes = std::abs(entry.value()) <= vanished_beside * *size++ && vanishes;
    if (!vanishes) continue;
    for (auto& entry : values.jacobian)
      if (static_cast<std::size_t>(entry.row()) == k) entry = {entry.row(), entry.col(), 0.0};
    if (std::abs(residual) <= vanished_beside * whole[k]) residual = 0;
  }
}

bool NumericEquations::are_below_doubles(const DoublePoint& point) const {
  constexpr long bits = 64;
  BallPoint balls;
  for (const auto& [symbol, value] : point) arb_set_d(balls[symbol].raw(), value);
  const DoubleValues rounded = evaluate(equations_, point);
  if (rounded.status != EvaluationStatus::ok) return false;
  for (std::size_t k = 0; k < equations_.size(); ++k) {
    if (rounded.values[k] != 0) continue;
    const BallValues found = evaluate_balls(std::span(&equations_[k], 1), balls, bits);
    if (found.status != EvaluationStatus::ok || found.values[0].contains_zero()) continue;
    if (std::abs(found.values[0].mid()) < std::numeric_limits<double>::min()) return true;
  }
  return false;
}

bool NumericEquations::is_linear() const {
  for (std::size_t k = 0; k < places_.size(); ++k) {
    for (Expr unknown : unknowns_)
      if (depends_on(outputs_[equations_.size() + k], unknown)) return false;
  }
  return true;
}

bool NumericEquations::holds(std::size_t i) const {
  return std::any_of(places_.begin(), places_.end(),
                     [&](const auto& place) { return static_cast<std::size_t>(place.second) == i; });
}

NumericEquations::Values NumericEquations::at(const DoublePoint& point) const {
  Values result;
  const DoubleValues found = evaluate(outputs_, point);
  if (found.status != EvaluationStatus::ok) {
    result.failure = found.reason();
    return result;
  }
  result.residual =
      Eigen::Map<const VectorXd>(found.values.data(), static_cast<Eigen::Index>(equations_.size()));
  result.jacobian.reserve(places_.size());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    result.jacobian.emplace_back(places_[i].first, places_[i].second, found.values[equations_.size() + i]);
  }
  drop_vanishing(found.values, result);
  result.size = VectorXd::Zero(result.residual.size());
  double largest = 0;
  for (Expr symbol : like_unknowns_) largest = std::max(largest, std::abs(point.at(symbol)));
  for (const auto& entry : result.jacobian) result.size(entry.row()) += std::abs(entry.value()) * largest;
  const std::size_t first_term = equations_.size() + places_.size();
  for (std::size_t k = 0; k < equations_.size(); ++k)
    result.size(static_cast<Eigen::Index>(k)) += found.values[first_term + k];
  const DoubleValues sensitivities = evaluate(by_others_, point);
  if (sensitivities.status != EvaluationStatus::ok) return result;
  for (std::size_t i = 0; i < other_places_.size(); ++i) {
    const auto& [row, symbol] = other_places_[i];
    result.size(row) += std::abs(sensitivities.values[i] * point.at(symbol));
  }
  return result;
}

LeastChange solve_least_change(const NumericEquations& equations, DoublePoint& point, const Metric& metric) {
  LeastChange result;
  const std::vector<Expr>& unknowns = equations.unknowns();
  const bool large = std::max(equations.size(), unknowns.size()) > most_dense;
  Progress progress(large);
  for (int step = 0; step <= max_steps; ++step) {
    const NumericEquations::Values values = equations.at(point);
    result.failure = values.failure;
    if (!values.failure.empty()) return result;
    progress.see(values);
    result.residual = progress.residual();
    if (progress.is_done()) {
      result.converged = true;
      return result;
    }
    if (unknowns.empty() || step == max_steps || progress.is_hopeless()) break;
    const VectorXd change =
        (large ? sparse_step : dense_step)(values, static_cast<Eigen::Index>(unknowns.size()), metric, point);
    if (!change.allFinite()) break;
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      point[unknowns[i]] += change(static_cast<Eigen::Index>(i));
    if (change.cwiseAbs().maxCoeff() == 0) break;
  }
  result.converged = progress.is_good();
  return result;
}

}  // namespace liaison
