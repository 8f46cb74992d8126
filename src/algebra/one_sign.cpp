#include "one_sign.hpp"

#include <algorithm>
#include <utility>

namespace liaison {
namespace {

enum class TermSign { unknown, nonnegative, positive };

/// The sign of a generator at every real point: roots and absolute values are not negative.
TermSign sign_of(const Generator& generator) {
  switch (generator.kind) {
    case GeneratorKind::plain:
      if ((generator.atom.is(Op::symbol) && generator.atom.symbol().positive) || generator.atom.is(Op::pi))
        return TermSign::positive;
      return generator.unit % 2 == 0 ? TermSign::nonnegative : TermSign::unknown;
    case GeneratorKind::exponential: return TermSign::positive;
    case GeneratorKind::root: return generator.atom.is_number() ? TermSign::positive : TermSign::nonnegative;
    case GeneratorKind::absolute: return TermSign::nonnegative;
    case GeneratorKind::cosine:
    case GeneratorKind::sine: return TermSign::unknown;
  }
  return TermSign::unknown;
}

TermSign sign_of(const Field& field, const Exponents& exponents) {
  TermSign result = TermSign::positive;
  for (std::size_t i = 0; i < field.generators().size(); ++i) {
    if (exponents[i] == 0) continue;
    TermSign part = sign_of(field.generators()[i]);
    if (part == TermSign::unknown && exponents[i] % 2 == 0) part = TermSign::nonnegative;
    result = std::min(result, part);
  }
  return result;
}

/// No sum of squares is of an odd degree in a variable of either sign.
bool may_have_one_sign(const Field& field, const Poly& p) {
  for (std::size_t v = 0; v < p.ring().variables(); ++v) {
    if (p.degree(v) % 2 == 1 && sign_of(field.generators()[v]) == TermSign::unknown) return false;
  }
  return true;
}

Poly without_size(const Poly& p) {
  const Rational content = p.content();
  return exact_quotient(p, content.sign() < 0 ? -content : content);
}

/// Completes squares; the work is bounded, so that what has no such form costs little.
class Squares {
 public:
  explicit Squares(const Field& field) : field_(field) {}

  /// p as a sum of terms that are not negative.
  std::optional<OneSign> nonnegative(const Poly& p) {
    if (p.is_zero()) return OneSign{};
    if (auto terms = one_sign_of_terms(field_, p)) return take_positive(std::move(*terms));
    if (p.terms() > most_terms || looks_++ > most_looks || !may_have_one_sign(field_, p)) return std::nullopt;
    const PolyFactors factors = factor_squarefree(p);
    const bool is_squarefree = std::all_of(factors.factors.begin(), factors.factors.end(),
                                           [](const PolyFactor& factor) { return factor.exponent == 1; });
    return is_squarefree ? completed(p) : product(p, factors);
  }

 private:
  static constexpr std::size_t most_terms = 60;
  static constexpr int most_looks = 12;

  static std::optional<OneSign> take_positive(OneSign found) {
    if (found.sign < 0) return std::nullopt;
    return found;
  }

  /// Even powers beside a rest that does not vanish.
  std::optional<OneSign> product(const Poly& p, const PolyFactors& factors) {
    Poly bases(p.ring(), 1), rest(p.ring(), factors.constant.sign());
    for (const PolyFactor& factor : factors.factors) {
      if (factor.exponent > 1) bases = bases * factor.base;
      if (factor.exponent % 2 == 1) rest = rest * factor.base;
    }
    const std::optional<OneSign> sign = nonnegative(rest);
    if (!sign || !sign->positive) return std::nullopt;
    return OneSign{.sign = 1, .parts = {std::move(bases)}, .positive = false};
  }

  std::optional<OneSign> completed(const Poly& p) {
    for (std::size_t v = 0; v < p.ring().variables(); ++v) {
      if (p.degree(v) != 2) continue;
      const std::vector<Poly> by_power = split_by_power(p, v, 1);
      const Poly &c = by_power[0], &b = by_power[1], &a = by_power[2];
      const auto lead = one_sign_of_terms(field_, a);
      if (!lead || !lead->positive || lead->sign < 0) continue;
      const Poly rest = scaled(a * c, Rational(4)) - b * b;
      std::optional<OneSign> result = nonnegative(rest.is_zero() ? rest : without_size(rest));
      if (!result) continue;
      result->parts.push_back(without_size(scaled(a * Poly::variable(p.ring(), v), Rational(2)) + b));
      return result;
    }
    return std::nullopt;
  }

  const Field& field_;
  int looks_ = 0;
};

}  // namespace

std::optional<OneSign> one_sign_of_terms(const Field& field, const Poly& p) {
  if (p.is_zero()) return OneSign{};
  OneSign result{.sign = p.coefficient(0).sign(), .parts = {}, .positive = false};
  Exponents exponents;
  for (std::size_t term = 0; term < p.terms(); ++term) {
    p.exponents(term, exponents);
    const TermSign sign = sign_of(field, exponents);
    if (sign == TermSign::unknown || p.coefficient(term).sign() != result.sign) return std::nullopt;
    result.positive = result.positive || sign == TermSign::positive;
    Poly monomial(p.ring());
    monomial.push_term(Rational(1), exponents);
    result.parts.push_back(std::move(monomial));
  }
  return result;
}

std::optional<OneSign> one_sign(const Field& field, const Poly& p) {
  if (auto terms = one_sign_of_terms(field, p)) return terms;
  if (!may_have_one_sign(field, p)) return std::nullopt;
  for (const bool negative : {false, true}) {
    std::optional<OneSign> result = Squares(field).nonnegative(negative ? -p : p);
    if (!result) continue;
    result->sign = negative ? -1 : 1;
    return result;
  }
  return std::nullopt;
}

bool is_never_positive(const Field& field, const Poly& p) {
  if (p.is_zero()) return true;
  const std::optional<OneSign> found = one_sign(field, p);
  return found && found->sign < 0;
}

bool is_never_zero(const Field& field, const Poly& p) {
  if (p.is_constant()) return !p.is_zero();
  const std::optional<OneSign> found = one_sign(field, p);
  return found && found->positive;
}

}  // namespace liaison
