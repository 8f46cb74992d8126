#include "liaison/forms/two_form.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "coframe_parts.hpp"
#include "require.hpp"
#include "verdicts.hpp"

namespace liaison {

namespace {

/// Column i holds the coefficients of i(e_i) a: the kernel is the space of fields with i(X) a = 0.
Matrix contraction_matrix(const Form& a) {
  const Coframe& coframe = *a.coframe();
  std::vector<Form> columns;
  std::vector<IndexSet> products;
  for (std::size_t i = 0; i < coframe.dimension(); ++i) {
    columns.push_back(interior(VectorField::dual(a.coframe(), i), a));
    for (const auto& [key, coefficient] : columns.back().terms()) products.push_back(key);
  }
  std::sort(products.begin(), products.end(), IndexSetLess());
  products.erase(std::unique(products.begin(), products.end()), products.end());
  Matrix matrix(coframe.pool(), products.size(), coframe.dimension());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (const auto& [key, coefficient] : columns[i].terms()) {
      const auto row = std::lower_bound(products.begin(), products.end(), key, IndexSetLess());
      matrix(static_cast<std::size_t>(row - products.begin()), i) = coefficient;
    }
  }
  return matrix;
}

Matrix stack(const Matrix& a, const Matrix& b) {
  std::vector<Expr> entries = a.entries;
  entries.insert(entries.end(), b.entries.begin(), b.entries.end());
  return Matrix(a.rows + b.rows, a.columns, std::move(entries));
}

/// Why there is no field, from the rank.
void explain(CharacteristicField& result, const Form& omega, const Form& time) {
  const std::size_t dimension = omega.coframe()->dimension();
  if (result.rank == dimension) {
    result.status = CharacteristicStatus::rank_full;
    result.explanation = fmt::format(
        "the 2-form has full rank {} in dimension {}: only the zero field annihilates it, so it has no "
        "characteristics",
        result.rank, dimension);
  } else if (result.rank + 1 < dimension) {
    result.status = CharacteristicStatus::rank_too_low;
    result.explanation = fmt::format(
        "the 2-form has rank {} in dimension {}: {} independent fields annihilate it, so the motion is not "
        "determined; rank {} is needed",
        result.rank, dimension, dimension - result.rank, dimension - 1);
  } else {
    result.status = CharacteristicStatus::not_normalisable;
    result.explanation = fmt::format(
        "the form {} vanishes on the only field that annihilates the 2-form: it cannot serve as time",
        to_infix(time));
  }
}

}  // namespace

Matrix coefficient_matrix(const Form& omega) {
  require_degree(omega, 2, "the form whose coefficient matrix is asked for");
  Matrix matrix(omega.coframe()->pool(), omega.coframe()->dimension(), omega.coframe()->dimension());
  for (const StructureTerm& term : structure_terms(omega)) {
    matrix(term.first, term.second) = term.coefficient;
    matrix(term.second, term.first) = -term.coefficient;
  }
  return matrix;
}

TwoFormRank rank_and_class(Algebra& algebra, const Form& omega) {
  const RankResult of_omega = rank(algebra, coefficient_matrix(omega));
  const Matrix both = stack(contraction_matrix(omega), contraction_matrix(simplified(algebra, d(omega))));
  TwoFormRank result{of_omega.rank, 0, of_omega.conditions, of_omega.grade};
  if (both.rows > 0) {
    const RankResult of_both = rank(algebra, both);
    result.class_ = of_both.rank;
    add_conditions(result.conditions, of_both.conditions);
    result.grade = weaker(result.grade, of_both.grade);
  }
  return result;
}

/// i(E)Omega = 0 and i(E)time = 1 as one linear system. A unique solution means a kernel of dimension 1 on
/// which time does not vanish: rank dimension - 1. G6.II-E-minors.
CharacteristicField characteristic_field(Algebra& algebra, const Form& omega, const Form& time) {
  require_same_coframe(omega.coframe(), time.coframe());
  require_degree(omega, 2, "the form whose characteristic field is asked for");
  require_degree(time, 1, "the form that normalises the characteristic field");
  const Coframe& coframe = *omega.coframe();
  Pool& pool = coframe.pool();
  Matrix normalisation(pool, 1, coframe.dimension());
  for (const auto& [index, coefficient] : pfaff_components(time)) normalisation(0, index) = coefficient;
  const Matrix system = stack(coefficient_matrix(omega), normalisation);
  std::vector<Expr> right(coframe.dimension(), pool.number(0));
  right.push_back(pool.number(1));

  CharacteristicField result{CharacteristicStatus::found, std::nullopt, 0, {}, {}, Grade::proved};
  const SolveResult solution = solve(algebra, system, right);
  if (solution.status == SolveStatus::unique) {
    result.field = VectorField(omega.coframe(), solution.x);
    result.rank = coframe.dimension() - 1;
    result.conditions = solution.conditions;
    result.grade = solution.grade;
    return result;
  }
  const RankResult of_omega = rank(algebra, coefficient_matrix(omega));
  result.rank = of_omega.rank;
  result.conditions = of_omega.conditions;
  result.grade = weaker(solution.grade, of_omega.grade);
  explain(result, omega, time);
  return result;
}

}  // namespace liaison
