#include "exponential_roots.hpp"

#include <algorithm>

#include "expr/raw.hpp"

namespace liaison {

namespace {

constexpr int most_halvings = 120, most_doublings = 60;
constexpr std::uint64_t operations_a_term = 60;

/// Between two points with values of different sign, and no other zero there.
struct Bracket {
  Rational low, high;
  int sign_low;
};

/// Divided by a power of the exponential, so that a term without it is there.
ExponentialPolynomial lowered(const ExponentialPolynomial& p) {
  unsigned long least = p.terms.begin()->first.second;
  for (const auto& [powers, c] : p.terms) least = std::min(least, powers.second);
  ExponentialPolynomial result{{}, p.rate};
  for (const auto& [powers, c] : p.terms)
    result.terms.emplace(std::pair(powers.first, powers.second - least), c);
  return result;
}

ExponentialPolynomial derivative_of(const ExponentialPolynomial& p) {
  ExponentialPolynomial result{{}, p.rate};
  for (const auto& [powers, c] : p.terms) {
    const auto [i, j] = powers;
    if (i > 0) result.terms[{i - 1, j}] += Rational(static_cast<long>(i)) * c;
    if (j > 0) result.terms[{i, j}] += Rational(static_cast<long>(j)) * p.rate * c;
  }
  std::erase_if(result.terms, [](const auto& term) { return term.second.is_zero(); });
  return result;
}

bool is_plain(const ExponentialPolynomial& p) {
  return std::all_of(p.terms.begin(), p.terms.end(), [](const auto& term) { return term.first.second == 0; });
}

/// Remainder of plain polynomials, by powers from the highest.
ExponentialPolynomial remainder(ExponentialPolynomial a, const ExponentialPolynomial& b) {
  const auto& [lead, by] = *b.terms.rbegin();
  while (!a.terms.empty() && a.terms.rbegin()->first.first >= lead.first) {
    const unsigned long shift = a.terms.rbegin()->first.first - lead.first;
    const Rational times = a.terms.rbegin()->second / by;
    for (const auto& [powers, c] : b.terms) a.terms[{powers.first + shift, 0}] += -times * c;
    std::erase_if(a.terms, [](const auto& term) { return term.second.is_zero(); });
  }
  return a;
}

ExponentialPolynomial quotient(ExponentialPolynomial a, const ExponentialPolynomial& b) {
  ExponentialPolynomial result{{}, a.rate};
  const auto& [lead, by] = *b.terms.rbegin();
  while (!a.terms.empty()) {
    const unsigned long shift = a.terms.rbegin()->first.first - lead.first;
    const Rational times = a.terms.rbegin()->second / by;
    result.terms[{shift, 0}] = times;
    for (const auto& [powers, c] : b.terms) a.terms[{powers.first + shift, 0}] += -times * c;
    std::erase_if(a.terms, [](const auto& term) { return term.second.is_zero(); });
  }
  return result;
}

/// A plain polynomial with the same zeros, each of them simple.
ExponentialPolynomial with_simple_zeros(const ExponentialPolynomial& p) {
  ExponentialPolynomial a = p, b = derivative_of(p);
  while (!b.terms.empty()) {
    ExponentialPolynomial rest = remainder(std::move(a), b);
    a = std::move(b);
    b = std::move(rest);
  }
  return quotient(p, a);
}

/// With the same zeros, of which those of a plain polynomial are simple.
ExponentialPolynomial shape_of(const ExponentialPolynomial& p) {
  ExponentialPolynomial low = lowered(p);
  return is_plain(low) ? with_simple_zeros(low) : low;
}

class Zeros {
 public:
  explicit Zeros(const Budget& budget) : budget_(budget) {}

  std::optional<std::vector<Bracket>> of(const ExponentialPolynomial& given) {
    const ExponentialPolynomial p = shape_of(given);
    const ExponentialPolynomial slope = derivative_of(p);
    if (slope.terms.empty()) return std::vector<Bracket>{};
    auto turning = of(slope);
    if (!turning) return std::nullopt;
    std::vector<int> signs;  // at the turning points
    const ExponentialPolynomial shape = shape_of(slope);
    for (Bracket& bracket : *turning) {
      const auto sign = sign_inside(p, shape, bracket);
      if (!sign) return std::nullopt;
      signs.push_back(*sign);
    }
    return between(p, *turning, signs);
  }

  /// Nothing where the point that is sought cannot be told from one of those tried.
  std::optional<Ball> sharpened(const ExponentialPolynomial& given, Bracket bracket, long bits) {
    const ExponentialPolynomial shape = shape_of(given);
    for (long k = 0; k < bits + most_doublings; ++k) {
      if (!halve(shape, bracket)) return std::nullopt;
    }
    return ball_of(bracket, 2 * bits);
  }

 private:
  /// Zeros before, between and behind the turning points.
  std::optional<std::vector<Bracket>> between(const ExponentialPolynomial& p,
                                              const std::vector<Bracket>& turning,
                                              const std::vector<int>& signs) {
    std::vector<Bracket> result;
    const int first = sign_far(p, -1), last = sign_far(p, 1);
    if (turning.empty()) {
      if (first == last) return result;
      const auto low = point_with_sign(p, Rational(0), -1, first),
                 high = point_with_sign(p, Rational(0), 1, last);
      if (!low || !high) return std::nullopt;
      return std::vector<Bracket>{{*low, *high, first}};
    }
    if (first != signs.front()) {
      const auto low = point_with_sign(p, turning.front().low, -1, first);
      if (!low) return std::nullopt;
      result.push_back({*low, turning.front().low, first});
    }
    for (std::size_t k = 0; k + 1 < turning.size(); ++k) {
      if (signs[k] != signs[k + 1]) result.push_back({turning[k].high, turning[k + 1].low, signs[k]});
    }
    if (last != signs.back()) {
      const auto high = point_with_sign(p, turning.back().high, 1, last);
      if (!high) return std::nullopt;
      result.push_back({turning.back().high, *high, signs.back()});
    }
    return result;
  }

  Ball value(const ExponentialPolynomial& p, const Ball& z, long bits) {
    budget_.charge(operations_a_term * (1 + p.terms.size()) * static_cast<std::uint64_t>(bits / 64));
    Ball sum, term, exponent;
    for (const auto& [powers, c] : p.terms) {
      arb_pow_ui(term.raw(), z.raw(), powers.first, bits);
      const Ball number(c, bits), rate(Rational(static_cast<long>(powers.second)) * p.rate, bits);
      arb_mul(term.raw(), term.raw(), number.raw(), bits);
      arb_mul(exponent.raw(), rate.raw(), z.raw(), bits);
      arb_exp(exponent.raw(), exponent.raw(), bits);
      arb_addmul(sum.raw(), term.raw(), exponent.raw(), bits);
    }
    return sum;
  }

  /// 0 where balls do not tell it.
  int sign_at(const ExponentialPolynomial& p, const Rational& z) {
    for (long bits : {128, 512, 2048}) {
      const Ball found = value(p, Ball(z, bits), bits);
      if (found.is_positive()) return 1;
      if (found.is_negative()) return -1;
    }
    return 0;
  }

  bool halve(const ExponentialPolynomial& shape, Bracket& bracket) {
    for (const Rational& part : {Rational(1, 2), Rational(7, 16)}) {  // the zero itself may be the first
      const Rational middle = bracket.low + part * (bracket.high - bracket.low);
      const int sign = sign_at(shape, middle);
      if (sign == 0) continue;
      (sign == bracket.sign_low ? bracket.low : bracket.high) = middle;
      return true;
    }
    return false;
  }

  static Ball ball_of(const Bracket& bracket, long bits) {
    const Rational half(1, 2);
    Ball all(half * (bracket.low + bracket.high), bits);
    const Ball radius(half * (bracket.high - bracket.low), bits);
    arb_add_error(all.raw(), radius.raw());
    return all;
  }

  /// Of p on all of a bracket of a zero of its slope, which is made smaller until it has one; `shape` changes
  /// its sign where the slope does.
  std::optional<int> sign_inside(const ExponentialPolynomial& p, const ExponentialPolynomial& shape,
                                 Bracket& bracket) {
    constexpr long bits = 512;
    for (int k = 0; k < most_halvings; ++k) {
      const Ball found = value(p, ball_of(bracket, bits), bits);
      if (found.is_positive()) return 1;
      if (found.is_negative()) return -1;
      if (!halve(shape, bracket)) return std::nullopt;
    }
    return std::nullopt;
  }

  /// Beyond all zeros: of the leading term on that side.
  static int sign_far(const ExponentialPolynomial& p, int side) {
    const auto is_smaller = [&](const auto& a, const auto& b) {
      const auto [of_a, with_a] = a.first;
      const auto [of_b, with_b] = b.first;
      if (with_a != with_b) return side > 0 ? with_a < with_b : with_a > with_b;
      return of_a < of_b;
    };
    const auto& [powers, c] = *std::max_element(p.terms.begin(), p.terms.end(), is_smaller);
    return side < 0 && powers.first % 2 == 1 ? -c.sign() : c.sign();
  }

  std::optional<Rational> point_with_sign(const ExponentialPolynomial& p, const Rational& from, int side,
                                          int sign) {
    Rational step(side);
    for (int k = 0; k < most_doublings; ++k, step = Rational(2) * step) {
      const Rational z = from + step;
      if (sign_at(p, z) == sign) return z;
    }
    return std::nullopt;
  }

  const Budget& budget_;
};

}  // namespace

std::optional<ExponentialPolynomial> as_exponential_polynomial(const Field& field, const Poly& p,
                                                               Expr symbol) {
  constexpr unsigned long most_zeros = 60;  // orders of all terms together
  std::optional<std::size_t> plain, exponential;
  for (std::size_t i = 0; i < field.generators().size(); ++i) {
    if (p.degree(i) == 0) continue;
    const Generator& generator = field.generators()[i];
    const bool is_plain = generator.kind == GeneratorKind::plain && generator.unit == 1;
    if (generator.atom != symbol || (!is_plain && generator.kind != GeneratorKind::exponential))
      return std::nullopt;
    (is_plain ? plain : exponential) = i;
  }
  if (!exponential) return std::nullopt;
  const Generator& function = field.generators()[*exponential];
  ExponentialPolynomial result{{}, Rational(function.multiple, function.unit)};
  if ((1 + p.degree(*exponential)) * (1 + (plain ? p.degree(*plain) : 0)) > most_zeros) return std::nullopt;
  Exponents powers;
  for (std::size_t k = 0; k < p.terms(); ++k) {
    p.exponents(k, powers);
    result.terms.emplace(std::pair(plain ? powers[*plain] : 0, powers[*exponential]), p.coefficient(k));
  }
  return result;
}

std::optional<std::vector<Ball>> real_zeros(const ExponentialPolynomial& p, long bits, const Budget& budget) {
  if (p.terms.empty()) return std::nullopt;
  Zeros zeros(budget);
  const auto found = zeros.of(p);
  if (!found) return std::nullopt;
  std::vector<Ball> result;
  for (const Bracket& bracket : *found) {
    auto ball = zeros.sharpened(p, bracket, bits);
    if (!ball) return std::nullopt;
    result.push_back(std::move(*ball));
  }
  return result;
}

std::optional<std::size_t> count_real_zeros(const ExponentialPolynomial& p, const Budget& budget) {
  if (p.terms.empty()) return std::nullopt;
  const auto found = Zeros(budget).of(p);
  return found ? std::optional(found->size()) : std::nullopt;
}

}  // namespace liaison
