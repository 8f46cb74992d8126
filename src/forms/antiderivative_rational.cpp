#include <algorithm>

#include "antiderivative.hpp"
#include "liaison/algebra/matrix.hpp"

namespace liaison {

namespace {

using Coefficients = std::vector<Expr>;  ///< of a polynomial in x, constant term first

/// A factor p^power of the denominator, p of degree 1 or 2.
struct DenominatorFactor {
  Coefficients p;
  long power;
};

Coefficients multiply(Pool& pool, const Coefficients& a, const Coefficients& b) {
  if (a.empty() || b.empty()) return {};
  std::vector<std::vector<Expr>> sums(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) sums[i + j].push_back(a[i] * b[j]);
  Coefficients result;
  for (const auto& terms : sums) result.push_back(pool.add(terms));
  return result;
}

Coefficients raise(Pool& pool, const Coefficients& a, long n) {
  Coefficients result{pool.number(1)};
  for (long i = 0; i < n; ++i) result = multiply(pool, result, a);
  return result;
}

Expr value_of(const Coefficients& coefficients, Expr x) {
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < coefficients.size(); ++k)
    terms.push_back(coefficients[k] * pow(x, Rational(static_cast<long>(k))));
  return x.pool().add(terms);
}

Expr integrate_polynomial(const Coefficients& coefficients, Expr x) {
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    const Rational next(static_cast<long>(k) + 1);
    terms.push_back(coefficients[k] * pow(x, next) / next);
  }
  return x.pool().add(terms);
}

/// Quotient of a polynomial division; the remainder stays in `numerator`.
Coefficients divide(Algebra& algebra, Coefficients& numerator, const Coefficients& divisor) {
  if (numerator.size() < divisor.size()) return {};
  Coefficients quotient(numerator.size() - divisor.size() + 1, algebra.pool().number(0));
  for (std::size_t k = quotient.size(); k-- > 0;) {
    const std::size_t top = k + divisor.size() - 1;
    quotient[k] = algebra.canonical(numerator[top] / divisor.back()).value;
    for (std::size_t j = 0; j < divisor.size(); ++j)
      numerator[k + j] = algebra.canonical(numerator[k + j] - quotient[k] * divisor[j]).value;
  }
  numerator.resize(divisor.size() - 1, algebra.pool().number(0));
  return quotient;
}

/// int dx/(a x^2 + b x + c): atan or log, by the sign of D = 4ac - b^2 as far as it can be seen.
Expr integrate_inverse_quadratic(Algebra& algebra, const Coefficients& p, Expr x) {
  const Expr discriminant = algebra.canonical(Rational(4) * p[2] * p[0] - pow(p[1], Rational(2))).value;
  const Expr slope = Rational(2) * p[2] * x + p[1];
  if (discriminant.is_zero()) return Rational(-2) / slope;
  if (const auto root = exact_root(discriminant)) return Rational(2) / *root * atan(slope / *root);
  const bool negative = discriminant.is_number() && discriminant.number().sign() < 0;
  const auto minus_root = exact_root(-discriminant);
  if (negative || minus_root) {
    const Expr root = minus_root ? *minus_root : sqrt(-discriminant);
    const Expr middle = x + p[1] / (Rational(2) * p[2]);
    const Expr width = root / (Rational(2) * p[2]);
    return (real_logarithm(middle - width) - real_logarithm(middle + width)) / root;
  }
  const Expr root = sqrt(discriminant);
  return Rational(2) / root * atan(slope / root);
}

/// int dx/p^n for a quadratic p, by the reduction formula down to n = 1.
Expr integrate_quadratic_power(Algebra& algebra, const Coefficients& p, long n, Expr x) {
  if (n == 1) return integrate_inverse_quadratic(algebra, p, x);
  const Expr discriminant = Rational(4) * p[2] * p[0] - pow(p[1], Rational(2));
  const Expr slope = Rational(2) * p[2] * x + p[1];
  const Expr scale = Rational(1) / (Rational(n - 1) * discriminant);
  return scale * (slope * pow(value_of(p, x), Rational(1 - n)) +
                  Rational(2 * (2 * n - 3)) * p[2] * integrate_quadratic_power(algebra, p, n - 1, x));
}

/// int (numerator)/p^n with deg numerator < deg p.
Expr integrate_partial_fraction(Algebra& algebra, const Coefficients& numerator, const Coefficients& p,
                                long n, Expr x) {
  const Expr value = value_of(p, x);
  const auto power_or_log = [&](Expr scale) {
    return n == 1 ? scale * real_logarithm(value) : scale * pow(value, Rational(1 - n)) / Rational(1 - n);
  };
  if (p.size() == 2) return power_or_log(numerator[0] / p[1]);
  // numerator = alpha p' + beta.
  const Expr alpha = algebra.canonical(numerator[1] / (Rational(2) * p[2])).value;
  const Expr beta = algebra.canonical(numerator[0] - alpha * p[1]).value;
  Expr result = power_or_log(alpha);
  if (!beta.is_zero()) result = result + beta * integrate_quadratic_power(algebra, p, n, x);
  return result;
}

/// N/prod p_i^(k_i) = sum N_ij/p_i^j by comparing coefficients: one linear system.
std::optional<Expr> integrate_partial_fractions(Algebra& algebra, const Coefficients& numerator,
                                                const std::vector<DenominatorFactor>& factors, Expr x) {
  Pool& pool = algebra.pool();
  struct Unknown {
    std::size_t factor;
    long power;
    std::size_t degree;
  };
  std::vector<Unknown> unknowns;
  for (std::size_t i = 0; i < factors.size(); ++i)
    for (long j = 1; j <= factors[i].power; ++j)
      for (std::size_t k = 0; k + 1 < factors[i].p.size(); ++k) unknowns.push_back({i, j, k});
  const std::size_t size = unknowns.size();
  Matrix matrix(pool, size, size);
  for (std::size_t column = 0; column < size; ++column) {
    const Unknown& u = unknowns[column];
    Coefficients cofactor(u.degree + 1, pool.number(0));
    cofactor.back() = pool.number(1);
    for (std::size_t i = 0; i < factors.size(); ++i)
      cofactor = multiply(pool, cofactor,
                          raise(pool, factors[i].p, factors[i].power - (i == u.factor ? u.power : 0)));
    for (std::size_t row = 0; row < cofactor.size() && row < size; ++row) matrix(row, column) = cofactor[row];
  }
  std::vector<Expr> right(size, pool.number(0));
  for (std::size_t k = 0; k < numerator.size() && k < size; ++k) right[k] = numerator[k];
  const SolveResult solution = solve(algebra, matrix, right);
  if (solution.status != SolveStatus::unique) return std::nullopt;
  std::vector<Expr> parts;
  for (std::size_t column = 0; column < size; column += factors[unknowns[column].factor].p.size() - 1) {
    const Unknown& u = unknowns[column];
    Coefficients part;
    for (std::size_t k = 0; k + 1 < factors[u.factor].p.size(); ++k) part.push_back(solution.x[column + k]);
    if (std::all_of(part.begin(), part.end(), [](Expr e) { return e.is_zero(); })) continue;
    parts.push_back(integrate_partial_fraction(algebra, part, factors[u.factor].p, u.power, x));
  }
  return pool.add(parts);
}

}  // namespace

std::optional<Expr> integrate_rational(Algebra& algebra, const std::vector<Expr>& factors, Expr x) {
  constexpr long max_power = 8;
  Pool& pool = algebra.pool();
  Coefficients numerator{pool.number(1)};
  Coefficients denominator{pool.number(1)};
  std::vector<DenominatorFactor> below;
  for (Expr factor : factors) {
    const auto [base, exponent] = split_power(factor);
    const auto power = exponent.to_long();
    if (!power || *power < -max_power) return std::nullopt;
    if (*power > 0) {
      const auto polynomial = polynomial_in(factor, x);
      if (!polynomial) return std::nullopt;
      numerator = multiply(pool, numerator, *polynomial);
      continue;
    }
    const auto polynomial = polynomial_in(base, x);
    if (!polynomial || polynomial->size() < 2 || polynomial->size() > 3) return std::nullopt;
    below.push_back({*polynomial, -*power});
    denominator = multiply(pool, denominator, raise(pool, *polynomial, -*power));
  }
  if (below.empty()) return integrate_polynomial(numerator, x);
  for (Expr& c : denominator) c = algebra.canonical(c).value;
  const Coefficients quotient = divide(algebra, numerator, denominator);
  const auto fractions = integrate_partial_fractions(algebra, numerator, below, x);
  if (!fractions) return std::nullopt;
  return integrate_polynomial(quotient, x) + *fractions;
}

}  // namespace liaison
