#pragma once

#include <random>
#include <string>
#include <vector>

#include "liaison/unilateral/complementarity.hpp"
#include "liaison/unilateral/lemke.hpp"
#include "liaison/unilateral/p_matrix.hpp"

namespace liaison {

/// "1 -2/3 4" and "1 2; 3 4".
std::vector<Rational> vector_of(const std::string& text);
RationalMatrix matrix_of(const std::string& text);

RationalMatrix random_matrix(std::mt19937_64& random, std::size_t count, int largest);
std::vector<Rational> random_vector(std::mt19937_64& random, std::size_t count, int largest);
/// B^T B + D + K with a positive diagonal D and K skew: its symmetric part is positive definite.
RationalMatrix random_p_matrix(std::mt19937_64& random, std::size_t count);
/// P-matrices for different reasons, by `kind`.
constexpr int p_matrix_kinds = 5;
RationalMatrix random_p_matrix_of_kind(std::mt19937_64& random, std::size_t count, int kind);

/// At most `most` constraints; entries of three sizes, contacts of which some are redundant, P-matrices, and
/// drives of which some vanish.
Complementarity random_problem(std::mt19937_64& random, std::size_t most);

}  // namespace liaison
