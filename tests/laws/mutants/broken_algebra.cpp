#include "broken_algebra.hpp"

#include <algorithm>
#include <unordered_map>

#include "liaison/expr/traverse.hpp"

namespace liaison::test {

namespace {

/// sin^2 = 1 + cos^2.
Expr with_wrong_circle(Algebra& algebra, Expr root) {
  std::unordered_map<Expr, Expr> known;
  for (Expr e : postorder(root)) {
    std::vector<Expr> args;
    for (Expr arg : e.args()) args.push_back(known.at(arg));
    Expr same = e.args().empty() ? e : algebra.pool().rebuild(e, args);
    const bool is_square = same.is(Op::pow) && same.arg(0).is(Op::sin) && same.arg(1).number() == Rational(2);
    if (is_square) same = Rational(1) + pow(cos(same.arg(0).arg(0)), 2);
    known.emplace(e, same);
  }
  return algebra.canonical(known.at(root)).value;
}

Expr without_last_term(Expr e) {
  if (!e.is(Op::add)) return e;
  std::vector<Expr> terms(e.args().begin(), e.args().end() - 1);
  return e.pool().add(terms);
}

/// All signs plus.
Expr permanent(const Matrix& a, std::size_t row, std::vector<char>& is_used) {
  Pool& pool = a.entries[0].pool();
  if (row == a.rows) return pool.number(1);
  Expr sum = pool.number(0);
  for (std::size_t j = 0; j < a.columns; ++j) {
    if (is_used[j]) continue;
    is_used[j] = 1;
    sum += a(row, j) * permanent(a, row + 1, is_used);
    is_used[j] = 0;
  }
  return sum;
}

AlgebraOperations canonical_is(std::function<Expr(Algebra&, Expr)> broken) {
  AlgebraOperations result;
  result.canonical = std::move(broken);
  return result;
}

AlgebraOperations determinant_is(std::function<Expr(Algebra&, const Matrix&)> broken) {
  AlgebraOperations result;
  result.determinant = std::move(broken);
  return result;
}

AlgebraOperations readable_without_last_term() {
  AlgebraOperations result;
  result.readable = [](Algebra& algebra, Expr e) { return without_last_term(algebra.readable(e)); };
  return result;
}

AlgebraOperations solve_with_a_sign_lost() {
  AlgebraOperations result;
  result.solve = [](Algebra& algebra, const Matrix& a, const std::vector<Expr>& b) {
    SolveResult solution = solve(algebra, a, b);
    for (Expr& x : solution.x) x = -x;
    return solution;
  };
  return result;
}

AlgebraOperations null_space_with_a_vector_lost() {
  AlgebraOperations result;
  result.null_space = [](Algebra& algebra, const Matrix& a) {
    NullSpaceResult space = null_space(algebra, a);
    if (!space.basis.empty()) space.basis.pop_back();
    return space;
  };
  return result;
}

AlgebraOperations rank_by_shape() {
  AlgebraOperations result;
  result.rank = [](Algebra&, const Matrix& a) { return std::min(a.rows, a.columns); };
  return result;
}

Expr as_given(Algebra&, Expr e) {
  return e;
}
Expr shortened(Algebra& algebra, Expr e) {
  return without_last_term(algebra.canonical(e).value);
}
Expr constant(Algebra& algebra, Expr) {
  return algebra.pool().number(1);
}
Expr with_all_signs_plus(Algebra&, const Matrix& a) {
  std::vector<char> is_used(a.columns, 0);
  return permanent(a, 0, is_used);
}
Expr diagonal_product(Algebra&, const Matrix& a) {
  Expr product = a(0, 0);
  for (std::size_t i = 1; i < a.rows; ++i) product *= a(i, i);
  return product;
}
Expr first_row_squared(Algebra& algebra, const Matrix& a) {
  return determinant(algebra, a).value * a(0, 1);
}

}  // namespace

std::vector<AlgebraMutant> algebra_mutants() {
  return {
      {"canonical_is_idempotent", "the_last_term_is_dropped", canonical_is(shortened)},
      {"canonical_keeps_the_value", "the_last_term_is_dropped", canonical_is(shortened)},
      {"canonical_keeps_the_value", "the_circle_has_a_wrong_sign", canonical_is(with_wrong_circle)},
      {"canonical_is_equal_for_twins", "nothing_is_done", canonical_is(as_given)},
      {"canonical_is_equal_for_twins", "the_circle_has_a_wrong_sign", canonical_is(with_wrong_circle)},
      {"canonical_differs_for_strangers", "all_is_one", canonical_is(constant)},
      {"addition_is_associative", "the_last_term_is_dropped", canonical_is(shortened)},
      {"multiplication_is_associative", "the_last_term_is_dropped", canonical_is(shortened)},
      {"multiplication_distributes", "nothing_is_done", canonical_is(as_given)},
      {"readable_keeps_the_value", "the_last_term_is_dropped", readable_without_last_term()},
      {"determinant_is_multiplicative", "all_signs_are_plus", determinant_is(with_all_signs_plus)},
      {"determinant_is_multiplicative", "only_the_diagonal_counts", determinant_is(diagonal_product)},
      {"determinant_changes_sign_with_two_rows", "all_signs_are_plus", determinant_is(with_all_signs_plus)},
      {"determinant_of_the_transpose_is_the_same", "an_entry_counts_twice",
       determinant_is(first_row_squared)},
      {"solutions_solve", "a_sign_is_lost", solve_with_a_sign_lost()},
      {"null_space_is_annihilated_and_complete", "a_vector_is_lost", null_space_with_a_vector_lost()},
      {"rank_of_a_product_is_that_of_its_waist", "the_shape_decides", rank_by_shape()},
  };
}

}  // namespace liaison::test
