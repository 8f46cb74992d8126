#include "matrices.hpp"

#include <sstream>

namespace liaison {

std::vector<Rational> vector_of(const std::string& text) {
  std::vector<Rational> result;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) result.push_back(Rational::parse(word).value());
  return result;
}

RationalMatrix matrix_of(const std::string& text) {
  RationalMatrix result;
  std::istringstream stream(text);
  for (std::string row; std::getline(stream, row, ';');) result.push_back(vector_of(row));
  return result;
}

std::vector<Rational> random_vector(std::mt19937_64& random, std::size_t count, int largest) {
  std::uniform_int_distribution<int> entries(-largest, largest);
  std::vector<Rational> result;
  for (std::size_t i = 0; i < count; ++i) result.emplace_back(entries(random));
  return result;
}

RationalMatrix random_matrix(std::mt19937_64& random, std::size_t count, int largest) {
  RationalMatrix result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(random_vector(random, count, largest));
  return result;
}

RationalMatrix random_p_matrix(std::mt19937_64& random, std::size_t count) {
  const RationalMatrix b = random_matrix(random, count, 3), skew = random_matrix(random, count, 5);
  RationalMatrix result(count, std::vector<Rational>(count));
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t j = 0; j < count; ++j) result[i][k] += b[j][i] * b[j][k];
      result[i][k] += skew[i][k] - skew[k][i];
    }
    result[i][i] += Rational(1, 2);
  }
  return result;
}

bool solves(const Complementarity& problem, const ComplementaryPoint& point) {
  for (std::size_t k = 0; k < problem.drive.size(); ++k) {
    Rational sum = problem.drive[k];
    for (std::size_t h = 0; h < problem.drive.size(); ++h) sum += problem.r[h][k] * point.factors[h];
    if (sum != point.separations[k] || sum.sign() < 0 || point.factors[k].sign() < 0) return false;
    if (!sum.is_zero() && !point.factors[k].is_zero()) return false;
  }
  return true;
}

std::vector<ComplementaryPoint> brute_force(const Complementarity& problem) {
  const std::size_t p = problem.drive.size();
  std::vector<ComplementaryPoint> result;
  for (std::size_t set = 0; set < (std::size_t{1} << p); ++set) {
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < p; ++k) {
      if (set >> k & 1) kept.push_back(k);
    }
    const std::size_t n = kept.size();
    RationalMatrix rows(n, std::vector<Rational>(n + 1));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) rows[i][j] = problem.r[kept[j]][kept[i]];
      rows[i][n] = -problem.drive[kept[i]];
    }
    bool regular = true;
    for (std::size_t i = 0; regular && i < n; ++i) {
      std::size_t pivot = i;
      while (pivot < n && rows[pivot][i].is_zero()) ++pivot;
      if (pivot == n) {
        regular = false;
        break;
      }
      std::swap(rows[pivot], rows[i]);
      for (std::size_t row = 0; row < n; ++row) {
        if (row == i || rows[row][i].is_zero()) continue;
        const Rational factor = rows[row][i] / rows[i][i];
        for (std::size_t j = i; j <= n; ++j) rows[row][j] += -(factor * rows[i][j]);
      }
    }
    if (!regular) continue;
    ComplementaryPoint point{std::vector<Rational>(p), problem.drive};
    for (std::size_t i = 0; i < n; ++i) point.factors[kept[i]] = rows[i][n] / rows[i][i];
    for (std::size_t k = 0; k < p; ++k) {
      for (std::size_t h = 0; h < p; ++h) point.separations[k] += problem.r[h][k] * point.factors[h];
    }
    const bool known = std::any_of(result.begin(), result.end(), [&](const ComplementaryPoint& other) {
      return other.factors == point.factors;
    });
    if (!known && solves(problem, point)) result.push_back(std::move(point));
  }
  return result;
}

}  // namespace liaison
