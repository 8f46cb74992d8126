#include "contact_numbers.hpp"

#include <algorithm>
#include <utility>

#include "liaison/expr/error.hpp"

namespace liaison {

namespace {

RationalMatrix dense(const SparseMatrix& matrix, ExactNumbers& at) {
  RationalMatrix result(matrix.rows, std::vector<Rational>(matrix.columns));
  for (const SparseEntry& entry : matrix.entries) result[entry.row][entry.column] = at(entry.value);
  return result;
}

/// Row reduction on the first `unknowns` columns. Returns the row of each unknown, or none.
constexpr std::size_t none = static_cast<std::size_t>(-1);
std::vector<std::size_t> reduce(RationalMatrix& rows, std::size_t unknowns, const Rational& noise) {
  std::vector<std::size_t> row_of(unknowns, none);
  std::size_t next = 0;
  for (std::size_t column = 0; column < unknowns && next < rows.size(); ++column) {
    std::size_t pivot = next;
    while (pivot < rows.size() && rows[pivot][column].is_zero()) ++pivot;
    if (pivot == rows.size()) continue;
    std::swap(rows[pivot], rows[next]);
    const Rational inverse = Rational(1) / rows[next][column];
    for (Rational& entry : rows[next]) entry *= inverse;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == next || rows[i][column].is_zero()) continue;
      const Rational factor = rows[i][column];
      for (std::size_t j = column; j < rows[i].size(); ++j) {
        if (rows[next][j].is_zero()) continue;
        rows[i][j] = sum_beside_noise(rows[i][j], -(factor * rows[next][j]), noise);
      }
    }
    row_of[column] = next++;
  }
  return row_of;
}

}  // namespace

ContactNumbers contact_numbers(const AssembledEquations& equations, std::size_t bilateral, ExactNumbers& at) {
  const std::size_t n = equations.parameters.size();
  const RationalMatrix directions = dense(equations.directions, at),
                       gradients = dense(equations.gradients, at);
  const std::size_t forces = directions.size(), relations = equations.relation_count;
  if (forces != relations) {
    throw Error(ErrorCode::undefined_constant, "a `reaction` beside unilateral constraints is not determined",
                "give it a relation: write it as a `constraint`");
  }
  // M x = load | one column a force.
  RationalMatrix rows = dense(equations.mass, at);
  for (std::size_t i = 0; i < n; ++i) {
    rows[i].push_back(at(equations.load[i]));
    for (std::size_t h = 0; h < forces; ++h) rows[i].push_back(directions[h][i]);
  }
  for (const std::size_t row : reduce(rows, n, at.noise())) {
    if (row == none) throw Error(ErrorCode::undefined_constant, "the mass matrix is singular at this state");
  }
  std::vector<Rational> biases;
  for (const Expr bias : equations.bias) biases.push_back(at(bias));
  const Rational noise = at.noise();
  // Rates of all relations in terms of all forces: bilateral factors first, then those of the rows, then 1.
  const auto rate = [&](std::size_t k, std::size_t column) {
    Rational sum;
    for (std::size_t a = 0; a < n; ++a) {
      if (!gradients[k][a].is_zero())
        sum = sum_beside_noise(sum, gradients[k][a] * rows[a][n + column], noise);
    }
    return sum;
  };
  RationalMatrix rates(relations);
  for (std::size_t k = 0; k < relations; ++k) {
    for (std::size_t h = 0; h < forces; ++h) rates[k].push_back(rate(k, h + 1));
    rates[k].push_back(sum_beside_noise(rate(k, 0), biases[k], noise));
  }
  RationalMatrix kept(rates.begin(), rates.begin() + static_cast<std::ptrdiff_t>(bilateral));
  const std::vector<std::size_t> row_of = reduce(kept, bilateral, noise);
  for (std::size_t i = 0; i < bilateral; ++i) {
    if (row_of[i] != none) continue;
    if (!noise.is_zero()) at.lose_rank();
    // The factor i is not determined: as the least statement, it must not matter, and nothing may contradict.
    for (std::size_t k = 0; k < relations; ++k) {
      Rational rest = rates[k][i];
      for (std::size_t b = 0; b < bilateral; ++b) {
        if (row_of[b] != none) rest = sum_beside_noise(rest, -(rates[k][b] * kept[row_of[b]][i]), noise);
      }
      if (!rest.is_zero()) {
        throw Error(ErrorCode::undefined_constant,
                    "the constraints that cannot open do not determine the motion here");
      }
    }
  }
  const auto pivots = static_cast<std::size_t>(
      std::count_if(row_of.begin(), row_of.end(), [](std::size_t row) { return row != none; }));
  for (std::size_t i = pivots; i < kept.size(); ++i) {
    for (std::size_t column = bilateral; column < kept[i].size(); ++column) {
      if (!kept[i][column].is_zero()) {
        throw Error(ErrorCode::undefined_constant,
                    "the constraints that cannot open contradict each other here");
      }
    }
  }
  // lambda_b = -(columns of the rows).
  ContactNumbers result;
  result.noise = noise;
  const std::size_t count = relations - bilateral;
  const auto factor = [&](std::size_t b, std::size_t column) {
    return row_of[b] == none ? Rational(0) : -kept[row_of[b]][column];
  };
  const auto eliminated = [&](std::size_t k, std::size_t column) {
    Rational sum = rates[k][column];
    for (std::size_t b = 0; b < bilateral; ++b)
      sum = sum_beside_noise(sum, rates[k][b] * factor(b, column), noise);
    return sum;
  };
  const auto acceleration = [&](std::size_t a, std::size_t own, std::size_t column) {
    Rational sum = rows[a][n + own];
    for (std::size_t b = 0; b < bilateral; ++b)
      sum = sum_beside_noise(sum, rows[a][n + 1 + b] * factor(b, column), noise);
    return sum;
  };
  for (std::size_t a = 0; a < n; ++a) result.free_acceleration.push_back(acceleration(a, 0, forces));
  for (std::size_t b = 0; b < bilateral; ++b) result.bilateral_factors.push_back(factor(b, forces));
  for (std::size_t k = 0; k < count; ++k) result.drive.push_back(eliminated(bilateral + k, forces));
  for (std::size_t h = 0; h < count; ++h) {
    std::vector<Rational>& row = result.r.emplace_back();
    for (std::size_t k = 0; k < count; ++k) row.push_back(eliminated(bilateral + k, bilateral + h));
    std::vector<Rational>& field = result.fields.emplace_back();
    for (std::size_t a = 0; a < n; ++a) field.push_back(acceleration(a, 1 + bilateral + h, bilateral + h));
    std::vector<Rational>& response = result.bilateral_response.emplace_back();
    for (std::size_t b = 0; b < bilateral; ++b) response.push_back(factor(b, bilateral + h));
  }
  return result;
}

}  // namespace liaison
