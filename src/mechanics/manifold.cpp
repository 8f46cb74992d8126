#include "liaison/mechanics/manifold.hpp"

#include <algorithm>

#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/states.hpp"

namespace liaison {

namespace {

/// Puts symbol = value into a branch: the values already there may speak of the symbol.
void extend(Substitution& branch, Expr symbol, Expr value) {
  const Substitution one{{symbol, value}};
  for (auto& [key, old] : branch) old = substitute(old, one);
  branch.emplace(symbol, value);
}

/// The values of one symbol that make a relation zero, where it is of degree one or two in it.
struct Roots {
  Expr symbol;
  std::vector<Expr> values;
  Expr condition;  ///< taken not to vanish
};

/// Nothing where it is not real anywhere: sqrt(-x^2).
std::optional<Expr> real_root(Expr radicand) {
  try {
    return sqrt(radicand);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::undefined_constant) throw;
    return std::nullopt;
  }
}

std::optional<Roots> roots_in(Algebra& algebra, Expr relation, Expr symbol) {
  const Expr symbols[] = {symbol};
  const auto polynomial = polynomial_coefficients(relation, symbols);
  if (!polynomial) return std::nullopt;
  Expr coefficient[3] = {algebra.pool().number(0), algebra.pool().number(0), algebra.pool().number(0)};
  for (const Monomial& monomial : *polynomial) {
    if (monomial.exponents[0] > 2) return std::nullopt;
    coefficient[monomial.exponents[0]] = monomial.coefficient;
  }
  const Verdict square = algebra.vanishes_generically(coefficient[2]);
  if (square.is_refuted()) {
    const Expr half = coefficient[1] / algebra.pool().number(2);
    const auto root = real_root(algebra.readable(half * half - coefficient[2] * coefficient[0]));
    if (!root) return std::nullopt;
    return Roots{symbol, {(*root - half) / coefficient[2], (-*root - half) / coefficient[2]}, coefficient[2]};
  }
  if (!square.is_proved() || !algebra.vanishes_generically(coefficient[1]).is_refuted()) return std::nullopt;
  return Roots{symbol, {algebra.readable(-coefficient[0] / coefficient[1])}, coefficient[1]};
}

/// The best symbol to solve for: a single root before two, a number before another coefficient, later
/// declarations first.
std::optional<Roots> solve_for_one(Algebra& algebra, Expr relation, const std::vector<Expr>& symbols) {
  std::optional<Roots> best;
  const auto cost = [](const Roots& roots) {
    return 2 * roots.values.size() + (roots.condition.is_number() ? 0 : 1);
  };
  for (auto symbol = symbols.rbegin(); symbol != symbols.rend(); ++symbol) {
    if (!depends_on(relation, *symbol)) continue;
    const auto roots = roots_in(algebra, relation, *symbol);
    if (roots && (!best || cost(*roots) < cost(*best))) best = roots;
  }
  return best;
}

class ManifoldSolver {
 public:
  ManifoldSolver(Algebra& algebra, const Motion& motion) : algebra_(algebra), motion_(motion) {
    result_.branches.emplace_back();
  }

  Manifold run(bool use_chart) {
    std::vector<Expr> coordinates;
    for (const Direction& direction : motion_.space.system->directions) {
      if (!direction.rotation) coordinates.push_back(direction.coordinate);
    }
    for (std::size_t h = 0; h < motion_.relation_count; ++h) {
      const ConstraintField& constraint = motion_.constraints[h];
      if (!constraint.level.empty()) impose(h, constraint.level, coordinates);
    }
    if (use_chart && use_intrinsic_chart()) return result_;
    std::vector<std::size_t> rest;
    for (std::size_t h = 0; h < motion_.relation_count;
         ++h) {  // linear ones first: they leave the others as they are
      if (linear_coefficients(motion_.constraints[h].relation, motion_.space.parameters)) {
        impose(h, motion_.constraints[h].relation, motion_.space.parameters);
      } else {
        rest.push_back(h);
      }
    }
    for (std::size_t h : rest) impose(h, motion_.constraints[h].relation, motion_.space.parameters);
    return result_;
  }

 private:
  /// Two roots of each relation: 2^n branches with roots in roots are no answer for anyone.
  bool may_branch() const {
    constexpr std::size_t most_branches = 8;
    return result_.branches.size() < most_branches;
  }

  void impose(std::size_t h, Expr relation, const std::vector<Expr>& symbols) {
    std::vector<Substitution> branches;
    for (const Substitution& branch : result_.branches) {
      const Expr left = substitute(relation, branch);
      if (algebra_.follows(left, {})) {  // it follows from the others
        branches.push_back(branch);
        continue;
      }
      const auto roots =
          may_branch() ? solve_for_one(algebra_, algebra_.readable(left), symbols) : std::nullopt;
      if (!roots) {
        if (result_.unsolved.empty() || result_.unsolved.back() != h) result_.unsolved.push_back(h);
        branches.push_back(branch);
        continue;
      }
      if (!roots->condition.is_number()) result_.conditions.push_back(roots->condition);
      for (Expr value : roots->values) {
        branches.push_back(branch);
        extend(branches.back(), roots->symbol, value);
      }
    }
    result_.branches = std::move(branches);
  }

  /// q' = psi(t, q, z), given by the model: it must satisfy the relations.
  bool use_intrinsic_chart() {
    const System& system = *motion_.space.system;
    if (system.intrinsic.parameters.empty() || !system.chart.parameters.empty()) return false;
    Substitution branch = result_.branches.front();
    for (std::size_t i = 0; i < system.directions.size(); ++i) {
      branch.emplace(system.directions[i].velocity,
                     substitute(system.intrinsic.velocities[i], result_.branches.front()));
    }
    for (std::size_t h = 0; h < motion_.relation_count; ++h) {
      if (!algebra_.follows(substitute(motion_.constraints[h].relation, branch), {})) return false;
    }
    result_.branches = {std::move(branch)};
    return true;
  }

  Algebra& algebra_;
  const Motion& motion_;
  Manifold result_;
};

}  // namespace

Manifold solve_manifold(Algebra& algebra, const Motion& motion, bool use_chart) {
  return ManifoldSolver(algebra, motion).run(use_chart);
}

void add_denominators(const std::vector<Expr>& closed_forms, Conditions& conditions) {
  for (const Requirement& requirement : natural_domain(closed_forms)) {
    const bool is_new = std::find(conditions.begin(), conditions.end(), requirement.e) == conditions.end();
    if (requirement.bound != Bound::nonnegative && is_new) conditions.push_back(requirement.e);
  }
}

Verdict are_equal_on(Algebra& algebra, const Motion& motion, Expr a, Expr b) {
  Region region = states_of(motion);
  region.assumed = motion.conditions;
  add_denominators({a, b}, region.assumed);
  return algebra.are_equal(a, b, region);
}

}  // namespace liaison
