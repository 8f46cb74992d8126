#include "generators.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "budget.hpp"
#include "liaison/expr/primes.hpp"

namespace liaison {

namespace {

constexpr long max_unit = 1'000'000;
constexpr long large_multiple =
    64;  // of an angle: sines of smaller ones are polynomials in that of the angle

struct KindAndAtomLess {
  bool operator()(const std::pair<GeneratorKind, Expr>& a, const std::pair<GeneratorKind, Expr>& b) const {
    if (auto c = compare(a.second, b.second); c != 0) return c < 0;
    return a.first < b.first;
  }
};

class Collector {
 public:
  void visit(Expr root) {
    std::vector<Expr> stack{root};
    while (!stack.empty()) {
      const Expr e = stack.back();
      stack.pop_back();
      if (!seen_.insert(e.node()).second) continue;
      visit_node(e, stack);
    }
  }

  std::vector<Generator> take() {
    std::vector<Generator> result;
    for (const auto& [key, use] : uses_) {
      result.push_back({key.first, key.second, use.unit, use.common_multiple()});
      if (key.first != GeneratorKind::cosine) continue;
      result.push_back(result.back());
      result.back().kind = GeneratorKind::sine;
    }
    return result;
  }

 private:
  void visit_node(Expr e, std::vector<Expr>& stack) {
    switch (e.op()) {
      case Op::number: return;
      case Op::add:
      case Op::mul: stack.insert(stack.end(), e.args().begin(), e.args().end()); return;
      case Op::pow: visit_power(e, stack); return;
      case Op::sin:
      case Op::cos:
      case Op::tan: add_atoms(GeneratorKind::cosine, e.arg(0)); return;
      case Op::exp:
      case Op::sinh:
      case Op::cosh:
      case Op::tanh: add_atoms(GeneratorKind::exponential, e.arg(0)); return;
      case Op::abs:
        add(GeneratorKind::absolute, e.arg(0), Rational(1));
        stack.push_back(e.arg(0));
        return;
      default: add(GeneratorKind::plain, e, Rational(1)); return;
    }
  }

  void visit_power(Expr e, std::vector<Expr>& stack) {
    const Expr base = e.arg(0);
    const Rational& exponent = e.arg(1).number();
    if (exponent.is_integer()) {
      stack.push_back(base);
    } else if (base.is(Op::symbol) || base.is(Op::pi) || is_opaque(base.op())) {
      add(GeneratorKind::plain, base, exponent.denominator());
    } else {
      add(GeneratorKind::root, base, exponent.denominator());
      stack.push_back(base);
    }
  }

  void add_atoms(GeneratorKind kind, Expr argument) {
    for (const AtomTerm& term : atom_terms(argument)) {
      add(kind, term.atom, term.coefficient.denominator());
      uses_[{kind, term.atom}].coefficients.push_back(term.coefficient);
    }
  }

  void add(GeneratorKind kind, Expr atom, const Rational& denominator) {
    const auto d = denominator.to_long();
    if (!d || *d > max_unit) throw LimitReached{"an angle or exponent has too large a denominator"};
    long& unit = uses_[{kind, atom}].unit;
    unit = std::lcm(unit, *d);
    if (unit > max_unit) throw LimitReached{"an angle or exponent has too large a denominator"};
  }

  std::set<const Node*> seen_;
  struct Use {
    long unit = 1;
    std::vector<Rational> coefficients;  ///< of angles and exponents

    /// The greatest common divisor of all multiples of atom/unit, where one of them is large.
    long common_multiple() const {
      long common = 0, largest = 0;
      for (const Rational& coefficient : coefficients) {
        const auto multiple = (coefficient * Rational(unit)).to_long();
        if (!multiple || *multiple == std::numeric_limits<long>::min()) return 1;
        common = std::gcd(common, *multiple);
        largest = std::max(largest, std::abs(*multiple));
      }
      return largest > large_multiple ? common : 1;
    }
  };
  std::map<std::pair<GeneratorKind, Expr>, Use, KindAndAtomLess> uses_;
};

bool is_monomial(Expr atom) {
  const auto is_plain_power = [](Expr factor) {
    const auto [base, exponent] = split_power(factor);
    return (base.is(Op::symbol) || base.is(Op::apply)) && exponent.is_integer() && exponent.sign() > 0;
  };
  if (atom.is_one()) return true;
  if (!atom.is(Op::mul)) return is_plain_power(atom);
  return std::all_of(atom.args().begin(), atom.args().end(), is_plain_power);
}

bool is_certainly_independent(const Generator& generator) {
  switch (generator.kind) {
    case GeneratorKind::plain: return generator.atom.is(Op::symbol) || generator.atom.is(Op::apply);
    case GeneratorKind::cosine:
    case GeneratorKind::sine:
    case GeneratorKind::exponential: return is_monomial(generator.atom);
    case GeneratorKind::root: return generator.atom.is_number() && is_proved_prime(generator.atom.number());
    case GeneratorKind::absolute: return false;
  }
  return false;
}

}  // namespace

bool is_opaque(Op op) {
  switch (op) {
    case Op::asin:
    case Op::acos:
    case Op::atan:
    case Op::atan2:
    case Op::log:
    case Op::sign:
    case Op::min:
    case Op::max:
    case Op::apply: return true;
    default: return false;
  }
}

std::vector<AtomTerm> atom_terms(Expr argument) {
  std::vector<AtomTerm> result;
  const auto add = [&](Expr term) {
    auto [coefficient, rest] = split_coefficient(term);
    if (!coefficient.is_zero()) result.push_back({rest, coefficient});
  };
  if (argument.is(Op::add)) {
    for (Expr term : argument.args()) add(term);
  } else {
    add(argument);
  }
  return result;
}

std::vector<Generator> collect_generators(std::span<const Expr> es) {
  Collector collector;
  for (Expr e : es) collector.visit(e);
  return collector.take();
}

bool are_certainly_independent(std::span<const Generator> generators) {
  if (!std::all_of(generators.begin(), generators.end(), is_certainly_independent)) return false;
  // One root of a square class is quadratic over the rest; several roots of numbers are roots of different
  // primes.
  return std::count_if(generators.begin(), generators.end(),
                       [](const Generator& g) { return g.kind == GeneratorKind::root && g.unit != 2; }) == 0;
}

}  // namespace liaison
