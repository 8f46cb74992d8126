#include "kept_beside.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "expr/raw.hpp"
#include "liaison/algebra/region.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

/// Those whose gradients add to the rank of the ones before, by doubles: a choice, which proves nothing.
std::vector<bool> independent_of_those_before(const std::vector<std::vector<double>>& rows) {
  constexpr double small = 1e-9;
  std::vector<bool> result;
  std::vector<Eigen::VectorXd> basis;
  for (const std::vector<double>& row : rows) {
    Eigen::VectorXd left =
        Eigen::Map<const Eigen::VectorXd>(row.data(), static_cast<Eigen::Index>(row.size()));
    const double size = left.norm();
    for (const Eigen::VectorXd& one : basis) left -= one.dot(left) * one;
    const bool adds = size > 0 && left.norm() > small * size;
    if (adds) basis.push_back(left.normalized());
    result.push_back(adds);
  }
  return result;
}

}  // namespace

bool are_kept_together(Algebra& algebra, const System& system, const std::vector<Constraint>& kept,
                       const ContactStateValues& state) {
  Substitution parameters;
  BallPoint around;
  DoublePoint here;
  for (const auto& [symbol, value] : state.values) {
    const double number = evaluate(value, {});
    here.emplace(symbol, number);
    if (symbol.symbol().kind == SymbolKind::parameter) {
      parameters.emplace(symbol, value);
    } else {
      Ball near(Rational::from_double(number));
      arb_add_error_2exp_si(near.raw(), -20);
      around.emplace(symbol, std::move(near));
    }
  }
  std::vector<Expr> levels, velocities;
  for (const auto* list : {&system.constraints, &kept})
    for (const Constraint& constraint : *list)
      if (constraint.holonomic) levels.push_back(substitute(constraint.relation, parameters));
  for (const Direction& direction : system.directions) velocities.push_back(direction.velocity);
  std::vector<std::vector<double>> rows;
  for (Expr level : levels) {
    const DoubleValues found = evaluate(gradient(time_derivative(system, level), velocities), here);
    if (found.status != EvaluationStatus::ok) return false;
    rows.push_back(found.values);
  }
  const std::vector<bool> adds = independent_of_those_before(rows);
  Region places;
  for (const Rotation& rotation : system.rotations) {
    Expr norm = system.pool->number(-1);
    for (Expr e : rotation.quaternion) norm += pow(e, 2);
    places.equations.push_back(norm);
  }
  for (std::size_t k = 0; k < levels.size(); ++k)
    if (adds[k]) places.equations.push_back(levels[k]);
  for (std::size_t k = 0; k < levels.size(); ++k)
    if (!adds[k] && !algebra.follows_near(levels[k], places, around)) return false;
  return true;
}

}  // namespace liaison
