#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "evaluator_parts.hpp"
#include "liaison/expr/traverse.hpp"
#include "mechanics/dense.hpp"

namespace liaison {

namespace {

using Eigen::Index;

Index index(std::size_t i) {
  return static_cast<Index>(i);
}

}  // namespace

/// The factors that directions depend on.
void Evaluator::Implementation::find_implicit_factors() {
  std::vector<bool> enters(forces);
  for (const SparseEntry& entry : equations.directions.entries) {
    for (Expr symbol : symbols_in(entry.value)) {
      const auto found = std::find(equations.factors.begin(), equations.factors.end(), symbol);
      if (found != equations.factors.end())
        enters[static_cast<std::size_t>(found - equations.factors.begin())] = true;
    }
  }
  for (std::size_t h = 0; h < forces; ++h)
    if (enters[h]) implicit_factors.push_back(h);
}

/// Newton's method for factors that are those which they lead to, from the guess: it follows the solution
/// that is nearest, where going round in the law would come to another one that attracts. False where it does
/// not end; the guess is then what it was.
bool Evaluator::Implementation::follow_factors(SaddleSolver& solver, double* in, double* dy) {
  constexpr int most_rounds = 12;
  constexpr double part = 1e-7, there = 1e-14, nearly = 1e-12;
  const std::size_t m = implicit_factors.size();
  if (m == 0) return false;
  const std::span<double> guess(in + first_factor, forces);
  const std::vector<double> first(guess.begin(), guess.end());
  const auto solve = [&] {
    if (switches_need_factors && !sides_are_held) follow_sides(in);
    return solver.solve(in, dy, dy + positions, factors.data()) == SaddleOutcome::solved;
  };
  Eigen::VectorXd left(index(m)), moved(index(m));
  const auto read = [&](Eigen::VectorXd& into) {
    for (std::size_t i = 0; i < m; ++i)
      into(index(i)) = factors[implicit_factors[i]] - guess[implicit_factors[i]];
  };
  double last = INFINITY;
  for (int round = 0; round < most_rounds; ++round) {
    if (!solve()) break;
    read(left);
    double size = 0;
    for (const std::size_t h : implicit_factors)
      size = std::max({size, std::abs(guess[h]), std::abs(factors[h])});
    const double off = left.cwiseAbs().maxCoeff();
    if (!std::isfinite(off)) break;
    if (off <= there * size || (off <= nearly * size && off >= last / 2)) {
      std::copy(factors.begin(), factors.end(), guess.begin());
      return true;
    }
    last = off;
    Eigen::MatrixXd derivative(index(m), index(m));
    const std::vector<double> here(guess.begin(), guess.end());
    bool known = true;
    for (std::size_t j = 0; j < m && known; ++j) {
      const std::size_t h = implicit_factors[j];
      guess[h] = here[h] + part * size;
      known = solve();
      if (known) read(moved);
      derivative.col(index(j)) = (moved - left) / (part * size);
      guess[h] = here[h];
    }
    if (!known) break;
    const Eigen::VectorXd change = DenseRank(derivative).solve(-left);
    if (!change.allFinite()) break;
    for (std::size_t i = 0; i < m; ++i)
      guess[implicit_factors[i]] = here[implicit_factors[i]] + change(index(i));
  }
  std::copy(first.begin(), first.end(), guess.begin());
  return false;
}

}  // namespace liaison
