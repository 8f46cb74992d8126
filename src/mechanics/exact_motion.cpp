#include "exact_motion.hpp"

#include <algorithm>

#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/model/kinematics.hpp"
#include "second_order.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_unknowns = 24;

struct LinearEquations {
  Matrix matrix;
  std::vector<Expr> right;
  std::vector<Expr> unknowns;
};

LinearEquations equations_at(const Motion& motion, const Substitution& exact) {
  const std::size_t n = motion.space.size(), forces = motion.constraints.size(), p = motion.relation_count;
  LinearEquations result{Matrix(motion.space.pool(), n + p, n + forces), {}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t a = 0; a < n; ++a) result.matrix(i, a) = substitute(motion.free.mass(i, a), exact);
    for (std::size_t h = 0; h < forces; ++h)
      result.matrix(i, n + h) = -substitute(motion.constraints[h].direction[i], exact);
    result.right.push_back(substitute(motion.free.load[i], exact));
  }
  for (std::size_t k = 0; k < p; ++k) {
    for (std::size_t a = 0; a < n; ++a)
      result.matrix(n + k, a) = substitute(motion.constraints[k].gradient[a], exact);
    result.right.push_back(-substitute(motion.constraints[k].bias, exact));
  }
  for (Expr parameter : motion.space.parameters) result.unknowns.push_back(acceleration_symbol(parameter));
  for (const ConstraintField& constraint : motion.constraints) result.unknowns.push_back(constraint.factor);
  return result;
}

bool are_constant(const std::vector<Expr>& es) {
  return std::all_of(es.begin(), es.end(), [](Expr e) { return e.is_constant(); });
}

/// What the algebra took to be different from zero certainly is.
bool hold(const Conditions& conditions) {
  return std::all_of(conditions.begin(), conditions.end(), [](Expr condition) {
    return condition.is_constant() && constant_sign(condition).value_or(0) != 0;
  });
}

/// -1, 0, 1; nothing where it is not decided.
std::optional<int> exact_sign(Algebra& algebra, Expr constant) {
  if (const auto sign = constant_sign(constant, 512)) return sign;
  if (constant.is_constant() && algebra.is_zero(constant).is_proved()) return 0;
  return std::nullopt;
}

/// The real roots of c[0] x^2 + c[1] x + c[2], the smaller first.
std::vector<Expr> real_roots(Algebra& algebra, const std::array<Expr, 3>& c) {
  const auto leading = exact_sign(algebra, c[0]);
  if (!leading) return {};
  if (*leading == 0) {
    const auto slope = exact_sign(algebra, c[1]);
    if (!slope || *slope == 0) return {};
    return {-(c[2] / c[1])};
  }
  const Expr discriminant = c[1] * c[1] - 4 * c[0] * c[2];
  const auto sign = exact_sign(algebra, discriminant);
  if (!sign || *sign < 0) return {};
  const Expr middle = -(c[1] / (2 * c[0]));
  if (*sign == 0) return {middle};
  const Expr half = sqrt(discriminant) / (2 * *leading * c[0]);
  return {middle - half, middle + half};
}

}  // namespace

ExactMotion solve_exact_motion(Algebra& algebra, const Motion& motion, const Substitution& exact) {
  ExactMotion result;
  if (motion.space.size() + motion.constraints.size() > most_unknowns) return result;
  const LinearEquations equations = equations_at(motion, exact);
  if (!are_constant(equations.matrix.entries) || !are_constant(equations.right)) return result;
  const SolveResult solution = solve(algebra, equations.matrix, equations.right);
  if (solution.grade != Grade::proved || !hold(solution.conditions)) return result;
  if (solution.status == SolveStatus::inconsistent) {
    result.status = ExactMotion::Status::impossible;
    return result;
  }
  result.status =
      solution.status == SolveStatus::unique ? ExactMotion::Status::unique : ExactMotion::Status::open;
  for (std::size_t j : solution.free_unknowns) result.open.push_back(equations.unknowns[j]);
  for (std::size_t i = 0; i < equations.unknowns.size(); ++i) {
    Expr value = solution.x[i];
    for (std::size_t j = 0; j < solution.kernel.size(); ++j) {
      const Expr weight = solution.kernel[j][solution.free_unknowns[j]];
      value += result.open[j] * solution.kernel[j][i] / weight;
    }
    result.values.emplace(equations.unknowns[i], value);
  }
  return result;
}

std::optional<Substitution> solve_linear_exactly(Algebra& algebra, const std::vector<Expr>& equations,
                                                 const std::vector<Expr>& unknowns) {
  if (unknowns.size() > most_unknowns) return std::nullopt;
  Matrix matrix(algebra.pool(), equations.size(), unknowns.size());
  std::vector<Expr> right;
  for (std::size_t row = 0; row < equations.size(); ++row) {
    const auto form = linear_coefficients(equations[row], unknowns);
    if (!form || !form->rest.is_constant() || !are_constant(form->coefficients)) return std::nullopt;
    std::copy(form->coefficients.begin(), form->coefficients.end(), &matrix(row, 0));
    right.push_back(-form->rest);
  }
  const SolveResult solution = solve(algebra, matrix, right);
  if (solution.status != SolveStatus::unique || solution.grade != Grade::proved || !hold(solution.conditions))
    return std::nullopt;
  Substitution result;
  for (std::size_t i = 0; i < unknowns.size(); ++i) result.emplace(unknowns[i], solution.x[i]);
  return result;
}

std::vector<ExactMotion> solve_second_order(Algebra& algebra, const Motion& motion,
                                            const Substitution& exact) {
  if (!motion.closed_form || motion.constraints.size() != 1 || motion.relation_count != 1) return {};
  std::array<Expr, 3> coefficients = second_order_coefficients(motion);
  for (Expr& c : coefficients) c = substitute(c, exact);
  std::vector<ExactMotion> result;
  for (Expr root : real_roots(algebra, coefficients)) {
    ExactMotion& one = result.emplace_back();
    one.status = ExactMotion::Status::unique;
    one.values.emplace(motion.constraints[0].factor, root);
    for (std::size_t a = 0; a < motion.space.size(); ++a) {
      one.values.emplace(acceleration_symbol(motion.space.parameters[a]),
                         substitute(motion.free_acceleration[a] + root * motion.fields[0][a], exact));
    }
  }
  return result;
}

}  // namespace liaison
