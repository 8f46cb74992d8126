#include "brute_force.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace liaison {

namespace {

using Indices = std::vector<std::size_t>;
using Mask = std::size_t;

Indices indices_of(Mask set) {
  Indices result;
  for (std::size_t k = 0; set >> k != 0; ++k) {
    if (set >> k & 1) result.push_back(k);
  }
  return result;
}

/// The factors T with the relations Z kept, by elimination.
struct Equations {
  bool consistent = true;
  std::size_t freedom = 0;           ///< |T| - rank
  std::vector<Rational> particular;  ///< with what is free at zero
  std::vector<Rational> kernel;      ///< with the first free factor at one and the other free ones at zero
};

Equations solve(const Complementarity& problem, const Indices& factors, const Indices& kept) {
  const std::size_t n = factors.size();
  RationalMatrix rows;
  for (const std::size_t k : kept) {
    std::vector<Rational>& row = rows.emplace_back();
    for (const std::size_t h : factors) row.push_back(problem.r[h][k]);
    row.push_back(-problem.drive[k]);
  }
  std::size_t rank = 0, free = n;
  Indices pivots;
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = rank;
    while (pivot < rows.size() && rows[pivot][column].is_zero()) ++pivot;
    if (pivot == rows.size()) {
      if (free == n) free = column;
      continue;
    }
    std::swap(rows[pivot], rows[rank]);
    const Rational inverse = Rational(1) / rows[rank][column];
    for (Rational& entry : rows[rank]) entry *= inverse;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == rank || rows[i][column].is_zero()) continue;
      const Rational factor = rows[i][column];
      for (std::size_t j = column; j <= n; ++j) rows[i][j] += -(factor * rows[rank][j]);
    }
    pivots.push_back(column);
    ++rank;
  }
  Equations result;
  for (std::size_t i = rank; i < rows.size(); ++i) {
    if (!rows[i][n].is_zero()) result.consistent = false;
  }
  result.freedom = n - rank;
  result.particular.resize(n);
  result.kernel.resize(n);
  if (free < n) result.kernel[free] = Rational(1);
  for (std::size_t i = 0; i < rank; ++i) {
    result.particular[pivots[i]] = rows[i][n];
    if (free < n) result.kernel[pivots[i]] = -rows[i][free];
  }
  return result;
}

/// A vertex or a ray, with the sets that say in which hypotheses it lies: positive <= kept <= at_zero.
struct Generator {
  std::vector<Rational> factors;
  Mask positive = 0, at_zero = 0;
};

class BruteForce {
 public:
  explicit BruteForce(const Complementarity& problem) : problem_(problem), count_(problem.drive.size()) {
    for (Mask factors = 0; factors <= everything(); ++factors) {
      if (solve(problem, indices_of(factors), indices_of(factors)).freedom == 0) {
        ask(factors, factors);
        continue;
      }
      for (Mask kept = factors; kept <= everything(); kept = (kept + 1) | factors) ask(factors, kept);
    }
  }

  std::vector<BruteForceSet> greatest() const {
    std::vector<BruteForceSet> sets;
    for (Mask kept = 0; kept <= everything(); ++kept) {
      BruteForceSet set;
      for (const Generator& vertex : vertices_) {
        if (lies_in(vertex, kept)) set.vertices.push_back(vertex.factors);
      }
      if (set.vertices.empty()) continue;
      for (const Generator& ray : rays_) {
        if (lies_in(ray, kept)) set.rays.push_back(ray.factors);
      }
      std::sort(set.vertices.begin(), set.vertices.end());
      std::sort(set.rays.begin(), set.rays.end());
      sets.push_back(std::move(set));
    }
    std::sort(sets.begin(), sets.end());
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    std::vector<BruteForceSet> result;
    for (const BruteForceSet& set : sets) {
      if (std::none_of(sets.begin(), sets.end(), [&](const BruteForceSet& other) {
            return &other != &set && includes(other.vertices, set.vertices) && includes(other.rays, set.rays);
          }))
        result.push_back(set);
    }
    return result;
  }

 private:
  Mask everything() const { return (Mask{1} << count_) - 1; }
  static bool includes(const RationalMatrix& all, const RationalMatrix& some) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
  }
  static bool lies_in(const Generator& generator, Mask kept) {
    return (generator.positive & ~kept) == 0 && (kept & ~generator.at_zero) == 0;
  }

  /// The factors that are positive are `factors`, and what keeps the relations `kept` is one point or one
  /// ray.
  void ask(Mask factors, Mask kept) {
    const Indices indices = indices_of(factors);
    const Equations equations = solve(problem_, indices, indices_of(kept));
    if (equations.freedom == 0 && equations.consistent) {
      add(vertices_, factors, kept, indices, equations.particular, true);
    } else if (equations.freedom == 1) {
      std::vector<Rational> ray = equations.kernel;
      const Rational sum = std::accumulate(ray.begin(), ray.end(), Rational(0));
      if (sum.is_zero()) return;  // no ray has entries of both signs
      for (Rational& entry : ray) entry = entry / sum;
      add(rays_, factors, kept, indices, ray, false);
    }
  }

  void add(std::vector<Generator>& to, Mask factors, Mask kept, const Indices& indices,
           const std::vector<Rational>& values, bool is_point) {
    Generator generator{std::vector<Rational>(count_), factors, kept};
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (values[i].sign() <= 0) return;
      generator.factors[indices[i]] = values[i];
    }
    for (std::size_t k = 0; k < count_; ++k) {
      Rational separation = is_point ? problem_.drive[k] : Rational(0);
      for (const std::size_t h : indices) separation += problem_.r[h][k] * generator.factors[h];
      if (separation.sign() < 0 || (!separation.is_zero() && (kept >> k & 1))) return;
      if (separation.is_zero()) generator.at_zero |= Mask{1} << k;
    }
    if (std::none_of(to.begin(), to.end(),
                     [&](const Generator& other) { return other.factors == generator.factors; }))
      to.push_back(std::move(generator));
  }

  const Complementarity& problem_;
  std::size_t count_;
  std::vector<Generator> vertices_, rays_;
};

std::string text_of(const BruteForceSet& set) {
  std::string text;
  const auto add = [&](const char* name, const RationalMatrix& points) {
    for (const auto& point : points) {
      text += name;
      for (const Rational& entry : point) text += " " + entry.to_string();
      text += "; ";
    }
  };
  add("vertex", set.vertices);
  add("ray", set.rays);
  return text;
}

}  // namespace

bool solves(const Complementarity& problem, const ComplementaryPoint& point) {
  for (std::size_t k = 0; k < problem.drive.size(); ++k) {
    Rational sum = problem.drive[k];
    for (std::size_t h = 0; h < problem.drive.size(); ++h) sum += problem.r[h][k] * point.factors[h];
    if (sum != point.separations[k] || sum.sign() < 0 || point.factors[k].sign() < 0) return false;
    if (!sum.is_zero() && !point.factors[k].is_zero()) return false;
  }
  return true;
}

std::vector<BruteForceSet> brute_force(const Complementarity& problem) {
  return BruteForce(problem).greatest();
}

std::string difference_from_brute_force(const Complementarity& problem,
                                        const std::vector<ComplementarySet>& found) {
  std::vector<BruteForceSet> sets;
  for (const ComplementarySet& set : found) {
    BruteForceSet& plain = sets.emplace_back();
    for (const ComplementaryPoint& vertex : set.vertices) {
      if (!solves(problem, vertex)) return "a vertex is no solution: " + text_of({{vertex.factors}, {}});
      plain.vertices.push_back(vertex.factors);
    }
    for (const ComplementaryPoint& ray : set.rays) {
      const Rational sum = std::accumulate(ray.factors.begin(), ray.factors.end(), Rational(0));
      std::vector<Rational>& factors = plain.rays.emplace_back(ray.factors);
      for (Rational& entry : factors) entry = sum.is_zero() ? entry : entry / sum;
    }
    std::sort(plain.vertices.begin(), plain.vertices.end());
    std::sort(plain.rays.begin(), plain.rays.end());
  }
  std::sort(sets.begin(), sets.end());
  const std::vector<BruteForceSet> expected = brute_force(problem);
  for (const BruteForceSet& set : sets) {
    if (!std::binary_search(expected.begin(), expected.end(), set))
      return "brute force has not " + text_of(set);
  }
  for (const BruteForceSet& set : expected) {
    if (!std::binary_search(sets.begin(), sets.end(), set)) return "only brute force has " + text_of(set);
  }
  return sets.size() == expected.size() ? "" : "a set stands twice";
}

}  // namespace liaison
