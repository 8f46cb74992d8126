#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "liaison/algebra/matrix.hpp"
#include "twins.hpp"

/// The laws of the algebra as functions of its operations, so that a broken operation can be put in the place
/// of the true one and be caught.
namespace liaison::test {

struct AlgebraOperations {
  std::function<Expr(Algebra&, Expr)> canonical = [](Algebra& algebra, Expr e) {
    return algebra.canonical(e).value;
  };
  std::function<Expr(Algebra&, Expr)> readable = [](Algebra& algebra, Expr e) { return algebra.readable(e); };
  std::function<Expr(Algebra&, const Matrix&)> determinant = [](Algebra& algebra, const Matrix& a) {
    return liaison::determinant(algebra, a).value;
  };
  std::function<SolveResult(Algebra&, const Matrix&, const std::vector<Expr>&)> solve =
      [](Algebra& algebra, const Matrix& a, const std::vector<Expr>& b) {
        return liaison::solve(algebra, a, b);
      };
  std::function<NullSpaceResult(Algebra&, const Matrix&)> null_space = [](Algebra& algebra, const Matrix& a) {
    return liaison::null_space(algebra, a);
  };
  std::function<std::size_t(Algebra&, const Matrix&)> rank = [](Algebra& algebra, const Matrix& a) {
    return liaison::rank(algebra, a).rank;
  };
};

/// Where a law is tried: a fresh pool and random expressions of one seed.
struct AlgebraTrial {
  explicit AlgebraTrial(std::uint64_t seed) : algebra(pool), random(pool, seed) {}

  Matrix matrix(std::size_t rows, std::size_t columns);
  std::vector<Expr> vector(std::size_t size);
  bool are_equal(Expr a, Expr b) { return algebra.are_equal(a, b).holds(); }
  bool is_zero(const Matrix& a);
  /// The same value to 40 digits at random points; where one of them has no value another point is taken.
  bool have_same_values(Expr a, Expr b);

  Pool pool;
  Algebra algebra;
  RationalTrigonometric random;
};

struct AlgebraLaw {
  std::string name;
  bool (*holds)(const AlgebraOperations& op, AlgebraTrial& trial);
  std::size_t seeds;  ///< how many are tried
};
inline void PrintTo(const AlgebraLaw& shown, std::ostream* out) {
  *out << shown.name;
}
const std::vector<AlgebraLaw>& algebra_laws();
const AlgebraLaw& algebra_law_named(const std::string& name);

/// The note of the first seed for which the law fails; empty if it holds.
std::string find_failure(const AlgebraLaw& law, const AlgebraOperations& op);

}  // namespace liaison::test
