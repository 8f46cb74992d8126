#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "evaluator_parts.hpp"
#include "liaison/expr/substitute.hpp"

namespace liaison {

namespace {

/// Relations whose gradients are parallel to within this angle are not taken for independent ones.
constexpr double independent = 1e-9;

/// Relations that hold at rest, at every state and time.
bool hold_at_rest(const AssembledEquations& equations) {
  Substitution rest;
  for (const Expr parameter : equations.parameters)
    rest.emplace(parameter, equations.system->pool->number(0));
  return std::all_of(equations.relations.begin(), equations.relations.end(),
                     [&](Expr relation) { return substitute(relation, rest).is_zero(); });
}

}  // namespace

void Evaluator::leave_rest() {
  implementation_->at_rest = implementation_->said_to_rest;
}

bool Evaluator::stay_at_rest(double t, const double* y) {
  Implementation& own = *implementation_;
  leave_rest();
  if (own.n == 0 || relation_count() < own.n || !hold_at_rest(own.equations)) return false;
  std::vector<double> entries, masses;
  if (!gradients(t, y, entries) || !mass(t, y, masses)) return false;
  Eigen::MatrixXd rows(relation_count(), own.n);
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    for (Eigen::Index a = 0; a < rows.cols(); ++a)
      rows(i, a) = entries[i * own.n + a] / std::sqrt(masses[a * own.n + a]);
    if (const double length = rows.row(i).norm(); length > 0) rows.row(i) /= length;
  }
  if (!rows.allFinite()) return false;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(rows);
  factors.setThreshold(independent);
  if (factors.rank() < rows.cols()) return false;
  own.at_rest.resize(own.n);
  std::iota(own.at_rest.begin(), own.at_rest.end(), std::size_t{0});
  return true;
}

}  // namespace liaison
