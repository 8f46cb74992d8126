#include "algebra_laws.hpp"

#include <algorithm>
#include <stdexcept>

#include "support/random_expression.hpp"

namespace liaison::test {

namespace {

constexpr long digits = 40;

bool canonical_is_idempotent(const AlgebraOperations& op, AlgebraTrial& t) {
  const Expr once = op.canonical(t.algebra, t.random.expression());
  Algebra fresh(t.pool);  // without what the first one remembers
  return op.canonical(fresh, once) == once;
}

bool canonical_keeps_the_value(const AlgebraOperations& op, AlgebraTrial& t) {
  const Expr e = t.random.expression(3);
  return t.have_same_values(e, op.canonical(t.algebra, e));
}

bool canonical_is_equal_for_twins(const AlgebraOperations& op, AlgebraTrial& t) {
  const Expr e = t.random.expression();
  return op.canonical(t.algebra, e) == op.canonical(t.algebra, t.random.twin(e));
}

bool canonical_differs_for_strangers(const AlgebraOperations& op, AlgebraTrial& t) {
  const Expr e = t.random.expression();
  const Expr other = e + sin(t.random.symbols()[0]) * Rational(1, 1000);
  return op.canonical(t.algebra, e) != op.canonical(t.algebra, other);
}

bool addition_is_associative(const AlgebraOperations& op, AlgebraTrial& t) {
  const auto canonical = [&](Expr e) { return op.canonical(t.algebra, e); };
  const Expr a = t.random.expression(1), b = t.random.expression(1), c = t.random.expression(1);
  return canonical(canonical(a + b) + c) == canonical(a + canonical(b + c)) &&
         canonical(a + b) == canonical(b + a) && canonical(canonical(a) - a).is_zero();
}

bool multiplication_is_associative(const AlgebraOperations& op, AlgebraTrial& t) {
  const auto canonical = [&](Expr e) { return op.canonical(t.algebra, e); };
  const Expr a = t.random.expression(1), b = t.random.expression(1), c = t.random.expression(1);
  return canonical(canonical(a * b) * c) == canonical(a * canonical(b * c)) &&
         canonical(a * b) == canonical(b * a);
}

bool multiplication_distributes(const AlgebraOperations& op, AlgebraTrial& t) {
  const auto canonical = [&](Expr e) { return op.canonical(t.algebra, e); };
  const Expr a = t.random.expression(1), b = t.random.expression(1), c = t.random.expression(1);
  return canonical(canonical(a) * canonical(b + c)) == canonical(canonical(a * b) + canonical(a * c));
}

bool readable_keeps_the_value(const AlgebraOperations& op, AlgebraTrial& t) {
  const Expr e = t.random.twin(t.random.expression());
  return t.have_same_values(e, op.readable(t.algebra, e));
}

bool determinant_is_multiplicative(const AlgebraOperations& op, AlgebraTrial& t) {
  const Matrix a = t.matrix(3, 3), b = t.matrix(3, 3);
  return t.are_equal(op.determinant(t.algebra, a * b),
                     op.determinant(t.algebra, a) * op.determinant(t.algebra, b));
}

bool determinant_changes_sign_with_two_rows(const AlgebraOperations& op, AlgebraTrial& t) {
  const Matrix a = t.matrix(4, 4);
  Matrix swapped = a;
  for (std::size_t j = 0; j < 4; ++j) std::swap(swapped(0, j), swapped(2, j));
  return t.are_equal(op.determinant(t.algebra, a), -op.determinant(t.algebra, swapped));
}

bool determinant_of_the_transpose_is_the_same(const AlgebraOperations& op, AlgebraTrial& t) {
  const Matrix a = t.matrix(4, 4);
  return t.are_equal(op.determinant(t.algebra, a), op.determinant(t.algebra, transpose(a)));
}

bool solutions_solve(const AlgebraOperations& op, AlgebraTrial& t) {
  const std::size_t rows = 2 + t.random.below(2), columns = 2 + t.random.below(3);
  const Matrix a = t.matrix(rows, columns);
  const auto b = t.vector(rows);
  const SolveResult result = op.solve(t.algebra, a, b);
  if (result.status == SolveStatus::inconsistent) {
    const Matrix y(1, rows, result.certificate);
    return t.is_zero(y * a) && t.algebra.is_zero((y * Matrix(rows, 1, b))(0, 0)).is_refuted();
  }
  const Matrix product = a * Matrix(columns, 1, result.x);
  for (std::size_t i = 0; i < rows; ++i) {
    if (!t.are_equal(product(i, 0), b[i])) return false;
  }
  return std::all_of(result.kernel.begin(), result.kernel.end(),
                     [&](const auto& v) { return t.is_zero(a * Matrix(columns, 1, v)); });
}

bool null_space_is_annihilated_and_complete(const AlgebraOperations& op, AlgebraTrial& t) {
  const std::size_t inner = 1 + t.random.below(2);
  const Matrix a = t.matrix(3, inner) * t.matrix(inner, 4);
  const NullSpaceResult result = op.null_space(t.algebra, a);
  for (const auto& v : result.basis) {
    if (!t.is_zero(a * Matrix(4, 1, v))) return false;
  }
  // independent, and as many as are missing to the number of columns
  if (result.basis.size() + op.rank(t.algebra, a) != 4) return false;
  std::vector<Expr> entries;
  for (const auto& v : result.basis) entries.insert(entries.end(), v.begin(), v.end());
  return op.rank(t.algebra, Matrix(result.basis.size(), 4, entries)) == result.basis.size();
}

bool rank_of_a_product_is_that_of_its_waist(const AlgebraOperations& op, AlgebraTrial& t) {
  const std::size_t inner = 1 + t.random.below(2);
  const Matrix a = t.matrix(4, inner), b = t.matrix(inner, 3);
  const std::size_t left = op.rank(t.algebra, a), right = op.rank(t.algebra, b),
                    both = op.rank(t.algebra, a * b);
  return both <= std::min(left, right) && both + inner >= left + right &&
         op.rank(t.algebra, transpose(a)) == left;
}

}  // namespace

Matrix AlgebraTrial::matrix(std::size_t rows, std::size_t columns) {
  return Matrix(rows, columns, vector(rows * columns));
}

std::vector<Expr> AlgebraTrial::vector(std::size_t size) {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < size; ++i) result.push_back(random.polynomial());
  return result;
}

bool AlgebraTrial::is_zero(const Matrix& a) {
  return std::all_of(a.entries.begin(), a.entries.end(),
                     [&](Expr e) { return algebra.is_zero(e).is_proved(); });
}

bool AlgebraTrial::have_same_values(Expr a, Expr b) {
  int compared = 0;
  for (int attempt = 0; attempt < 20 && compared < 3; ++attempt) {
    RationalPoint point;
    const auto values = random.point();
    for (std::size_t i = 0; i < values.size(); ++i) point.emplace(random.symbols()[i], values[i]);
    const LongValue left = evaluate_digits(a, point, digits), right = evaluate_digits(b, point, digits);
    if (!left.value || !right.value) continue;
    if (!overlaps(*left.value, *right.value)) return false;
    ++compared;
  }
  return compared > 0;
}

const std::vector<AlgebraLaw>& algebra_laws() {
  static const std::vector<AlgebraLaw> laws{
      {"canonical_is_idempotent", canonical_is_idempotent, 150},
      {"canonical_keeps_the_value", canonical_keeps_the_value, 150},
      {"canonical_is_equal_for_twins", canonical_is_equal_for_twins, 200},
      {"canonical_differs_for_strangers", canonical_differs_for_strangers, 50},
      {"addition_is_associative", addition_is_associative, 80},
      {"multiplication_is_associative", multiplication_is_associative, 80},
      {"multiplication_distributes", multiplication_distributes, 80},
      {"readable_keeps_the_value", readable_keeps_the_value, 60},
      {"determinant_is_multiplicative", determinant_is_multiplicative, 30},
      {"determinant_changes_sign_with_two_rows", determinant_changes_sign_with_two_rows, 30},
      {"determinant_of_the_transpose_is_the_same", determinant_of_the_transpose_is_the_same, 30},
      {"solutions_solve", solutions_solve, 60},
      {"null_space_is_annihilated_and_complete", null_space_is_annihilated_and_complete, 40},
      {"rank_of_a_product_is_that_of_its_waist", rank_of_a_product_is_that_of_its_waist, 40},
  };
  return laws;
}

const AlgebraLaw& algebra_law_named(const std::string& name) {
  const auto& laws = algebra_laws();
  const auto found =
      std::find_if(laws.begin(), laws.end(), [&](const AlgebraLaw& law) { return law.name == name; });
  if (found == laws.end()) throw std::logic_error("no law " + name);
  return *found;
}

std::string find_failure(const AlgebraLaw& law, const AlgebraOperations& op) {
  for (std::uint64_t seed : seeds(law.seeds)) {
    AlgebraTrial trial(seed);
    if (!law.holds(op, trial)) return seed_note(seed);
  }
  return {};
}

}  // namespace liaison::test
