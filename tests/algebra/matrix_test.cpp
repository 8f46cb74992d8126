#include "liaison/algebra/matrix.hpp"

#include <gtest/gtest.h>

#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"

namespace liaison {
namespace {

class MatrixTest : public ::testing::Test {
 protected:
  Expr e(std::string_view text) { return parse(pool, text); }
  Matrix matrix(std::size_t rows, std::size_t columns, const std::vector<std::string>& texts) {
    return Matrix(rows, columns, vector(texts));
  }
  std::vector<Expr> vector(const std::vector<std::string>& texts) {
    std::vector<Expr> result;
    for (const std::string& text : texts) result.push_back(e(text));
    return result;
  }
  void expect_equal(Expr a, Expr b) {
    EXPECT_TRUE(algebra.are_equal(a, b).is_proved()) << to_infix(a) << " against " << to_infix(b);
  }
  void expect_product(const Matrix& a, const std::vector<Expr>& x, const std::vector<Expr>& b) {
    ASSERT_EQ(x.size(), a.columns);
    const Matrix product = a * Matrix(x.size(), 1, x);
    for (std::size_t i = 0; i < a.rows; ++i) expect_equal(product(i, 0), b[i]);
  }
  std::vector<Expr> zeros(std::size_t n) { return std::vector<Expr>(n, pool.number(0)); }

  Pool pool;
  Algebra algebra{pool};
};

/// The mass matrix of a planar chain with n links: entries m*cos(q_i - q_j).
Matrix chain_mass_matrix(Pool& pool, std::size_t n) {
  Matrix a(pool, n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const Expr qi = pool.symbol("q" + std::to_string(i)), qj = pool.symbol("q" + std::to_string(j));
      a(i, j) = pool.number(static_cast<long>(n - std::max(i, j))) * cos(qi - qj);
    }
  }
  return a;
}

TEST_F(MatrixTest, a_wrong_number_of_entries_is_refused) {
  try {
    matrix(2, 2, {"1", "2", "3"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_square);
    EXPECT_STREQ(error.what(), "a 2x2 matrix has 4 entries, not 3");
    EXPECT_EQ(error.hint(), "entries are listed row by row");
  }
}

TEST_F(MatrixTest, a_product_of_unfit_shapes_is_refused) {
  try {
    matrix(1, 2, {"1", "2"}) * matrix(1, 2, {"1", "2"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_square);
    EXPECT_STREQ(error.what(), "a 1x2 matrix times a 1x2 matrix");
    EXPECT_EQ(error.hint(), "the left one needs as many columns as the right one has rows");
  }
}

TEST_F(MatrixTest, a_determinant_needs_a_square) {
  try {
    determinant(algebra, matrix(1, 2, {"1", "2"}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_square);
    EXPECT_STREQ(error.what(), "the determinant of a 1x2 matrix");
    EXPECT_EQ(error.hint(), "a determinant needs as many rows as columns");
  }
}

TEST_F(MatrixTest, a_system_needs_one_right_side_for_each_row) {
  try {
    solve(algebra, matrix(1, 2, {"1", "2"}), vector({"1", "2"}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_square);
    EXPECT_STREQ(error.what(), "a system of 1 equations with 2 right sides");
    EXPECT_EQ(error.hint(), "the right side needs one entry for each row of the matrix");
  }
}

TEST_F(MatrixTest, the_determinant_of_a_rotation_is_one) {
  EXPECT_EQ(determinant(algebra, matrix(2, 2, {"cos(a)", "-sin(a)", "sin(a)", "cos(a)"})).value, e("1"));
  const Matrix about_z = matrix(3, 3, {"cos(a)", "-sin(a)", "0", "sin(a)", "cos(a)", "0", "0", "0", "1"});
  const Matrix about_x = matrix(3, 3, {"1", "0", "0", "0", "cos(b)", "-sin(b)", "0", "sin(b)", "cos(b)"});
  const Matrix about_z_again =
      matrix(3, 3, {"cos(c)", "-sin(c)", "0", "sin(c)", "cos(c)", "0", "0", "0", "1"});
  EXPECT_EQ(determinant(algebra, about_z * about_x * about_z_again).value, e("1"));
}

TEST_F(MatrixTest, the_determinant_of_no_rows_is_one) {
  EXPECT_EQ(determinant(algebra, Matrix(pool, 0, 0)).value, e("1"));
}

TEST_F(MatrixTest, a_vandermonde_determinant_is_the_product_of_differences) {
  const Matrix a = matrix(
      4, 4, {"1", "a", "a^2", "a^3", "1", "b", "b^2", "b^3", "1", "c", "c^2", "c^3", "1", "d", "d^2", "d^3"});
  expect_equal(determinant(algebra, a).value, e("(b - a)*(c - a)*(d - a)*(c - b)*(d - b)*(d - c)"));
}

TEST_F(MatrixTest, row_denominators_are_divided_out_again) {
  const Matrix a = matrix(2, 2, {"1/x", "1/(x + y)", "tan(z)", "1/sin(z)"});
  expect_equal(determinant(algebra, a).value, e("1/(x*sin(z)) - tan(z)/(x + y)"));
}

TEST_F(MatrixTest, the_determinant_of_dependent_rows_is_zero) {
  const Matrix a = matrix(3, 3, {"sin(x)^2", "1", "y", "cos(x)^2", "1", "z", "1", "2", "y + z"});
  EXPECT_TRUE(determinant(algebra, a).value.is_zero());
}

TEST_F(MatrixTest, a_sparse_determinant_of_forty_rows_is_quick) {
  const std::size_t n = 40;
  Matrix a(pool, n, n);
  for (std::size_t i = 0; i < n; ++i) {
    a(i, i) = e("2*cos(x)");
    if (i > 0) a(i, i - 1) = a(i - 1, i) = e("1");
  }
  // sin((n + 1) x)/sin(x), the Chebyshev polynomial of the second kind
  expect_equal(determinant(algebra, a).value * e("sin(x)"), e("sin(41*x)"));
}

TEST_F(MatrixTest, a_dense_determinant_too_large_for_minors_is_right) {
  const std::size_t n = 16;
  Matrix a(pool, n, n);  // x*I + ones: (x + n)*x^(n - 1)
  for (std::size_t i = 0; i < n * n; ++i) a.entries[i] = i / n == i % n ? e("x + 1") : e("1");
  expect_equal(determinant(algebra, a).value, e("(x + 16)*x^15"));
}

TEST_F(MatrixTest, a_unique_solution_lists_the_factors_of_the_determinant) {
  const Matrix a = matrix(2, 2, {"m", "m*cos(x)", "m*cos(x)", "m"});
  const auto b = vector({"1", "0"});
  const SolveResult result = solve(algebra, a, b);
  EXPECT_EQ(result.status, SolveStatus::unique);
  EXPECT_EQ(result.grade, Grade::proved);
  EXPECT_EQ(describe(result.conditions), "assuming m != 0 and sin(x) != 0");
  expect_product(a, result.x, b);
}

TEST_F(MatrixTest, what_is_seen_to_be_positive_is_no_condition) {
  pool.symbol("M", SymbolKind::parameter, true);
  pool.symbol("m", SymbolKind::parameter, true);
  pool.symbol("l", SymbolKind::parameter, true);
  const Matrix a = matrix(2, 2, {"M + m", "m*l*cos(x)", "m*l*cos(x)", "m*l^2"});
  const auto b = vector({"F", "-m*g*l*sin(x)"});
  const SolveResult result = solve(algebra, a, b);
  EXPECT_TRUE(result.conditions.empty()) << describe(result.conditions);
  expect_product(a, result.x, b);
}

TEST_F(MatrixTest, a_solution_is_defined_wherever_the_determinant_is_not_zero) {
  // det = sin(p - q): rationalising would divide by sin(p + q) too
  const Matrix a = matrix(2, 2, {"cos(p)", "cos(q)", "sin(p)", "sin(q)"});
  const auto b = vector({"1", "0"});
  const SolveResult result = solve(algebra, a, b);
  expect_product(a, result.x, b);
  EXPECT_EQ(result.conditions.size(), 1u);
  for (Expr x : result.x) EXPECT_NO_THROW(evaluate(x, {{e("p"), 0.5}, {e("q"), -0.5}}));
}

TEST_F(MatrixTest, a_common_factor_hidden_by_the_circle_is_cancelled) {
  const Matrix a = matrix(1, 1, {"sin(p - q)"});
  const SolveResult result = solve(algebra, a, vector({"cos(q)^2 - cos(p)^2"}));
  EXPECT_EQ(result.x[0], algebra.canonical(e("sin(p + q)")).value);
}

TEST_F(MatrixTest, an_overdetermined_consistent_system_has_its_solution) {
  const Matrix a = matrix(3, 2, {"cos(x)", "-sin(x)", "sin(x)", "cos(x)", "1", "1"});
  const auto b = vector({"cos(x) - 2*sin(x)", "sin(x) + 2*cos(x)", "3"});
  const SolveResult result = solve(algebra, a, b);
  EXPECT_EQ(result.status, SolveStatus::unique);
  expect_product(a, result.x, b);
}

TEST_F(MatrixTest, an_underdetermined_system_has_a_solution_and_a_kernel) {
  const Matrix a = matrix(1, 3, {"sin(x)", "-cos(x)", "-b"});
  const auto b = vector({"1"});
  const SolveResult result = solve(algebra, a, b);
  EXPECT_EQ(result.status, SolveStatus::underdetermined);
  EXPECT_EQ(result.free_unknowns.size(), 2u);
  expect_product(a, result.x, b);
  ASSERT_EQ(result.kernel.size(), 2u);
  for (const auto& v : result.kernel) expect_product(a, v, zeros(1));
  EXPECT_EQ(result.conditions.size(), 1u);
}

TEST_F(MatrixTest, a_singular_square_system_can_be_consistent) {
  const Matrix a = matrix(2, 2, {"1", "tan(x)", "cos(x)", "sin(x)"});
  const auto b = vector({"y", "y*cos(x)"});
  const SolveResult result = solve(algebra, a, b);
  EXPECT_EQ(result.status, SolveStatus::underdetermined);
  expect_product(a, result.x, b);
}

TEST_F(MatrixTest, an_inconsistent_system_shows_its_certificate) {
  const Matrix a = matrix(3, 2, {"1", "x", "y", "x*y", "1", "0"});
  const auto b = vector({"1", "z", "2"});
  const SolveResult result = solve(algebra, a, b);
  EXPECT_EQ(result.status, SolveStatus::inconsistent);
  EXPECT_TRUE(result.x.empty());
  ASSERT_EQ(result.certificate.size(), 3u);
  const Matrix y(1, 3, result.certificate);
  for (Expr entry : (y * a).entries) EXPECT_TRUE(algebra.is_zero(entry).is_proved());
  EXPECT_TRUE(algebra.is_zero((y * Matrix(3, 1, b))(0, 0)).is_refuted());
  EXPECT_EQ(describe(result.conditions), "assuming y - z != 0");
}

TEST_F(MatrixTest, the_rank_sees_through_identities) {
  const Matrix a =
      matrix(3, 3, {"sin(x)^2", "cos(x)^2", "1", "1", "1", "2", "cos(2*x)", "1", "1 + cos(2*x)"});
  const RankResult result = rank(algebra, a);
  EXPECT_EQ(result.rank, 2u);
  EXPECT_EQ(result.grade, Grade::proved);
  EXPECT_EQ(result.rows.size(), 2u);
  EXPECT_EQ(result.columns.size(), 2u);
}

TEST_F(MatrixTest, the_rank_of_zeros_is_zero) {
  EXPECT_EQ(rank(algebra, matrix(2, 2, {"0", "sin(x)^2 + cos(x)^2 - 1", "0", "0"})).rank, 0u);
  EXPECT_EQ(rank(algebra, Matrix(pool, 0, 3)).rank, 0u);
  EXPECT_EQ(rank(algebra, Matrix(pool, 3, 0)).rank, 0u);
}

TEST_F(MatrixTest, constant_pivots_are_preferred) {
  const RankResult result = rank(algebra, matrix(2, 3, {"x", "1", "y", "z", "x", "2"}));
  EXPECT_EQ(result.rank, 2u);
  EXPECT_LE(result.conditions.size(), 1u);
}

TEST_F(MatrixTest, a_null_space_is_free_of_denominators) {
  const Matrix a = matrix(2, 4, {"1", "0", "-r*cos(t)", "0", "0", "1", "-r*sin(t)", "0"});
  const NullSpaceResult result = null_space(algebra, a);
  ASSERT_EQ(result.basis.size(), 2u);
  EXPECT_TRUE(result.conditions.empty());
  EXPECT_EQ(result.basis[0], vector({"r*cos(t)", "r*sin(t)", "1", "0"}));
  EXPECT_EQ(result.basis[1], vector({"0", "0", "0", "1"}));
}

TEST_F(MatrixTest, a_null_space_of_no_equations_is_everything) {
  EXPECT_EQ(null_space(algebra, Matrix(pool, 0, 2)).basis.size(), 2u);
}

TEST_F(MatrixTest, a_hidden_sine_is_taken_out_of_a_null_vector) {
  const NullSpaceResult result = null_space(algebra, matrix(1, 2, {"sin(x)*y", "sin(x)^2"}));
  ASSERT_EQ(result.basis.size(), 1u);
  EXPECT_EQ(result.basis[0], vector({"-sin(x)", "y"}));
}

TEST_F(MatrixTest, square_roots_are_entries_like_others) {
  const Matrix a = matrix(2, 2, {"sqrt(x)", "sqrt(y)", "sqrt(2)", "sqrt(x*y)"});
  const auto b = vector({"sqrt(1 + x^2)", "1"});
  const SolveResult result = solve(algebra, a, b);
  EXPECT_EQ(result.status, SolveStatus::unique);
  const Matrix product = a * Matrix(2, 1, result.x);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_TRUE(algebra.are_equal(product(i, 0), b[i]).holds());
}

TEST_F(MatrixTest, dependent_generators_do_not_hide_a_zero_determinant) {
  pool.symbol("a", SymbolKind::parameter, true);
  const Matrix a = matrix(2, 2, {"atan(sinh(a))", "1", "2*atan(tanh(a/2))", "1"});
  const RankResult result = rank(algebra, a);
  EXPECT_EQ(result.rank, 1u);
  EXPECT_EQ(result.grade, Grade::checked);
  EXPECT_EQ(solve(algebra, a, vector({"1", "2"})).status, SolveStatus::inconsistent);
}

TEST_F(MatrixTest, unknown_functions_are_entries_like_others) {
  pool.function("f", 1);
  const Matrix a = matrix(2, 2, {"f(x)", "1", "f(x)^2", "f(x)"});
  EXPECT_EQ(rank(algebra, a).rank, 1u);
}

TEST_F(MatrixTest, a_trigonometric_system_of_five_links_is_solved) {
  const Matrix a = chain_mass_matrix(pool, 4);
  const auto b = vector({"sin(q0)", "sin(q1)", "1", "0"});
  const SolveResult result = solve(algebra, a, b);
  EXPECT_EQ(result.status, SolveStatus::unique);
  expect_product(a, result.x, b);
}

TEST_F(MatrixTest, a_limit_ends_in_a_clear_error) {
  Algebra small(pool, {.max_terms = 10});
  try {
    determinant(small, chain_mass_matrix(pool, 6));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::limit_reached);
    EXPECT_NE(std::string(error.what()).find("the determinant ended before it was done"), std::string::npos);
  }
}

TEST_F(MatrixTest, conditions_are_described_in_one_sentence) {
  EXPECT_EQ(describe(Conditions{}), "");
  EXPECT_EQ(describe(Conditions{e("sin(theta)")}), "assuming sin(theta) != 0");
  EXPECT_EQ(describe(Conditions{e("sin(theta)"), e("m")}), "assuming sin(theta) != 0 and m != 0");
  EXPECT_EQ(describe(Conditions{e("x"), e("y"), e("m")}), "assuming x != 0, y != 0 and m != 0");
}

}  // namespace
}  // namespace liaison
