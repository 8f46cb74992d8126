#include "polynomial.hpp"

#include <flint/fmpz_mpoly_factor.h>

#include <algorithm>
#include <optional>

#include "operation_costs.hpp"

namespace liaison {

PolyRing::PolyRing(std::size_t variables, Budget budget)
    : variables_(variables), budget_(budget.for_variables(variables)) {
  fmpz_mpoly_ctx_init(context_, static_cast<slong>(std::max<std::size_t>(variables, 1)), ORD_LEX);
}

PolyRing::~PolyRing() {
  fmpz_mpoly_ctx_clear(context_);
}

Poly::Poly(const PolyRing& ring) : ring_(&ring) {
  fmpz_mpoly_init(value_, ring.raw());
}

Poly::Poly(const PolyRing& ring, const Rational& integer) : Poly(ring) {
  fmpz_mpoly_set_fmpz(value_, fmpq_numref(integer.raw()), ring.raw());
}

Poly Poly::variable(const PolyRing& ring, std::size_t index, unsigned long exponent) {
  Exponents exponents(std::max<std::size_t>(ring.variables(), 1), 0);
  exponents[index] = exponent;
  Poly result(ring);
  result.push_term(Rational(1), exponents);
  return result;
}

Poly::Poly(const Poly& other) : Poly(*other.ring_) {
  fmpz_mpoly_set(value_, other.value_, ring_->raw());
}

Poly::Poly(Poly&& other) noexcept : Poly(*other.ring_) {
  fmpz_mpoly_swap(value_, other.value_, ring_->raw());
}

Poly& Poly::operator=(Poly other) noexcept {
  std::swap(ring_, other.ring_);
  std::swap(value_[0], other.value_[0]);
  return *this;
}

Poly::~Poly() {
  fmpz_mpoly_clear(value_, ring_->raw());
}

unsigned long Poly::degree(std::size_t variable) const {
  const slong degree = fmpz_mpoly_degree_si(value_, static_cast<slong>(variable), ring_->raw());
  return degree < 0 ? 0 : static_cast<unsigned long>(degree);
}

Rational Poly::coefficient(std::size_t term) const {
  Rational result;
  fmpz_mpoly_get_term_coeff_fmpz(fmpq_numref(result.raw()), value_, static_cast<slong>(term), ring_->raw());
  return result;
}

void Poly::exponents(std::size_t term, Exponents& out) const {
  out.resize(std::max<std::size_t>(ring_->variables(), 1));
  fmpz_mpoly_get_term_exp_ui(out.data(), value_, static_cast<slong>(term), ring_->raw());
}

void Poly::push_term(const Rational& integer, const Exponents& exponents) {
  if (integer.is_zero()) return;  // FLINT would store it
  fmpz_mpoly_push_term_fmpz_ui(value_, fmpq_numref(integer.raw()), exponents.data(), ring_->raw());
}

void Poly::normalise() {
  fmpz_mpoly_sort_terms(value_, ring_->raw());
  fmpz_mpoly_combine_like_terms(value_, ring_->raw());
}

Rational Poly::content() const {
  Rational result;
  fmpz* out = fmpq_numref(result.raw());
  _fmpz_vec_content(out, value_->coeffs, fmpz_mpoly_length(value_, ring_->raw()));
  if (!is_zero() && fmpz_sgn(value_->coeffs) < 0) fmpz_neg(out, out);
  return result;
}

Poly operator+(const Poly& a, const Poly& b) {
  Poly result(*a.ring_);
  fmpz_mpoly_add(result.value_, a.value_, b.value_, a.ring_->raw());
  a.ring_->budget().check_terms(result.terms());
  return result;
}

Poly operator-(const Poly& a, const Poly& b) {
  Poly result(*a.ring_);
  fmpz_mpoly_sub(result.value_, a.value_, b.value_, a.ring_->raw());
  a.ring_->budget().check_terms(result.terms());
  return result;
}

Poly operator-(const Poly& a) {
  Poly result(*a.ring_);
  fmpz_mpoly_neg(result.value_, a.value_, a.ring_->raw());
  return result;
}

Poly operator*(const Poly& a, const Poly& b) {
  charge_product(a, b);
  Poly result(*a.ring_);
  fmpz_mpoly_mul(result.value_, a.value_, b.value_, a.ring_->raw());
  a.ring_->budget().check_terms(result.terms());
  return result;
}

Poly scaled(const Poly& a, const Rational& integer) {
  Poly result(a.ring());
  fmpz_mpoly_scalar_mul_fmpz(result.raw(), a.raw(), fmpq_numref(integer.raw()), a.ring().raw());
  return result;
}

Poly power(const Poly& a, unsigned long exponent) {
  charge_power(a, exponent);
  Poly result(a.ring());
  if (!fmpz_mpoly_pow_ui(result.raw(), a.raw(), exponent, a.ring().raw())) {
    throw LimitReached{"a power is too large for the exact arithmetic"};
  }
  a.ring().budget().check_terms(result.terms());
  return result;
}

Poly gcd(const Poly& a, const Poly& b) {
  charge_gcd(a, b);
  Poly result(a.ring());
  if (!fmpz_mpoly_gcd(result.raw(), a.raw(), b.raw(), a.ring().raw())) {
    throw LimitReached{"a greatest common divisor is too large for the exact arithmetic"};
  }
  return result;
}

Poly exact_quotient(const Poly& a, const Poly& b) {
  charge_quotient(a, b);
  Poly result(a.ring());
  if (!fmpz_mpoly_divides(result.raw(), a.raw(), b.raw(), a.ring().raw())) {
    throw std::logic_error("exact_quotient: the divisor does not divide");
  }
  return result;
}

Poly exact_quotient(const Poly& a, const Rational& integer) {
  Poly result(a.ring());
  fmpz_mpoly_scalar_divexact_fmpz(result.raw(), a.raw(), fmpq_numref(integer.raw()), a.ring().raw());
  return result;
}

namespace {

/// On the packed exponents themselves: nothing is unpacked and packed again.
std::vector<Poly> split_packed(const Poly& a, std::size_t variable, unsigned long step) {
  const auto* context = a.ring().raw();
  const auto* from = a.raw();
  const auto bits = static_cast<flint_bitcnt_t>(from->bits);
  const slong words = mpoly_words_per_exp_sp(bits, context->minfo);
  slong offset = 0, shift = 0;
  mpoly_gen_offset_shift_sp(&offset, &shift, static_cast<slong>(variable), bits, context->minfo);
  const ulong mask = ~ulong{0} >> (FLINT_BITS - bits);
  const auto part_of = [&](slong term) { return (from->exps[term * words + offset] >> shift & mask) / step; };

  std::vector<slong> lengths(1, 0);
  for (slong term = 0; term < from->length; ++term) {
    const ulong m = part_of(term);
    if (m >= lengths.size()) lengths.resize(m + 1, 0);
    ++lengths[m];
  }
  std::vector<Poly> parts(lengths.size(), Poly(a.ring()));
  for (std::size_t m = 0; m < parts.size(); ++m) {
    fmpz_mpoly_fit_length_reset_bits(parts[m].raw(), lengths[m], bits, context);
  }
  for (slong term = 0; term < from->length; ++term) {
    const ulong m = part_of(term);
    auto* to = parts[m].raw();
    fmpz_set(to->coeffs + to->length, from->coeffs + term);
    ulong* exponents = to->exps + to->length * words;
    std::copy_n(from->exps + term * words, words, exponents);
    exponents[offset] -= m * step << shift;
    ++to->length;
  }
  return parts;
}

}  // namespace

std::vector<Poly> split_by_power(const Poly& a, std::size_t variable, unsigned long step) {
  if (a.raw()->bits <= FLINT_BITS) return split_packed(a, variable, step);
  std::vector<Poly> parts(a.degree(variable) / step + 1, Poly(a.ring()));
  Exponents exponents;
  for (std::size_t term = 0; term < a.terms(); ++term) {
    a.exponents(term, exponents);
    const unsigned long m = exponents[variable] / step;
    exponents[variable] %= step;
    parts[m].push_term(a.coefficient(term), exponents);
  }
  return parts;  // in order: all exponents of a part were shifted alike
}

namespace {

using Factoriser = int (*)(fmpz_mpoly_factor_t, const fmpz_mpoly_t, const fmpz_mpoly_ctx_t);

PolyFactors factor_with(const Poly& a, Factoriser factorise) {
  charge_factorisation(a);
  fmpz_mpoly_factor_t found;
  fmpz_mpoly_factor_init(found, a.ring().raw());
  PolyFactors result;
  const bool done = factorise(found, a.raw(), a.ring().raw());
  if (done) {
    result.constant = rational_of(found->constant);
    for (slong i = 0; i < found->num; ++i) {
      Poly base(a.ring());
      fmpz_mpoly_set(base.raw(), found->poly + i, a.ring().raw());
      const auto exponent = fmpz_get_ui(found->exp + i);
      if (base.is_constant()) {
        result.constant *= power(base.content(), static_cast<long>(exponent));
      } else if (base.content().sign() < 0) {
        if (exponent % 2 == 1) result.constant = -result.constant;
        result.factors.push_back({-base, exponent});
      } else {
        result.factors.push_back({std::move(base), exponent});
      }
    }
  }
  fmpz_mpoly_factor_clear(found, a.ring().raw());
  if (!done) throw LimitReached{"a factorisation is too large for the exact arithmetic"};
  return result;
}

/// The monomial that divides all terms, as factors; what is left is returned.
Poly take_monomial(const Poly& a, std::vector<PolyFactor>& factors) {
  Poly content(a.ring());
  fmpz_mpoly_term_content(content.raw(), a.raw(), a.ring().raw());
  Exponents exponents;
  content.exponents(0, exponents);
  for (std::size_t i = 0; i < a.ring().variables(); ++i) {
    if (exponents[i] > 0) factors.push_back({Poly::variable(a.ring(), i), exponents[i]});
  }
  const Rational sign(a.content().sign());
  return scaled(exact_quotient(a, content), sign);
}

std::optional<std::size_t> linear_variable(const Poly& a) {
  for (std::size_t i = 0; i < a.ring().variables(); ++i) {
    if (a.degree(i) == 1) return i;
  }
  return std::nullopt;
}

}  // namespace

/// A polynomial A*v + B, linear in one variable, is irreducible up to gcd(A, B): most of ours are of this
/// kind, and the general method costs far more.
PolyFactors factor(const Poly& a) {
  if (a.is_zero()) return factor_with(a, fmpz_mpoly_factor);
  PolyFactors result;
  result.constant = a.content();
  Poly rest = take_monomial(a, result.factors);
  while (!rest.is_constant()) {
    const auto v = linear_variable(rest);
    if (!v) {
      PolyFactors others = factor_with(rest, fmpz_mpoly_factor);
      result.constant *= others.constant;
      for (PolyFactor& part : others.factors) result.factors.push_back(std::move(part));
      break;
    }
    const auto parts = split_by_power(rest, *v, 1);
    Poly common = gcd(parts[0], parts[1]);
    result.factors.push_back({exact_quotient(rest, common), 1});
    rest = std::move(common);
  }
  return result;
}

PolyFactors factor_if_small(const Poly& a) {
  try {
    return factor(a);
  } catch (const LimitReached&) {
    if (a.ring().budget().is_exhausted()) throw;
    const Rational content = a.content();
    return {content, {{exact_quotient(a, content), 1}}};
  }
}

PolyFactors factor_squarefree(const Poly& a) {
  return factor_with(a, fmpz_mpoly_factor_squarefree);
}

}  // namespace liaison
