#include "antiderivative.hpp"

#include <algorithm>
#include <array>

#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

SplitFactors split_factors(Expr product, Expr x) {
  const std::array alone{product};
  std::vector<Expr> free;
  SplitFactors result;
  for (Expr factor : product.is(Op::mul) ? product.args() : std::span<const Expr>(alone)) {
    (depends_on(factor, x) ? result.others : free).push_back(factor);
  }
  result.free = product.pool().mul(free);
  return result;
}

std::optional<std::vector<Expr>> polynomial_in(Expr e, Expr x) {
  const std::array symbols{x};
  const auto monomials = polynomial_coefficients(e, symbols);
  if (!monomials) return std::nullopt;
  std::vector<Expr> result;
  for (const Monomial& monomial : *monomials) {
    const std::size_t degree = monomial.exponents[0];
    if (result.size() <= degree) result.resize(degree + 1, x.pool().number(0));
    result[degree] = monomial.coefficient;
  }
  if (result.empty()) result.push_back(x.pool().number(0));
  return result;
}

std::optional<std::pair<Expr, Expr>> linear_in(Expr e, Expr x) {
  const auto polynomial = polynomial_in(e, x);
  if (!polynomial || polynomial->size() > 2) return std::nullopt;
  const Expr slope = polynomial->size() == 2 ? (*polynomial)[1] : x.pool().number(0);
  return std::pair((slope), (*polynomial)[0]);
}

bool is_manifestly_positive(Expr e) {
  const auto nonnegative = [](Expr part) {
    const auto [base, exponent] = split_power(part);
    return exponent.is_even_integer() || base.is(Op::abs) || is_manifestly_positive(part);
  };
  switch (e.op()) {
    case Op::number: return e.number().sign() > 0;
    case Op::pi:
    case Op::exp:
    case Op::cosh: return true;
    case Op::symbol: return e.symbol().positive;
    case Op::pow: return is_manifestly_positive(e.arg(0));
    case Op::mul: return std::all_of(e.args().begin(), e.args().end(), is_manifestly_positive);
    case Op::add:
      return std::any_of(e.args().begin(), e.args().end(), is_manifestly_positive) &&
             std::all_of(e.args().begin(), e.args().end(), [&](Expr term) {
               const std::array alone{term};
               const auto factors = term.is(Op::mul) ? term.args() : std::span<const Expr>(alone);
               return std::all_of(factors.begin(), factors.end(), nonnegative);
             });
    default: return false;
  }
}

Expr real_logarithm(Expr u) {
  if (is_manifestly_positive(u)) return log(u);
  // A sum of squares vanishes at most where all of them do: there u'/u has no value either.
  const std::array alone{u};
  const auto terms = u.is(Op::add) ? u.args() : std::span<const Expr>(alone);
  const bool squares = std::all_of(terms.begin(), terms.end(), [](Expr term) {
    const std::array one{term};
    const auto factors = term.is(Op::mul) ? term.args() : std::span<const Expr>(one);
    return std::all_of(factors.begin(), factors.end(), [](Expr factor) {
      return split_power(factor).second.is_even_integer() || is_manifestly_positive(factor);
    });
  });
  return squares ? log(u) : log(pow(u, Rational(2))) / Rational(2);
}

std::optional<Expr> exact_root(Expr e) {
  const std::array alone{e};
  std::vector<Expr> factors;
  for (Expr factor : e.is(Op::mul) ? e.args() : std::span<const Expr>(alone)) {
    if (factor.is_number()) {
      if (factor.number().sign() < 0) return std::nullopt;
      const Expr root = sqrt(factor);
      if (!root.is_number()) return std::nullopt;
      factors.push_back(root);
      continue;
    }
    const auto [base, exponent] = split_power(factor);
    if (!exponent.is_even_integer()) return std::nullopt;
    factors.push_back(pow(base, exponent / Rational(2)));
  }
  return e.pool().mul(factors);
}

namespace {

constexpr int max_depth = 8;

std::optional<Expr> integrate(Algebra& algebra, Expr f, Expr x, int depth);

/// e/g if that is free of x: by exact algebra, not by spelling.
std::optional<Expr> constant_ratio(Algebra& algebra, Expr e, Expr g, Expr x) {
  if (g.is_zero()) return std::nullopt;
  const Expr ratio = algebra.canonical(e / g).value;
  if (depends_on(ratio, x)) return std::nullopt;
  return ratio;
}

/// G with G'(u) = g(u) for g = sin, cos, exp, sinh, cosh, tan at `u`.
std::optional<Expr> outer_antiderivative(Op op, Expr u) {
  switch (op) {
    case Op::sin: return -cos(u);
    case Op::cos: return sin(u);
    case Op::exp: return exp(u);
    case Op::sinh: return cosh(u);
    case Op::cosh: return sinh(u);
    case Op::tan: return -real_logarithm(cos(u));
    case Op::tanh: return log(cosh(u));
    default: return std::nullopt;
  }
}

/// f = c*u^r*u' or c*g(u)*u', u read off one of the factors.
std::optional<Expr> integrate_by_substitution(Algebra& algebra, const std::vector<Expr>& factors, Expr x) {
  const Expr f = algebra.pool().mul(factors);
  for (Expr factor : factors) {
    const auto [base, exponent] = split_power(factor);
    if (const auto c = constant_ratio(algebra, f, factor * derivative(base, x), x)) {
      if (exponent == Rational(-1)) return *c * real_logarithm(base);
      return *c * pow(base, exponent + Rational(1)) / (exponent + Rational(1));
    }
    if (base.args().size() != 1 || exponent != Rational(1)) continue;
    const Expr u = base.arg(0);
    const auto outer = outer_antiderivative(base.op(), u);
    if (!outer) continue;
    if (const auto c = constant_ratio(algebra, f, factor * derivative(u, x), x)) return *c * *outer;
  }
  return std::nullopt;
}

/// Polynomial (or any integrable rest) times log, atan, asin, acos: by parts.
std::optional<Expr> integrate_by_parts(Algebra& algebra, const std::vector<Expr>& factors, Expr x,
                                       int depth) {
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const Op op = factors[i].op();
    if (op != Op::log && op != Op::atan && op != Op::asin && op != Op::acos) continue;
    std::vector<Expr> rest = factors;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    const auto outer = integrate(algebra, algebra.pool().mul(rest), x, depth + 1);
    if (!outer) return std::nullopt;
    const Expr remaining = algebra.canonical(*outer * derivative(factors[i], x)).value;
    const auto inner = integrate(algebra, remaining, x, depth + 1);
    if (!inner) return std::nullopt;
    return factors[i] * *outer - *inner;
  }
  return std::nullopt;
}

/// int dx/sqrt(a x^2 + b x + c): asin for a number a < 0, else a logarithm.
Expr integrate_inverse_root(const std::vector<Expr>& p, Expr root, Expr x) {
  const Expr slope = Rational(2) * p[2] * x + p[1];
  const Expr discriminant = pow(p[1], Rational(2)) - Rational(4) * p[2] * p[0];
  if (has_negative_lead(p[2]) && !p[2].is(Op::add)) return -asin(slope / sqrt(discriminant)) / sqrt(-p[2]);
  const Expr scale = sqrt(p[2]);
  return real_logarithm(slope / (Rational(2) * scale) + root) / scale;
}

/// p^(1/2), and p^(-1/2), p^(-3/2) times a linear numerator, for p = a x^2 + b x + c.
std::optional<Expr> integrate_root(const std::vector<Expr>& factors, Expr x) {
  const auto is_root = [](Expr factor) {
    const Rational exponent = split_power(factor).second;
    return abs(exponent) == Rational(1, 2) || exponent == Rational(-3, 2);
  };
  const auto found = std::find_if(factors.begin(), factors.end(), is_root);
  if (found == factors.end()) return std::nullopt;
  const auto [base, exponent] = split_power(*found);
  const auto p = polynomial_in(base, x);
  if (!p || p->size() != 3) return std::nullopt;
  std::vector<Expr> rest = factors;
  rest.erase(rest.begin() + (found - factors.begin()));
  const auto numerator = linear_in(x.pool().mul(rest), x);
  if (!numerator) return std::nullopt;
  const Expr root = sqrt(base);
  const Expr a = (*p)[2];
  const Expr slope = Rational(2) * a * x + (*p)[1];
  const Expr discriminant = Rational(4) * a * (*p)[0] - pow((*p)[1], Rational(2));
  // numerator = alpha p' + beta.
  const Expr alpha = numerator->first / (Rational(2) * a);
  const Expr beta = numerator->second - alpha * (*p)[1];
  if (exponent == Rational(-3, 2))
    return Rational(-2) * alpha / root + beta * Rational(2) * slope / (discriminant * root);
  const Expr inverse = integrate_inverse_root(*p, root, x);
  if (exponent.sign() < 0) return Rational(2) * alpha * root + beta * inverse;
  if (!numerator->first.is_zero()) return std::nullopt;
  return numerator->second * (slope * root / (Rational(4) * a) + discriminant / (Rational(8) * a) * inverse);
}

/// max(a*x + b, 0), or min; a, as it is free of x.
std::optional<Expr> ramp_slope(Expr e, Expr x) {
  if ((!e.is(Op::max) && !e.is(Op::min)) || (!e.arg(0).is_zero() && !e.arg(1).is_zero())) return std::nullopt;
  const auto linear = linear_in(e.arg(0).is_zero() ? e.arg(1) : e.arg(0), x);
  if (!linear || (!is_manifestly_positive(linear->first) && !is_manifestly_positive(-linear->first)))
    return std::nullopt;
  return linear->first;
}

/// max(p, q) = q + max(p - q, 0), and min, of two that are linear.
std::optional<Expr> as_ramp(Expr e, Expr x) {
  if ((!e.is(Op::max) && !e.is(Op::min)) || e.arg(0).is_zero() || e.arg(1).is_zero()) return std::nullopt;
  if (!linear_in(e.arg(0), x) || !linear_in(e.arg(1), x)) return std::nullopt;
  const Expr difference = e.arg(0) - e.arg(1), zero = x.pool().number(0);
  return e.arg(1) + (e.is(Op::max) ? max(difference, zero) : min(difference, zero));
}

/// Powers of ramps, and of the way max(x - a, 0) - max(x - b, 0) through a piece of a table, a < b.
std::optional<Expr> integrate_ramp(const std::vector<Expr>& factors, Expr x) {
  if (factors.size() != 1) return std::nullopt;
  const auto [base, exponent] = split_power(factors[0]);
  if (exponent.sign() <= 0) return std::nullopt;
  const Expr next = pow(base, exponent + Rational(1)) / (exponent + Rational(1));
  if (const auto slope = ramp_slope(base, x)) return next / *slope;
  if (!base.is(Op::add) || base.args().size() != 2) return std::nullopt;
  for (std::size_t k = 0; k < 2; ++k) {
    const Expr first = base.arg(k), second = -base.arg(1 - k);
    const auto one = ramp_slope(first, x), other = ramp_slope(second, x);
    if (!one || !other || !first.is(Op::max) || !second.is(Op::max) || *one != *other) continue;
    const auto argument = [](Expr ramp) { return ramp.arg(0).is_zero() ? ramp.arg(1) : ramp.arg(0); };
    const Expr width = argument(first) - argument(second);
    if (!width.is_number() || width.number().sign() <= 0) continue;
    return (next + pow(width, exponent) * second) / *one;
  }
  return std::nullopt;
}

/// p(x)*sign(u) or p(x)*|u| for one u = a*x + b: of u^k*sign(u) it is u^k*|u|/(k + 1)/a.
std::optional<Expr> integrate_polynomial_side(const std::vector<Expr>& factors, Expr x) {
  Pool& pool = x.pool();
  Expr u;
  std::vector<Expr> rest;
  for (Expr factor : factors) {
    const bool is_side = factor.is(Op::abs) || factor.is(Op::sign);
    if (is_side && !u.empty()) return std::nullopt;
    if (is_side) u = factor.arg(0);
    if (factor.is(Op::abs)) rest.push_back(u);  // |u| = u*sign(u)
    if (!is_side) rest.push_back(factor);
  }
  if (u.empty()) return std::nullopt;
  const auto linear = linear_in(u, x);
  if (!linear || !linear->first.is_number() || linear->first.is_zero()) return std::nullopt;
  const Expr zero = -linear->second / linear->first;
  std::vector<Expr> parts;
  Expr slope = pool.mul(rest);
  if (!polynomial_in(slope, x)) return std::nullopt;
  // Taylor about the zero of u
  Rational factorial = 1;
  Expr power = pool.number(1);
  for (long k = 0; !slope.is_zero(); ++k) {
    if (k > 0) factorial = factorial * Rational(k);
    const Expr value = substitute(slope, Substitution{{x, zero}});
    parts.push_back(value / factorial / power * pow(u, Rational(k)) * abs(u) /
                    (Rational(k + 1) * linear->first));
    power = power * linear->first;
    slope = derivative(slope, x);
    if (k > 30) return std::nullopt;
  }
  return pool.add(parts);
}

/// u^m*|u|^n*sign(u)^k for one u = a*x + b: with p = m + n it is |u|^p or sign(u)*|u|^p.
std::optional<Expr> integrate_signed_power(const std::vector<Expr>& factors, Expr x) {
  Expr u;
  for (Expr factor : factors) {
    const Expr base = split_power(factor).first;
    if (base.is(Op::abs) || base.is(Op::sign)) u = base.arg(0);
  }
  if (u.empty()) return std::nullopt;
  const auto linear = linear_in(u, x);
  if (!linear || !linear->first.is_number() || linear->first.is_zero()) return std::nullopt;
  Rational power = 0, signs = 0;
  for (Expr factor : factors) {
    const auto [base, exponent] = split_power(factor);
    const bool is_size = base.is(Op::abs) && base.arg(0) == u,
               is_sign = base.is(Op::sign) && base.arg(0) == u;
    if (!is_size && !is_sign && base != u) return std::nullopt;
    if (!is_size && (!exponent.is_integer() || exponent.sign() < 0)) return std::nullopt;
    if (!is_sign) power = power + exponent;
    if (!is_size) signs = signs + exponent;
  }
  if (power.sign() < 0) return std::nullopt;
  const Expr next = pow(abs(u), power + Rational(1)) / ((power + Rational(1)) * linear->first);
  return signs.is_even_integer() ? sign(u) * next : next;
}

/// df/dx_k at arguments of which only the k-th is x, and is x itself: f with one derivative less.
std::optional<Expr> integrate_unknown(const std::vector<Expr>& factors, Expr x) {
  if (factors.size() != 1 || !factors[0].is(Op::apply)) return std::nullopt;
  const Expr f = factors[0];
  std::optional<std::size_t> slot;
  for (std::size_t i = 0; i < f.args().size(); ++i) {
    if (!depends_on(f.arg(i), x)) continue;
    if (slot || f.arg(i) != x) return std::nullopt;
    slot = i;
  }
  std::vector<std::uint32_t> orders = f.application().orders;
  if (!slot || orders[*slot] == 0) return std::nullopt;
  --orders[*slot];
  return x.pool().apply(f.application().function, f.args(), std::move(orders));
}

std::optional<Expr> integrate_product(Algebra& algebra, Expr f, Expr x, int depth) {
  const auto [free, factors] = split_factors(f, x);
  if (factors.empty()) return f * x;
  if (const auto ramp = factors.size() == 1 ? as_ramp(factors[0], x) : std::nullopt) {
    const auto result = integrate(algebra, *ramp, x, depth + 1);
    return result ? std::optional(free * *result) : std::nullopt;
  }
  std::optional<Expr> result = integrate_rational(algebra, factors, x);
  if (!result) result = integrate_unknown(factors, x);
  if (!result) result = integrate_ramp(factors, x);
  if (!result) result = integrate_signed_power(factors, x);
  if (!result) result = integrate_polynomial_side(factors, x);
  if (!result) result = integrate_by_substitution(algebra, factors, x);
  if (!result) result = integrate_exponential(algebra, factors, x);
  if (!result) result = integrate_root(factors, x);
  if (!result) result = integrate_by_parts(algebra, factors, x, depth);
  if (!result) return std::nullopt;
  return free * *result;
}

/// A product of sums multiplied out one level, so that its terms can be taken one by one.
Expr distribute(Expr f) {
  if (!f.is(Op::mul)) return f;
  Pool& pool = f.pool();
  for (Expr sum : f.args()) {
    if (!sum.is(Op::add)) continue;
    std::vector<Expr> rest;
    for (Expr factor : f.args())
      if (factor != sum) rest.push_back(factor);
    const Expr others = pool.mul(rest);
    std::vector<Expr> terms;
    for (Expr term : sum.args()) terms.push_back(others * term);
    return pool.add(terms);
  }
  return f;
}

std::optional<Expr> integrate_sum(Algebra& algebra, Expr f, Expr x, int depth) {
  if (!f.is(Op::add)) return integrate_product(algebra, f, x, depth);
  std::vector<Expr> parts;
  for (Expr term : f.args()) {
    auto part = integrate_product(algebra, term, x, depth);
    if (!part && distribute(term) != term) part = integrate(algebra, distribute(term), x, depth + 1);
    if (!part) return std::nullopt;
    parts.push_back(*part);
  }
  return x.pool().add(parts);
}

/// As written, then as a whole, then multiplied out, then in canonical form.
std::optional<Expr> integrate(Algebra& algebra, Expr f, Expr x, int depth) {
  if (depth > max_depth) return std::nullopt;
  if (auto result = integrate_sum(algebra, f, x, depth)) return result;
  if (f.is(Op::add)) {
    const Expr readable = algebra.readable(f);
    if (!readable.is(Op::add))
      if (auto result = integrate_product(algebra, readable, x, depth)) return result;
  }
  const Expr opened = distribute(f);
  if (opened != f)
    if (auto result = integrate(algebra, opened, x, depth + 1)) return result;
  const Expr canonical = algebra.canonical(f).value;
  if (canonical == f || canonical == opened) return std::nullopt;
  if (auto result = integrate_sum(algebra, canonical, x, depth)) return result;
  return integrate_sum(algebra, distribute(canonical), x, depth);
}

}  // namespace

std::optional<Expr> antiderivative(Algebra& algebra, Expr f, Expr x) {
  return integrate(algebra, f, x, 0);
}

}  // namespace liaison
