#include <array>

#include "antiderivative.hpp"

namespace liaison {

namespace {

/// polynomial * exp(rate*x + shift) * cos(turn*x + phase); a sine is a cosine with its phase turned back by
/// pi/2.
struct Wave {
  Expr polynomial;
  Expr rate, shift;
  Expr turn, phase;
};

constexpr long max_power = 12;  ///< of one sine or cosine
constexpr std::size_t max_waves = 512;

bool multiply_by_exponential(std::vector<Wave>& waves, Expr argument, const Rational& power, Expr x) {
  const auto linear = linear_in(argument, x);
  if (!linear) return false;
  for (Wave& wave : waves) {
    wave.rate = wave.rate + power * linear->first;
    wave.shift = wave.shift + power * linear->second;
  }
  return true;
}

/// cos a cos b = (cos(a + b) + cos(a - b))/2, `times` times.
bool multiply_by_cosine(std::vector<Wave>& waves, Expr turn, Expr phase, long times) {
  for (long i = 0; i < times; ++i) {
    std::vector<Wave> products;
    for (const Wave& wave : waves) {
      Wave sum = wave;
      sum.polynomial = sum.polynomial / Rational(2);
      Wave difference = sum;
      sum.turn = wave.turn + turn;
      sum.phase = wave.phase + phase;
      difference.turn = wave.turn - turn;
      difference.phase = wave.phase - phase;
      products.push_back(sum);
      products.push_back(difference);
    }
    if (products.size() > max_waves) return false;
    waves = std::move(products);
  }
  return true;
}

bool multiply_by(std::vector<Wave>& waves, Expr factor, Expr x) {
  auto [base, exponent] = split_power(factor);
  if (base.is(Op::exp)) return multiply_by_exponential(waves, base.arg(0), exponent, x);
  const auto times = exponent.to_long();
  if (base.is(Op::sin) || base.is(Op::cos)) {
    const auto linear = linear_in(base.arg(0), x);
    if (!linear || !times || *times < 1 || *times > max_power) return false;
    const Expr phase = base.is(Op::cos) ? linear->second : linear->second - x.pool().pi() / Rational(2);
    return multiply_by_cosine(waves, linear->first, phase, *times);
  }
  if (!polynomial_in(factor, x)) return false;
  for (Wave& wave : waves) wave.polynomial = wave.polynomial * factor;
  return true;
}

Expr value_of(const std::vector<Expr>& coefficients, Expr x) {
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < coefficients.size(); ++k)
    terms.push_back(coefficients[k] * pow(x, Rational(static_cast<long>(k))));
  return x.pool().add(terms);
}

std::vector<Expr> derivative_of(const std::vector<Expr>& coefficients) {
  std::vector<Expr> result;
  for (std::size_t k = 1; k < coefficients.size(); ++k)
    result.push_back(Rational(static_cast<long>(k)) * coefficients[k]);
  return result;
}

/// By parts: with F' = exp(..)cos(..), int p F' = p F - int p' F, where F = exp(..)(a cos + b sin)/(a^2 +
/// b^2).
Expr integrate_wave(const std::vector<Expr>& polynomial, const Wave& wave, Expr x) {
  if (polynomial.empty()) return x.pool().number(0);
  const Expr a = wave.rate;
  const Expr b = wave.turn;
  const Expr norm = pow(a, Rational(2)) + pow(b, Rational(2));
  const Expr growth = exp(a * x + wave.shift);
  const Expr angle = b * x + wave.phase;
  const Expr first = value_of(polynomial, x) * growth * (a * cos(angle) + b * sin(angle)) / norm;
  const std::vector<Expr> slope = derivative_of(polynomial);
  Wave turned = wave;
  turned.phase = wave.phase - x.pool().pi() / Rational(2);
  return first - a / norm * integrate_wave(slope, wave, x) - b / norm * integrate_wave(slope, turned, x);
}

Expr integrate_polynomial(const std::vector<Expr>& coefficients, Expr x) {
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    const Rational next(static_cast<long>(k) + 1);
    terms.push_back(coefficients[k] * pow(x, next) / next);
  }
  return x.pool().add(terms);
}

}  // namespace

std::optional<Expr> integrate_exponential(Algebra& algebra, const std::vector<Expr>& factors, Expr x) {
  Pool& pool = algebra.pool();
  const Expr zero = pool.number(0);
  std::vector<Wave> waves{{pool.number(1), zero, zero, zero, zero}};
  for (Expr factor : factors)
    if (!multiply_by(waves, factor, x)) return std::nullopt;
  std::vector<Expr> parts;
  for (Wave& wave : waves) {
    const auto polynomial = polynomial_in(wave.polynomial, x);
    if (!polynomial) return std::nullopt;
    wave.rate = algebra.canonical(wave.rate).value;
    wave.turn = algebra.canonical(wave.turn).value;
    if (wave.rate.is_zero() && wave.turn.is_zero()) {
      parts.push_back(exp(wave.shift) * cos(wave.phase) * integrate_polynomial(*polynomial, x));
    } else {
      parts.push_back(integrate_wave(*polynomial, wave, x));
    }
  }
  return pool.add(parts);
}

}  // namespace liaison
