#include "coupling.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "liaison/expr/traverse.hpp"
#include "mechanics/dense.hpp"

namespace liaison {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr std::size_t largest_size = 100;  ///< dense factors several times a step
constexpr double dependent = 1e-10;        ///< a pivot beside the largest

}  // namespace

Coupling::Coupling(Evaluator& evaluator, const std::unordered_set<Expr>& moving) : evaluator_(evaluator) {
  const AssembledEquations& equations = evaluator.equations();
  const std::size_t m = equations.relation_count;
  if (m == 0 || m > largest_size || evaluator.factor_count() != m || equations.ideal) return;
  std::unordered_set<Expr> seen = moving;
  seen.insert(equations.factors.begin(), equations.factors.end());
  for (const SparseMatrix* matrix : {&equations.mass, &equations.directions, &equations.gradients}) {
    for (const SparseEntry& entry : matrix->entries) {
      const std::vector<Expr> symbols = symbols_in(entry.value);
      needed_ = needed_ || std::any_of(symbols.begin(), symbols.end(),
                                       [&](Expr symbol) { return seen.contains(symbol); });
    }
  }
}

/// r(lambda)^T lambda + drive.
bool Coupling::balance(double t, const double* y, const std::vector<double>& factors,
                       std::vector<double>& left) {
  if (!evaluator_.couplings(t, y, factors, couplings_)) return false;
  const std::size_t m = couplings_.drive.size();
  left = couplings_.drive;
  for (std::size_t h = 0; h < m; ++h)
    for (std::size_t k = 0; k < m; ++k) left[k] += couplings_.r[h * m + k] * factors[h];
  return true;
}

bool Coupling::fill(double t, const double* y) {
  const std::size_t m = evaluator_.relation_count();
  std::vector<double> dy(evaluator_.size());
  std::vector<double> factors(m, 0.0);
  const bool implicit = evaluator_.equations().implicit;
  const std::vector<double> guess = evaluator_.factor_guess();
  if (implicit) {
    const bool known = evaluator_.rates(t, y, dy.data());
    std::copy(evaluator_.factors().begin(), evaluator_.factors().end(), factors.begin());
    evaluator_.set_factor_guess(guess);
    if (!known) return false;
  }
  std::vector<double> here, there;
  const bool found = balance(t, y, factors, here);
  matrix_.assign(m * m, 0);
  for (std::size_t h = 0; h < m && found; ++h) {
    for (std::size_t k = 0; k < m; ++k) matrix_[k * m + h] = couplings_.r[h * m + k];
  }
  double size = 0;
  for (const double factor : factors) size = std::max(size, std::abs(factor));
  for (std::size_t h = 0; implicit && found && h < m; ++h) {  // differences, on both sides
    const double length = 1e-6 * (size > 0 ? size : 1);
    std::vector<double> moved = factors;
    moved[h] = factors[h] + length;
    if (!balance(t, y, moved, there)) return false;
    moved[h] = factors[h] - length;
    if (!balance(t, y, moved, here)) return false;
    for (std::size_t k = 0; k < m; ++k) matrix_[k * m + h] = (there[k] - here[k]) / (2 * length);
  }
  if (implicit) evaluator_.set_factor_guess(guess);
  return found && std::all_of(matrix_.begin(), matrix_.end(), [](double x) { return std::isfinite(x); });
}

void Coupling::begin(double t, const double* y) {
  if (!needed_) return;
  has_rank_ = false;
  if (!fill(t, y)) return;
  const auto m = static_cast<Eigen::Index>(evaluator_.relation_count());
  Eigen::Map<RowMajor> matrix(matrix_.data(), m, m);
  if (scale_.empty()) {
    for (Eigen::Index k = 0; k < m; ++k) {
      const double size = matrix.row(k).cwiseAbs().maxCoeff();
      scale_.push_back(size > 0 ? size : 1);
    }
  }
  for (Eigen::Index k = 0; k < m; ++k) matrix.row(k) /= scale_[static_cast<std::size_t>(k)];
  DenseRank factors(matrix);
  factors.set_threshold(dependent);
  has_rank_ = factors.rank() == m;
}

double Coupling::measure(double t, const double* y) {
  if (!has_rank_ || !fill(t, y)) return NAN;
  const auto m = static_cast<Eigen::Index>(evaluator_.relation_count());
  Eigen::Map<RowMajor> matrix(matrix_.data(), m, m);
  for (Eigen::Index k = 0; k < m; ++k) matrix.row(k) /= scale_[static_cast<std::size_t>(k)];
  return m == 1 ? matrix(0, 0) : determinant(matrix);
}

std::string Coupling::in_words() const {
  const AssembledEquations& equations = evaluator_.equations();
  if (equations.implicit)
    return "the factors that enter their own directions come together with others and end here";
  if (equations.relation_count == 1) {
    return fmt::format(
        "r of `{}` vanishes: its force does not act on its relation here, and the factor has a "
        "pole",
        equations.names[0]);
  }
  std::string list;
  for (std::size_t k = 0; k < equations.relation_count; ++k)
    list += (list.empty() ? "`" : ", `") + equations.names[k] + "`";
  return fmt::format(
      "det r of {} vanishes: the forces do not act on all relations here, and factors have poles", list);
}

}  // namespace liaison
