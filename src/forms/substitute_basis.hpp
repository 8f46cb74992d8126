#pragma once

#include <functional>
#include <span>

#include "liaison/forms/form.hpp"

namespace liaison {

/// The homomorphism of exterior algebras that sends each basis form of a's coframe to its image and each
/// coefficient through `map`. `images` are 1-forms on the coframe `source`.
Form substitute_basis(const Form& a, const CoframePtr& source, std::span<const Form> images,
                      const std::function<Expr(Expr)>& map);

/// Throws not_a_basis if the matrix is singular or has not the coframe's size.
Matrix inverse_of_frame(Algebra& algebra, const Matrix& matrix, std::size_t dimension);

}  // namespace liaison
