#include "function_identities.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "expr/raw.hpp"
#include "generators.hpp"
#include "implied_sign.hpp"
#include "liaison/algebra/content.hpp"
#include "liaison/expr/primes.hpp"
#include "liaison/expr/signs.hpp"
#include "liaison/expr/traverse.hpp"
#include "rewrite.hpp"

namespace liaison {

namespace {

constexpr long largest_multiple = 8;          // of an inverse function inside a sine
constexpr long largest_tangent = 1L << 30;    // numerators and denominators under atan
constexpr long largest_prime = 100'000'000;   // a^2 + b^2 that is taken apart
constexpr std::size_t most_terms_times = 16;  // of a product that is expanded

/// What is certain of a sign: > 0, >= 0, < 0 or nothing.
enum class Known { nothing, positive, nonnegative, negative };

class Signs {
 public:
  explicit Signs(const Domain& domain) : domain_(domain) {
    for (const Requirement& requirement : domain) {
      if (requirement.bound == Bound::nonzero) continue;
      const auto [size, rest] = split_coefficient(requirement.e);
      signs_.push_back({without_odd_power(rest), size.sign(), requirement.bound == Bound::positive});
    }
  }

  Known of(Expr e) const {
    if (e.is_number()) {
      const int sign = e.number().sign();
      return sign > 0 ? Known::positive : sign < 0 ? Known::negative : Known::nonnegative;
    }
    if (e.is(Op::pi) || e.is(Op::exp) || e.is(Op::cosh)) return Known::positive;
    if (e.is(Op::symbol) && e.symbol().positive) return Known::positive;
    const auto [size, whole] = split_coefficient(e);
    const Expr rest = without_odd_power(whole);
    Known found = Known::nothing;
    for (const Entry& entry : signs_) {
      if (!(entry.rest == rest)) continue;
      const int sign = entry.sign * size.sign();
      if (entry.strict) return sign > 0 ? Known::positive : Known::negative;
      if (sign > 0) found = Known::nonnegative;
    }
    if (found != Known::nothing) return found;
    if (is_seen_positive(e)) return Known::positive;
    return is_implied_nonnegative(e, domain_) ? Known::nonnegative : Known::nothing;
  }
  bool is_nonnegative(Expr e) const {
    const Known known = of(e);
    return known == Known::positive || known == Known::nonnegative;
  }

 private:
  /// x for x^3 and 1/x, which have its sign wherever they have a value.
  static Expr without_odd_power(Expr e) {
    const auto [base, exponent] = split_power(e);
    return exponent.is_integer() && !exponent.is_even_integer() ? base : e;
  }
  struct Entry {
    Expr rest;
    int sign;
    bool strict;
  };
  Domain domain_;
  std::vector<Entry> signs_;
};

/// The square root of a rational number, where it is one.
std::optional<Rational> rational_root(const Rational& square) {
  if (square.sign() < 0) return std::nullopt;
  if (fmpz_is_square(fmpq_numref(square.raw())) == 0 || fmpz_is_square(fmpq_denref(square.raw())) == 0)
    return std::nullopt;
  Rational root;
  fmpz_sqrt(fmpq_numref(root.raw()), fmpq_numref(square.raw()));
  fmpz_sqrt(fmpq_denref(root.raw()), fmpq_denref(square.raw()));
  return root;
}

struct SineCosine {
  Expr sine, cosine;
};

class Writer {
 public:
  Writer(Algebra& algebra, const Domain& domain, bool arcs_as_sines)
      : algebra_(algebra), pool_(algebra.pool()), signs_(domain), arcs_as_sines_(arcs_as_sines) {}

  Expr write(Expr root) {
    for (Expr e : postorder(root)) {
      std::vector<Expr> args;
      for (Expr arg : e.args()) args.push_back(known_.at(arg));
      known_.emplace(e, args.empty() ? e : written(e, args));
    }
    return known_.at(root);
  }

 private:
  Expr written(Expr e, std::span<const Expr> args) {
    switch (e.op()) {
      case Op::pow:
        return e.arg(1).number().is_integer() ? pool_.rebuild(e, args) : root(args[0], e.arg(1).number());
      case Op::sin:
      case Op::cos:
      case Op::tan: return angle(e.op(), args[0]);
      case Op::acos: return Rational(1, 2) * pool_.pi() - asin(args[0]);
      case Op::atan: return arc_tangent(args[0]);
      case Op::log: return logarithm(args[0]);
      case Op::abs: return absolute(args[0]);
      case Op::exp: return exponential(args[0]);
      default: return pool_.rebuild(e, args);
    }
  }

  static std::span<const Expr> factors(const Expr& e) {
    return e.is(Op::mul) ? e.args() : std::span<const Expr>(&e, 1);
  }

  Expr absolute(Expr u) const {
    return signs_.is_nonnegative(u) ? u : signs_.is_nonnegative(-u) ? -u : abs(u);
  }

  Expr root(Expr base, const Rational& exponent) {
    if (base.is_constant()) return constant_root(base, exponent);
    if (base.is(Op::add)) return root_of_factors(base, exponent);
    if (!base.is(Op::mul)) return pow(base, exponent);
    std::vector<Expr> parts;
    bool is_negative = false;
    for (Expr factor : base.args()) {
      const auto [inner, power] = split_power(factor);
      if (signs_.is_nonnegative(inner)) {
        parts.push_back(pow(inner, power * exponent));
      } else if (power.is_integer() && signs_.is_nonnegative(-inner)) {
        parts.push_back(pow(-inner, power * exponent));
        is_negative = is_negative != !power.is_even_integer();
      } else if (power.is_even_integer()) {
        parts.push_back(pow(abs(inner), power * exponent));
      } else {
        return pow(base, exponent);
      }
    }
    return is_negative ? pow(base, exponent) : pool_.mul(parts);
  }

  /// x^2 - 1 is (x - 1)*(x + 1), and one of these may be known to be >= 0.
  Expr root_of_factors(Expr sum, const Rational& exponent) {
    const Expr product = factored_sum(algebra_, sum);
    return product.is(Op::mul) ? root(product, exponent) : pow(sum, exponent);
  }

  /// sqrt(a + t) = sqrt((a + d)/2) + sign(t)*sqrt((a - d)/2) with d^2 = a^2 - t^2.
  Expr constant_root(Expr base, const Rational& exponent) {
    const Expr plain = pow(base, exponent);
    if (!base.is(Op::add) || base.args().size() != 2 || exponent.denominator() != Rational(2)) return plain;
    const bool number_first = base.arg(0).is_number();
    const Expr number = base.arg(number_first ? 0 : 1), t = base.arg(number_first ? 1 : 0);
    const Expr square = t * t;
    if (!number.is_number() || !square.is_number() || number.number().sign() <= 0) return plain;
    const Rational a = number.number();
    const auto d = rational_root(a * a - square.number());
    if (!d) return plain;
    const Expr larger = sqrt(pool_.number((a + *d) / Rational(2)));
    const Expr smaller = sqrt(pool_.number((a - *d) / Rational(2)));
    const Rational sign(split_coefficient(t).first.sign());
    return pow(larger + sign * smaller, exponent.numerator());
  }

  /// Of one inverse function; empty where it is none.
  static SineCosine of_inverse(Expr e) {
    switch (e.op()) {
      case Op::atan: {
        const Expr cosine = pow(Rational(1) + pow(e.arg(0), 2), Rational(-1, 2));
        return {e.arg(0) * cosine, cosine};
      }
      case Op::asin: return {e.arg(0), sqrt(Rational(1) - pow(e.arg(0), 2))};
      case Op::atan2: {
        const Expr inverse = pow(pow(e.arg(0), 2) + pow(e.arg(1), 2), Rational(-1, 2));
        return {e.arg(0) * inverse, e.arg(1) * inverse};
      }
      default: return {};
    }
  }

  /// Terms that are multiples of inverse functions leave the angle by the addition theorems.
  Expr angle(Op op, Expr whole) {
    Expr rest = whole;
    Expr sine = pool_.number(0), cosine = pool_.number(1);
    for (const AtomTerm& term : atom_terms(whole)) {
      const auto times = term.coefficient.to_long();
      const SineCosine one = of_inverse(term.atom);
      if (one.sine.empty() || !times || std::abs(*times) > largest_multiple) continue;
      rest -= term.coefficient * term.atom;
      const Expr s = *times < 0 ? -one.sine : one.sine;
      for (long i = 0; i < std::abs(*times); ++i) {
        const Expr next = sine * one.cosine + cosine * s;
        cosine = cosine * one.cosine - sine * s;
        sine = next;
      }
    }
    const std::array alone{whole};
    if (rest == whole) return pool_.elementary(op, alone);
    const Expr s = sin(rest) * cosine + cos(rest) * sine, c = cos(rest) * cosine - sin(rest) * sine;
    return op == Op::sin ? s : op == Op::cos ? c : s / c;
  }

  Expr arc_tangent(Expr u) {
    if (arcs_as_sines_) return asin(u * pow(Rational(1) + pow(u, 2), Rational(-1, 2)));
    if (u.is_number()) return arc_tangent_of(u.number());
    const std::span<const Expr> all = factors(u);
    const bool is_inverse = std::all_of(all.begin(), all.end(), [](Expr factor) {
      return factor.is_number() || split_power(factor).second.sign() < 0;
    });
    const Expr inverse = is_inverse ? Rational(1) / u : u;
    const Known sign = is_inverse ? signs_.of(inverse) : Known::nothing;
    if (sign == Known::positive) return Rational(1, 2) * pool_.pi() - atan(inverse);
    if (sign == Known::negative) return Rational(-1, 2) * pool_.pi() - atan(inverse);
    return atan(u);
  }

  /// q + i*p is a product of Gaussian primes: their arguments and pi/4 are independent over the rationals.
  Expr arc_tangent_of(const Rational& tangent) {
    const Expr plain = atan(pool_.number(tangent));
    const auto p = tangent.numerator().to_long(), q = tangent.denominator().to_long();
    if (!p || !q || std::abs(*p) > largest_tangent || *q > largest_tangent || *p == 0) return plain;
    Expr sum = pool_.number(0);
    double rest = std::atan(tangent.to_double());
    for (const auto& [prime, times] : factors_of(Rational(*p * *p + *q * *q))) {
      const auto n = prime.to_long();
      if (!n || *n > largest_prime || !is_proved_prime(prime)) return plain;
      if (*n == 2) continue;
      long b = 1, a = 0;
      for (; a * a + b * b != *n; ++b) {
        if (b * b > *n) return plain;
        a = std::lround(std::sqrt(static_cast<double>(*n - b * b)));
        if (a * a + b * b == *n) break;
      }
      if (a < b) std::swap(a, b);
      // which of a + b*i and a - b*i divides q + p*i
      const bool is_upper = ((*q % *n) * a + (*p % *n) * b) % *n == 0;
      const long signed_times = is_upper ? times : -times;
      sum += Rational(signed_times) * atan(pool_.number(Rational(b, a)));
      rest -= static_cast<double>(signed_times) * std::atan2(static_cast<double>(b), static_cast<double>(a));
    }
    return sum + Rational(std::lround(rest / (M_PI / 4)), 4) * pool_.pi();  // a whole number, as it must be
  }

  Expr logarithm(Expr u) {
    const auto [content, plain] = split_content(u);
    std::vector<Expr> terms{logarithm_of(content)}, unknown;
    u = plain.is(Op::add) ? factored_sum(algebra_, plain) : plain;
    for (Expr factor : factors(u)) {
      const auto [base, power] = split_power(factor);
      if (base.is_number() && (base.number().sign() > 0 || power.is_one())) {
        terms.push_back(power * logarithm_of(abs(base.number())));
        if (base.number().sign() < 0) unknown.push_back(pool_.number(-1));
      } else if (signs_.of(base) == Known::positive || !power.is_integer()) {
        terms.push_back(power * log(base));
      } else if (power.is_even_integer()) {
        terms.push_back(power * log(signs_.of(base) == Known::negative ? -base : abs(base)));
      } else {
        unknown.push_back(factor);
      }
    }
    // all other factors are positive, and so is the whole: what is left is positive
    if (!unknown.empty()) terms.push_back(log(pool_.mul(unknown)));
    return pool_.add(terms);
  }

  Expr logarithm_of(const Rational& number) {
    Expr sum = pool_.number(0);
    for (const auto& [prime, times] : factors_of(number.numerator()))
      sum += Rational(times) * log(pool_.number(prime));
    for (const auto& [prime, times] : factors_of(number.denominator()))
      sum -= Rational(times) * log(pool_.number(prime));
    return sum;
  }

  /// The terms of a product with one sum in it.
  std::vector<Expr> expanded(Expr product) const {
    const std::span<const Expr> all = factors(product);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i].is(Op::add) || all[i].args().size() > most_terms_times) continue;
      std::vector<Expr> result;
      for (Expr term : all[i].args()) {
        std::vector<Expr> parts(all.begin(), all.end());
        parts[i] = term;
        const std::vector<Expr> inner = expanded(pool_.mul(parts));
        result.insert(result.end(), inner.begin(), inner.end());
      }
      return result;
    }
    return {product};
  }

  Expr exponential(Expr argument) {
    std::vector<Expr> terms, parts;
    for (const Expr& term : argument.is(Op::add) ? argument.args() : std::span<const Expr>(&argument, 1)) {
      for (Expr part : expanded(term)) {
        const auto [coefficient, rest] = split_coefficient(part);
        if (rest.is(Op::log)) {
          parts.push_back(pow(rest.arg(0), coefficient));
        } else {
          terms.push_back(part);
        }
      }
    }
    parts.push_back(exp(pool_.add(terms)));
    return pool_.mul(parts);
  }

  Algebra& algebra_;
  Pool& pool_;
  Signs signs_;
  bool arcs_as_sines_;
  std::unordered_map<Expr, Expr> known_;
};

}  // namespace

Expr with_known_functions(Algebra& algebra, Expr e, const Domain& domain) {
  return Writer(algebra, domain, false).write(e);
}

Expr with_arcs_of_sines(Algebra& algebra, Expr e, const Domain& domain) {
  return Writer(algebra, domain, true).write(e);
}

}  // namespace liaison
