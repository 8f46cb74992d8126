#include "proved_limits.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "liaison/algebra/matrix.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

/// Coefficients of the forces of rows, by the row; rows are counted behind the bilateral constraints.
using RowForces = std::vector<std::pair<std::size_t, Expr>>;

/// Whether forces together leave the rate of a row as it is: only what algebra proves, for few directions.
/// By Cramer's rule the rate is a quotient of determinants: below is that of the equations of motion, above
/// the same with the forces and the row at its border.
bool is_without_effect(Algebra& algebra, const AssembledEquations& equations, std::size_t bilateral,
                       const Substitution& values, const RowForces& forces, std::size_t row) {
  constexpr std::size_t largest = 8;
  const std::size_t n = equations.parameters.size(), border = n + bilateral;
  if (border + 1 > largest) return false;
  Matrix matrix(*equations.system->pool, border + 1, border + 1);
  for (const SparseEntry& entry : equations.mass.entries)
    matrix(entry.row, entry.column) = substitute(entry.value, values);
  for (const SparseEntry& entry : equations.directions.entries) {
    const Expr value = substitute(entry.value, values);
    if (entry.row < bilateral) matrix(entry.column, n + entry.row) = value;
    for (const auto& [force, coefficient] : forces) {
      if (entry.row == bilateral + force)
        matrix(entry.column, border) = matrix(entry.column, border) + substitute(coefficient, values) * value;
    }
  }
  for (const SparseEntry& entry : equations.gradients.entries) {
    const Expr value = substitute(entry.value, values);
    if (entry.row < bilateral) matrix(n + entry.row, entry.column) = value;
    if (entry.row == bilateral + row) matrix(border, entry.column) = value;
  }
  try {
    return algebra.is_zero(determinant(algebra, matrix).value).is_proved();
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::string unproved_limits(Algebra& algebra, const AssembledEquations& equations, const ClosedSystem& closed,
                            const Substitution& values, const ContactNumbers& numbers,
                            const std::vector<ContactRows>& rows,
                            const std::function<Expr(std::size_t, std::size_t)>& slipping) {
  if (numbers.noise.is_zero()) return {};
  Pool& pool = *closed.system.pool;
  for (const ModeProblem::Limit& limit : ModeProblem(numbers, rows).limits_of_r()) {
    const ContactRows& contact = rows[limit.contact];
    RowForces forces{{contact.normal, pool.number(1)}};
    for (std::size_t i = 0; i < limit.with.size(); ++i)
      forces.emplace_back(contact.resisted[i].row,
                          pool.number(limit.with[i].sign()) * slipping(limit.contact, i));
    if (is_without_effect(algebra, equations, closed.bilateral, values, forces, limit.row)) continue;
    return fmt::format(
        "within rounding of a limit: what the pressure and the friction of `{}` do cancels to 45 digits, "
        "which is not proved; beyond the limit other motions are possible",
        closed.system.constraints[closed.bilateral + contact.normal].name);
  }
  return {};
}

}  // namespace liaison
