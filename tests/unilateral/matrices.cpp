#include "matrices.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <utility>

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

namespace {

/// The inverse of a regular matrix.
RationalMatrix inverse(RationalMatrix a) {
  const std::size_t n = a.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) a[i].emplace_back(i == k ? 1 : 0);
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    while (a[pivot][i].is_zero()) ++pivot;
    std::swap(a[pivot], a[i]);
    const Rational factor = Rational(1) / a[i][i];
    for (Rational& entry : a[i]) entry *= factor;
    for (std::size_t row = 0; row < n; ++row) {
      if (row == i || a[row][i].is_zero()) continue;
      const Rational times = a[row][i];
      for (std::size_t k = 0; k < 2 * n; ++k) a[row][k] += -(times * a[i][k]);
    }
  }
  for (auto& row : a) row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(n));
  return a;
}

/// In each row the diagonal is positive and greater than the other entries together.
RationalMatrix random_dominant(std::mt19937_64& random, std::size_t count) {
  RationalMatrix result = random_matrix(random, count, 6);
  for (std::size_t i = 0; i < count; ++i) {
    result[i][i] = Rational(1, 3);
    for (std::size_t k = 0; k < count; ++k) {
      if (k != i) result[i][i] += abs(result[i][k]);
    }
  }
  return result;
}

/// Triangular in some order of the constraints.
RationalMatrix random_triangular(std::mt19937_64& random, std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  const RationalMatrix entries = random_matrix(random, count, 9);
  RationalMatrix result(count, std::vector<Rational>(count));
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < i; ++k) result[order[i]][order[k]] = entries[i][k];
    result[order[i]][order[i]] = abs(entries[i][i]) + Rational(1, 5);
  }
  return result;
}

}  // namespace

RationalMatrix random_p_matrix_of_kind(std::mt19937_64& random, std::size_t count, int kind) {
  if (kind == 0) return random_p_matrix(random, count);
  if (kind == 1) return random_dominant(random, count);
  if (kind == 2) return random_triangular(random, count);
  if (kind == 3) return inverse(random_dominant(random, count));
  RationalMatrix result = random_p_matrix(random, count);  // rows and columns times positive numbers
  const auto rows = random_vector(random, count, 6), columns = random_vector(random, count, 6);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < count; ++k) {
      result[i][k] *= (abs(rows[i]) + Rational(1, 4)) * (abs(columns[k]) + Rational(1, 4));
    }
  }
  return result;
}

Complementarity random_problem(std::mt19937_64& random, std::size_t most) {
  const std::size_t p = 1 + random() % most;
  const auto kind = random() % 6;
  const int largest = kind == 0 ? 1 : kind == 1 ? 3 : 20;  // small entries: singular and degenerate ones
  Complementarity problem;
  if (kind < 3) {
    problem.r = random_matrix(random, p, largest);
  } else if (kind < 5) {  // p contacts of a mechanism with fewer freedoms; with friction in the second kind
    const std::size_t freedoms = 1 + random() % p;
    problem.r.assign(p, std::vector<Rational>(p));
    for (std::size_t j = 0; j < freedoms; ++j) {
      const auto row = random_vector(random, p, 2);
      const auto column = kind == 3 ? row : random_vector(random, p, 2);
      for (std::size_t h = 0; h < p; ++h) {
        for (std::size_t k = 0; k < p; ++k) problem.r[h][k] += column[h] * row[k];
      }
    }
  } else {
    problem.r = random_p_matrix_of_kind(random, p, static_cast<int>(random() % p_matrix_kinds));
  }
  problem.drive = random_vector(random, p, kind < 2 ? largest : 9);
  if (random() % 3 == 0) {
    for (Rational& entry : problem.drive) entry *= Rational(static_cast<long>(random() % 2));
  }
  return problem;
}

}  // namespace liaison
