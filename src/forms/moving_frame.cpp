#include <fmt/format.h>

#include "coframe_parts.hpp"
#include "index_set.hpp"
#include "liaison/forms/calculus.hpp"
#include "liaison/forms/pullback.hpp"
#include "require.hpp"
#include "substitute_basis.hpp"

namespace liaison {

namespace {

/// sum_j row(j) theta^j.
Form pfaff_form(const CoframePtr& coframe, const Matrix& matrix, std::size_t row) {
  std::vector<Form::Term> terms;
  for (std::size_t j = 0; j < coframe->dimension(); ++j) terms.emplace_back(single(j), matrix(row, j));
  return Form(coframe, 1, std::move(terms));
}

/// A form on the old coframe, rewritten by old^j = sum_i inverse(j, i) new^i; `frame` carries the result.
Form on_new_frame(Algebra& algebra, const Form& a, const CoframePtr& frame, const Matrix& inverse) {
  std::vector<Form> images;
  for (std::size_t j = 0; j < inverse.rows; ++j) images.push_back(pfaff_form(frame, inverse, j));
  return simplified(algebra, substitute_basis(a, frame, images, [](Expr e) { return e; }));
}

/// Forms with those names and no structure: only to write products on.
CoframePtr bare_coframe(Algebra& algebra, std::span<const std::string> names) {
  std::vector<BasisForm> basis;
  for (const std::string& name : names) basis.push_back({name, {}});
  return Coframe::make(algebra, std::move(basis), {});
}

void require_frame_size(const Matrix& matrix, std::size_t dimension) {
  if (matrix.rows == dimension && matrix.columns == dimension) return;
  throw Error(ErrorCode::not_a_basis,
              fmt::format("a moving frame of {} forms needs a matrix of {} by {}, not {} by {}", dimension,
                          dimension, dimension, matrix.rows, matrix.columns),
              "give one row for each new form and one column for each old form");
}

}  // namespace

Matrix inverse_of_frame(Algebra& algebra, const Matrix& matrix, std::size_t dimension) {
  require_frame_size(matrix, dimension);
  Matrix inverse(algebra.pool(), dimension, dimension);
  for (std::size_t column = 0; column < dimension; ++column) {
    std::vector<Expr> unit(dimension, algebra.pool().number(0));
    unit[column] = algebra.pool().number(1);
    const SolveResult solution = solve(algebra, matrix, unit);
    if (solution.status != SolveStatus::unique) {
      throw Error(ErrorCode::not_a_basis,
                  "the forms of the moving frame are dependent: their matrix is singular",
                  "choose forms whose product is not zero");
    }
    for (std::size_t row = 0; row < dimension; ++row) inverse(row, column) = solution.x[row];
  }
  return inverse;
}

CoframePtr moving_frame(Algebra& algebra, CoframePtr old, std::span<const std::string> names,
                        const Matrix& matrix) {
  if (names.size() != old->dimension()) {
    throw Error(ErrorCode::not_a_basis,
                fmt::format("a moving frame on {} needs {} names, not {}", describe_basis(*old),
                            old->dimension(), names.size()),
                "give one name for each new form");
  }
  const Matrix inverse = inverse_of_frame(algebra, matrix, old->dimension());
  const CoframePtr bare = bare_coframe(algebra, names);
  std::vector<BasisForm> basis;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Form derivative = on_new_frame(algebra, d(pfaff_form(old, matrix, i)), bare, inverse);
    basis.push_back({names[i], structure_terms(derivative)});
  }
  std::vector<ScalarCoordinate> coordinates;
  for (std::size_t i = 0; i < old->scalar_coordinates().size(); ++i) {
    const Form differential = on_new_frame(algebra, coordinate_differential(old, i), bare, inverse);
    coordinates.push_back({old->scalar_coordinates()[i].symbol, pfaff_components(differential)});
  }
  return Coframe::make(algebra, std::move(basis), std::move(coordinates));
}

Form change_coframe(Algebra& algebra, const Form& a, const CoframePtr& frame, const Matrix& matrix) {
  const Matrix inverse = inverse_of_frame(algebra, matrix, a.coframe()->dimension());
  return on_new_frame(algebra, a, frame, inverse);
}

VectorField change_coframe(Algebra& algebra, const VectorField& x, const CoframePtr& frame,
                           const Matrix& matrix) {
  require_frame_size(matrix, x.coframe()->dimension());
  std::vector<Expr> components;
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    std::vector<Expr> terms;
    for (std::size_t j = 0; j < matrix.columns; ++j) terms.push_back(matrix(i, j) * x.component(j));
    components.push_back(algebra.pool().add(terms));
  }
  return simplified(algebra, VectorField(frame, std::move(components)));
}

}  // namespace liaison
