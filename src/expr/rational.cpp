#include "liaison/expr/rational.hpp"

#include <arf.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "liaison/expr/error.hpp"

namespace liaison {

namespace {

[[noreturn]] void throw_division_by_zero() {
  throw Error(ErrorCode::division_by_zero, "division by zero", "the denominator is the number 0");
}

struct Integer {
  Integer() { fmpz_init(value); }
  ~Integer() { fmpz_clear(value); }
  Integer(const Integer&) = delete;
  Integer& operator=(const Integer&) = delete;
  fmpz_t value;
};

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The exponent after e or E; nothing if malformed or absurd (beyond a million).
std::optional<long> parse_exponent(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (!all_digits(text) || text.size() > 7) return std::nullopt;
  long value = std::stol(std::string(text));
  return negative ? -value : value;
}

void set_digits(fmpz_t out, std::string_view digits) {
  fmpz_set_str(out, std::string(digits).c_str(), 10);
}

std::uint64_t hash_fmpz(const fmpz_t value) {
  if (!COEFF_IS_MPZ(*value)) return static_cast<std::uint64_t>(*value) * 0x9e3779b97f4a7c15ULL;
  std::uint64_t hash = fmpz_sgn(value) < 0 ? 0x51ed270b0a1d2f3bULL : 0x2545f4914f6cdd1dULL;
  const auto limbs = fmpz_size(value);
  const mp_limb_t* data = COEFF_TO_PTR(*value)->_mp_d;
  for (mp_size_t i = 0; i < static_cast<mp_size_t>(limbs); ++i)
    hash = (hash ^ data[i]) * 0x9e3779b97f4a7c15ULL;
  return hash;
}

}  // namespace

Rational::Rational(long numerator, long denominator) : Rational() {
  if (denominator == 0) throw_division_by_zero();
  Integer p, q;
  fmpz_set_si(p.value, numerator);
  fmpz_set_si(q.value, denominator);
  fmpq_set_fmpz_frac(value_, p.value, q.value);
}

std::optional<Rational> Rational::parse(std::string_view text) {
  bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  Rational result;
  if (auto slash = text.find('/'); slash != std::string_view::npos) {
    auto top = text.substr(0, slash), bottom = text.substr(slash + 1);
    if (!all_digits(top) || !all_digits(bottom)) return std::nullopt;
    set_digits(fmpq_numref(result.value_), top);
    set_digits(fmpq_denref(result.value_), bottom);
    if (fmpz_is_zero(fmpq_denref(result.value_))) throw_division_by_zero();
    fmpq_canonicalise(result.value_);
    return negative ? -result : result;
  }
  long exponent = 0;
  if (auto e = text.find_first_of("eE"); e != std::string_view::npos) {
    auto parsed = parse_exponent(text.substr(e + 1));
    if (!parsed) return std::nullopt;
    exponent = *parsed;
    text = text.substr(0, e);
  }
  std::string digits(text);
  if (auto dot = digits.find('.'); dot != std::string::npos) {
    exponent -= static_cast<long>(digits.size() - dot - 1);
    digits.erase(dot, 1);
  }
  if (!all_digits(digits)) return std::nullopt;
  set_digits(fmpq_numref(result.value_), digits);
  Integer scale;
  fmpz_set_ui(scale.value, 10);
  fmpz_pow_ui(scale.value, scale.value, static_cast<ulong>(std::abs(exponent)));
  if (exponent < 0) {
    fmpz_set(fmpq_denref(result.value_), scale.value);
    fmpq_canonicalise(result.value_);
  } else {
    fmpz_mul(fmpq_numref(result.value_), fmpq_numref(result.value_), scale.value);
  }
  return negative ? -result : result;
}

Rational Rational::from_fmpz(const fmpz_t value) {
  Rational result;
  fmpz_set(fmpq_numref(result.value_), value);
  return result;
}

Rational Rational::from_fmpq(const fmpq_t value) {
  Rational result;
  fmpq_set(result.value_, value);
  return result;
}

Rational Rational::from_double(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  Rational result(static_cast<long>(std::ldexp(fraction, 53)));
  return result * power(Rational(2), exponent - 53);
}

std::optional<long> Rational::to_long() const {
  if (!is_integer() || !fmpz_fits_si(fmpq_numref(value_))) return std::nullopt;
  return fmpz_get_si(fmpq_numref(value_));
}

/// The nearest double (fmpq_get_d cuts off towards zero: 1/10 would not be 0.1).
double Rational::to_double() const {
  arf_t quotient;
  arf_init(quotient);
  arf_fmpz_div_fmpz(quotient, fmpq_numref(value_), fmpq_denref(value_), 53, ARF_RND_NEAR);
  const double result = arf_get_d(quotient, ARF_RND_NEAR);
  arf_clear(quotient);
  return result;
}

Rational Rational::numerator() const {
  return from_fmpz(fmpq_numref(value_));
}

Rational Rational::denominator() const {
  return from_fmpz(fmpq_denref(value_));
}

std::uint64_t Rational::bits() const {
  return std::max(fmpz_bits(fmpq_numref(value_)), fmpz_bits(fmpq_denref(value_)));
}

std::string Rational::to_string() const {
  std::unique_ptr<char, void (*)(void*)> text(fmpq_get_str(nullptr, 10, value_), flint_free);
  return text.get();
}

std::uint64_t Rational::hash() const {
  return hash_fmpz(fmpq_numref(value_)) * 31 + hash_fmpz(fmpq_denref(value_));
}

Rational operator+(const Rational& a, const Rational& b) {
  Rational result;
  fmpq_add(result.value_, a.value_, b.value_);
  return result;
}

Rational operator-(const Rational& a, const Rational& b) {
  Rational result;
  fmpq_sub(result.value_, a.value_, b.value_);
  return result;
}

Rational operator*(const Rational& a, const Rational& b) {
  Rational result;
  fmpq_mul(result.value_, a.value_, b.value_);
  return result;
}

Rational operator/(const Rational& a, const Rational& b) {
  if (b.is_zero()) throw_division_by_zero();
  Rational result;
  fmpq_div(result.value_, a.value_, b.value_);
  return result;
}

Rational operator-(const Rational& a) {
  Rational result;
  fmpq_neg(result.value_, a.value_);
  return result;
}

Rational abs(const Rational& a) {
  return a.sign() < 0 ? -a : a;
}

Rational floor(const Rational& a) {
  Rational result;
  fmpz_fdiv_q(fmpq_numref(result.raw()), fmpq_numref(a.raw()), fmpq_denref(a.raw()));
  return result;
}

Rational power(const Rational& a, long n) {
  if (n < 0 && a.is_zero()) throw_division_by_zero();
  Rational result;
  fmpq_pow_si(result.raw(), a.raw(), n);
  return result;
}

}  // namespace liaison
