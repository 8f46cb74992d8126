#include "contract.hpp"
#include "extended_motion.hpp"
#include "liaison/expr/differentiate.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_split = 4;  ///< directions up to which the split is written out

/// Gauss's function on the accelerations of coordinates and drives, without what holds none of them:
/// Z = a.M.a/2 + c.a with the residues M a + c.
struct GaussFunction {
  Matrix tensor;
  Expr value;
  std::vector<Expr> slopes;
};

GaussFunction gauss_function(Algebra& algebra, const StateSpace& space) {
  Pool& pool = space.pool();
  const std::vector<Expr> rows = lagrange_rows(algebra, space), a = acceleration_symbols(space);
  Substitution at_rest;
  for (Expr one : a) at_rest.emplace(one, pool.number(0));
  GaussFunction result{Matrix(pool, a.size(), a.size()), {}, {}};
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::vector<Expr> slopes = gradient(rows[i], a);
    terms.push_back(substitute(rows[i], at_rest) * a[i]);
    for (std::size_t j = 0; j < a.size(); ++j) {
      result.tensor(i, j) = slopes[j];
      terms.push_back(slopes[j] * a[i] * a[j] / Rational(2));
    }
  }
  result.value = pool.add(terms);
  result.slopes = gradient(result.value, a);
  return result;
}

/// A^-1 y; nothing where A is singular.
std::optional<std::vector<Expr>> divided(Algebra& algebra, const Matrix& A, const std::vector<Expr>& y) {
  const SolveResult solved = solve(algebra, A, y);
  if (solved.status == SolveStatus::inconsistent || !solved.free_unknowns.empty()) return std::nullopt;
  return solved.x;
}

/// 2 Z = u_a A^ab u_b + w S^-1 w with the residues u, A the block of the coordinates, B the mixed one,
/// w = u_0 - B A^-1 u and S = s - B A^-1 B^T, the complement of Schur (row V9.gauss-split; the printed split
/// without it holds for B = 0 alone). Written out where it is short.
void add_split(Algebra& algebra, const System& system, const ExtendedMotion& extended, const Matrix& tensor,
               FormulationResult& result) {
  Pool& pool = algebra.pool();
  const std::size_t n = extended.n, m = extended.m;
  if (n + m > max_split) return;
  std::vector<Expr> u;
  for (std::size_t i = 0; i < n + m; ++i) {
    const std::string name =
        i < n ? system.directions[i].velocity.symbol().name : system.rheonomic[i - n].name;
    u.push_back(
        symbol_for_reading(system, "u_" + (name.ends_with("'") ? name.substr(0, name.size() - 1) : name)));
  }
  const auto whole = divided(algebra, tensor, u);
  if (!whole) return;
  Matrix A(pool, n, n), S(pool, m, m);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) A(i, j) = tensor(i, j);
  const std::vector<Expr> tangential(u.begin(), u.begin() + static_cast<std::ptrdiff_t>(n));
  const auto raised = divided(algebra, A, tangential);
  if (!raised) return;
  std::vector<Expr> w;
  for (std::size_t k = 0; k < m; ++k) {
    std::vector<Expr> mixed;
    for (std::size_t i = 0; i < n; ++i) mixed.push_back(tensor(i, n + k));
    w.push_back(u[n + k] - contract(pool, mixed, *raised));
    const auto column = divided(algebra, A, mixed);
    if (!column) return;
    for (std::size_t j = 0; j < m; ++j) {
      std::vector<Expr> other;
      for (std::size_t i = 0; i < n; ++i) other.push_back(tensor(n + j, i));
      S(j, k) = algebra.readable(tensor(n + j, n + k) - contract(pool, other, *column));
    }
  }
  const auto normal = divided(algebra, S, w);
  if (!normal) return;
  const Rational half(1, 2);
  const Expr first = half * contract(pool, tangential, *raised), second = half * contract(pool, w, *normal);
  result.statements.emplace_back(half * contract(pool, u, *whole), first + second);
  result.equations.emplace_back(symbol_for_reading(system, "Z_1"), algebra.readable(first));
  result.equations.emplace_back(symbol_for_reading(system, "Z_2"), algebra.readable(second));
}

}  // namespace

/// Least constraint with q0 and its second rate given: the derivatives of Z by the accelerations of the
/// coordinates are those of the constraints alone, and that by q0'' is R_0 (rows V9.gauss, V9.gauss-split,
/// V9.gauss-nonholonomic).
FormulationResult derive_extended_gauss(Algebra& algebra, const Motion& motion, const System* whole) {
  constexpr Formulation road = Formulation::extended_gauss;
  const System& system = *motion.space.system;
  if (whole == nullptr) return not_applicable(road, "the system has no rheonomic coordinate");
  if (!system.chart.parameters.empty()) return not_applicable(road, "the model has velocity parameters");
  FormulationResult result;
  result.formulation = road;
  result.applicable = true;
  const ExtendedMotion extended = extend_motion(algebra, motion, *whole);
  const GaussFunction gauss = gauss_function(algebra, extended.motion.space);
  const std::vector<Expr> pushes = reactions(extended.motion);
  std::vector<std::pair<Expr, Expr>> equations;
  for (std::size_t i = 0; i < pushes.size(); ++i) equations.emplace_back(gauss.slopes[i], pushes[i]);
  finish_extended(algebra, motion, extended, equations, result);
  Matrix tensor = gauss.tensor;
  for (std::size_t i = 0; i < tensor.rows; ++i)
    for (std::size_t j = 0; j < tensor.columns; ++j) tensor(i, j) = extended.inserted(tensor(i, j));
  add_split(algebra, system, extended, tensor, result);
  return result;
}

}  // namespace liaison
