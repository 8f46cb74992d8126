#include "obstruction.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "expr/raw.hpp"
#include "interval_roots.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "poisson.hpp"

namespace liaison {

namespace {

constexpr double half_width = 8;
constexpr std::size_t max_pieces = 20'000;
constexpr long bits = 192;

/// shift + factor * (first + step p)^2 for whole p.
struct Family {
  Rational shift, factor, first, step;
};

std::vector<Family> families(long k) {
  switch (k) {
    case 3:
      return {{{-1, 24}, {1, 24}, 2, 6},
              {{-1, 24}, {1, 24}, {3, 2}, 6},
              {{-1, 24}, {1, 24}, {6, 5}, 6},
              {{-1, 24}, {1, 24}, {12, 5}, 6}};
    case 4: return {{{-1, 8}, {1, 8}, {4, 3}, 4}};
    case 5: return {{{-9, 40}, {1, 40}, {10, 3}, 10}, {{-9, 40}, {1, 40}, 4, 10}};
    default: return {};
  }
}

bool holds(const Ball& ball, const Rational& value) {
  return arb_contains_fmpq(ball.raw(), value.raw()) != 0;
}

/// The degree of a homogeneous polynomial; nothing where it is none.
std::optional<long> degree_of(Algebra& algebra, Expr e, const std::vector<Expr>& symbols) {
  const auto monomials = polynomial_coefficients(algebra.canonical(e).value, symbols, 1000);
  if (!monomials || monomials->empty()) return std::nullopt;
  std::optional<long> degree;
  for (const Monomial& monomial : *monomials) {
    const auto sum =
        static_cast<long>(std::accumulate(monomial.exponents.begin(), monomial.exponents.end(), 0U));
    if (!monomial.coefficient.is_number() || (degree && *degree != sum)) return std::nullopt;
    degree = sum;
  }
  return degree;
}

}  // namespace

bool may_be_allowed(long degree, const Ball& eigenvalue) {
  const auto reach = static_cast<long>(std::sqrt(std::abs(eigenvalue.mid()) + 1) * 20) + 20;
  for (long p = -reach; p <= reach; ++p) {
    if (holds(eigenvalue, Rational(p) + Rational(p * (p - 1) * degree, 2))) return true;
    if (holds(eigenvalue, (Rational(degree - 1, degree) + Rational(p * (p + 1) * degree)) * Rational(1, 2)))
      return true;
    for (const Family& family : families(degree)) {
      const Rational root = family.first + family.step * Rational(p);
      if (holds(eigenvalue, family.shift + family.factor * root * root)) return true;
    }
  }
  return false;
}

std::optional<Obstruction> find_obstruction(Algebra& algebra, const StateFlow& flow,
                                            const Substitution& values) {
  const System& system = *flow.motion->space.system;
  const std::vector<Expr>& q = flow.positions;
  if (q.size() != 2 || !flow.quaternions.empty() || flow.motion->relation_count > 0 ||
      flow.motion->space.parameters != flow.motion->space.velocities || flow.velocities.size() != 2)
    return std::nullopt;
  // The theorem speaks of T + V: no other forces.
  const auto [poisson, reason] = PoissonStructure::of(algebra, flow, values);
  if (!poisson || !poisson->is_canonical() || poisson->energy().empty() || poisson->grade() != Grade::proved)
    return std::nullopt;
  const Expr potential = algebra.canonical(substitute(system.potential, values)).value;
  const std::optional<long> degree = degree_of(algebra, potential, q);
  if (!degree || *degree < 3) return std::nullopt;
  const Expr kinetic = algebra.canonical(substitute(system.kinetic, values)).value;
  std::vector<Expr> mass;  // m11, m12, m22
  for (const auto& [i, j] : {std::pair{0, 0}, {0, 1}, {1, 1}}) {
    const auto& v = flow.velocities;
    mass.push_back(algebra
                       .canonical(derivative(derivative(kinetic, v[static_cast<std::size_t>(i)]),
                                             v[static_cast<std::size_t>(j)]))
                       .value);
    if (!mass.back().is_number()) return std::nullopt;
  }
  if (degree_of(algebra, kinetic, flow.velocities) != 2) return std::nullopt;
  const Expr determinant = mass[0] * mass[2] - mass[1] * mass[1];
  std::vector<SearchInterval> box{{q[0], -half_width, half_width}, {q[1], -half_width, half_width}};
  for (const long sign : {1L, -1L}) {
    const auto gradient_of = [&](std::size_t i) { return derivative(potential, q[i]) * Rational(sign); };
    const std::vector<Expr> equations{gradient_of(0) - mass[0] * q[0] - mass[1] * q[1],
                                      gradient_of(1) - mass[1] * q[0] - mass[2] * q[1]};
    const IsolatedRoots roots =
        isolate_roots(equations, box, max_pieces, [&] { return algebra.options().is_interrupted(); });
    // The trace of M^-1 d^2V; one eigenvalue is k - 1, along c itself.
    const auto second = [&](std::size_t i, std::size_t j) { return derivative(gradient_of(i), q[j]); };
    const Expr trace[] = {
        (mass[2] * second(0, 0) - Rational(2) * mass[1] * second(0, 1) + mass[0] * second(1, 1)) /
            determinant -
        Rational(*degree - 1)};
    for (const IsolatedRoot& root : roots.roots) {
      if (root.box[0].contains_zero() && root.box[1].contains_zero()) continue;  // c = 0 is none
      BallPoint at{{q[0], root.value[0]}, {q[1], root.value[1]}};
      const BallValues value = evaluate_balls(trace, at, bits);
      if (value.status != EvaluationStatus::ok || !value.values[0].is_finite()) continue;
      if (value.values[0].rad() > 1e-9 || may_be_allowed(*degree, value.values[0])) continue;
      return Obstruction{*degree, {{q[0], root.value[0]}, {q[1], root.value[1]}}, value.values[0]};
    }
  }
  return std::nullopt;
}

}  // namespace liaison
