#include "simple_roots.hpp"

#include <utility>

namespace liaison {

namespace {

void trim(UnivariatePolynomial& p) {
  while (!p.empty() && p.back().is_zero()) p.pop_back();
}

struct Division {
  UnivariatePolynomial quotient, remainder;
};

Division divided(UnivariatePolynomial p, const UnivariatePolynomial& by) {
  UnivariatePolynomial quotient;
  if (p.size() >= by.size()) quotient.assign(p.size() - by.size() + 1, Rational(0));
  for (std::size_t top = p.size(); top >= by.size(); --top) {
    const Rational factor = p[top - 1] / by.back();
    quotient[top - by.size()] = factor;
    for (std::size_t k = 0; k < by.size(); ++k)
      p[top - by.size() + k] = p[top - by.size() + k] - factor * by[k];
  }
  trim(p);
  return {std::move(quotient), std::move(p)};
}

/// Euclid's algorithm, with the leading coefficient one.
UnivariatePolynomial greatest_divisor(UnivariatePolynomial a, UnivariatePolynomial b) {
  while (!b.empty()) {
    UnivariatePolynomial rest = divided(std::move(a), b).remainder;
    a = std::move(b);
    b = std::move(rest);
  }
  const Rational lead = a.empty() ? Rational(1) : a.back();
  for (Rational& coefficient : a) coefficient = coefficient / lead;
  return a;
}

UnivariatePolynomial slope(const UnivariatePolynomial& p) {
  UnivariatePolynomial result;
  for (std::size_t k = 1; k < p.size(); ++k) result.push_back(Rational(static_cast<long>(k)) * p[k]);
  return result;
}

/// p without the zeros that it shares with q.
UnivariatePolynomial without_zeros_of(UnivariatePolynomial p, const UnivariatePolynomial& q) {
  for (;;) {
    const UnivariatePolynomial shared = greatest_divisor(p, q);
    if (shared.size() < 2) return p;
    p = divided(std::move(p), shared).quotient;
  }
}

}  // namespace

bool has_own_simple_root(const UnivariatePolynomial& p, const std::vector<UnivariatePolynomial>& others) {
  UnivariatePolynomial rest = p;
  trim(rest);
  if (rest.size() < 2) return false;
  rest = without_zeros_of(rest, greatest_divisor(rest, slope(rest)));
  for (UnivariatePolynomial other : others) {
    trim(other);
    if (other.empty()) return false;
    rest = without_zeros_of(std::move(rest), other);
  }
  return rest.size() > 1;
}

}  // namespace liaison
