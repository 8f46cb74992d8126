#include "twins.hpp"

#include <array>
#include <unordered_map>

#include "liaison/expr/traverse.hpp"

namespace liaison::test {

RationalTrigonometric::RationalTrigonometric(Pool& pool, std::uint64_t seed)
    : pool_(pool), symbols_{pool.symbol("x"), pool.symbol("y"), pool.symbol("z")}, engine_(seed) {}

Expr RationalTrigonometric::angle() {
  const std::array<Rational, 6> multiples{Rational(1),    Rational(1),  Rational(2),
                                          Rational(1, 2), Rational(-1), Rational(1, 3)};
  const Expr first = multiples[below(below(4) == 0 ? 6 : 5)] * symbols_[below(3)];
  return below(3) == 0 ? first + multiples[below(3)] * symbols_[below(3)] : first;
}

Expr RationalTrigonometric::atom() {
  switch (below(8)) {
    case 0:
    case 1: return symbols_[below(3)];
    case 2:
    case 3: return sin(angle());
    case 4:
    case 5: return cos(angle());
    case 6: return below(2) == 0 ? tan(symbols_[below(3)]) : exp(symbols_[below(3)]);
    default: return pool_.number(Rational(static_cast<long>(below(7)) - 3, static_cast<long>(below(3)) + 1));
  }
}

/// Certain not to vanish identically, whatever the numbers are.
Expr RationalTrigonometric::nonzero() {
  switch (below(4)) {
    case 0: return symbols_[below(3)] + Rational(2);
    case 1: return Rational(2) + sin(symbols_[below(3)]);
    case 2: return symbols_[0] - symbols_[1] + cos(symbols_[2]);
    default: return pow(symbols_[below(3)], 2) + Rational(1);
  }
}

Expr RationalTrigonometric::expression(unsigned depth) {
  if (depth == 0) return atom();
  const Expr a = expression(depth - 1), b = expression(depth - 1);
  switch (below(6)) {
    case 0:
    case 1: return a + b;
    case 2: return a - b;
    case 3: return a * b;
    case 4: return below(2) == 0 ? a / nonzero() + b : pow(a, 2) + b;
    default: return a * b + expression(0);
  }
}

Expr RationalTrigonometric::polynomial() {
  const auto piece = [&] {
    switch (below(4)) {
      case 0: return symbols_[below(3)];
      case 1: return sin(symbols_[below(2)]);
      case 2: return cos(symbols_[below(2)]);
      default: return pool_.number(static_cast<long>(below(5)) - 2);
    }
  };
  return below(2) == 0 ? piece() : piece() + piece();
}

std::vector<Rational> RationalTrigonometric::point() {
  std::vector<Rational> result;
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    result.emplace_back(static_cast<long>(below(900)) + 601, 997L);
  }
  return result;
}

Expr RationalTrigonometric::rewrite_sine(Expr u) {
  const Expr half = u / Rational(2), y = symbols_[below(3)];
  switch (below(4)) {
    case 0: return Rational(2) * sin(half) * cos(half);
    case 1: return Rational(2) * tan(half) / (Rational(1) + pow(tan(half), 2));
    case 2: return sin(u - y) * cos(y) + cos(u - y) * sin(y);
    default: return Rational(3) * sin(u / Rational(3)) - Rational(4) * pow(sin(u / Rational(3)), 3);
  }
}

Expr RationalTrigonometric::rewrite_cosine(Expr u) {
  const Expr half = u / Rational(2), y = symbols_[below(3)];
  switch (below(4)) {
    case 0: return pow(cos(half), 2) - pow(sin(half), 2);
    case 1: return (Rational(1) - pow(tan(half), 2)) / (Rational(1) + pow(tan(half), 2));
    case 2: return cos(u - y) * cos(y) - sin(u - y) * sin(y);
    default: return Rational(1) - Rational(2) * pow(sin(half), 2);
  }
}

Expr RationalTrigonometric::rewrite_power(Expr e) {
  const Expr base = e.arg(0);
  if (e.arg(1).number() != Rational(2)) return e;
  if (base.is(Op::sin)) return Rational(1) - pow(cos(base.arg(0)), 2);
  if (base.is(Op::cos)) return Rational(1) - pow(sin(base.arg(0)), 2);
  if (!base.is(Op::add)) return e;
  std::vector<Expr> terms;
  for (Expr term : base.args()) terms.push_back(term * base);
  return pool_.add(terms);
}

Expr RationalTrigonometric::distribute(Expr product) {
  for (std::size_t i = 0; i < product.args().size(); ++i) {
    const Expr sum = product.arg(i);
    if (!sum.is(Op::add)) continue;
    const Expr rest = product / sum;
    std::vector<Expr> terms;
    for (Expr term : sum.args()) terms.push_back(term * rest);
    return pool_.add(terms);
  }
  return product;
}

Expr RationalTrigonometric::rewrite_node(Expr e) {
  switch (e.op()) {
    case Op::sin: return rewrite_sine(e.arg(0));
    case Op::cos: return rewrite_cosine(e.arg(0));
    case Op::tan: return sin(e.arg(0)) / cos(e.arg(0));
    case Op::exp:
      return exp(e.arg(0) / Rational(2)) * exp(e.arg(0) - e.arg(0) / Rational(3)) /
             exp(e.arg(0) / Rational(6));
    case Op::pow: return rewrite_power(e);
    case Op::mul: return distribute(e);
    case Op::add: {
      const Expr p = nonzero();
      return below(2) == 0 ? e * p / p + (p * e - e * p) : (e * p + p) / p - Rational(1);
    }
    default: return e;
  }
}

Expr RationalTrigonometric::twin(Expr root) {
  std::unordered_map<Expr, Expr> known;
  for (Expr e : postorder(root)) {
    std::vector<Expr> args;
    const bool is_function = e.op() >= Op::sin;  // its argument is an angle: it stays
    for (Expr arg : e.args()) args.push_back(is_function ? arg : known.at(arg));
    const Expr same = e.args().empty() ? e : pool_.rebuild(e, args);
    known.emplace(e, below(3) == 0 ? rewrite_node(same) : same);
  }
  return known.at(root);
}

}  // namespace liaison::test
