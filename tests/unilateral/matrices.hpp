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

bool solves(const Complementarity& problem, const ComplementaryPoint& point);
/// Every hypothesis with det r_SS != 0 on its own, by elimination: those with factors and separations >= 0,
/// each point once.
std::vector<ComplementaryPoint> brute_force(const Complementarity& problem);

}  // namespace liaison
